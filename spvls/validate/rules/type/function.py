"""Function types (SPIR-V 2.17, 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule


@instruction_rule("type/parameter-type-is-not-void", spv.OpTypeFunction, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def parameter_type_is_not_void(inst: Instruction, context: RuleContext) -> Findings:
    """The type of a function parameter must not be void.

    Void has no values, so a call has nothing to pass for the parameter. Only the first such parameter is reported. The return type
    may be void.
    """
    for operand_index, operand in enumerate(inst.operands[1:], 1):
        if isinstance(operand, str) and context.module.opcode_of(operand) == spv.OpTypeVoid:
            message = f"parameter {operand_index - 1} of function type %{inst.result} must not have the type void (%{operand})"
            yield Finding(inst, operand_index, message)
            return


@instruction_rule("type/parameters-are-within-limit", spv.OpTypeFunction, section=sections.UNIVERSAL_LIMITS)
def parameters_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """A function type must not have more parameters than the limit, which is 255 by default.

    Every consumer must support that number of parameters; with more, a driver may reject the module or exhaust its registers. The
    option `max-function-args` sets another limit.
    """
    limit = context.options.max_function_args
    if len(inst.operands) - 1 > limit:
        message = f"function type %{inst.result} has {len(inst.operands) - 1} parameters, but the limit is {limit}"
        yield Finding(inst, limit + 1, message)
