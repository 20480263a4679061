"""Edges that cross the bounds of a construct where structured control flow does not allow it (SPIR-V 2.11.2), by number.

Each question about a construct is answered without a look at its blocks, as constructs lie in each other.
"""

from __future__ import annotations

from spvls.module.constructs import Construct, ConstructKind, Structure
from spvls.module.crossings import Crossings
from spvls.steps import Steps, completed


class ConstructEdges:
    """The edges of a function whose merge instructions and branches all name blocks of it, each merge block claimed once.

    The answers hold for constructs whose header structurally dominates their exit, and, for a continue construct, whose
    back-edge block structurally post dominates the continue target.
    """

    def __init__(self, structure: Structure) -> None:
        completed(self._build(structure))

    @classmethod
    def steps(cls, structure: Structure) -> Steps[ConstructEdges]:
        """The same, made in short steps."""
        made = cls.__new__(cls)
        yield from made._build(structure)
        return made

    def _build(self, structure: Structure) -> Steps[None]:
        self._structure = structure
        self._dominators = structure.dominators
        back_edges = set(structure.back_edges)
        blocks = structure.blocks.values()
        yield
        branches = [(block.name, target) for block in blocks for target in block.successors]
        self._branches = yield from Crossings.steps(self._dominators, branches)
        self._forward = yield from Crossings.steps(self._dominators, (edge for edge in branches if edge not in back_edges))
        merges = ((header, merge) for merge, header in structure.header_of_merge.items())
        self._merges = yield from Crossings.steps(self._dominators, merges)
        self._onward = {
            block.name: [name for name in block.successors if self._dominators.immediate.get(name) == block.name]
            for block in blocks
        }

    def leaves(self, construct: Construct) -> bool:
        """Whether a branch goes out of the construct to a block that is not a structured exit of it."""
        top = construct.header
        allowed = self._structure.structured_exits(construct)
        others = {name for name in allowed if not self._dominators.dominates(top, name)} | {top}
        branches = self._branches
        if any(
            branches.leaving(part, top) > sum(branches.into(name, part) for name in others) for part in construct.parts
        ):
            return True
        latch = construct.exit
        if construct.kind is not ConstructKind.CONTINUE or latch is None:
            return False
        return any(name not in allowed for name in self._onward[latch][: len(allowed) + 1])

    def is_entered(self, construct: Construct) -> bool:
        """Whether a branch goes into the construct past its header."""
        top, branches = construct.header, self._branches
        if construct.kind is ConstructKind.CONTINUE:
            latch = construct.exit or top
            return any(branches.leaving(hole, latch) > branches.leaving(hole, top) for hole in construct.holes)
        ends = [self._dominators.tree[low] for low, _ in construct.holes]
        return any(
            branches.leaving(hole, end) > branches.leaving(hole, top) + sum(branches.into(name, hole) for name in ends)
            for hole, end in zip(construct.holes, ends, strict=True)
        )

    def merges_outside(self, construct: Construct) -> bool:
        """Whether a header in the construct, other than the first block, has its merge block outside of it."""
        top, merges, dominators = construct.header, self._merges, self._dominators
        count = sum(merges.leaving(part, top) - merges.into(top, part) for part in construct.parts)
        own = self._structure.merge_of(top)
        if own is not None and own != top and not dominators.dominates(top, own):
            count -= 1
        if construct.kind is ConstructKind.LOOP:
            target = self._structure.continue_of(top)
            if target is not None and dominators.dominates(top, target):
                count += sum(merges.into(target, part) for part in construct.parts)
        elif construct.kind is ConstructKind.CONTINUE and construct.exit not in (None, top):
            merge = self._structure.merge_of(construct.exit or "")
            count += merge is not None and dominators.dominates(construct.exit or "", merge)
        return count > 0

    def continue_is_entered(self, construct: Construct) -> bool:
        """Whether a branch from outside of a loop construct, other than a back edge, goes to its continue target."""
        loop = construct.header if construct.kind is ConstructKind.LOOP else None
        target = self._structure.continue_of(loop) if loop is not None else None
        if target is None or target == loop:
            return False
        return self._forward.count(target) > sum(self._forward.into(target, part) for part in construct.parts)
