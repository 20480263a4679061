"""Lines to instructions: one expression a line, compiled from the grammar, and a slower one for all that is not so plain."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import accumulate, repeat

from spvls.steps import PORTION, Steps
from spvls.syntax.fast_path import fast_path, fast_paths
from spvls.syntax.instruction import UNKNOWN, Instruction
from spvls.syntax.operands import build, orphan_words
from spvls.syntax.peg import expression, pattern
from spvls.text.pattern import written_later
from spvls.typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import re

_LINE = pattern("line", ("lone_result", "lone_opcode", "arguments"))
_EMPTY = pattern("empty_line")
_GAP = pattern("gap")
_ENTRY = written_later(
    lambda: f"(?>{expression('gap')})(?P<entry>(?>{expression('head', ('result', 'opcode'))}|)"
    f"(?P<arguments>{expression('operands')}))"
)
_WORDS = written_later(lambda: f"(?>{expression('gap')})({expression('word')})")


_ODD = "\0\x0b\x0c\x1c\x1d\x1e\x1f"
"""ASCII characters that separate words for `str.split` and not in the grammar, and the one that ends a text."""

_SPACE = ("", " ", "\t", "\n", "\r")
"""What stands beside a word of a line, or nothing."""

_MARKS = frozenset(",()\\")
"""ASCII characters that are words of their own, or escape others, unless they are quoted."""

_LEAST, _MOST = 4, PORTION
"""Lines that are read together: few at first, since who scans after an edit needs few."""

LONG_LINE = 1 << 16
"""Characters of a line, beyond which the words of a whole line are many; they are not cut before it is known that the line holds no
other instruction."""

_SHORT, _FEW = 100, 100
"""Characters of instructions that are remembered while many of them stand in one line, and how many of these are."""

UNUSUAL = Instruction(UNKNOWN, None, None, ())
"""Stands for what a line holds that has to be read along with those around it."""


def rows(lines: list[str]) -> list[Instruction | None]:
    """What each of some lines holds: one instruction, nothing, or what stands for something `UNUSUAL`.

    The words of a plain line go to the fast path of its opcode. What that takes is an argument of a `line` of the grammar, so
    nothing else is to be matched.
    """
    found: list[Instruction | None] = []
    for line, words in zip(lines, plain_words(lines), strict=True):
        row_: Instruction | None = None
        if words is not None:
            if line in _ahead:
                row_ = _ahead.pop(line)
            elif len(words) > 2 and words[1] == "=":
                path = fast_paths.get(words[2]) or fast_path(words[2])
                if path is not None and path.has_result:
                    row_ = path.instruction(line, line.find("%"), len(line.rstrip()), words)
            elif words:
                path = fast_paths.get(words[0]) or fast_path(words[0])
                if path is not None and not path.has_result:
                    row_ = path.instruction(line, line.find("O"), len(line.rstrip()), words)
            else:
                found.append(None)
                continue
        found.append(row(line, words) if row_ is None else row_)
    return found


_ahead: dict[str, Instruction] = {}
"""Instructions of long lines that were read in short steps, until the text that they are of is read."""


forget_ahead = _ahead.clear


def read_ahead(lines: Iterable[str]) -> Steps[None]:
    """Read long lines in short steps, those that the fast path of an opcode takes: `rows` finds each of them read, once."""
    _ahead.clear()
    for line in lines:
        if len(line) > LONG_LINE:
            yield
            (words,) = plain_words([line])
            if not words:
                continue
            has_result = len(words) > 2 and words[1] == "="
            path = fast_path(words[2 if has_result else 0])
            if path is not None and path.has_result is has_result:
                yield
                operands = yield from path.operand_steps(words)
                yield
                if operands is not None:
                    record = path.instruction(line, line.find("%" if has_result else "O"), len(line.rstrip()), words, operands)
                    if record is not None:
                        _ahead[line] = record


def plain_words(lines: list[str]) -> list[list[str] | None]:
    """The words of each line that is plain: of ASCII characters, without a comment, and with one string or none, or nothing but a
    comment. None for any other line."""
    text = "".join(lines)
    if text.startswith(";") and text.count("\n;") == len(lines) - 1 and text.replace("\n", "").isprintable():
        return [[] for _ in lines]
    found: list[list[str] | None] = []
    are_plain = _is_plain(text)
    for line in lines:
        if ";" in line:
            found.append([] if _is_comment(line) else None)
        elif (len(line) > LONG_LINE and line.count("Op") > 1) or not (are_plain or _is_plain(line)):
            found.append(None)
        elif '"' in line:
            found.append(_split_at_string(line))
        else:
            found.append(line.split())
    return found


def _is_comment(line: str) -> bool:
    """Whether a line holds a comment and nothing else; one before a lone `\\r` goes on in the next line."""
    text = (line[:-2] if line.endswith("\r\n") else line.removesuffix("\n")).lstrip(" \t")
    return text.startswith(";") and text.isprintable()


def _is_plain(text: str) -> bool:
    return text.isascii() and not any(map(text.__contains__, _ODD))


def _split_at_string(line: str) -> list[str] | None:
    before, _, rest = line.partition('"')
    string, closed, after = rest.partition('"')
    if not closed or '"' in after or "\\" in line or before[-1:] not in _SPACE or after[:1] not in _SPACE:
        return None
    return [*before.split(), f'"{string}"', *after.split()]


def _head_of(words: list[str] | None, line: str) -> int:
    """How many words of a plain line come before its operands, where it is a `line` of the grammar without a match; 0 where that
    is not sure."""
    if not words or not _MARKS.isdisjoint(line):
        return 0
    head = 3 if words[1:2] == ["="] and len(words) > 2 and words[0][0] == "%" else 1
    path = fast_path(words[head - 1])
    is_line = path is not None and path.has_result is (head == 3)
    return head if is_line and not any(word == "=" or (word[:2] == "Op" and word[2:3].isupper()) for word in words[head:]) else 0


def row(line: str, words: list[str] | None = None) -> Instruction | None:
    """What any line holds; `words` are those of a plain line, if they are known."""
    head = _head_of(words, line)
    if head:
        assert words is not None
        end = len(line.rstrip())
        record = build(line, line.find("%" if head == 3 else "O"), end, words)
        return record if record.end == end else UNUSUAL
    match = _LINE.match(line)
    if match is None:
        return None if _EMPTY.match(line) is not None else UNUSUAL
    result, opcode, arguments = match.groups()
    # `split` knows more spaces than the grammar does; none of these is printable.
    plain = '"' not in arguments and arguments.isprintable()
    words = arguments.split() if plain else _WORDS.findall(arguments)
    words[:0] = (opcode,) if result is None else (result, "=", opcode)
    start, end = match.start("lone_opcode" if result is None else "lone_result"), match.end("arguments")
    record = build(line, start, end, words)
    # A statement of `!N` that follows may go on below.
    return record if record.end == end else UNUSUAL


def scan(lines: list[str], first: int = 0) -> Iterator[tuple[int, Instruction]]:
    """The instructions of `lines` in order, each with the line it starts on, from line `first` on, where one starts.

    An instruction is yielded only when the next one has begun, and a caller that stops early has not read far.
    """
    for line, run in scan_runs(lines, first):
        for at, record in zip(repeat(line), run) if isinstance(run, tuple) else enumerate(run, line):
            if record is not None:
                yield at, record


def scan_runs(
    lines: list[str], first: int = 0, rows_of: Callable[[list[str]], list[Any]] = rows
) -> Iterator[tuple[int, list[Any] | tuple[Instruction, ...]]]:
    """As `scan`, in runs: a line, and what stands on it and on lines after it, one instruction or none on each.

    Where several start on one line, each is a run of its own, and those that repeat the one before are one, which is a tuple.
    `rows_of` may make something else of lines than `rows` does.
    """
    #: The last instruction so far, and the lines after it.
    held: list[Any] = []
    index, count, height = first, len(lines), _LEAST
    while index < count:
        found = rows_of(_batch(lines, index, height))
        height = min(2 * height, _MOST)
        start, stop = index, index + len(found)
        while index < stop:
            try:
                end = found.index(UNUSUAL, index - start)
            except ValueError:
                end = len(found)
            before = len(held)
            held += found[index - start : end]
            begin = index - before
            index = start + end
            last = _last(held, before)
            if last:
                yield begin, held[:last]
                held = held[last:]
            if index < stop:
                # This line may go on with the instruction before it.
                index = yield from _scan_slowly(lines, begin + last if held and held[0] is not None else index)
                held = []
    if held:
        yield count - len(held), held


def _batch(lines: list[str], index: int, height: int) -> list[str]:
    """So many lines that are read together; a long one is read alone, and only when it is its turn."""
    batch = lines[index : index + height]
    if max(map(len, batch)) > LONG_LINE:
        at = next(at for at, line in enumerate(batch) if len(line) > LONG_LINE)
        return batch[: at or 1]
    return batch


def _last(run: Sequence[object], held: int) -> int:
    """Where the last instruction of a run stands; 0 where there is none but for one that it begins with. After that one there
    are none among the first `held`."""
    at = len(run) - 1
    while at >= held and run[at] is None:
        at -= 1
    return at if at >= held else 0


def _scan_slowly(lines: list[str], begin: int) -> Generator[tuple[int, list[Any] | tuple[Instruction, ...]], None, int]:
    """Instructions from line `begin` on, where one starts, until one starts a line that the quick expression takes.

    Returns that line, or the number of lines at the end of the text. The text is read through a window of lines, which
    grows until it holds a whole instruction and the start of the next one.
    """
    height = 16
    taken = lines[begin : begin + height]
    window = "".join(taken)
    ends = list(accumulate(map(len, taken)))
    offset = 0
    seen: dict[str, Instruction] = {}  # by what is written; the same again is the same instruction, elsewhere
    while True:
        match = _ENTRY.match(window, offset)
        start, end = match.span("entry") if match else (offset, offset)
        if begin + height < len(lines) and _GAP.match(window, end).end() == len(window):  # type: ignore[union-attr]
            height *= 2
        elif start == end:
            return len(lines)
        else:
            assert match is not None
            at = bisect_right(ends, start)
            line_start = ends[at - 1] if at else 0
            leads = at and offset <= line_start and not window[line_start:start].strip(" \t")
            if leads and _LINE.match(taken[at]) is not None:
                return begin + at
            # The instructions of one line share its text: a copy for each would be the square of the line's length.
            text = taken[at] if end <= ends[at] else window[line_start : ends[bisect_left(ends, end)]]
            written = window[start:end]
            known = seen.get(written)
            if known is not None:
                yield begin + at, [known.moved(text, start - line_start)]
                unit = window[offset:end]
                places = range(start + len(unit), _certain(window, unit, end), len(unit))
                for first in range(0, len(places), PORTION):
                    yield begin + at, tuple([known.moved(text, place - line_start) for place in places[first : first + PORTION]])
                    end = places[-1] + len(written)
                rest = end
            else:
                record = _entry(match, text, line_start)
                rest = line_start + record.end
                if rest < end and len(text) > len(taken[at]):
                    # The words after it, which may go on for lines, are not its own.
                    record = record.moved(window[line_start : ends[bisect_left(ends, rest)]], record.start)
                yield begin + at, [record]
                if rest == end and len(written) <= _SHORT and len(seen) < _FEW:
                    seen[written] = record
            if rest < end:
                # The words that follow a complete instruction are a statement of `!N`.
                rest = _GAP.match(window, rest).end()  # type: ignore[union-attr]
                below = bisect_right(ends, rest)
                rest_start = ends[below - 1] if below else 0
                text = taken[below] if end <= ends[below] else window[rest_start : ends[bisect_left(ends, end)]]
                yield begin + below, [orphan_words(text, rest - rest_start, end - rest_start)]
            offset = end
            at = bisect_right(ends, end)
            if at <= height // 2 or begin + height >= len(lines):
                continue
            begin, height = begin + at, 16
            offset -= ends[at - 1]
        taken = lines[begin : begin + height]
        window = "".join(taken)
        ends = list(accumulate(map(len, taken)))


def _certain(window: str, unit: str, at: int) -> int:
    """Where in what has been read an instruction that begins before is the same as that of a unit, which ends at `at`: as far as
    the unit, a gap and an instruction on one line, is repeated, without its last two times, after which something may belong to
    it."""
    if not window.startswith(3 * unit, at) or "\n" in unit or "\r" in unit:
        return at
    step = len(unit)
    many = unit * _FEW
    end = at
    while window.startswith(many, end):
        end += _FEW * step
    while window.startswith(unit, end):
        end += step
    return end - 2 * step


def _entry(match: re.Match[str], text: str, base: int) -> Instruction:
    """The instruction of a match, where `text` begins at offset `base` of what was matched."""
    start, end = match.start("entry") - base, match.end("entry") - base
    opcode = match["opcode"]
    if opcode is None:
        return orphan_words(text, start, end)
    words = _WORDS.findall(match["arguments"])
    words[:0] = (opcode,) if match["result"] is None else (match["result"], "=", opcode)
    return build(text, start, end, words)
