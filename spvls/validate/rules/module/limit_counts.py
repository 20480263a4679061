"""Limits that the reference validator does not count (SPIR-V 2.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv, tables
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.extended import RUNS
from spvls.validate.finding import Finding
from spvls.validate.operand_at import id_at
from spvls.validate.rule import Findings, Scene, instruction_rule

_MOST_MODES = 255
_MOST_ARGUMENTS = 255
_FEW = 64


@instruction_rule("limit/execution-modes", spv.OpEntryPoint, section="2.17", severity=Severity.WARNING)
def execution_modes(inst: Instruction, scene: Scene) -> Findings:
    """An entry point has at most 255 execution modes.

    Bad:  300 OpExecutionMode for one entry point.
    Good: those that it needs.
    """
    name = id_at(inst, 1)
    modes = scene.module.execution_modes(name) if name is not None else []
    if len(modes) > _MOST_MODES:
        yield Finding(inst, 1, f"%{name} has {len(modes)} execution modes, and {_MOST_MODES} are the most to count on")


@instruction_rule("limit/ext-inst-arguments", *RUNS, section="2.17", severity=Severity.WARNING)
def extended_arguments(inst: Instruction, scene: Scene) -> Findings:
    """An extended instruction has at most 255 arguments.

    Bad:  a structure of 400 members in debug information.
    Good: a structure of fewer members, or no debug information for it.
    """
    count = len(inst.operands) - 2
    if count > _MOST_ARGUMENTS:
        yield Finding(inst, OPCODE, f"the instruction has {count} arguments, and {_MOST_ARGUMENTS} are the most to count on")


@instruction_rule(
    "limit/decorations-per-id", spv.OpTypeStruct, spv.OpVariable, spv.OpFunction, section="2.17", severity=Severity.WARNING
)
def decorations(inst: Instruction, scene: Scene) -> Findings:
    """An id has no more decorations than there are kinds of decorations, its members not counted.

    Bad:  a variable with several hundred UserSemantic.
    Good: the one that it has.
    """
    if inst.result is None:
        return
    own = [found for found in scene.module.decorations(inst.result) if found.member is None]
    if len(own) <= _FEW:
        return
    most = len(tables.kind("Decoration").all)
    if len(own) > most:
        yield Finding(inst, OPCODE, f"%{inst.result} has {len(own)} decorations, and {most} are the most to count on")
