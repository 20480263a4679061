"""Members of a structure that overlap, and which of them are to blame."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from spvls.record import NamedTuple
from spvls.steps import Steps

_PORTION = 4096
"""Extents that are gone through in one step."""


class Extent(NamedTuple):
    """The bytes from `start` up to `end` that a member occupies, padding included."""

    number: int
    start: int
    end: int


class Overlap(NamedTuple):
    """A `misplaced` extent, and one of those that stay which it overlaps."""

    misplaced: Extent
    other: Extent


class Room:
    """What is free beside extents that do not overlap, which are in the order of their starts."""

    def __init__(self, kept: Sequence[Extent]) -> None:
        self._kept = kept
        self._starts = [extent.start for extent in kept]
        self._ends = {extent.number: extent.end for extent in kept}
        self.end = kept[-1].end if kept else 0

    def end_of(self, number: int) -> int:
        """Where a member ends; 0 where it is not there."""
        return self._ends.get(number, 0)

    def is_free(self, start: int, end: int) -> bool:
        """Whether nothing lies between two bytes."""
        at = bisect_right(self._starts, start)
        return (not at or self._kept[at - 1].end <= start) and (at == len(self._kept) or end <= self._starts[at])


def overlaps(extents: Sequence[Extent]) -> Steps[tuple[list[Extent], list[Overlap]]]:
    """The extents that can stay, and the others, both in the order of their starts; in short steps.

    As many stay as can without an overlap, so that one member at a wrong place is not said of all those that it overlaps; where
    there is a choice, those stay that start first. This is weighted interval scheduling, in n log n steps.
    """
    ordered = sorted(extents, key=lambda extent: (extent.start, extent.end > extent.start, extent.number))
    if all(first.end <= second.start for first, second in pairwise(ordered)):
        return ordered, []
    stay = yield from _most(ordered)
    kept = [extent for at, extent in enumerate(ordered) if at in stay]
    starts = [extent.start for extent in kept]
    found = []
    for at, extent in enumerate(ordered):
        if not (at + 1) % _PORTION:
            yield
        if at not in stay:
            before = max(0, bisect_right(starts, extent.start) - 1)
            found.append(Overlap(extent, kept[before if kept[before].end > extent.start else before + 1]))
    return kept, found


def _most(ordered: Sequence[Extent]) -> Steps[frozenset[int]]:
    """The indexes of the extents that stay."""
    count = len(ordered)
    by_end = sorted(range(count), key=lambda at: ordered[at].end)
    ends = [ordered[at].end for at in by_end]
    best, parts = [0], []
    for place, at in enumerate(by_end):
        if not (place + 1) % _PORTION:
            yield
        own = (count + 1) ** 2 + count - at  # one more always counts for more than all preferences together
        before = min(bisect_right(ends, ordered[at].start), place)
        parts.append((own, before))
        best.append(max(best[place], best[before] + own))
    stay: set[int] = set()
    place = count
    while place:
        if not place % _PORTION:
            yield
        own, before = parts[place - 1]
        if best[before] + own >= best[place - 1]:
            stay.add(by_end[place - 1])
            place = before
        else:
            place -= 1
    return frozenset(stay)
