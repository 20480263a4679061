"""A host text under edits: its lines, their classes, and the modules in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from spvls.diagnostic import Range
from spvls.host import reader
from spvls.host.languages import LANGUAGES, Language
from spvls.host.line_class import OTHER, are_many
from spvls.host.span import ModuleSpan, Piece, Placement, Quoted, Straight, straight_text
from spvls.record import NamedTuple
from spvls.steps import PORTION, Steps, completed
from spvls.text.lines import splice, split_lines


class Splice(NamedTuple):
    """From line `first` on, `old` lines gave way to `new` ones, all of them lines of the module at index `module`, or of none.
    Where that is -2 a border was touched: other modules may stand in the text than before. `is_recut` where `spans` are others.
    """

    first: int
    old: int
    new: int
    is_recut: bool
    module: int


OUTSIDE, BORDER = -1, -2
"""What `Splice.module` is for lines that are in no module, and for lines that decide where one is."""


class HostText:
    """The lines of a text in one host language, and `spans`, the modules in it. Equal texts have equal spans, however they
    came to be."""

    __slots__ = ("_classes", "_states", "language", "lines", "spans")

    def __init__(self, text: str, language: Language) -> None:
        self.language = language
        completed(self._take(text))

    @classmethod
    def steps(cls, text: str, language: Language) -> Steps[HostText]:
        """The host of a text, read in short steps."""
        made = cls.__new__(cls)
        made.language = language
        yield from made._take(text)
        return made

    def _take(self, text: str) -> Steps[None]:
        self.lines = split_lines(text)
        #: The class of each line, and the state before it.
        self._classes = bytearray(len(self.lines))
        self._states = [""] * len(self.lines)
        yield from self._read(0, len(self.lines), None)
        self.spans: tuple[ModuleSpan, ...] = self._cut()

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def replace(self, text: str) -> None:
        """Take another text in the place of the whole."""
        lines = self.lines
        completed(self._take(text))
        lines[:], self.lines = self.lines, lines

    def edit(self, span: Range, text: str) -> Splice:
        """Put `text` in the place of a range."""
        first, old, new = splice(self.lines, span, text)
        kept = bytes(self._classes[first : first + old])
        state = self._states[first]
        self._classes[first : first + old] = bytes(new)
        self._states[first : first + old] = [state] * new
        is_read_on = completed(self._read(first, first + new, state))
        if old != new and not is_read_on and self._is_passive(kept) and self._is_passive(self._classes[first : first + new]):
            self.spans = _shifted(self.spans, first + old, new - old)
            return Splice(first, old, new, True, OUTSIDE)
        is_recut = is_read_on or old != new or kept != self._classes[first : first + new]
        borders = self.language.reader.borders
        is_recut = is_recut or any(chr(code) in borders for code in kept)
        spans = self.spans
        if is_recut:
            self.spans = self._cut()
        return Splice(first, old, new, is_recut, _module_of(first, old, new, spans, self.spans if is_recut else None))

    def _is_passive(self, classes: bytes | bytearray) -> bool:
        """Whether lines of these classes can be replaced by others of which the same holds, and modules only move."""
        found = set(classes.decode("latin-1"))
        return reader.OUTSIDE in found and found <= self.language.reader.passive

    def placement(self, span: ModuleSpan) -> Placement:
        """How positions of a module are positions of this text as it is now."""
        if not span.quoted:
            return Straight(span, self.lines)
        _, rows, indent = self._quoted(span)
        return Quoted(rows, indent)

    def module_text(self, span: ModuleSpan) -> str:
        """The text of a module."""
        return self._quoted(span)[0] if span.quoted else straight_text(span, self.lines)

    def _quoted(self, span: ModuleSpan) -> tuple[str, Sequence[Sequence[Piece]], str]:
        from spvls.host.literals import Literals, quoted_rows  # only these languages quote, and few texts are of them

        reader = self.language.reader
        assert isinstance(reader, Literals)
        return quoted_rows(reader, self.lines, span)

    def _read(self, first: int, end: int, state: str | None) -> Steps[bool]:
        """Read lines from `first` on: to `end`, and then until the state is the one that is known. Whether that was further on."""
        known = state
        state = state or ""
        for line in range(first, end, PORTION):
            state = self._read_portion(line, min(line + PORTION, end), state)
            yield
        read = self.language.reader.read
        lines, classes, states = self.lines, self._classes, self._states
        line, count = end, len(lines)
        while line < count and states[line] != state:
            states[line] = state
            state, found = read(state, lines[line])
            classes[line] = ord(found)
            line += 1
            if not line % PORTION:
                yield
        return known is not None and line > end

    def _read_portion(self, first: int, end: int, state: str) -> str:
        """Read some lines, ordinary ones in runs; the state after them."""
        reader = self.language.reader
        lines, classes, states = self.lines, self._classes, self._states
        text = "".join(lines[first:end])
        at, line = 0, first
        while line < end:
            if not state and are_many(end - first):
                stop = reader.ordinary(text, at)
                count = text.count("\n", at, stop)
                classes[line : line + count] = OTHER.encode() * count
                states[line : line + count] = [""] * count
                at = stop
                line += count
                if line == end:
                    break
            states[line] = state
            state, found = reader.read(state, lines[line])
            classes[line] = ord(found)
            at += len(lines[line])
            line += 1
        return state

    def _cut(self) -> tuple[ModuleSpan, ...]:
        return tuple(self.language.reader.cut(self.lines, self._classes.decode("latin-1"), self._states))


def _shifted(spans: tuple[ModuleSpan, ...], line: int, shift: int) -> tuple[ModuleSpan, ...]:
    """The spans after the lines from `line` on have moved; those above stay the same objects."""
    at = bisect_left(spans, line, key=lambda span: span.first)
    return spans[:at] + tuple(span._replace(first=span.first + shift, end=span.end + shift) for span in spans[at:])


def _module_of(
    first: int, old: int, new: int, before: tuple[ModuleSpan, ...], after: tuple[ModuleSpan, ...] | None
) -> int:
    """The index of the module that has all lines of an edit; OUTSIDE where none has any, BORDER where it is not that plain."""
    index = bisect_right(before, first, key=lambda span: span.first) - 1
    while index > 0 and before[index].first == before[index].end:
        index -= 1  # a block without lines
    inside = index >= 0 and first < before[index].end
    if inside and first + old > before[index].end:
        return BORDER
    if index > 0 and before[index - 1].end > first:
        return BORDER
    if index + 1 < len(before) and first + old > before[index + 1].first:
        return BORDER
    if after is not None:
        if len(after) != len(before):
            return BORDER
        shift = new - old
        for at, (was, now) in enumerate(zip(before, after, strict=True)):
            start = shift if at > index else 0
            end = shift if at > index or (inside and at == index) else 0
            if _place(was, start, end) != _place(now, 0, 0):
                return BORDER
    return index if inside else OUTSIDE


def _place(span: ModuleSpan, start: int, end: int) -> tuple[object, ...]:
    return span.first + start, span.end + end, span.column, span.end_column, span.quoted


def cut(text: str, language: str) -> tuple[ModuleSpan, ...]:
    """The modules in a text of a host language, by the name of that in `LANGUAGES`."""
    return HostText(text, LANGUAGES[language]).spans
