"""Bit instructions (SPIR-V 3.3.14)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.syntax.instruction import Instruction
from spvls.validate.finding import Finding
from spvls.validate.kinds import INT, INTS, width
from spvls.validate.operation import (
    Check,
    Operation,
    first_fault,
    has_count_of_result,
    has_width_of_result,
    is_result_type,
    operand_is,
    result_is,
)
from spvls.validate.rule import Findings, Scene, instruction_rule


def _like_result(at: int) -> tuple[Check, ...]:
    return operand_is(at, INTS), has_count_of_result(at), has_width_of_result(at)


def _is_32_bit(op: Operation) -> Finding | None:
    """The base has 32 bits in Vulkan, unless maintenance9 is taken for granted."""
    type_ = op.type(0)
    if op.module.environment.api != "vulkan" or op.scene.options.allow_vulkan_32_bit_bitwise:
        return None
    if type_ is None or width(type_) == 32:
        return None
    message = f"{op.subject(0)} is {op.spell(type_)}, expected 32-bit integers, all that Vulkan takes without maintenance9"
    return op.fault(0, message, (), "VUID-RuntimeSpirv-None-10824")


_SHIFT = (result_is(INTS), *_like_result(0), operand_is(1, INTS), has_count_of_result(1))
_BINARY = (result_is(INTS), *_like_result(0), *_like_result(1))
_BASE = (operand_is(0, INTS), _is_32_bit, is_result_type(0, retype=True))
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
    spv.OpBitFieldInsert: (*_BASE, is_result_type(1), operand_is(2, INT), operand_is(3, INT)),
    spv.OpBitFieldSExtract: _EXTRACT,
    spv.OpBitFieldUExtract: _EXTRACT,
    spv.OpBitReverse: _BASE,
    spv.OpBitCount: (result_is(INTS), operand_is(0, INTS), _is_32_bit, has_count_of_result(0)),
}


@instruction_rule("bitwise/operands", *_BITS, section="3.3.14")
def operands(inst: Instruction, scene: Scene) -> Findings:
    """Bitwise operations and shifts take and give integers, as many and as wide on both sides; signs may differ.

    The shift of a shift may be of another width.

    Bad:  `%r = OpBitwiseAnd %uint %a %l` where `%l` has 64 bits
    Good: `%r = OpBitwiseAnd %uint %a %b`
    """
    return first_fault(Operation(inst, scene), _BITS[inst.opcode.value])


@instruction_rule("bitwise/field", *_FIELDS, section="3.3.14")
def field(inst: Instruction, scene: Scene) -> Findings:
    """Bit fields are taken from integers of the result type, at an offset and of a size that are integer scalars.

    OpBitCount may give integers of another width than it counts in. In Vulkan the base has 32 bits, unless the
    validator is told that maintenance9 is there.

    Bad:  `%r = OpBitFieldUExtract %uint %base %f %count` where `%f` is a float
    Good: `%r = OpBitFieldUExtract %uint %base %offset %count`
    """
    return first_fault(Operation(inst, scene), _FIELDS[inst.opcode.value])
