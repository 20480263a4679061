"""Constructs of structured control flow (SPIR-V 2.11.2): what headers, merge blocks and continue targets delimit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from spvls.grammar import spv
from spvls.module.functions import Block, Function


class ConstructKind(Enum):
    SELECTION = "selection"
    LOOP = "loop"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class Construct:
    """`header` begins the construct: the header of a selection or loop, a loop's continue target.

    `exit` ends it: the merge block, for a continue construct the back-edge block (None where there is no single one).
    `loop` is the header of the loop that a loop or continue construct belongs to. Blocks are named by their labels.
    """

    kind: ConstructKind
    header: str
    exit: str | None
    loop: str | None
    blocks: frozenset[str]


class Structure:
    """The constructs of a function, its back edges, and which headers claim which merge blocks."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.back_edges = _back_edges(function)
        self.latches: dict[str, list[str]] = {}
        for latch, header in self.back_edges:
            self.latches.setdefault(header, []).append(latch)
        self.header_of_merge: dict[str, str] = {}
        self.constructs: list[Construct] = []
        for block in function.blocks.values():
            merge = block.merge
            if merge is None or not isinstance(merge.operands[0], str):
                continue
            self.header_of_merge.setdefault(merge.operands[0], block.name)
        for block in function.blocks.values():
            if function.structural_dominators.reaches(block.name):
                self.constructs.extend(self._constructs_of(block))

    def merge_of(self, name: str) -> str | None:
        """The merge block that a header declares."""
        merge = self.function.blocks[name].merge
        return merge.operands[0] if merge is not None and isinstance(merge.operands[0], str) else None

    def continue_of(self, name: str) -> str | None:
        """The continue target that a loop header declares."""
        merge = self.function.blocks[name].merge
        if merge is None or not is_loop(self.function.blocks[name]):
            return None
        return merge.operands[1] if isinstance(merge.operands[1], str) else None

    def _constructs_of(self, block: Block) -> list[Construct]:
        merge = self.merge_of(block.name)
        if merge is None or merge not in self.function.blocks:
            return []
        if not is_loop(block):
            blocks = self._blocks(block.name, merge, None, None)
            return [Construct(ConstructKind.SELECTION, block.name, merge, None, blocks)]
        target = self.continue_of(block.name)
        if target is None or target not in self.function.blocks:
            return []
        latches = self.latches.get(block.name, [])
        latch = latches[0] if len(latches) == 1 else None
        return [
            Construct(
                ConstructKind.LOOP, block.name, merge, block.name, self._blocks(block.name, merge, target, None)
            ),
            Construct(
                ConstructKind.CONTINUE, target, latch, block.name, self._blocks(target, None, None, latch)
            ),
        ]

    def _blocks(self, header: str, merge: str | None, target: str | None, latch: str | None) -> frozenset[str]:
        """The blocks that `header` structurally dominates, as far as the construct goes.

        A selection or loop ends at `merge`, a loop at its continue `target` as well; a continue construct holds what its
        `latch` structurally post dominates.
        """
        dominators = self.function.structural_dominators
        after = self.function.structural_post_dominators
        found: set[str] = set()
        waiting = [header]
        while waiting:
            name = waiting.pop()
            if name in found or not dominators.dominates(header, name):
                continue
            if latch is not None:
                inside = after.dominates(latch, name)
            else:
                inside = merge is not None and not dominators.dominates(merge, name)
                if inside and target is not None and dominators.dominates(target, name):
                    inside = False
            if inside:
                found.add(name)
                waiting.extend(self.function.structural_successors.get(name, ()))
        return frozenset(found)

    def is_structured_exit(self, construct: Construct, target: str) -> bool:
        """Whether a branch out of a construct to `target` is one that structured control flow allows (SPIR-V 2.11.2)."""
        loop = construct.loop
        if construct.kind is ConstructKind.LOOP and loop is not None:
            return target in (self.merge_of(loop), self.continue_of(loop))
        if construct.kind is ConstructKind.CONTINUE and loop is not None:
            return target in (loop, self.merge_of(loop))
        return target == construct.exit or self._leaves_enclosing(construct.header, target)

    def _leaves_enclosing(self, header: str, target: str) -> bool:
        """Whether `target` is the merge block or continue target of the innermost loop, or the merge of a switch in it."""
        blocks = self.function.blocks
        dominators = self.function.structural_dominators
        from_switch = _terminator(blocks[header]) == spv.OpSwitch
        seen_switch = False
        name = self._outward(header)
        while name is not None:
            block = blocks[name]
            loop = is_loop(block)
            switch = _terminator(block) == spv.OpSwitch
            merge = self.merge_of(name)
            if merge is not None and (loop or (switch and not from_switch)) and not dominators.dominates(merge, header):
                if (loop or not seen_switch) and target == merge:
                    return True
                if loop:
                    return target == self.continue_of(name)
                seen_switch = True
            name = self._outward(name)
        return False

    def _outward(self, name: str) -> str | None:
        """The header that has `name` for its merge block, else the immediate dominator."""
        dominators = self.function.structural_dominators
        header = self.header_of_merge.get(name)
        if header is not None and dominators.dominates(header, name):
            return header
        return dominators.immediate.get(name)


def is_loop(block: Block) -> bool:
    """Whether the block is a loop header."""
    return block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge


def _terminator(block: Block) -> int | None:
    """The opcode that ends a block; None where the text lacks it."""
    return block.terminator.opcode.value if block.terminator is not None else None


def _back_edges(function: Function) -> list[tuple[str, str]]:
    """Branches from a block to one that is still open in a depth-first walk of the structural flow graph.

    The walk takes in unreachable blocks as well, after the reachable ones.
    """
    ways = function.structural_successors
    found: list[tuple[str, str]] = []
    state: dict[str, int] = {}
    for root in function.blocks:
        if root in state:
            continue
        state[root] = 1
        stack = [(root, iter(ways[root]))]
        while stack:
            name, targets = stack[-1]
            for target in targets:
                if target not in ways:
                    continue
                mark = state.get(target, 0)
                if mark == 1 and target in function.blocks[name].successors:
                    found.append((name, target))
                if mark == 0:
                    state[target] = 1
                    stack.append((target, iter(ways[target])))
                    break
            else:
                stack.pop()
                state[name] = 2
    return found
