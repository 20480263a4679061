"""Function types (SPIR-V 2.17, 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule


@instruction_rule("type/parameter-type-is-not-void", spv.OpTypeFunction, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def parameter_type_is_not_void(inst: Instruction, context: RuleContext) -> Findings:
    """No parameter of a function is of type void."""
    for operand_index, operand in enumerate(inst.operands[1:], 1):
        if isinstance(operand, str) and context.module.opcode_of(operand) == spv.OpTypeVoid:
            yield Finding(inst, operand_index, "a parameter cannot be of type void; a function without parameters lists none")
            return


@instruction_rule("type/parameters-are-within-limit", spv.OpTypeFunction, section=sections.UNIVERSAL_LIMITS)
def parameters_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """A function has at most 255 parameters, or as many as the option `max_function_args` says."""
    limit = context.options.max_function_args
    if len(inst.operands) - 1 > limit:
        yield Finding(inst, limit + 1, f"a function has at most {limit} parameters, and this has {len(inst.operands) - 1}")
