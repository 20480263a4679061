"""Dominance in a flow graph (SPIR-V 2.2.5; Lengauer, Tarjan: A Fast Algorithm for Finding Dominators in a Flowgraph)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spvls.steps import PORTION, Steps, completed


class Dominators:
    """The dominator tree of the nodes that are reachable from `entry`.

    `order` is their reverse postorder; `immediate` gives the immediate dominator of each but the entry. `tree` has the nodes
    in preorder of the tree, so that what a node dominates stands together: `span` says from where to where. `depth` is the
    number of a node's strict dominators.
    """

    __slots__ = ("_in", "_out", "depth", "entry", "immediate", "order", "tree")

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
        found: list[str] = []
        parents: list[int] = []
        self.order: list[str] = []
        if entry in successors:
            found, parents, self.order = yield from _walk(entry, successors)
        yield
        above = yield from _immediate(found, parents, successors)
        yield
        number = {node: at for at, node in enumerate(found)}
        self.immediate = {node: found[above[number[node]]] for node in self.order[1:]}
        yield
        yield from self._number_tree()

    def _number_tree(self) -> Steps[None]:
        """Number the tree, so that a node dominates just those whose numbers lie within its own."""
        children: dict[str, list[str]] = {node: [] for node in self.order}
        for node, parent in self.immediate.items():
            children[parent].append(node)
        self.tree: list[str] = []
        self.depth: dict[str, int] = {}
        self._in: dict[str, int] = {}
        self._out: dict[str, int] = {}
        open_: list[str] = []
        waiting = [self.entry] if self.order else []
        while waiting:
            node = waiting.pop()
            if not len(self.tree) % PORTION:
                yield
            above = self.immediate.get(node)
            while open_ and open_[-1] != above:
                self._out[open_.pop()] = len(self.tree)
            self._in[node] = len(self.tree)
            self.depth[node] = len(open_)
            self.tree.append(node)
            open_.append(node)
            waiting.extend(children[node])
        for node in open_:
            self._out[node] = len(self.tree)

    def reaches(self, node: str) -> bool:
        """Whether the entry reaches `node`."""
        return node in self._in

    def dominates(self, above: str, below: str) -> bool:
        """Whether every way from the entry to `below` goes through `above`; of unreachable nodes, none does."""
        if above not in self._in or below not in self._in:
            return False
        return self._in[above] <= self._in[below] < self._out[above]

    def span(self, node: str) -> tuple[int, int]:
        """Where in `tree` a reachable node and all that it dominates stand: the first place, and the one after the last."""
        return self._in[node], self._out[node]

    def chain(self, node: str) -> Iterator[str]:
        """`node` and its dominators up to the entry."""
        while True:
            yield node
            if node not in self.immediate:
                return
            node = self.immediate[node]


def _walk(entry: str, successors: Mapping[str, Sequence[str]]) -> Steps[tuple[list[str], list[int], list[str]]]:
    """The nodes in the preorder of a depth-first walk, the number of each one's parent in it, and their reverse postorder."""
    number = {entry: 0}
    found = [entry]
    parents = [0]
    finished: list[str] = []
    stack: list[tuple[str, Iterator[str]]] = [(entry, iter(successors[entry]))]
    taken = 0
    while stack:
        node, ways = stack[-1]
        taken += 1
        if not taken % PORTION:
            yield
        for target in ways:
            if target not in number and target in successors:
                number[target] = len(found)
                found.append(target)
                parents.append(number[node])
                stack.append((target, iter(successors[target])))
                break
        else:
            stack.pop()
            finished.append(node)
    finished.reverse()
    return found, parents, finished


def _predecessors(nodes: Sequence[str], successors: Mapping[str, Sequence[str]]) -> Steps[list[list[int]]]:
    """The numbers of the nodes that lead to each node."""
    number = {name: at for at, name in enumerate(nodes)}
    before: list[list[int]] = [[] for _ in nodes]
    for at, name in enumerate(nodes):
        if not at % PORTION:
            yield
        for target in successors[name]:
            if target in number:
                before[number[target]].append(at)
    return before


def _immediate(nodes: Sequence[str], parents: Sequence[int], successors: Mapping[str, Sequence[str]]) -> Steps[list[int]]:
    """The number of each node's immediate dominator. Numbers are those of a depth-first walk, with its parents.

    Takes m log n steps for m edges, whatever their shape: the forest of what is done is compressed along each way that is
    looked up.
    """
    before = yield from _predecessors(nodes, successors)
    semi = list(range(len(nodes)))
    best = list(range(len(nodes)))  # the node with the least `semi` on the way up the forest
    ancestor = [-1] * len(nodes)
    above = [0] * len(nodes)
    pending: list[list[int]] = [[] for _ in nodes]  # by the number of their semidominator

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
