"""Lifetimes (SPIR-V 3.3.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.grammar.operand_index import OpLifetimeStart_Pointer, OpLifetimeStart_Size
from spvls.syntax.instruction import Instruction, shown
from spvls.validate.engine.finding import Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_FUNCTION = StorageClass.Function


@instruction_rule(
    "memory/lifetime-is-of-local-variable", spv.OpLifetimeStart, spv.OpLifetimeStop, section=sections.CONTROL_FLOW_INSTRUCTIONS
)
def lifetime_is_of_local_variable(inst: Instruction, context: RuleContext) -> Findings:
    """A lifetime is that of a variable in the Function storage class, and its size is 0 unless pointers are addresses."""
    module = context.module
    type_ = module.type_of(inst.operands[OpLifetimeStart_Pointer])
    if type_ is None:
        return
    if type_.kind != spv.OpTypePointer:
        yield Finding(
            inst,
            OpLifetimeStart_Pointer,
            f"{shown(inst.operands[OpLifetimeStart_Pointer])} is {module.spell(type_)}, expected a pointer to a local variable",
        )
    elif type_.storage != _FUNCTION:
        yield Finding(
            inst,
            OpLifetimeStart_Pointer,
            f"{shown(inst.operands[OpLifetimeStart_Pointer])} is {module.spell(type_)}, expected the Function storage class",
        )
    elif inst.operands[OpLifetimeStart_Size] != 0 and not module.has_capability(Capability.Addresses):
        yield Finding(inst, OpLifetimeStart_Size, "a size other than 0 needs the Addresses capability", fixes=_zero(inst))


def _zero(inst: Instruction) -> tuple[FindingFix, ...]:
    return (FindingFix("Write 0", (Replace(inst, 1, "0"),)),)


@instruction_rule(
    "memory/lifetime-size-is-zero",
    spv.OpLifetimeStart,
    spv.OpLifetimeStop,
    section=sections.CONTROL_FLOW_INSTRUCTIONS,
    severity=Severity.INFORMATION,
    after=(lifetime_is_of_local_variable,),
)
def lifetime_size_is_zero(inst: Instruction, context: RuleContext) -> Findings:
    """The size of a lifetime is 0 where the pointer's type says how much memory lives.

    The reference validator does not look, and compilers give sizes in bytes nonetheless.
    """
    type_ = context.module.type_of(inst.operands[OpLifetimeStart_Pointer])
    held = type_.pointee if type_ is not None else None
    if held is not None and held.kind != spv.OpTypeVoid and inst.operands[OpLifetimeStart_Size] != 0:
        message = (
            f"the size is {shown(inst.operands[OpLifetimeStart_Size])}, expected 0: "
            f"the {context.module.spell(held)} that is pointed to lives"
        )
        yield Finding(inst, OpLifetimeStart_Size, message, fixes=_zero(inst))
