"""Which members of a structure are to blame for overlaps."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from spvls.steps import completed
from spvls.validate.rules.block_layout.overlaps import Extent, Room, overlaps

_EXTENTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 6)), max_size=8).map(
    lambda drawn: [Extent(number, start, start + size) for number, (start, size) in enumerate(drawn)]
)


def _meet(first: Extent, second: Extent) -> bool:
    return first.start < second.end and second.start < first.end


def _fit(extents: list[Extent]) -> bool:
    return not any(_meet(first, second) for first, second in combinations(extents, 2))


@given(_EXTENTS)
def test_as_many_stay_as_can(extents: list[Extent]) -> None:
    kept, found = completed(overlaps(extents))
    assert sorted([*kept, *(overlap.misplaced for overlap in found)]) == sorted(extents)
    assert _fit(kept)
    most = max(count for count in range(len(extents) + 1) if any(_fit([*some]) for some in combinations(extents, count)))
    assert len(kept) == most
    for overlap in found:
        assert overlap.other in kept
        assert _meet(overlap.misplaced, overlap.other)


def test_of_two_the_later_one_is_to_blame() -> None:
    _, found = completed(overlaps([Extent(0, 0, 16), Extent(1, 8, 12)]))
    assert [overlap.misplaced.number for overlap in found] == [1]


@given(_EXTENTS, st.integers(0, 20), st.integers(1, 6))
def test_room_is_what_no_extent_takes(extents: list[Extent], start: int, size: int) -> None:
    kept, _ = completed(overlaps([extent for extent in extents if extent.end > extent.start]))
    room = Room(kept)
    assert room.is_free(start, start + size) == (not any(_meet(extent, Extent(-1, start, start + size)) for extent in kept))
