"""Lines: a text cut where editors cut it."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from spvls.diagnostic import Position, Range
from spvls.text.pattern import pattern

# str.splitlines also cuts at these, which editors and the Language Server Protocol do not.
_OTHER_BREAKS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_LINE = pattern(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_BREAK = pattern(r"\r\n|\n|\r")


def split_lines(text: str) -> list[str]:
    """The lines of `text`, each with its own end (`\\n`, `\\r\\n` or a lone `\\r`); joined they are `text` again.

    The last line has no end, and is empty where the text ends with a line break or is empty.
    """
    has_others = any(map(text.__contains__, _OTHER_BREAKS))  # a search for each is quicker than one for all
    lines = _LINE.findall(text) if has_others else text.splitlines(keepends=True)
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


#: Up to here it is quicker to look for line breaks again than to remember where they are.
_SHORT = 1000


@lru_cache(maxsize=8)
def _line_ends(text: str) -> list[int]:
    """The offsets after the line breaks of a text; kept, for the many places of one long line."""
    return [found.end() for found in _BREAK.finditer(text)]


forget_lines = _line_ends.cache_clear


def position_in(text: str, offset: int, first_line: int = 0) -> Position:
    """The position of `text[offset]` where `text` begins at the start of line `first_line`."""
    if offset < _SHORT and text.find("\n", 0, offset) < 0 and text.find("\r", 0, offset) < 0:
        return Position(first_line, offset)
    ends = _line_ends(text)
    above = bisect_right(ends, offset)
    return Position(first_line + above, offset - (ends[above - 1] if above else 0))


def content_length(line: str) -> int:
    """The length of a line without its line break."""
    return len(line.rstrip("\r\n")) if line.endswith(("\n", "\r")) else len(line)


def clamp(lines: list[str], position: Position) -> Position:
    """The nearest position that exists: columns end at the line's content, lines at the last one."""
    line, column = position
    if line < 0:
        return Position(0, 0)
    if line >= len(lines):
        return Position(len(lines) - 1, len(lines[-1]))
    return Position(line, max(0, min(column, content_length(lines[line]))))


def splice(lines: list[str], span: Range, text: str) -> tuple[int, int, int]:
    """Put `text` in the place of `span`, in place.

    Returns (first, old, new): from line `first` on, `old` lines gave way to `new` ones. A break that the edit makes or
    undoes beside itself (`\\r` meeting `\\n`) is taken into account.
    """
    start, end = clamp(lines, span.start), clamp(lines, span.end)
    if end < start:
        start, end = end, start
    first, last = start.line, end.line
    merged = lines[first][: start.column] + text + lines[last][end.column :]
    if first and merged.startswith("\n") and lines[first - 1].endswith("\r"):
        first -= 1
        merged = lines[first] + merged
    while last + 1 < len(lines) and (
        not merged.endswith(("\n", "\r")) or (merged.endswith("\r") and lines[last + 1].startswith("\n"))
    ):
        last += 1
        merged += lines[last]
    new = split_lines(merged)
    if last + 1 < len(lines):
        new.pop()
    lines[first : last + 1] = new
    return first, last + 1 - first, len(new)
