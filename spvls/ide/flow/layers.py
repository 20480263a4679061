"""Boxes in rows, joined by links from row to row: their order within the rows and their places from left to right.

Rows come from the longest ways; the order from medians, swept down and up, of which the one with the fewest crossings stays;
the places from least squares, such that boxes keep their order and their distance.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

from spvls.record import NamedTuple

SWEEPS = 6
_APART = 26.0
_THIN_APART = 12.0


class Item:
    """A box of a row, or, where it is `thin`, the place at which a longer link passes through."""

    __slots__ = ("height", "left", "row", "thin", "width")

    def __init__(self, width: float, height: float, *, thin: bool = False, row: int = 0) -> None:
        self.width = width
        self.height = height
        self.thin = thin
        self.row = row
        self.left = 0.0


class Link(NamedTuple):
    """From `out` beyond the left edge of an item to `into` beyond that of an item in the next row."""

    source: int
    out: float
    target: int
    into: float


def rank(count: int, ways: Sequence[tuple[int, int]]) -> tuple[list[int], set[tuple[int, int]]]:
    """The rows of items, each below all that lead to it, and the ways that lead back up.

    A way leads back where it meets an item that is still open in a walk from item 0, then from those not yet met.
    """
    onward: list[list[int]] = [[] for _ in range(count)]
    for source, target in dict.fromkeys(ways):
        onward[source].append(target)
    back: set[tuple[int, int]] = set()
    state = [0] * count
    finished: list[int] = []
    for root in range(count):
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(onward[root]))]
        while stack:
            item, targets = stack[-1]
            for target in targets:
                if state[target] == 1:
                    back.add((item, target))
                elif not state[target]:
                    state[target] = 1
                    stack.append((target, iter(onward[target])))
                    break
            else:
                state[item] = 2
                finished.append(item)
                stack.pop()
    rows = [0] * count
    for item in reversed(finished):
        for target in onward[item]:
            if (item, target) not in back:
                rows[target] = max(rows[target], rows[item] + 1)
    return rows, back


def arrange(items: Sequence[Item], links: Sequence[Link]) -> None:
    """Place the items from left to right, the first link of an item tending to the left."""
    rows: list[list[int]] = [[] for _ in range(max((item.row for item in items), default=-1) + 1)]
    for at in _visited(len(items), links):
        rows[items[at].row].append(at)
    above: list[list[Link]] = [[] for _ in items]
    below: list[list[Link]] = [[] for _ in items]
    for link in links:
        below[link.source].append(link)
        above[link.target].append(link)
    rows = _ordered(rows, items, above, below)
    for row in rows:
        left = 0.0
        for before, at in zip([None, *row], row, strict=False):
            left += _apart(items, before, at) if before is not None else 0.0
            items[at].left = left
            left += items[at].width
    for _ in range(SWEEPS):
        for row in rows:
            _settle(row, items, above)
        for row in reversed(rows):
            _settle(row, items, below)
    for _ in range(SWEEPS):
        for row in rows:
            _settle(row, items, above, below)
    least = min((item.left for item in items), default=0.0)
    for item in items:
        item.left -= least


def _visited(count: int, links: Sequence[Link]) -> list[int]:
    """The items in the order of a walk along the links, each before what it leads to."""
    onward: list[list[int]] = [[] for _ in range(count)]
    for link in links:
        onward[link.source].append(link.target)
    led_to = {link.target for link in links}
    seen: set[int] = set()
    order: list[int] = []
    waiting = [at for at in reversed(range(count)) if at not in led_to]
    while waiting:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            order.append(at)
            waiting.extend(reversed(onward[at]))
    return order


def _ordered(
    rows: list[list[int]], items: Sequence[Item], above: Sequence[list[Link]], below: Sequence[list[Link]]
) -> list[list[int]]:
    best, fewest = rows, _crossings(rows, items, below)
    rows = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        place = {at: float(index) for row in rows for index, at in enumerate(row)}
        for row in rows if down else reversed(rows):
            beside = {at: _median(at, items, place, above if down else below) for at in row}
            row.sort(key=lambda at: beside[at])
            for index, at in enumerate(row):
                place[at] = float(index)
        count = _crossings(rows, items, below)
        if count < fewest:
            best, fewest = [list(row) for row in rows], count
    return best


def _median(at: int, items: Sequence[Item], place: dict[int, float], beside: Sequence[list[Link]]) -> float:
    """Where an item would lie for its neighbors in one direction; where it lies, if it has none."""
    found = sorted(
        place[other] + offset / (items[other].width or 1.0)
        for link in beside[at]
        for other, offset in [(link.source, link.out) if link.target == at else (link.target, link.into)]
    )
    if not found:
        return place[at] + 0.5
    middle = len(found) // 2
    return found[middle] if len(found) % 2 else (found[middle - 1] + found[middle]) / 2


def _crossings(rows: list[list[int]], items: Sequence[Item], below: Sequence[list[Link]]) -> int:
    place = {at: index for row in rows for index, at in enumerate(row)}
    count = 0
    for row in rows:
        ends: list[float] = []
        links = [link for at in row for link in sorted(below[at], key=lambda link: (link.out, link.into))]
        for link in links:
            end = place[link.target] + link.into / (items[link.target].width or 1.0)
            count += len(ends) - bisect_left(ends, end + 1e-6)
            insort(ends, end)
    return count


def _apart(items: Sequence[Item], left: int, right: int) -> float:
    return _THIN_APART if items[left].thin or items[right].thin else _APART


def _settle(row: list[int], items: Sequence[Item], *sides: Sequence[list[Link]]) -> None:
    """Move the items of a row towards where their links want them, and no further apart from that than order demands.

    Pools of neighbors that push against each other move as one (isotonic regression).
    """
    pools: list[tuple[float, float, int]] = []  # wanted place of the pool's first item, weight, number of items
    offsets: list[float] = []
    offset = 0.0
    for index, at in enumerate(row):
        if index:
            offset += items[row[index - 1]].width + _apart(items, row[index - 1], at)
        offsets.append(offset)
        wanted, weight = _wanted(at, items, sides)
        pool = wanted - offset, weight, 1
        while pools and pools[-1][0] > pool[0]:
            place, heavy, number = pools.pop()
            sum_ = heavy + pool[1]
            pool = (place * heavy + pool[0] * pool[1]) / sum_, sum_, number + pool[2]
        pools.append(pool)
    index = 0
    for place, _, number in pools:
        for at in row[index : index + number]:
            items[at].left = place + offsets[index]
            index += 1


def _wanted(at: int, items: Sequence[Item], sides: Sequence[Sequence[list[Link]]]) -> tuple[float, float]:
    """The left edge that suits the links of an item best, and how much that matters: straight long links matter most."""
    item = items[at]
    total = weights = 0.0
    for side in sides:
        for link in side[at]:
            if link.target == at:
                other, shift = items[link.source], link.out - link.into
            else:
                other, shift = items[link.target], link.into - link.out
            weight = 8.0 if item.thin and other.thin else 1.0
            total += weight * (other.left + shift)
            weights += weight
    return (total / weights, weights) if weights else (item.left, 0.01)
