"""Columns in the units of editors: UTF-8, UTF-16 or UTF-32 code units at the edge, code points inside."""

from __future__ import annotations

from collections.abc import Callable

_UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_CODEC = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


class ColumnCodec:
    """Columns of one position encoding (LSP 3.17, `positionEncoding`) to code points and back."""

    __slots__ = ("_codec", "_unit", "encoding")

    def __init__(self, encoding: str) -> None:
        """`encoding` is "utf-8", "utf-16" or "utf-32"."""
        self.encoding = encoding
        self._codec = _CODEC[encoding]
        self._unit = _UNIT_BYTES[encoding]

    def to_units(self, line: str, column: int) -> int:
        """The client's column of code point `column` of `line`."""
        if line.isascii():
            return column
        return len(line[:column].encode(self._codec, "surrogatepass")) // self._unit

    def to_points(self, line: str, units: int) -> int:
        """The code point at the client's column `units`; one inside a character counts as before it."""
        if line.isascii():
            return units
        column = 0
        width: Callable[[str], int] = lambda c: len(c.encode(self._codec, "surrogatepass")) // self._unit  # noqa: E731
        for character in line:
            units -= width(character)
            if units < 0:
                break
            column += 1
        return column
