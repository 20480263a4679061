"""Constant operands that give no defined result, and those that look like them and do."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader

NUMBERS = """
    %u32 = OpConstant %uint 32
    %u31 = OpConstant %uint 31
    %i_1 = OpConstant %int -1
    %i_min = OpConstant %int -2147483648
    %u_max = OpConstant %uint 4294967295
    %u_top = OpConstant %uint 2147483648
    %spec = OpSpecConstant %uint 99
    %shifts = OpConstantComposite %uvec2 %one %u32
    %dividends = OpConstantComposite %ivec2 %i_1 %i_min
    %divisors = OpConstantComposite %ivec2 %i_min %i_1
"""


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpShiftLeftLogical %uint %u %u31",
        "%r = OpShiftLeftLogical %uint %u %u32 ; warning: opcode/shift/shift-range `%u32`",
        "%r = OpShiftRightArithmetic %int %i %i_1 ; warning: opcode/shift/shift-range `%i_1`",
        "%r = OpShiftRightLogical %uvec2 %u2 %shifts ; warning: opcode/shift/shift-range `%shifts`",
        "%r = OpShiftRightLogical %ulong %l %u32",
        "%r = OpShiftRightLogical %uint %u %spec",
        "%r = OpSDiv %int %i_min %i_1 ; warning: opcode/signed-division/signed-overflow `%i_1`",
        "%r = OpSMod %uint %u_top %u_max ; warning: opcode/signed-division/signed-overflow `%u_max`",
        "%r = OpSRem %ivec2 %dividends %divisors ; warning: opcode/signed-division/signed-overflow `%divisors`",
        "%r = OpSDiv %int %i_1 %i_min",
        "%r = OpSDiv %int %i %i_1",
        "%r = OpBitFieldUExtract %uint %u %u31 %one",
        "%r = OpBitFieldUExtract %uint %u %u31 %two ; warning: opcode/bit-field/range `%u31`",
        "%r = OpBitFieldUExtract %uint %u %u %u32",
        "%r = OpBitFieldUExtract %uint %u %u %u_max ; warning: opcode/bit-field/range `%u_max`",
        "%r = OpBitFieldInsert %uint %u %u %u32 %one ; warning: opcode/bit-field/range `%u32`",
        "%r = OpVectorInsertDynamic %vec2 %v2 %f %two ; warning: opcode/vector-dynamic-index/index-range `%two`",
        "%r = OpVectorExtractDynamic %float %v2 %spec",
    ],
)
def test_shaders(line: str) -> None:
    check(shader(line, NUMBERS))


def test_a_constant_expression_is_no_error_for_what_is_a_warning() -> None:
    check(shader("", NUMBERS + "%r = OpSpecConstantOp %uint ShiftLeftLogical %one %u32"))


def test_addresses_may_point_beyond_an_array() -> None:
    declarations = """
        %pair = OpTypeArray %uint %two
        %to_pair = OpTypePointer Function %pair
        %to_uint = OpTypePointer Function %uint
    """
    check(kernel("%v = OpVariable %to_pair Function\n%p = OpAccessChain %to_uint %v %two", declarations, capabilities="Int64"))
