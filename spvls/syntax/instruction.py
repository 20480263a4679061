"""The instruction: what one entry of the text, or one run of words, says."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, count, islice
from operator import add

from spvls.grammar.records import Opcode
from spvls.grammar.tables import NO_OPCODE
from spvls.record import NamedTuple
from spvls.syntax.peg import expression
from spvls.text.pattern import pattern, written_later

#: Stands where a text names no opcode that the grammar knows.
UNKNOWN = Opcode("", NO_OPCODE, "", ())

_new = object.__new__

OPCODE, TYPE, RESULT = -1, -2, -3
"""Places of an instruction beside its operands, which count from 0."""

_WORDS = written_later(lambda: f"(?>{expression('gap')})(?P<it>{expression('word')})")
#: Where there is none of these, words are what stands between white space.
_MARKED = pattern(r'[;,()"\\\x00\x0b\x0c\x1c-\x1f]')


class ContextDependent:
    """A word whose meaning depends on another instruction: a number of a declared type, a name of an imported set."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"ContextDependent({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContextDependent) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


Operand = str | int | bytes | tuple[int, ...] | ContextDependent
"""The name of an id, one word, a string in UTF-8, the words of a long number (low first), or a context-dependent word."""


def shown(operand: Operand | None) -> str:
    """An operand as messages show it: an id as it stands in the text, a number, a quoted string."""
    match operand:
        case str():
            return f"%{operand}"
        case bytes():
            return f'"{operand.decode("utf-8", "replace")}"'
        case ContextDependent():
            return operand.text
        case tuple():
            return " ".join(f"!{word:#x}" for word in operand)
    return str(operand)


class Fault(NamedTuple):
    """What is wrong with an instruction, from offset `start` to `end` of what it was read from: the same wherever that stands."""

    rule: str
    message: str
    start: int
    end: int
    suggestion: str | None = None


class Span(NamedTuple):
    start: int
    end: int


class Instruction:
    """One instruction, as it stands in a text or in a binary; never changed once made.

    `text[start:end]` is what it was read from: the lines it stands on, so that offsets count from the start of the first
    of them; empty for instructions of a binary. It knows no line number. `raw` marks instructions with literal words
    (`!N`, OpUnknown), whose operands are not those that the opcode declares.
    """

    __slots__ = ("end", "faults", "opcode", "operands", "raw", "result", "start", "text", "type")

    def __init__(
        self,
        opcode: Opcode,
        type_: str | None,
        result: str | None,
        operands: tuple[Operand, ...],
        text: str = "",
        start: int = 0,
        end: int = 0,
        faults: tuple[Fault, ...] = (),
        raw: bool = False,
    ) -> None:
        self.opcode = opcode
        self.type = type_
        self.result = result
        self.operands = operands
        self.text = text
        self.start = start
        self.end = end
        self.faults = faults
        self.raw = raw

    def __repr__(self) -> str:
        shown = " ".join(f"%{o}" if isinstance(o, str) else repr(o) for o in self.operands)
        result = f"%{self.result} = " if self.result else ""
        return f"<{result}{self.opcode.name or '?'} {'%' + self.type + ' ' if self.type else ''}{shown}>"

    def moved(self, text: str, start: int) -> Instruction:
        """The same instruction, written from offset `start` of another text on."""
        record = _new(Instruction)
        record.opcode = self.opcode
        record.type = self.type
        record.result = self.result
        record.operands = self.operands
        record.text = text
        record.start = start
        record.end = self.end + start - self.start
        record.faults = self.faults
        record.raw = self.raw
        return record

    def uses(self) -> list[str]:
        """The names of the ids it refers to, the result type first, as often as they stand there."""
        names = [operand for operand in self.operands if operand.__class__ is str]
        if self.type is not None:
            names.insert(0, self.type)
        return names

    @property
    def stands_alone(self) -> bool:
        """Whether it shares its lines with no other instruction."""
        after = self.text[self.end :].lstrip()
        return (not after or after.startswith(";")) and not self.text[: self.start].strip()

    def words(self) -> list[Span]:
        """Where its words stand in `text`, in order."""
        return [Span(start, start + len(word)) for start, word in zip(*self.worded(), strict=True)]

    def worded(self) -> tuple[list[int], list[str]]:
        """Where its words begin in `text`, and the words, in order."""
        return (_worded if self.end - self.start < _LONG else _worded_once)(self.text, self.start, self.end)

    def first_operand_word(self) -> int:
        """How many words stand before the first operand."""
        return (2 if self.text.startswith("%", self.start) else 0) + 1 + (self.type is not None)

    def span(self, place: int) -> Span:
        """Where in `text` an operand, or OPCODE, TYPE or RESULT, stands; the opcode for what is not written there."""
        named = self.text.startswith("%", self.start)
        if place == RESULT and named and self.result is not None:
            return Span(self.start, self.start + 1 + len(self.result))
        opcode = 2 if named else 0
        index = {OPCODE: opcode, TYPE: opcode + 1, RESULT: 0 if named else opcode}.get(place)
        if index is None:
            index = self.first_operand_word() + place
        if index < _FIRST and self.end - self.start >= _LONG:
            first = list(islice(_WORDS.finditer(self.text, self.start, self.end), index + 1))
            if len(first) > index:
                return Span(*first[index].span("it"))
        spaced = _spaced_once(self.text, self.start, self.end) if self.end - self.start >= _HUGE else None
        if spaced is not None and index < len(spaced[1]):
            return _spaced_span(*spaced, index)
        starts, words = self.worded()
        if index >= len(words):
            index = min(opcode, len(words) - 1)  # a line may end before its opcode
        return Span(starts[index], starts[index] + len(words[index]))


def fault_at(record: Instruction, place: int, rule: str, message: str, suggestion: str | None = None) -> Fault:
    """A fault of an operand, or another place, of an instruction."""
    start, end = record.span(place)
    return Fault(rule, message, start - record.start, end - record.start, suggestion)


#: From here on it is quicker to remember the words of an instruction, of which many are asked for in turn.
_LONG = 200

#: From here on the places of all words are too many to be found at once.
_HUGE = 1 << 16

#: Words of a huge instruction between two whose places are remembered.
_STRIDE = 1024

#: Words of a long instruction that are found without the others.
_FIRST = 8


def _worded(text: str, at: int, end: int) -> tuple[list[int], list[str]]:
    if not text.isascii() or _MARKED.search(text, at, end) is not None:
        found = list(_WORDS.finditer(text, at, end))
        return [match.start("it") for match in found], [match["it"] for match in found]
    words = text[at:end].split()
    if " ".join(words) == text[at:end]:  # as compilers write
        return list(map(add, accumulate(map(len, words[:-1]), initial=at), count())), words
    starts: list[int] = []
    for word in words:
        at = text.find(word, at)
        starts.append(at)
        at += len(word)
    return starts, words


_worded_once = lru_cache(maxsize=2)(_worded)


def _spaced(text: str, at: int, end: int) -> tuple[list[int], list[str]] | None:
    """Where each word after `_STRIDE` others begins, and all words; None where more than a space stands between two, or strings."""
    if not text.isascii() or _MARKED.search(text, at, end) is not None:
        return None
    words = text[at:end].split()
    if " ".join(words) != text[at:end]:
        return None
    portions = (words[start : start + _STRIDE] for start in range(0, len(words), _STRIDE))
    return list(accumulate((sum(map(len, portion)) + len(portion) for portion in portions), initial=at)), words


_spaced_once = lru_cache(maxsize=2)(_spaced)


def _spaced_span(starts: list[int], words: list[str], index: int) -> Span:
    portion, before = divmod(index, _STRIDE)
    start = starts[portion] + sum(map(len, words[index - before : index])) + before
    return Span(start, start + len(words[index]))


def forget_words() -> None:
    """Forget the words of long instructions."""
    _worded_once.cache_clear()
    _spaced_once.cache_clear()
