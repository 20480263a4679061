"""How deep the blocks of a function lie in its structured control flow, and in which order they read best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spvls.grammar import spv
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction

#: Nothing counts as deeper; what a person wrote is far from it.
_DEEPEST = 200


class Arrangement(NamedTuple):
    """`levels` has the depth of each block; `order` the positions of the blocks as they are best read."""

    levels: list[int]
    order: list[int]


class _Exits(NamedTuple):
    """Where control goes from a block: to `targets`, which lie `depth` deeper, around `merge` and `continue_`."""

    merge: str | None
    continue_: str | None
    targets: tuple[str, ...]
    depth: int


def arrange(blocks: Sequence[Sequence[Instruction]]) -> Arrangement:
    """Arrange the blocks of a function, each from its label on.

    A merge block lies as deep as its header, a continue target one level deeper, and what else the header leads to two;
    what an unconditional branch leads to lies as deep as the branch. The first to reach a block decides. Blocks are
    ordered such that each stands after all that lead to it, loops aside, and a merge block after the construct; blocks
    that nothing leads to stand last, at level 0.
    """
    index = {block[0].result: at for at, block in enumerate(blocks)}
    levels: list[int | None] = [None] * len(blocks)
    levels[0] = 0
    finished: list[int] = []
    visited = {0}
    path = [(0, _enter(blocks[0], 0, index, levels))]
    while path:
        at, onward = path[-1]
        for following in onward:
            if following not in visited:
                visited.add(following)
                path.append((following, _enter(blocks[following], levels[following] or 0, index, levels)))
                break
        else:
            finished.append(at)
            path.pop()
    order = finished[::-1]
    for at in range(len(blocks)):
        if at not in visited:
            order.append(at)
            levels[at] = 0
    return Arrangement([level or 0 for level in levels], order)


def _enter(
    block: Sequence[Instruction], level: int, index: dict[str | None, int], levels: list[int | None]
) -> Iterator[int]:
    """Give a level to each block that this one leads to and that has none; the blocks to visit next, in order."""
    exits = _exits(block)
    deeper = [(exits.merge, level), (exits.continue_, level + 1)]
    deeper += [(target, level + exits.depth) for target in exits.targets]
    for name, depth in deeper:
        at = index.get(name) if name is not None else None
        if at is not None and levels[at] is None:
            levels[at] = min(depth, _DEEPEST)
    # What is visited first stands last.
    names = (exits.merge, exits.continue_, *reversed(exits.targets))
    return iter([index[name] for name in names if name in index])


def _exits(block: Sequence[Instruction]) -> _Exits:
    merge = continue_ = None
    if len(block) >= 3 and not block[-2].raw:
        match block[-2].opcode.value:
            case spv.OpLoopMerge:
                merge, continue_ = _ids(block[-2])[:2]
            case spv.OpSelectionMerge:
                (merge,) = _ids(block[-2])
    last = block[-1]
    if not last.raw:
        match last.opcode.value:
            case spv.OpBranch:
                return _Exits(merge, continue_, _ids(last), 0 if merge is None else 2)
            case spv.OpBranchConditional | spv.OpSwitch:
                return _Exits(merge, continue_, _ids(last)[1:], 2)
    return _Exits(merge, continue_, (), 0)


def _ids(record: Instruction) -> tuple[str, ...]:
    return tuple([operand for operand in record.operands if isinstance(operand, str)])
