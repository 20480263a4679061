"""Blocks, and what they are made of (SPIR-V 2.16.2)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.finding import Finding, Note
from spvls.validate.rule import Findings, Scene, instruction_rule

_BLOCKS = ("Block", "BufferBlock")


@instruction_rule("decoration/block-not-nested", spv.OpTypeStruct, section="2.16.2")
def block_not_nested(inst: Instruction, scene: Scene) -> Findings:
    """A structure that is decorated Block or BufferBlock is not part of another such, at no depth.

    A block is an interface as a whole: a buffer, a set of inputs or outputs.

    Bad:  `%Outer = OpTypeStruct %Inner` where both are decorated Block.
    Good: only `%Outer` is.
    """
    module = scene.module
    if inst.result is None or not _is_block(module, inst.result):
        return
    inner = _block_within(module, module.type(inst.result), set())
    if inner is not None:
        note = Note(inner.record, RESULT, f"%{inner.id} is a block as well")
        yield Finding(inst, RESULT, f"%{inst.result} is a block, and holds the block %{inner.id}", (note,))


def _is_block(module: Module, name: str) -> bool:
    return any(module.has_decoration(name, block) for block in _BLOCKS)


def _block_within(module: Module, type_: Type | None, seen: set[str]) -> Type | None:
    for member in type_.members if type_ is not None else ():
        while member is not None and member.is_array:
            member = member.element
        if member is None or not member.is_struct or member.id in seen:
            continue
        seen.add(member.id)
        if _is_block(module, member.id):
            return member
        found = _block_within(module, member, seen)
        if found is not None:
            return found
    return None
