"""What NonSemantic.ClspvReflection asks of modules and the reference validator lets pass."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import spv
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.extended import ExtendedOperation, operation_of
from spvls.validate.finding import Finding
from spvls.validate.rule import Findings, Scene, instruction_rule

_SET = "NonSemantic.ClspvReflection"
_HEX = frozenset(b"0123456789abcdefABCDEF")
_MAY_USE_PRINTF = 1
_LAST_OF_KERNEL = 5


@instruction_rule("clspv/void-result", spv.OpExtInst, section="3.3.4")
def result_void(inst: Instruction, scene: Scene) -> Findings:
    """Reflection has no value: the result type of its instructions is void.

    Bad:  `%k = OpExtInst %uint %reflection Kernel %main %name`
    Good: `%k = OpExtInst %void %reflection Kernel %main %name`
    """
    op = operation_of(inst, scene, _SET)
    if op is not None and op.result is not None and op.result.kind != spv.OpTypeVoid:
        yield Finding(inst, TYPE, f"the result type of {op.name} is {op.spell(op.result)}, expected void")


@instruction_rule("clspv/kernel/arity-from-5", spv.OpExtInst, section="3.3.4", severity=Severity.WARNING)
def kernel_arity(inst: Instruction, scene: Scene) -> Findings:
    """From version 5 on, Kernel says how many arguments there are, its flags and its attributes.

    Readers of these versions count on them; the reference validator lets a module pass that lacks them.

    Bad:  `%k = OpExtInst %void %reflection Kernel %main %name`
    Good: `%k = OpExtInst %void %reflection Kernel %main %name %uint_2 %uint_0 %attributes`
    """
    op = operation_of(inst, scene, _SET)
    if op is not None and op.name == "Kernel" and op.imported.revision >= 5 and len(op.operands) < _LAST_OF_KERNEL:
        missing = op.instruction.operands[len(op.operands)].name
        yield op.fault(-1, f"Kernel of version {op.imported.revision} lacks its operand {missing}")


@instruction_rule("clspv/kernel/flags-known-bits", spv.OpExtInst, section="3.3.4", severity=Severity.WARNING)
def kernel_flags(inst: Instruction, scene: Scene) -> Findings:
    """The flags of a Kernel are none, or MayUsePrintf, which is 1.

    Bad:  flags `%uint_4`
    Good: flags `%uint_1`
    """
    op = operation_of(inst, scene, _SET)
    flags = op.module.integer(op.id(3)) if op is not None and op.name == "Kernel" else None
    if op is not None and flags is not None and flags & ~_MAY_USE_PRINTF:
        yield op.fault(3, f"the flags of a Kernel are 0, or 1 for MayUsePrintf, and not {flags}")


@instruction_rule("clspv/data-hex-string", spv.OpExtInst, section="3.3.4", severity=Severity.WARNING)
def hex_data(inst: Instruction, scene: Scene) -> Findings:
    """The data of buffers is written as a string of bytes in hexadecimal, two digits each.

    Bad:  `%data = OpString "12 4"`
    Good: `%data = OpString "1204"`
    """
    op = operation_of(inst, scene, _SET)
    if op is None:
        return
    for at, role, name in _ids(op):
        definition = op.module.definition(name) if role == "Data" else None
        is_string = definition is not None and definition.opcode.value == spv.OpString and not definition.faults
        text = definition.operands[0] if definition is not None and is_string else None
        if isinstance(text, bytes) and (len(text) % 2 or not _HEX.issuperset(text)):
            yield op.fault(at, f"Data %{name} is not bytes in hexadecimal, two digits each")


def _ids(op: ExtendedOperation) -> Iterator[tuple[int, str, str]]:
    """The operands that are ids, each with its place and what it is for."""
    for at, name in enumerate(op.operands):
        if isinstance(name, str):
            yield at, op.role(at), name
