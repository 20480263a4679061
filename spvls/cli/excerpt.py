"""The line that a finding is about, with a mark under the place."""

from __future__ import annotations

from spvls.diagnostic import Position, Range
from spvls.record import NamedTuple
from spvls.text.escaping import visible
from spvls.text.lines import content_length

#: Columns of a terminal that an excerpt fills at most, and how many of them show what stands before the place.
WIDTH = 120
BEFORE = 48
TAB = 4


class Excerpt(NamedTuple):
    """`source` is a line, or the part of it around the place, as a terminal shows it; `mark` goes under it."""

    line: int
    source: str
    mark: str


def excerpt(lines: list[str], place: Range) -> Excerpt:
    """The excerpt for a range of a text, of which the first line is shown."""
    row, column = place.start
    line = lines[row]
    length = content_length(line)
    stop = place.end.column if place.end.line == row else length
    first = max(0, column - BEFORE) if length > WIDTH else 0
    last = min(length, first + WIDTH)
    before = _shown(line[first:column], 0)
    marked = _shown(line[column : min(max(stop, column), last)], before.columns)
    following = _shown(line[min(max(stop, column), last) : last], before.columns + marked.columns)
    cut = "…" if first else ""
    source = f"{cut}{before.text}{marked.text}{following.text}{'…' if last < length else ''}"
    mark = " " * (len(cut) + before.columns) + "^" * max(1, marked.columns)
    return Excerpt(row, source.rstrip(), mark)


def place_of(position: Position) -> str:
    """A position as people count: line and column from 1."""
    return f"{position.line + 1}:{position.column + 1}"


class _Shown(NamedTuple):
    text: str
    columns: int


def _shown(text: str, at: int) -> _Shown:
    """Characters as a terminal shows them from column `at` on, and the columns they take."""
    if text.isascii() and text.isprintable():
        return _Shown(text, len(text))
    import unicodedata

    shown: list[str] = []
    columns = 0
    for character in text:
        width = 1
        if character == "\t":
            width = TAB - (at + columns) % TAB
            character = " " * width
        elif (escaped := visible(character)) != character:
            character = escaped
            width = len(escaped)
        elif unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
            width = 0
        elif unicodedata.east_asian_width(character) in ("W", "F"):
            width = 2
        shown.append(character)
        columns += width
    return _Shown("".join(shown), columns)
