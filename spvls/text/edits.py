"""Edits to a text, applied all at once."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.diagnostic import Edit, Range
from spvls.text.lines import clamp, split_lines

BYTE_ORDER_MARK = "\ufeff"


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text after edits whose ranges are all those of the text as it is, and do not overlap.

    Of two insertions at one place the first given comes first. New lines end as those of the text do, and a byte order mark
    stays in front.
    """
    lines = split_lines(text)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    newline = "\r\n" if lines[0].endswith("\r\n") else "\n"
    first = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    pieces: list[str] = []
    done = 0
    for span, new in sorted(edits, key=lambda edit: edit.range):
        start, end = (max(first, offsets[row] + column) for row, column in (clamp(lines, place) for place in span))
        pieces += text[done:start], new.replace("\n", newline)
        done = end
    return "".join([*pieces, text[done:]])


def touch(one: Range, other: Range) -> bool:
    """Whether two ranges share a place, be it that one begins where the other ends."""
    return one.start <= other.end and other.start <= one.end
