"""Constructs and the edges that cross them, as counted, and as found by going through blocks and ways."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from spvls.grammar.environments import environment
from spvls.module.construct_edges import ConstructEdges
from spvls.module.constructs import Construct, ConstructKind, Structure
from spvls.module.dominance import Dominators
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.syntax.document import Document
from tests.bench.worst_cases import nested_ifs, nested_loops

Graph = dict[str, tuple[str, ...]]


class _Writer:
    """Writes a function of nested selections, switches and loops, some of whose branches then go astray."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._blocks: list[tuple[str, str, list[str]]] = []
        self._count = 0

    def _name(self) -> str:
        self._count += 1
        return f"b{self._count}"

    def _region(self, at: str, end: str, depth: int) -> None:
        """Blocks from `at` on, which lead to `end`."""
        for _ in range(self._chance.randrange(1, 3)):
            kind = self._chance.randrange(4) if depth < 4 and self._count < 40 else 3
            merge = self._name()
            if kind == 0:
                then = self._name()
                self._blocks.append((at, f"OpSelectionMerge %{merge} None", ["OpBranchConditional %true", then, merge]))
                self._region(then, merge, depth + 1)
            elif kind == 1:
                cases = [self._name() for _ in range(self._chance.randrange(1, 4))]
                literals = [part for place, case in enumerate(cases) for part in (str(place), case)]
                self._blocks.append((at, f"OpSelectionMerge %{merge} None", ["OpSwitch %int_0", merge, *literals]))
                for case, following in zip(cases, [*cases[1:], merge], strict=True):
                    self._region(case, self._chance.choice([following, merge]), depth + 1)
            elif kind == 2:
                head, body, again = self._name(), self._name(), self._name()
                self._blocks.append((at, "", ["OpBranch", head]))
                self._blocks.append((head, f"OpLoopMerge %{merge} %{again} None", ["OpBranchConditional %true", body, merge]))
                self._region(body, again, depth + 1)
                self._region(again, head, depth + 2)
                other = self._chance.choice(["", merge, self._name()])
                if other:
                    self._blocks[-1][2][:] = ["OpBranchConditional %true", head, other]
                if other not in ("", merge):
                    self._blocks.append((other, "", ["OpUnreachable"]))
            else:
                self._blocks.append((at, "", ["OpBranch", merge]))
            at = merge
        self._blocks.append((at, "", ["OpBranch", end]))

    def text(self) -> str:
        """The function; its last block returns."""
        first, last = self._name(), self._name()
        self._region(first, last, 0)
        names = [name for name, _, _ in self._blocks[1:]]
        for _ in range(self._chance.randrange(4)):
            words = self._chance.choice(self._blocks)[2]
            place = self._chance.choice([at for at, word in enumerate(words) if word in names or word == last] or [0])
            words[place] = self._chance.choice(names) if place else words[place]
        merges = [at for at, (_, merge, _) in enumerate(self._blocks) if merge.startswith("OpSelectionMerge")]
        if len(merges) > 1 and self._chance.randrange(2):
            for at, merge in zip(merges, self._chance.sample([self._blocks[at][1] for at in merges], len(merges)), strict=True):
                self._blocks[at] = self._blocks[at][0], merge, self._blocks[at][2]
        lines = ["%main = OpFunction %void None %fn"]
        for name, merge, words in self._blocks:
            targets = [word if word.isdigit() else f"%{word}" for word in words[1:]]
            lines += [f"%{name} = OpLabel", merge, " ".join([words[0], *targets])]
        return "\n".join([*lines, f"%{last} = OpLabel", "OpReturn", "OpFunctionEnd", ""])


def _function(text: str) -> Function:
    module = Module(Document(text).chunks, environment("spv1.6"))
    return module.function(module.chunks[-1])


def _reached(graph: Graph, start: str, without: str = "") -> set[str]:
    found: set[str] = set()
    waiting = [start] if start != without else []
    while waiting:
        at = waiting.pop()
        if at not in found and at != without:
            found.add(at)
            waiting.extend(graph[at])
    return found


def _dominated(graph: Graph, entry: str) -> dict[str, set[str]]:
    """What each node that the entry reaches dominates: what the entry reaches no more without it."""
    whole = _reached(graph, entry)
    return {node: whole - _reached(graph, entry, node) for node in whole}


@given(st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 9), max_size=3), max_size=10))
def test_dominators_are_what_nothing_goes_around(drawn: dict[int, list[int]]) -> None:
    graph: Graph = {str(node): tuple(str(to) for to in drawn.get(node, [])) for node in range(10)}
    dominators = Dominators("0", graph)
    expected = _dominated(graph, "0")
    assert {node for node in graph if dominators.reaches(node)} == set(expected)
    for node, below in expected.items():
        low, high = dominators.span(node)
        assert set(dominators.tree[low:high]) == below
        assert dominators.depth[node] == sum(node in others for others in expected.values()) - 1
        assert {other for other in graph if dominators.dominates(node, other)} == below


def test_functions_that_branch_alike_have_one_tree() -> None:
    one, other = (Dominators(a, {a: (b, c), b: (d,), c: (d,), d: ()}) for a, b, c, d in ("abcd", "wxyz"))
    assert one._found is other._found
    assert (one.order, other.order) == ([*"acbd"], [*"wyxz"]) and other.immediate == {"x": "w", "y": "w", "z": "w"}


def _sound_limits(function: Function, construct: Construct) -> bool:
    if construct.exit is None or construct.exit == construct.header or not construct.parts:
        return construct.kind is ConstructKind.CONTINUE and construct.exit == construct.header and bool(construct.parts)
    return function.structural_dominators.dominates(construct.header, construct.exit)


@given(st.integers(0, 2**32))
def test_edges_that_cross_constructs(seed: int) -> None:
    function = _function(_Writer(random.Random(seed)).text())
    structure = Structure(function)
    edges = ConstructEdges(structure)
    branches: Graph = {name: block.successors for name, block in function.blocks.items()}
    entry = function.entry
    assert entry is not None
    if any(entry.name in targets for targets in branches.values()):
        return
    below = _dominated(function.structural_successors, entry.name)
    for construct in structure.constructs:
        if not construct.is_regular or not _sound_limits(function, construct):
            continue
        inside = construct.blocks
        assert {name for name in branches if construct.holds(name)} == inside
        top = construct.header
        if construct.kind is not ConstructKind.CONTINUE:
            ends = [structure.merge_of(top), structure.continue_of(top)]
            assert inside == below[top].difference(*(below[end] for end in ends if end is not None))
        allowed = structure.structured_exits(construct) | inside
        assert edges.leaves(construct) == any(to not in allowed for name in inside for to in branches[name])
        entered = any(
            to in inside and to != top for name in below if name not in inside for to in branches[name]
        )
        assert edges.is_entered(construct) == entered
        merges = (structure.merge_of(name) for name in inside - {top})
        assert edges.merges_outside(construct) == any(merge is not None and merge not in inside for merge in merges)
        target = structure.continue_of(top) if construct.kind is ConstructKind.LOOP else None
        outside = (name for name in below if target in branches[name] and name not in inside)
        assert edges.continue_is_entered(construct) == (
            target not in (None, top) and any((name, target) not in structure.back_edges for name in outside)
        )


def test_nested_constructs_are_kept_as_ranges() -> None:
    for text in (nested_ifs(100), nested_loops(100)):
        constructs = _function(text).structure.constructs
        assert len(constructs) >= 100
        assert sum(len(construct.parts) + len(construct.holes) for construct in constructs) <= 5 * len(constructs)
