"""Blocks with one way in and one way out, beside those that return, which can become a function."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.ide.refactor.early_returns import RETURNS
from spvls.ide.refactor.site import Site
from spvls.module.constructs import ConstructKind
from spvls.module.functions import Block, Function
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction

_BRANCHES = frozenset({spv.OpBranch, spv.OpBranchConditional, spv.OpSwitch})
_ENDS = _BRANCHES | RETURNS | {spv.OpUnreachable}


class Region(NamedTuple):
    """Blocks that follow each other in the text.

    `first` is the label of the block that control comes in by, which stays where it is, with what stands in it before `records`;
    `exit` is the block that control goes on to, None where it never does, and `returns` are the instructions by which it returns
    instead. `is_loop` says that blocks of the region branch to the first one, and
    `before` is then the only other block that does. `last` is the only block that branches to the exit, None if there are
    several; `phi` is the OpPhi of the exit that chooses among what they make. `inside` has the `id()` of all instructions.
    """

    function: Function
    first: str
    exit: str | None
    records: list[Instruction]
    returns: list[Instruction]
    is_loop: bool
    before: str | None
    last: str | None
    phi: Instruction | None
    inside: frozenset[int]


def region_of(site: Site) -> Region | None:
    """The region that is selected."""
    function = site.function
    blocks = _selected(site)
    if function is None or not blocks or blocks[0] is function.entry:
        return None
    names = {block.name for block in blocks}
    first = blocks[0]
    exits = {target for block in blocks for target in block.successors if target not in names}
    returns = [block.records[-1] for block in blocks if block.records[-1].opcode.value in RETURNS]
    if len(exits) > 1 or not (exits or returns) or not _is_entered_at(first, names, function):
        return None
    leaving = next(iter(exits), None)
    if (leaving is not None and leaving not in function.blocks) or not _keeps_constructs(blocks, names, leaving, site):
        return None
    phis = [record for record in first.records if record.opcode.value == spv.OpPhi]
    outside = [name for name in function.predecessors[first.name] if name not in names]
    is_loop = len(outside) < len(function.predecessors[first.name])
    if is_loop and phis and (len(outside) != 1 or outside[0] == leaving):
        return None
    moved = [record for block in blocks for record in block.records]
    if moved[1 : 1 + len(phis)] != phis:
        return None
    records = moved[1 if is_loop else 1 + len(phis) :]
    sources = [name for name in function.predecessors.get(leaving or "", ()) if name in names]
    if leaving is not None and _breaks_out(function, names, leaving, sources):
        return None
    phi = None
    chosen = [] if leaving is None else [record for record in function.blocks[leaving].records if record.opcode.value == spv.OpPhi]
    if leaving is not None and len(sources) > 1 and chosen:
        if len(chosen) > 1 or len(sources) < len(function.predecessors[leaving]):
            return None
        phi = chosen[0]
    if not all(record.stands_alone for record in moved) or (phi is not None and not phi.stands_alone):
        return None
    before = outside[0] if is_loop and phis else None
    last = sources[0] if len(sources) == 1 else None
    inside = frozenset(map(id, moved))
    return Region(function, first.name, leaving, records, returns, is_loop, before, last, phi, inside)


def _selected(site: Site) -> list[Block]:
    """The blocks that are selected, each from its label to its terminator; empty where something else is selected too."""
    function, selected = site.function, site.selected
    if function is None or not selected or selected[0][1].opcode.value != spv.OpLabel:
        return []
    blocks = list(dict.fromkeys(function.block_of.get(id(record)) for _, record in selected))
    found = [block for block in blocks if block is not None and block.terminator is not None]
    records = [record for block in found for record in block.records]
    return found if records == [record for _, record in selected] else []


def _breaks_out(function: Function, names: set[str], leaving: str, sources: list[str]) -> bool:
    """Whether a branch to the exit leaves a construct of the region early, which only constructs around the region allow."""
    own = [construct for construct in function.structure.constructs if construct.header in names]
    if any(construct.kind is ConstructKind.LOOP and construct.exit == leaving for construct in own):
        return False
    return any(construct.exit != leaving and construct.holds(name) for construct in own for name in sources)


def _is_entered_at(first: Block, names: set[str], function: Function) -> bool:
    """Whether control comes into some blocks by the first one alone."""
    return all(name == first.name or set(function.predecessors[name]) <= names for name in names)


def _keeps_constructs(blocks: list[Block], names: set[str], leaving: str | None, site: Site) -> bool:
    """Whether constructs lie inside of some blocks, or outside of them, and control leaves by branches and returns alone."""
    for block in blocks:
        if block.terminator is None or block.terminator.opcode.value not in _ENDS:
            return False
        if block.merge is not None:
            merge, *others = (operand for operand in block.merge.operands if isinstance(operand, str))
            if (merge not in names and merge != leaving) or any(other not in names for other in others):
                return False
    inside = {id(record) for block in blocks for record in block.records}
    for name in names - {blocks[0].name}:
        for _, use in site.module.ids.uses(name):
            if id(use) not in inside and use.opcode.value not in (spv.OpPhi, spv.OpName):
                return False
    return True
