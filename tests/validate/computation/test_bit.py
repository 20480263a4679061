"""Rules of `computation/bit`: bit instructions."""

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
        "%r = OpShiftLeftLogical %uint %u %l",
        "%r = OpBitwiseAnd %uvec2 %i2 %u2",
        "%r = OpNot %int %u",
        "%r = OpShiftLeftLogical %float %u %u ; error: computation/bitwise-operands-match-result `%float`",
        "%r = OpShiftLeftLogical %uint %u2 %u ; error: computation/bitwise-operands-match-result `%u2`",
        "%r = OpBitwiseOr %uint %u %l ; error: computation/bitwise-operands-match-result `%l`",
        "%r = OpBitwiseXor %uint %f %u ; error: computation/bitwise-operands-match-result `%f`",
        "%r = OpBitFieldInsert %uint %u %u %i %u",
        "%r = OpBitFieldUExtract %uint %u %i %u",
        "%r = OpBitCount %uint %l",
        "%r = OpBitFieldInsert %uint %i %u %u %u ; error: computation/bit-field-operands-match `%i`",
        "%r = OpBitFieldSExtract %uint %u %f %u ; error: computation/bit-field-operands-match `%f`",
        "%r = OpBitReverse %uint %i ; error: computation/bit-field-operands-match `%i`",
        "%r = OpBitCount %uint %u2 ; error: computation/bit-field-operands-match `%u2`",
    ],
)
def test_bits(line: str) -> None:
    check(shader(line))


def test_vulkan_counts_32_bits() -> None:
    line = "%r = OpBitCount %uint %l"
    found = check(shader(f"{line} ; error: computation/bit-field-operands-match"), env="vulkan1.3")
    assert found[0].vuid == "VUID-RuntimeSpirv-None-10824"
    check(shader(line), env="vulkan1.3", options={"allow_vulkan_32_bit_bitwise": True})


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpShiftLeftLogical %uint %u %u31",
        "%r = OpShiftLeftLogical %uint %u %u32 ; warning: computation/shift-is-below-width `%u32`",
        "%r = OpShiftRightArithmetic %int %i %i_1 ; warning: computation/shift-is-below-width `%i_1`",
        "%r = OpShiftRightLogical %uvec2 %u2 %shifts ; warning: computation/shift-is-below-width `%shifts`",
        "%r = OpShiftRightLogical %ulong %l %u32",
        "%r = OpShiftRightLogical %uint %u %spec",
        "%r = OpSDiv %int %i_min %i_1 ; warning: computation/signed-division-does-not-overflow `%i_1`",
        "%r = OpSMod %uint %u_top %u_max ; warning: computation/signed-division-does-not-overflow `%u_max`",
        "%r = OpSRem %ivec2 %dividends %divisors ; warning: computation/signed-division-does-not-overflow `%divisors`",
        "%r = OpSDiv %int %i_1 %i_min",
        "%r = OpSDiv %int %i %i_1",
        "%r = OpBitFieldUExtract %uint %u %u31 %one",
        "%r = OpBitFieldUExtract %uint %u %u31 %two ; warning: computation/bit-field-stays-in-base `%u31`",
        "%r = OpBitFieldUExtract %uint %u %u %u32",
        "%r = OpBitFieldUExtract %uint %u %u %u_max ; warning: computation/bit-field-stays-in-base `%u_max`",
        "%r = OpBitFieldInsert %uint %u %u %u32 %one ; warning: computation/bit-field-stays-in-base `%u32`",
        "%r = OpVectorInsertDynamic %vec2 %v2 %f %two ; warning: computation/vector-index-is-in-bounds `%two`",
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
