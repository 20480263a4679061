"""Which edges of a flow graph lead into, out of and across subtrees of its dominator tree, counted without a walk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from spvls.module.dominance import Dominators
from spvls.steps import PORTION, Steps, completed

Range = tuple[int, int]
"""Places in the preorder of the dominator tree: the first one, and the one after the last."""


class Crossings:
    """Edges among the nodes that a graph's entry reaches, by the place of their source in the dominator tree.

    An edge out of the subtree of a node goes to a node whose immediate dominator is a strict dominator of that one. So edges
    out of it are those whose target's immediate dominator is less deep than it; each question takes log² n steps.
    """

    __slots__ = ("_depth", "_into", "_levels", "_sources")

    def __init__(self, dominators: Dominators, edges: Iterable[tuple[str, str]]) -> None:
        completed(self._build(dominators, edges))

    @classmethod
    def steps(cls, dominators: Dominators, edges: Iterable[tuple[str, str]]) -> Steps[Crossings]:
        """The same, made in short steps."""
        made = cls.__new__(cls)
        yield from made._build(dominators, edges)
        return made

    def _build(self, dominators: Dominators, edges: Iterable[tuple[str, str]]) -> Steps[None]:
        self._depth = dominators.depth
        self._into: dict[str, list[int]] = {}
        points: list[tuple[int, int]] = []
        for at, (source, target) in enumerate(edges, 1):
            if not at % PORTION:
                yield
            if dominators.reaches(source) and dominators.reaches(target):
                place = dominators.span(source)[0]
                self._into.setdefault(target, []).append(place)
                if dominators.immediate.get(target) != source:  # else it leaves no subtree with its source
                    points.append((place, self._depth[target] - 1))
        for places in self._into.values():
            places.sort()
        yield
        points.sort()
        self._sources = [source for source, _ in points]
        level = [[depth] for _, depth in points]
        self._levels = [level]
        while len(level) > 1:
            yield
            level = [sorted(level[at] + level[at + 1]) for at in range(0, len(level) - 1, 2)]
            self._levels.append(level)

    def leaving(self, sources: Range, node: str) -> int:
        """How many edges lead from these places, which are in the subtree of `node`, out of the subtree or to `node`."""
        low, high = bisect_left(self._sources, sources[0]), bisect_left(self._sources, sources[1])
        depth, count = self._depth[node], 0
        for level in self._levels:
            if low >= high:
                break
            if low & 1:
                count += bisect_left(level[low], depth)
                low += 1
            if high & 1:
                high -= 1
                count += bisect_left(level[high], depth)
            low >>= 1
            high >>= 1
        return count

    def into(self, target: str, sources: Range) -> int:
        """How many edges lead from these places to `target`."""
        places = self._into.get(target)
        return bisect_left(places, sources[1]) - bisect_left(places, sources[0]) if places else 0

    def count(self, target: str) -> int:
        """How many edges lead to `target`."""
        return len(self._into.get(target, ()))
