"""Lines to instructions: one expression a line, compiled from the grammar, and a slower one for all that is not so plain."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterator
from itertools import accumulate

from spvls.syntax.instruction import Instruction
from spvls.syntax.operands import build, orphan_words
from spvls.syntax.peg import expression, pattern

_LINE = pattern("line", ("lone_result", "lone_opcode", "arguments")).match
_EMPTY = pattern("empty_line").match
_GAP = pattern("gap").match
_ENTRY = re.compile(
    f"(?>{expression('gap')})(?P<entry>(?:{expression('head', ('result', 'opcode'))})?+"
    f"(?P<arguments>{expression('operands')}))"
).match
_words = re.compile(f"(?>{expression('gap')})({expression('word')})").findall


def scan(lines: list[str], first: int = 0) -> Iterator[tuple[int, Instruction]]:
    """The instructions of `lines` in order, each with the line it starts on, from line `first` on, where one starts.

    An instruction is yielded only when the next one has begun, so a caller that stops early has not read far.
    """
    pending: Instruction | None = None
    pending_line = first
    index = first
    count = len(lines)
    while index < count:
        line = lines[index]
        match = _LINE(line)
        if match is not None:
            if pending is not None:
                yield pending_line, pending
            result, opcode, arguments = match.groups()
            # `split` knows more spaces than the grammar does; none of these is printable.
            plain = '"' not in arguments and arguments.isprintable()
            words = arguments.split() if plain else _words(arguments)
            start, end = match.start("lone_opcode" if result is None else "lone_result"), match.end("arguments")
            pending = build(line, start, end, result, opcode, words)
            pending_line = index
            if pending.end < end:
                # A statement of `!N` follows, which may go on below.
                pending = None
                index = yield from _scan_slowly(lines, pending_line)
            else:
                index += 1
        elif _EMPTY(line) is not None:
            index += 1
        else:
            # This line may go on with the instruction before it.
            begin = pending_line if pending is not None else index
            pending = None
            index = yield from _scan_slowly(lines, begin)
    if pending is not None:
        yield pending_line, pending


def _scan_slowly(lines: list[str], begin: int) -> Generator[tuple[int, Instruction], None, int]:
    """Instructions from line `begin` on, where one starts, until one starts a line that the quick expression takes.

    Returns that line, or the number of lines at the end of the text. The text is read through a window of lines, which
    grows until it holds a whole instruction and the start of the next one.
    """
    height = 16
    taken = lines[begin : begin + height]
    window = "".join(taken)
    ends = list(accumulate(map(len, taken)))
    offset = 0
    while True:
        match = _ENTRY(window, offset)
        start, end = match.span("entry") if match else (offset, offset)
        if begin + height < len(lines) and _GAP(window, end).end() == len(window):  # type: ignore[union-attr]
            height *= 2
        elif start == end:
            return len(lines)
        else:
            assert match is not None
            at = bisect_right(ends, start)
            line_start = ends[at - 1] if at else 0
            leads = at and offset <= line_start and not window[line_start:start].strip(" \t")
            if leads and _LINE(taken[at]) is not None:
                return begin + at
            # The instructions of one line share its text: a copy for each would be the square of the line's length.
            text = taken[at] if end <= ends[at] else window[line_start : ends[bisect_left(ends, end)]]
            record = _entry(match, text, line_start)
            yield begin + at, record
            rest = line_start + record.end
            if rest < end:
                # The words that follow a complete instruction are a statement of `!N`.
                rest = _GAP(window, rest).end()  # type: ignore[union-attr]
                below = bisect_right(ends, rest)
                rest_start = ends[below - 1] if below else 0
                text = taken[below] if end <= ends[below] else window[rest_start : ends[bisect_left(ends, end)]]
                yield begin + below, orphan_words(text, rest - rest_start, end - rest_start)
            offset = end
            at = bisect_right(ends, end)
            if at <= height // 2 or begin + height >= len(lines):
                continue
            begin, height = begin + at, 16
            offset -= ends[at - 1]
        taken = lines[begin : begin + height]
        window = "".join(taken)
        ends = list(accumulate(map(len, taken)))


def _entry(match: re.Match[str], text: str, base: int) -> Instruction:
    """The instruction of a match, where `text` begins at offset `base` of what was matched."""
    start, end = match.start("entry") - base, match.end("entry") - base
    opcode = match["opcode"]
    if opcode is None:
        return orphan_words(text, start, end)
    return build(text, start, end, match["result"], opcode, _words(match["arguments"]))
