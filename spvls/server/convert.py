"""Positions and ranges of a document in the client's units, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from spvls.diagnostic import Edit, Position, Range
from spvls.host.span import Placement
from spvls.text.encoding import ColumnCodec
from spvls.text.lines import clamp, content_length

Json = dict[str, Any]


class ClientPosition(Protocol):
    """A position as the client sends it."""

    @property
    def line(self) -> int: ...

    @property
    def character(self) -> int: ...


class ClientRange(Protocol):
    """A range as the client sends it."""

    @property
    def start(self) -> ClientPosition: ...

    @property
    def end(self) -> ClientPosition: ...


class Converter:
    """Converts places of one document, whose lines it follows as they change."""

    __slots__ = ("_codec", "_lines")

    def __init__(self, codec: ColumnCodec, lines: list[str]) -> None:
        self._codec = codec
        self._lines = lines

    # From the client; a place that the document does not have becomes the nearest one

    def position(self, client: ClientPosition) -> Position:
        line = client.line
        if not 0 <= line < len(self._lines):
            return clamp(self._lines, Position(line, 0))
        return clamp(self._lines, Position(line, self._codec.to_points(self._lines[line], client.character)))

    def range(self, client: ClientRange) -> Range:
        return Range(self.position(client.start), self.position(client.end))

    def line_edit(self, line: int, changes: Iterable[tuple[ClientRange, str]]) -> tuple[Range, str]:
        """Edits within one line of the document, in turn, without line breaks, as one edit of that line."""
        length = content_length(self._lines[line])
        edits = ((span.start.character, span.end.character, text) for span, text in changes)
        text = self._codec.edited(self._lines[line][:length], edits)
        return Range(Position(line, 0), Position(line, length)), text

    # To the client

    def to_position(self, position: Position) -> Json:
        line, column = position
        if line < len(self._lines):
            column = self._codec.to_units(self._lines[line], column)
        return {"line": line, "character": column}

    def to_range(self, span: Range) -> Json:
        (line, start), (last, end) = span
        if line == last < len(self._lines) and self._lines[line].isascii():
            return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        return {"start": Converter.to_position(self, span.start), "end": Converter.to_position(self, span.end)}

    def range_text(self, span: Range) -> str:
        """As `to_range`, as the text of the JSON, where an answer has thousands."""
        (line, start), (last, end) = span
        if line < len(self._lines):
            start = self._codec.to_units(self._lines[line], start)
        if last < len(self._lines):
            end = self._codec.to_units(self._lines[last], end)
        return f'{{"start":{{"line":{line},"character":{start}}},"end":{{"line":{last},"character":{end}}}}}'

    def to_edit(self, edit: Edit) -> Json:
        return {"range": self.to_range(edit.range), "newText": edit.text}

    def to_edits(self, edits: Sequence[Edit]) -> list[Json]:
        return [self.to_edit(edit) for edit in edits]

    def units(self, line: int, column: int) -> int:
        """The client's column of a code point."""
        return self._codec.to_units(self._lines[line], column)

    def line(self, line: int) -> int:
        """The client's line of a line."""
        return line


class PlacedConverter(Converter):
    """Converts places of a module that stands in a longer text: those of the client are in lines of that text."""

    __slots__ = ("_placement",)

    def __init__(self, codec: ColumnCodec, lines: list[str], placement: Placement) -> None:
        super().__init__(codec, lines)
        self._placement = placement

    def position(self, client: ClientPosition) -> Position:
        return self._placement.nearest(super().position(client))

    def to_position(self, position: Position) -> Json:
        return super().to_position(self._placement.to_host(position))

    def to_range(self, span: Range) -> Json:
        start, end = self._placement.to_host_range(span)
        return {"start": super().to_position(start), "end": super().to_position(end)}

    def range_text(self, span: Range) -> str:
        return super().range_text(self._placement.to_host_range(span))

    def to_edit(self, edit: Edit) -> Json:
        return {"range": self.to_range(edit.range), "newText": self._placement.to_host_text(edit.text)}

    def units(self, line: int, column: int) -> int:
        place = self._placement.to_host(Position(line, column))
        return super().units(*place)

    def line(self, line: int) -> int:
        return self._placement.to_host(Position(line, 0)).line
