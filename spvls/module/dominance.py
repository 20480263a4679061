"""Dominance in a flow graph (SPIR-V 2.2.5; Lengauer, Tarjan: A Fast Algorithm for Finding Dominators in a Flowgraph)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from spvls.record import NamedTuple, cached_property
from spvls.steps import PORTION, Steps, completed

_SMALL = 32
"""Nodes of a graph whose tree is remembered: functions of few blocks have few shapes."""


class Dominators:
    """The dominator tree of the nodes that are reachable from `entry`.

    `order` are their reverse postorder; `immediate` gives the immediate dominator of each but the entry. `tree` has the nodes
    in preorder of the tree, so that what a node dominates stands together: `span` says from where to where. `depth` is the
    number of a node's strict dominators.
    """

    def __init__(self, entry: str, successors: Mapping[str, Sequence[str]]) -> None:
        completed(self._build(entry, successors))

    @classmethod
    def steps(cls, entry: str, successors: Mapping[str, Sequence[str]]) -> Steps[Dominators]:
        """The same, made in short steps."""
        made = cls.__new__(cls)
        yield from made._build(entry, successors)
        return made

    def _build(self, entry: str, successors: Mapping[str, Sequence[str]]) -> Steps[None]:
        self.entry = entry
        self._nodes = [*successors]
        self._number = number = dict(zip(self._nodes, range(len(self._nodes))))  # noqa: B905 there are as many
        yield
        edges: list[tuple[int, ...]] = []
        for targets in successors.values():
            edges.append(tuple([number[target] for target in targets if target in number]))
            if not len(edges) % PORTION:
                yield
        first = number.get(entry)
        if first is None:
            self._found = _Tree((), (), (), (), (), (0,) * len(edges))
        elif len(edges) <= _SMALL:
            self._found = _small(first, tuple(edges))
        else:
            self._found = yield from _tree(first, edges)

    @cached_property
    def order(self) -> list[str]:
        return [self._nodes[at] for at in self._found.order]

    @cached_property
    def immediate(self) -> dict[str, str]:
        nodes, immediate = self._nodes, self._found.immediate
        return {nodes[at]: nodes[immediate[at]] for at in self._found.order[1:]}

    @cached_property
    def tree(self) -> list[str]:
        return [self._nodes[at] for at in self._found.tree]

    @cached_property
    def depth(self) -> dict[str, int]:
        return {self._nodes[at]: self._found.depth[at] for at in self._found.tree}

    def reaches(self, node: str) -> bool:
        """Whether the entry reaches `node`."""
        at = self._number.get(node)
        return at is not None and self._found.end[at] > 0

    def dominates(self, above: str, below: str) -> bool:
        """Whether every way from the entry to `below` goes through `above`; of unreachable nodes, none does."""
        over, under = self._number.get(above), self._number.get(below)
        if over is None or under is None:
            return False
        begin, end = self._found.begin, self._found.end
        return end[under] > 0 and begin[over] <= begin[under] < end[over]

    def span(self, node: str) -> tuple[int, int]:
        """Where in `tree` a reachable node and all that it dominates stand: the first place, and the one after the last."""
        if not self.reaches(node):
            raise KeyError(node)
        at = self._number[node]
        return self._found.begin[at], self._found.end[at]

    def chain(self, node: str) -> Iterator[str]:
        """`node` and its dominators up to the entry."""
        while True:
            yield node
            if node not in self.immediate:
                return
            node = self.immediate[node]


class _Tree(NamedTuple):
    """A dominator tree of numbered nodes. `order` is the reverse postorder of those that are reachable, `tree` their preorder in
    the tree. Of each node there are its immediate dominator, its depth, and where in `tree` what it dominates begins and ends; an
    unreachable one ends at 0."""

    order: Sequence[int]
    tree: Sequence[int]
    immediate: Sequence[int]
    depth: Sequence[int]
    begin: Sequence[int]
    end: Sequence[int]


@lru_cache(maxsize=1024)
def _small(entry: int, edges: tuple[tuple[int, ...], ...]) -> _Tree:
    return completed(_tree(entry, edges))


def forget_trees() -> None:
    """Forget the trees of functions that were met."""
    _small.cache_clear()


def _tree(entry: int, edges: Sequence[Sequence[int]]) -> Steps[_Tree]:
    """The tree of a graph, by the nodes that each node leads to."""
    found, parents, order = yield from _walk(entry, edges)
    yield
    above = yield from _immediate(found, parents, edges)
    yield
    immediate = [-1] * len(edges)
    for at in range(1, len(found)):
        immediate[found[at]] = found[above[at]]
    yield
    return (yield from _numbered(entry, order, immediate))


def _numbered(entry: int, order: Sequence[int], immediate: Sequence[int]) -> Steps[_Tree]:
    """Number the tree, so that a node dominates just those whose numbers lie within its own."""
    children: list[list[int]] = [[] for _ in immediate]
    for node in order[1:]:
        children[immediate[node]].append(node)
    tree: list[int] = []
    depth, begin, end = ([0] * len(immediate) for _ in range(3))
    open_: list[int] = []
    waiting = [entry]
    while waiting:
        node = waiting.pop()
        if not len(tree) % PORTION:
            yield
        above = immediate[node]
        while open_ and open_[-1] != above:
            end[open_.pop()] = len(tree)
        begin[node] = len(tree)
        depth[node] = len(open_)
        tree.append(node)
        open_.append(node)
        waiting.extend(children[node])
    for node in open_:
        end[node] = len(tree)
    return _Tree(order, tree, immediate, depth, begin, end)


def _walk(entry: int, edges: Sequence[Sequence[int]]) -> Steps[tuple[list[int], list[int], list[int]]]:
    """The nodes in the preorder of a depth-first walk, the place of each one's parent in it, and their reverse postorder."""
    place = [-1] * len(edges)
    place[entry] = 0
    found = [entry]
    parents = [0]
    finished: list[int] = []
    stack: list[tuple[int, Iterator[int]]] = [(entry, iter(edges[entry]))]
    taken = 0
    while stack:
        node, ways = stack[-1]
        taken += 1
        if not taken % PORTION:
            yield
        for target in ways:
            if place[target] < 0:
                place[target] = len(found)
                found.append(target)
                parents.append(place[node])
                stack.append((target, iter(edges[target])))
                break
        else:
            stack.pop()
            finished.append(node)
    finished.reverse()
    return found, parents, finished


def _predecessors(nodes: Sequence[int], edges: Sequence[Sequence[int]]) -> Steps[list[list[int]]]:
    """The places of the nodes that lead to each node."""
    place = [-1] * len(edges)
    for at, node in enumerate(nodes):
        place[node] = at
    before: list[list[int]] = [[] for _ in nodes]
    for at, node in enumerate(nodes):
        if not at % PORTION:
            yield
        for target in edges[node]:
            before[place[target]].append(at)
    return before


def _immediate(nodes: Sequence[int], parents: Sequence[int], edges: Sequence[Sequence[int]]) -> Steps[list[int]]:
    """The place of each node's immediate dominator. Places are those of a depth-first walk, with its parents.

    Takes m log n steps for m edges, whatever their shape: the forest of what is done is compressed along each way that is
    looked up.
    """
    before = yield from _predecessors(nodes, edges)
    semi = list(range(len(nodes)))
    best = list(range(len(nodes)))  # the node with the least `semi` on the way up the forest
    ancestor = [-1] * len(nodes)
    above = [0] * len(nodes)
    pending: list[list[int]] = [[] for _ in nodes]  # by the place of their semidominator

    def lowest(node: int) -> int:
        if ancestor[node] < 0:
            return node
        way = []
        while ancestor[ancestor[node]] >= 0:
            way.append(node)
            node = ancestor[node]
        for below in reversed(way):
            over = ancestor[below]
            if semi[best[over]] < semi[best[below]]:
                best[below] = best[over]
            ancestor[below] = ancestor[over]
        return best[way[0] if way else node]

    for node in range(len(nodes) - 1, 0, -1):
        if not node % PORTION:
            yield
        for other in before[node]:
            semi[node] = min(semi[node], semi[lowest(other)])
        pending[semi[node]].append(node)
        parent = parents[node]
        ancestor[node] = parent
        for other in pending[parent]:
            through = lowest(other)
            above[other] = through if semi[through] < semi[other] else parent
        pending[parent].clear()
    for node in range(1, len(nodes)):
        if above[node] != semi[node]:
            above[node] = above[above[node]]
    return above
