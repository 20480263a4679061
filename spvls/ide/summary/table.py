"""Lines and tables of a summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spvls.diagnostic import Range
from spvls.record import NamedTuple

_WIDEST = 60
"""Columns of a table are not made wider for what is longer."""


class SummaryLine(NamedTuple):
    """`range` is where the text declares what the line shows."""

    text: str
    range: Range | None = None


Row = tuple[Sequence[str], Range | None]


def section(title: str, rows: list[Row]) -> Iterator[SummaryLine]:
    """A title and a table below it; nothing without rows."""
    if rows:
        yield SummaryLine("")
        yield SummaryLine(title)
        yield from table(rows)


def table(rows: Iterable[Row], indent: str = "  ") -> Iterator[SummaryLine]:
    """Rows with their columns one below the other."""
    found = list(rows)
    columns = max((len(cells) for cells, _ in found), default=0)
    widths = [max((len(cells[at]) for cells, _ in found if at < len(cells)), default=0) for at in range(columns)]
    for cells, where in found:
        line = "  ".join(f"{cell:<{min(width, _WIDEST)}}" for cell, width in zip(cells, widths, strict=False))
        yield SummaryLine((indent + line).rstrip(), where)
