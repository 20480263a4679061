"""Lifetimes (SPIR-V 3.3.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.grammar.operand_index import OpLifetimeStart_Pointer, OpLifetimeStart_Size
from spvls.syntax.instruction import Instruction, shown
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_FUNCTION = StorageClass.Function


@instruction_rule(
    "memory/lifetime-is-of-local-variable", spv.OpLifetimeStart, spv.OpLifetimeStop, section=sections.CONTROL_FLOW_INSTRUCTIONS
)
def lifetime_is_of_local_variable(inst: Instruction, context: RuleContext) -> Findings:
    """The Pointer of a lifetime must be a typed pointer to Function; without Addresses, Size must be 0.

    A compiler may use lifetimes to let local variables share stack memory. Memory of another storage class is not on the stack of a
    function, and other functions or invocations may use it outside of the lifetime. As in spirv-val, untyped pointers are reported,
    which SPV_KHR_untyped_pointers permits.

    With Addresses, Size must still be 0 if Pointer points to a type other than void, which `memory/lifetime-size-is-zero` checks.
    With the addressing models Logical and PhysicalStorageBuffer64, `pointer/logical-operand-is-permitted` permits neither
    OpLifetimeStart nor OpLifetimeStop.
    """
    module = context.module
    type_ = module.type_of(inst.operands[OpLifetimeStart_Pointer])
    if type_ is None:
        return
    if type_.kind != spv.OpTypePointer:
        yield Finding(
            inst,
            OpLifetimeStart_Pointer,
            f"{operand(inst, OpLifetimeStart_Pointer)} is {module.spell(type_)}, expected a typed pointer"
            " to the storage class Function",
        )
    elif type_.storage != _FUNCTION:
        yield Finding(
            inst,
            OpLifetimeStart_Pointer,
            f"{operand(inst, OpLifetimeStart_Pointer)} is {module.spell(type_)}, expected a pointer to the storage class Function",
        )
    elif inst.operands[OpLifetimeStart_Size] != 0 and not module.has_capability(Capability.Addresses):
        message = f"operand Size is {shown(inst.operands[OpLifetimeStart_Size])}, expected 0 without the capability Addresses"
        yield Finding(inst, OpLifetimeStart_Size, message, fixes=_zero(inst))


def _zero(inst: Instruction) -> tuple[FindingFix, ...]:
    return (FindingFix("Write 0", (Replace(inst, 1, "0"),)),)


@instruction_rule(
    "memory/lifetime-size-is-zero",
    spv.OpLifetimeStart,
    spv.OpLifetimeStop,
    section=sections.CONTROL_FLOW_INSTRUCTIONS,
    severity=Severity.HINT,
    after=(lifetime_is_of_local_variable,),
)
def lifetime_size_is_zero(inst: Instruction, context: RuleContext) -> Findings:
    """The Size of a lifetime must be 0 if Pointer points to a type other than void.

    The type that is pointed to already determines how much memory has the lifetime. A Size that differs from it may make two
    consumers release different amounts of memory.

    A hint, because spirv-val checks this only without the capability Addresses, where `memory/lifetime-is-of-local-variable`
    reports it as an error, and some compilers write the size in bytes.
    """
    type_ = context.module.type_of(inst.operands[OpLifetimeStart_Pointer])
    held = type_.pointee if type_ is not None else None
    if held is not None and held.kind != spv.OpTypeVoid and inst.operands[OpLifetimeStart_Size] != 0:
        message = (
            f"operand Size is {shown(inst.operands[OpLifetimeStart_Size])}, expected 0, "
            f"because {operand(inst, OpLifetimeStart_Pointer)} points to {context.module.spell(held)}, not to void"
        )
        yield Finding(inst, OpLifetimeStart_Size, message, fixes=_zero(inst))
