"""Columns in the units of editors: UTF-8, UTF-16 or UTF-32 code units at the edge, code points inside."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from spvls.record import NamedTuple
from spvls.text.pattern import pattern

_UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_CODEC = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}

#: The characters that take more than one unit.
_WIDE = {"utf-8": pattern("[^\\x00-\\x7f]"), "utf-16": pattern("[^\\x00-\\uffff]"), "utf-32": pattern("(?!)")}


class _Wide(NamedTuple):
    """The wide characters of a line: their columns, those in units, and how many units more than columns lie before each
    of them and after the last."""

    columns: list[int]
    units: list[int]
    surplus: list[int]


@lru_cache(maxsize=8)
def _wide(line: str, encoding: str) -> _Wide:
    """Kept, for the many places of one long line."""
    found = list(_WIDE[encoding].finditer(line))
    codec, unit = _CODEC[encoding], _UNIT_BYTES[encoding]
    columns = [match.start() for match in found]
    surplus = list(accumulate((len(m[0].encode(codec, "surrogatepass")) // unit - 1 for m in found), initial=0))
    return _Wide(columns, [column + more for column, more in zip(columns, surplus, strict=False)], surplus)


forget_lines = _wide.cache_clear


class ColumnCodec:
    """Columns of one position encoding (LSP 3.17, `positionEncoding`) to code points and back."""

    __slots__ = ("encoding",)

    def __init__(self, encoding: str) -> None:
        """`encoding` is "utf-8", "utf-16" or "utf-32"."""
        self.encoding = encoding

    def to_units(self, line: str, column: int) -> int:
        """The client's column of code point `column` of `line`."""
        if line.isascii():
            return column
        wide = _wide(line, self.encoding)
        return min(column, len(line)) + wide.surplus[bisect_left(wide.columns, column)]

    def to_points(self, line: str, units: int) -> int:
        """The code point at the client's column `units`; one inside a character counts as before it."""
        if line.isascii():
            return units
        wide = _wide(line, self.encoding)
        before = bisect_right(wide.units, units)
        column = units - wide.surplus[before]
        return min(max(column, wide.columns[before - 1]) if before else column, len(line))

    def edited(self, content: str, edits: Iterable[tuple[int, int, str]]) -> str:
        """A line after edits in turn: from one of the client's columns to another a text takes the place of what is there.

        Many edits of one line take a copy of it each when they are made one by one; here it stays in the client's units.
        """
        codec, unit = _CODEC[self.encoding], _UNIT_BYTES[self.encoding]
        units = bytearray(content.encode(codec, "surrogatepass"))
        for start, end, text in edits:
            first, last = sorted(self._boundary(units, column * unit) for column in (start, end))
            units[first:last] = text.encode(codec, "surrogatepass")
        return units.decode(codec, "surrogatepass")

    def _boundary(self, units: bytearray, at: int) -> int:
        """Where a character begins: at an offset in bytes, before it, or at the end."""
        at = max(0, min(at, len(units)))
        if self.encoding == "utf-8":
            while at < len(units) and units[at] & 0xC0 == 0x80:
                at -= 1
        elif self.encoding == "utf-16" and 2 <= at < len(units) and units[at + 1] & 0xFC == 0xDC and units[at - 1] & 0xFC == 0xD8:
            at -= 2
        return at
