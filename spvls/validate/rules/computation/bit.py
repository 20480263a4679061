"""Bit instructions (SPIR-V 3.3.14)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.operand_index import (
    OpBitCount_Base,
    OpBitFieldInsert_Count,
    OpBitFieldInsert_Insert,
    OpBitFieldInsert_Offset,
    OpShiftLeftLogical_Shift,
)
from spvls.module.constants import WIDEST
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.constant_operand import constant_integers
from spvls.validate.checks.kinds import INT, INTS, width
from spvls.validate.checks.operation import (
    Check,
    Operation,
    first_fault,
    has_count_of_result,
    has_width_of_result,
    is_result_type,
    operand_is,
    result_is,
)
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_SHIFTS = (spv.OpShiftLeftLogical, spv.OpShiftRightLogical, spv.OpShiftRightArithmetic)
_FIELD_AT = {spv.OpBitFieldInsert: 2, spv.OpBitFieldSExtract: 1, spv.OpBitFieldUExtract: 1}


def _like_result(at: int) -> tuple[Check, ...]:
    return operand_is(at, INTS), has_count_of_result(at), has_width_of_result(at)


def _is_32_bit(op: Operation) -> Finding | None:
    type_ = op.type(OpBitCount_Base)
    if op.module.environment.api != "vulkan" or op.context.options.allow_vulkan_32_bit_bitwise:
        return None
    if type_ is None or width(type_) == 32:
        return None
    message = (
        f"{op.subject(OpBitCount_Base)} is {op.spell(type_)}; "
        "Vulkan requires 32-bit components unless the feature maintenance9 is enabled"
    )
    return op.fault(OpBitCount_Base, message, (), "VUID-RuntimeSpirv-None-10824")


def _has_integer_result(op: Operation) -> Finding | None:
    """The result type may be that of Base, which is known to be of integers."""
    if op.result is None or INTS.holds(op.result) or op.type(OpBitCount_Base) is None:
        return None
    types = f"{op.subject(OpBitCount_Base)} is {op.spell(op.type(OpBitCount_Base))} and the result type is {op.spell(op.result)}"
    return op.fault(OpBitCount_Base, f"{types}; both must be the same integer scalar or vector type")


_SHIFT = (result_is(INTS), *_like_result(0), operand_is(1, INTS), has_count_of_result(1))
_BINARY = (result_is(INTS), *_like_result(0), *_like_result(1))
_BASE = (operand_is(0, INTS), _is_32_bit, _has_integer_result, is_result_type(0, retype=True))
_EXTRACT = (*_BASE, operand_is(1, INT), operand_is(2, INT))

_BITS: dict[int, tuple[Check, ...]] = {
    spv.OpShiftRightLogical: _SHIFT,
    spv.OpShiftRightArithmetic: _SHIFT,
    spv.OpShiftLeftLogical: _SHIFT,
    spv.OpBitwiseOr: _BINARY,
    spv.OpBitwiseXor: _BINARY,
    spv.OpBitwiseAnd: _BINARY,
    spv.OpNot: (result_is(INTS), *_like_result(0)),
}

_FIELDS: dict[int, tuple[Check, ...]] = {
    spv.OpBitFieldInsert: (
        *_BASE,
        is_result_type(OpBitFieldInsert_Insert),
        operand_is(OpBitFieldInsert_Offset, INT),
        operand_is(OpBitFieldInsert_Count, INT),
    ),
    spv.OpBitFieldSExtract: _EXTRACT,
    spv.OpBitFieldUExtract: _EXTRACT,
    spv.OpBitReverse: _BASE,
    spv.OpBitCount: (result_is(INTS), operand_is(OpBitCount_Base, INTS), _is_32_bit, has_count_of_result(0)),
}


@instruction_rule("computation/bitwise-operands-match-result", *_BITS, section=sections.BIT_INSTRUCTIONS)
def bitwise_operands_match_result(inst: Instruction, context: RuleContext) -> Findings:
    """Bitwise operands must have the component count of the result type and, except Shift, its width.

    OpNot, OpBitwiseAnd, OpBitwiseOr, OpBitwiseXor and the shifts compute one component after the other. All operands and the result
    must be integer scalars or vectors; cooperative vectors (SPV_NV_cooperative_vector) count as vectors. With another width, some
    bits of the result have no bit to be computed from, or bits of the operand have no place. The operand Shift may have another
    width, because it is a number of bits. The signedness may differ. Operations in OpSpecConstantOp are checked by
    `constant/spec-operation-is-valid`.
    """
    return first_fault(Operation(inst, context), _BITS[inst.opcode.value])


@instruction_rule("computation/bit-field-operands-match", *_FIELDS, section=sections.BIT_INSTRUCTIONS)
def bit_field_operands_match(inst: Instruction, context: RuleContext) -> Findings:
    """The operands of bit-field instructions, OpBitReverse and OpBitCount must fit the result type.

    In OpBitFieldInsert, OpBitFieldSExtract, OpBitFieldUExtract and OpBitReverse, Base must have the result type, an integer scalar
    or vector: the result has the bits of Base outside of an inserted field, and an extracted field is extended to the width of Base
    by zeros or its sign. Offset and Count must be integer scalars, because they apply to all components, and Insert must have the
    result type. Base and result of OpBitCount must be integer scalars or vectors with the same number of components; their types
    may differ in width and signedness.

    In Vulkan, Base of all these instructions must have 32-bit components unless the feature maintenance9 is enabled. The rule does
    not know of this feature; the option `allow-vulkan-32-bit-bitwise` turns this check off.
    """
    return first_fault(Operation(inst, context), _FIELDS[inst.opcode.value])


def _bits(number: int, type_: Type | None) -> int:
    """A number of an integer type without its sign, as instructions that ignore signedness read it."""
    wide = min(width(type_), WIDEST) if type_ is not None else 0
    return number & (1 << wide) - 1 if wide else number


@instruction_rule("computation/shift-is-below-width", *_SHIFTS, section=sections.BIT_INSTRUCTIONS, severity=Severity.WARNING)
def shift_is_below_width(inst: Instruction, context: RuleContext) -> Findings:
    """The Shift of a shift instruction must be less than the width of the components of Base.

    From the width on, the result is undefined; Shift is read as unsigned. One device may use only the low bits of Shift, so that a
    shift by 32 leaves a 32-bit value as it is, and another may shift out all bits. Only constants that cannot be specialized are
    checked, and not in OpSpecConstantOp.
    """
    module = context.module
    name = id_at(inst, OpShiftLeftLogical_Shift)
    numbers = constant_integers(module, name)
    result = module.type(inst.type) if numbers else None
    wide = width(result) if result is not None else 0
    shifts = (_bits(number, module.type_of(name)) for number in numbers)
    too_far = next((shift for shift in shifts if shift >= wide), None)
    if wide and too_far is not None:
        yield Finding(
            inst,
            OpShiftLeftLogical_Shift,
            f"operand Shift (%{name}) shifts {wide}-bit integers by {too_far}; the result is only defined for 0 to {wide - 1}",
        )


@instruction_rule("computation/bit-field-stays-in-base", *_FIELD_AT, section=sections.BIT_INSTRUCTIONS, severity=Severity.WARNING)
def bit_field_stays_in_base(inst: Instruction, context: RuleContext) -> Findings:
    """In bit-field instructions, Offset plus Count must not exceed the width of a component of Base.

    For a field that extends past the last bit, the result is undefined, and devices may return different values. OpBitFieldInsert,
    OpBitFieldSExtract and OpBitFieldUExtract are checked. Only constants that cannot be specialized are compared, as unsigned
    numbers; another operand counts as 0.
    """
    module = context.module
    at = _FIELD_AT[inst.opcode.value]
    result = module.type(inst.type)
    wide = width(result) if result is not None and INTS.holds(result) else 0
    if not wide:
        return
    ends = []
    for operand_index in (at, at + 1):
        name = id_at(inst, operand_index)
        number = module.integer(name)
        ends.append(0 if number is None else _bits(number, module.type_of(name)))
    if sum(ends) > wide:
        given = " and ".join(f"{operand(inst, at + which)} is {end}" for which, end in enumerate(ends) if end)
        base = module.type_of(id_at(inst, OpBitCount_Base))
        whose = "Base" if base is None or width(base) == wide else "the result type"
        message = f"{given}, but Offset + Count must be at most {wide}, the width of a component of {whose}"
        yield Finding(inst, at + (not ends[0]), message)


@instruction_rule("computation/bit-count-fits-result", spv.OpBitCount, section=sections.BIT_INSTRUCTIONS, severity=Severity.WARNING)
def bit_count_fits_result(inst: Instruction, context: RuleContext) -> Findings:
    """A component of the result of OpBitCount must be able to hold the width of a component of its Base.

    If all bits of a component are set, the count is its width, an unsigned number. A result that is too narrow loses the upper
    bits of this number and gives a count that is too small.
    """
    module = context.module
    base, result = module.type_of(id_at(inst, OpBitCount_Base)), module.type(inst.type)
    if base is None or result is None or not width(result) or width(base) < 1 << min(width(result), WIDEST):
        return
    message = f"the bit count of {operand(inst, OpBitCount_Base)} can be {width(base)}, which does not fit in"
    yield Finding(inst, TYPE, f"{message} the result type {module.spell(result)}")
