"""Splitting a block at the cursor, and merging a block into its only predecessor."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.traits import VARIABLES
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.module.decorations import ANNOTATIONS, about, is_grouped
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Delete, InsertBefore

_FIRST = VARIABLES | {spv.OpLabel, spv.OpPhi, spv.OpFunctionParameter}
"""What stands at the beginning of a block."""

_HARMLESS = ANNOTATIONS | {spv.OpPhi, spv.OpName}
"""What may name the label of a block that is merged, beside the branch to it."""


def block_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the block at the cursor."""
    function, block, record = site.function, site.block, site.record
    if function is None or block is None or record is None:
        return
    if record is block.label:
        yield from _merging(site, function, block)
    elif may_be_split(block, record, site.module):
        title = f"Split the block %{block.name} here"
        yield Refactoring("split-block", title, REWRITE, lambda: _split(site, function, block, record))


# Splitting


def may_be_split(block: Block, record: Instruction, module: Module) -> bool:
    """Whether a block can end before one of its instructions, with a branch to a new block that goes on from there.

    A loop header cannot: back edges lead to it, and its merge instruction must stay in it. Images and samplers must be used in the
    block that loads or makes them, and the definition of a function in debug information stays in the entry block.
    """
    if record.opcode.value in _FIRST or (block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge):
        return False
    at = block.records.index(record)
    if record is block.terminator and block.merge is not None:
        return False
    before, after = block.records[:at], block.records[at:]
    if any(found.opcode.value in _FIRST for found in after):
        return False
    if any(_is_function_definition(found, module) for found in after):
        return False
    local = {found.result for found in before if is_opaque(module.type(found.type))}
    return not local or all(local.isdisjoint(found.uses()) for found in after)


def is_opaque(type_: Type | None) -> bool:
    """Whether a type is that of images or samplers, which stay in the block that loads them (Vulkan, SPIR-V environment)."""
    return type_ is not None and type_.kind in _OPAQUE


_OPAQUE = frozenset({spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage})


def _is_function_definition(record: Instruction, module: Module) -> bool:
    if record.opcode.value != spv.OpExtInst:
        return False
    return (module.extended_instruction(record) or ("", ""))[1] == "DebugFunctionDefinition"


def phis_after(function: Function, block: Block) -> list[Instruction]:
    """The OpPhi instructions that have a block as a parent."""
    return [
        record
        for name in block.successors
        if name in function.blocks
        for record in function.blocks[name].records
        if record.opcode.value == spv.OpPhi and block.name in record.operands[1::2]
    ]


def _split(site: Site, function: Function, block: Block, record: Instruction) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    name = rewrite.fresh(f"{block.name}_rest")
    rewrite.do(InsertBefore(record, f"OpBranch %{name}\n%{name} = OpLabel"))
    rewrite.rename(phis_after(function, block), {block.name: name})
    return rewrite.edits()


# Merging


def _merging(site: Site, function: Function, block: Block) -> Iterator[Refactoring]:
    before = _only_predecessor(function, block, site.module)
    if before is None or before.terminator is None:
        return
    if _follows(function, before, block) or all(record.stands_alone for record in (*block.records, before.terminator)):
        title = f"Merge the block %{block.name} into %{before.name}"
        yield Refactoring("merge-blocks", title, REWRITE, lambda: _merged(site, function, before, block))


def _only_predecessor(function: Function, block: Block, module: Module) -> Block | None:
    """The block that goes on to another one alone, where that is no target of anything else."""
    names = function.predecessors[block.name]
    before = function.blocks[names[0]] if len(names) == 1 else None
    if before is None or before is block or before.terminator is None or before.terminator.opcode.value != spv.OpBranch:
        return None
    if before.merge is not None or (block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge):
        return None
    for _, use in module.ids.uses(block.name):
        if use is not before.terminator and use.opcode.value not in _HARMLESS:
            return None
    phis = [record for record in block.records if record.opcode.value == spv.OpPhi]
    own = {str(record.result) for record in phis}
    if any(len(record.operands) != 2 or record.operands[0] in own for record in phis):
        return None
    if any(is_grouped(name, module) for name in (block.name, *own)):
        return None
    return before


def _merged(site: Site, function: Function, before: Block, block: Block) -> list[Edit]:
    module, rewrite = site.module, Rewrite(site.source, site.chunk)
    assert before.terminator is not None
    phis = [record for record in block.records if record.opcode.value == spv.OpPhi]
    rest = block.records[1 + len(phis) :]
    names = {str(record.result): str(record.operands[0]) for record in phis}
    gone = [block.label, *phis, *(record for name in (block.name, *names) for record in about(name, module))]
    if _follows(function, before, block):
        gone.append(before.terminator)
    else:
        rewrite.put([before.terminator], [line.strip() for line in rewrite.lines(rest, names).splitlines()])
        rewrite.cut(*rewrite.extent(rest))
    rewrite.do(*[Delete(record) for record in gone])
    doomed = {id(record) for record in (gone if _follows(function, before, block) else (*gone, *rest))}
    users = [use for name in names for _, use in module.ids.uses(name) if id(use) not in doomed]
    rewrite.rename(users, names)
    rewrite.rename(phis_after(function, block), {block.name: before.name})
    return rewrite.edits()


def _follows(function: Function, before: Block, block: Block) -> bool:
    """Whether a block stands right after another one."""
    return function.order[id(before.records[-1])] + 1 == function.order[id(block.label)]
