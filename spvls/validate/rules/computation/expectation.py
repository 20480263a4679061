"""Hints to optimizers (SPV_KHR_expect_assume)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.operand_index import OpAssumeTrueKHR_Condition, OpExpectKHR_ExpectedValue, OpExpectKHR_Value
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import BOOL, SCALARS_AND_VECTORS, Kind
from spvls.validate.checks.operation import Check, Operation, first_fault, is_result_type, operand_is, result_is
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_DISCRETE = Kind("an integer, a Boolean, or a vector of either", "Int Bool", SCALARS_AND_VECTORS)

_HINTS: dict[int, tuple[Check, ...]] = {
    spv.OpAssumeTrueKHR: (operand_is(OpAssumeTrueKHR_Condition, BOOL),),
    spv.OpExpectKHR: (
        result_is(_DISCRETE),
        is_result_type(OpExpectKHR_Value, retype=True),
        is_result_type(OpExpectKHR_ExpectedValue),
    ),
}


@instruction_rule("computation/expected-value-matches-result", *_HINTS, section=sections.MISCELLANEOUS_INSTRUCTIONS)
def expected_value_matches_result(inst: Instruction, context: RuleContext) -> Findings:
    """OpAssumeTrueKHR must have a Boolean condition, and OpExpectKHR values of its result type.

    OpAssumeTrueKHR states that its Condition is true, which only a Boolean scalar can be. OpExpectKHR states which value is likely,
    so that a compiler can arrange the code for it; a value of another type is never equal to it, and the hint has no meaning. Value
    must have the result type too, a scalar or vector of integers or Booleans.
    """
    return first_fault(Operation(inst, context), _HINTS[inst.opcode.value])
