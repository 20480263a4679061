"""Ids: defined once, and defined where they are used (SPIR-V 2.16.1)."""

from __future__ import annotations

from spvls.syntax.instruction import RESULT, TYPE, Instruction
from spvls.validate.finding import Finding, Note
from spvls.validate.rule import Findings, Scene, instruction_rule


@instruction_rule("ssa/undefined-id", section="2.16.1", every=True)
def undefined_id(inst: Instruction, scene: Scene) -> Findings:
    """Every id that is used is defined somewhere in the module.

    An id without a definition has no type and no value; most often its name is misspelt.

    Bad:  `OpStore %colour %c` where only `%color` is defined.
    Good: `OpStore %color %c`
    """
    definition = scene.module.definition
    if inst.type is not None and definition(inst.type) is None:
        yield Finding(inst, TYPE, f"%{inst.type} is not defined")
    for place, operand in enumerate(inst.operands):
        if operand.__class__ is str and definition(operand) is None:
            yield Finding(inst, place, f"%{operand} is not defined")


@instruction_rule("ssa/unique-definition", section="2.16.1", every=True)
def unique_definition(inst: Instruction, scene: Scene) -> Findings:
    """Every id is the result of one instruction only.

    Bad:  `%x = OpLoad %int %p` twice.
    Good: `%x = OpLoad %int %p` and `%y = OpLoad %int %p`
    """
    if inst.result is not None:
        first = scene.module.definition(inst.result)
        if first is not None and first is not scene.record:
            note = Note(first, RESULT, f"%{inst.result} is first defined here")
            yield Finding(inst, RESULT, f"%{inst.result} is defined more than once", (note,))
