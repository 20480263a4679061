"""Dominance in a flow graph (SPIR-V 2.2.5; Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


class Dominators:
    """The dominator tree of the nodes that are reachable from `entry`.

    `order` is their reverse postorder; `immediate` gives the immediate dominator of each but the entry.
    """

    __slots__ = ("_in", "_out", "entry", "immediate", "order")

    def __init__(self, entry: str, successors: Mapping[str, Sequence[str]]) -> None:
        self.entry = entry
        self.order = _reverse_postorder(entry, successors) if entry in successors else []
        number = {node: at for at, node in enumerate(self.order)}
        before: list[list[int]] = [[] for _ in self.order]
        for source in self.order:
            for target in successors[source]:
                if target in number:
                    before[number[target]].append(number[source])
        above = [0] + [-1] * (len(self.order) - 1)
        changed = True
        while changed:
            changed = False
            for node in range(1, len(self.order)):
                chosen = -1
                for other in before[node]:
                    if above[other] >= 0:
                        chosen = other if chosen < 0 else _meet(above, chosen, other)
                if above[node] != chosen:
                    above[node] = chosen
                    changed = True
        self.immediate = {self.order[at]: self.order[above[at]] for at in range(1, len(self.order))}
        self._number_tree()

    def _number_tree(self) -> None:
        """Number the tree, so that a node dominates just those whose numbers lie within its own."""
        children: dict[str, list[str]] = {node: [] for node in self.order}
        for node, parent in self.immediate.items():
            children[parent].append(node)
        self._in: dict[str, int] = {}
        self._out: dict[str, int] = {}
        clock = 0
        stack: list[tuple[str, bool]] = [(self.entry, False)] if self.order else []
        while stack:
            node, done = stack.pop()
            if done:
                self._out[node] = clock
                continue
            self._in[node] = clock
            clock += 1
            stack.append((node, True))
            stack.extend((child, False) for child in children[node])

    def reaches(self, node: str) -> bool:
        """Whether the entry reaches `node`."""
        return node in self._in

    def dominates(self, above: str, below: str) -> bool:
        """Whether every way from the entry to `below` goes through `above`; of unreachable nodes, none does."""
        if above not in self._in or below not in self._in:
            return False
        return self._in[above] <= self._in[below] < self._out[above]

    def chain(self, node: str) -> Iterator[str]:
        """`node` and its dominators up to the entry."""
        while True:
            yield node
            if node not in self.immediate:
                return
            node = self.immediate[node]


def _meet(above: list[int], left: int, right: int) -> int:
    while left != right:
        while left > right:
            left = above[left]
        while right > left:
            right = above[right]
    return left


def _reverse_postorder(entry: str, successors: Mapping[str, Sequence[str]]) -> list[str]:
    seen = {entry}
    finished: list[str] = []
    stack: list[tuple[str, Iterator[str]]] = [(entry, iter(successors[entry]))]
    while stack:
        node, ways = stack[-1]
        for target in ways:
            if target not in seen and target in successors:
                seen.add(target)
                stack.append((target, iter(successors[target])))
                break
        else:
            stack.pop()
            finished.append(node)
    finished.reverse()
    return finished
