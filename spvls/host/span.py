"""Where a module stands in a host text, and how its lines and columns are those of the host."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.diagnostic import Position, Range
from spvls.record import Enum, NamedTuple
from spvls.text.lines import content_length
from spvls.typed import Protocol


class Form(Enum):
    """What a span holds."""

    MODULE = "module"
    FRAGMENT = "fragment"
    """A part of a module, which the host puts together with others: what it lacks is not missing."""
    DIALECT = "dialect"
    """Instructions in the syntax of another language, which is highlighted and not judged."""


class ModuleSpan(NamedTuple):
    """A module in lines `first` up to, and not including, `end` of its host.

    The text begins at column `column` of the first line, and ends at `end_column` of the last one, or with its line break
    where that is None. A `quoted` module is what the string literals of its lines say when joined. `environment` is the one
    that the host asks for, None where it says nothing; `default` the one that its tools take then. `name` is what the host
    calls the module, "" where it has no name. `is_closed` is false where the text ends before the block does. `is_joined` where
    the host joins the text with others, so that its first and last lines may be parts of longer ones.
    """

    first: int
    end: int
    column: int = 0
    end_column: int | None = None
    form: Form = Form.MODULE
    quoted: bool = False
    environment: str | None = None
    default: str | None = None
    name: str = ""
    is_closed: bool = True
    is_joined: bool = False

    @property
    def start(self) -> Position:
        """Where the text begins in the host."""
        return Position(self.first, self.column)


class Piece(NamedTuple):
    """Characters of a module that stand together in the host: `length` of them from `column` of a module line on, at
    `host_column` of line `host_line`, where they take `host_length` columns: as many, or more for an escape sequence."""

    column: int
    length: int
    host_line: int
    host_column: int
    host_length: int


class Placement(Protocol):
    """Positions of a module and of its host, each as the other's."""

    def to_host(self, position: Position) -> Position:
        """The position in the host of one in the module."""

    def to_host_range(self, span: Range) -> Range:
        """The range in the host of one in the module, without what the host adds before or after it."""

    def to_module(self, position: Position) -> Position | None:
        """The position in the module of one in the host; None where the module does not reach."""

    def nearest(self, position: Position) -> Position:
        """The position in the module that is nearest to one in the host."""

    def to_host_text(self, text: str) -> str:
        """Text of the module as the host must write it."""


class Straight:
    """The placement of a module whose lines are lines of the host; only the first one may begin further left."""

    __slots__ = ("_lines", "_span")

    def __init__(self, span: ModuleSpan, lines: Sequence[str]) -> None:
        self._span = span
        self._lines = lines

    def to_host(self, position: Position) -> Position:
        line, column = position
        return Position(line + self._span.first, column + self._span.column if line == 0 else column)

    def to_host_range(self, span: Range) -> Range:
        return Range(self.to_host(span.start), self.to_host(span.end))

    def to_module(self, position: Position) -> Position | None:
        line, column = position.line - self._span.first, position.column
        if line < 0 or position.line >= self._span.end:
            return None
        if position.line == self._span.end - 1 and column > _end_column(self._span, self._lines):
            return None
        if line == 0:
            column -= self._span.column
        return Position(line, column) if column >= 0 else None

    def nearest(self, position: Position) -> Position:
        found = self.to_module(position)
        if found is not None:
            return found
        if position < self._span.start:
            return Position(0, 0)
        last = max(self._span.end - 1, self._span.first)
        before = self._span.column if last == self._span.first else 0
        return Position(last - self._span.first, max(0, _end_column(self._span, self._lines) - before))

    def to_host_text(self, text: str) -> str:
        return text


class Quoted:
    """The placement of a module that string literals say; `rows` are the pieces of each line of it."""

    __slots__ = ("_indent", "_rows")

    def __init__(self, rows: Sequence[Sequence[Piece]], indent: str) -> None:
        self._rows = rows
        self._indent = indent

    def to_host(self, position: Position) -> Position:
        return self._placed(position, at_end=False)

    def to_host_range(self, span: Range) -> Range:
        start = self._placed(span.start, at_end=False)
        return Range(start, max(start, self._placed(span.end, at_end=span.end > span.start)))

    def to_module(self, position: Position) -> Position | None:
        for line, row in enumerate(self._rows):
            for piece in row:
                inside = position.column - piece.host_column
                if piece.host_line == position.line and 0 <= inside <= piece.host_length:
                    return Position(line, piece.column + (inside if piece.length == piece.host_length else inside and piece.length))
        return None

    def nearest(self, position: Position) -> Position:
        found = self.to_module(position)
        if found is not None:
            return found
        found = Position(0, 0)
        for line, row in enumerate(self._rows):
            for piece in row:
                if (piece.host_line, piece.host_column) > position:
                    return found
                found = Position(line, piece.column + piece.length)
        return found

    def to_host_text(self, text: str) -> str:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r\n", "\n").replace("\r", "\n")
        return escaped.replace("\n", f'\\n"\n{self._indent}"')

    def _placed(self, position: Position, *, at_end: bool) -> Position:
        """The place of a position; one between two pieces is the end of the first, or else the start of the second."""
        row = self._rows[min(position.line, len(self._rows) - 1)]
        if position.column == 0 and at_end and position.line:
            row = self._rows[position.line - 1]
            return Position(row[-1].host_line, row[-1].host_column + row[-1].host_length) if row else self._end()
        found: Piece | None = None
        for piece in row:
            if piece.column > position.column or (at_end and piece.column == position.column):
                break
            found = piece
        if found is None:
            return Position(row[0].host_line, row[0].host_column) if row else self._end()
        inside = min(position.column - found.column, found.length)
        straight = found.length == found.host_length
        return Position(found.host_line, found.host_column + (inside if straight else inside and found.host_length))

    def _end(self) -> Position:
        last = next(piece for row in reversed(self._rows) for piece in reversed(row))
        return Position(last.host_line, last.host_column + last.host_length)


def straight_text(span: ModuleSpan, lines: Sequence[str]) -> str:
    """The text of a module whose lines are lines of the host."""
    return "".join(straight_lines(span, lines, span.first, span.end))


def straight_lines(span: ModuleSpan, lines: Sequence[str], first: int, end: int) -> list[str]:
    """What lines `first` to `end` of the host, within a span, give its module."""
    taken = list(lines[first:end])
    if span.end_column is not None and end == span.end and taken:
        taken[-1] = taken[-1][: span.end_column]
    if first == span.first and taken:
        taken[0] = taken[0][span.column :]
    return taken


def _end_column(span: ModuleSpan, lines: Sequence[str]) -> int:
    if span.end_column is not None:
        return span.end_column
    return content_length(lines[span.end - 1]) if span.end > span.first else 0
