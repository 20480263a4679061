"""Non-semantic sets that are small: printing and stopping for a debugger."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.extended import RUNS, operation_of
from spvls.validate.finding import Finding
from spvls.validate.rule import Findings, Scene, instruction_rule

_SETS = ("NonSemantic.DebugPrintf", "NonSemantic.DebugBreak")


@instruction_rule("non-semantic/void-result", *RUNS, section="3.3.4", severity=Severity.WARNING)
def result_void(inst: Instruction, scene: Scene) -> Findings:
    """DebugPrintf and DebugBreak have no value: their result type is void. The reference validator does not look.

    Bad:  `%p = OpExtInst %uint %printf DebugPrintf %format`
    Good: `%p = OpExtInst %void %printf DebugPrintf %format`
    """
    op = operation_of(inst, scene, *_SETS)
    if op is not None and op.result is not None and op.result.kind != "Void":
        yield Finding(inst, TYPE, f"the result type of {op.name} is {op.spell(op.result)}, expected void")


@instruction_rule("non-semantic/printf-format", *RUNS, section="3.3.4", severity=Severity.WARNING)
def printf_format(inst: Instruction, scene: Scene) -> Findings:
    """The format of a DebugPrintf is an OpString, to which no value of the shader adds. The reference validator does not look.

    Bad:  `%p = OpExtInst %void %printf DebugPrintf %uint_1`
    Good: `%p = OpExtInst %void %printf DebugPrintf %format` with `%format = OpString "x is %f"`
    """
    op = operation_of(inst, scene, *_SETS)
    name = op.id(0) if op is not None and op.name == "DebugPrintf" else None
    opcode = scene.module.opcode_of(name) if name is not None else ""
    if op is not None and opcode not in ("", "OpString"):
        yield op.fault(0, f"Format %{name} is made by {opcode}, expected an OpString")


@instruction_rule("opcode/OpExtInst/nonsemantic-ids-only", *RUNS, section="3.3.4")
def ids_only(inst: Instruction, scene: Scene) -> Findings:
    """Operands of non-semantic instructions are ids: numbers are constants, and texts are OpString.

    A tool that does not know the set can so tell what an instruction refers to, and renumber ids.

    Bad:  `%p = OpExtInst %void %printf DebugPrintf "x"`
    Good: `%p = OpExtInst %void %printf DebugPrintf %x` with `%x = OpString "x"`
    """
    operands = inst.operands
    if len(operands) < 3 or not isinstance(operands[0], str):
        return
    name = scene.module.import_name(operands[0])
    if name is None or not name.startswith("NonSemantic."):
        return
    for place, operand in enumerate(operands[2:], 2):
        if not isinstance(operand, str):
            yield Finding(inst, place, f"the operands of instructions of {name} are ids, and this is none")
            return
