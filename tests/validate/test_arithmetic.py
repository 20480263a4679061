"""Arithmetic, products, bit, relational and logical instructions: operands and results."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFAdd %float %f %f",
        "%r = OpFNegate %vec4 %v4",
        "%r = OpFAdd %uint %u %u ; error: arithmetic/float `%uint`",
        "%r = OpFMul %vec4 %v4 %v3 ; error: arithmetic/float `%v3`",
        "%r = OpFMod %float %f %f_zero ; error: arithmetic/float `%f_zero`",
        "%r = OpFRem %vec2 %v2 %some_zero ; error: arithmetic/float `%some_zero`",
        "%r = OpIAdd %uint %i %u",
        "%r = OpSDiv %ivec2 %i2 %u2",
        "%r = OpUDiv %uint %u %one",
        "%r = OpIAdd %float %f %f ; error: arithmetic/integer `%float`",
        "%r = OpIMul %uint %u %f ; error: arithmetic/integer `%f`",
        "%r = OpISub %uvec2 %u2 %u ; error: arithmetic/integer `%u`",
        "%r = OpIAdd %uint %l %u ; error: arithmetic/integer `%l`",
        "%r = OpUDiv %int %i %i ; error: arithmetic/integer `%int`",
        "%r = OpUMod %uint %u %i ; error: arithmetic/integer `%i`",
        "%r = OpSDiv %uint %u %zero ; error: arithmetic/integer `%zero`",
        "%r = OpIAddCarry %pair %u %u",
        "%r = OpSMulExtended %signed_pair %i %i",
        "%r = OpIAddCarry %uint %u %u ; error: arithmetic/extended `%uint`",
        "%r = OpISubBorrow %signed_pair %i %i ; error: arithmetic/extended `%signed_pair`",
        "%r = OpUMulExtended %uneven_pair %u %u ; error: arithmetic/extended `%uneven_pair`",
        "%r = OpIAddCarry %pair %u %l ; error: arithmetic/extended `%l`",
        "%r = OpDot %float %v4 %v4",
        "%r = OpDot %uint %v4 %v4 ; error: arithmetic/product `%uint`",
        "%r = OpDot %float %f %v4 ; error: arithmetic/product `%f`",
        "%r = OpDot %float %v4 %v3 ; error: arithmetic/product `%v3`",
        "%r = OpVectorTimesScalar %vec4 %v4 %f",
        "%r = OpVectorTimesScalar %vec4 %v4 %u ; error: arithmetic/product `%u`",
        "%r = OpMatrixTimesScalar %mat2x3 %m2x3 %f",
        "%r = OpMatrixTimesScalar %vec4 %v4 %f ; error: arithmetic/product `%vec4`",
        "%r = OpVectorTimesMatrix %vec2 %v3 %m2x3",
        "%r = OpVectorTimesMatrix %vec3 %v3 %m2x3 ; error: arithmetic/product `%m2x3`",
        "%r = OpVectorTimesMatrix %vec2 %v2 %m2x3 ; error: arithmetic/product `%m2x3`",
        "%r = OpMatrixTimesVector %vec3 %m2x3 %v2",
        "%r = OpMatrixTimesVector %vec2 %m2x3 %v2 ; error: arithmetic/product `%m2x3`",
        "%r = OpMatrixTimesVector %vec3 %m2x3 %v3 ; error: arithmetic/product `%v3`",
        "%r = OpMatrixTimesMatrix %mat2x2 %m3x2 %m2x3",
        "%r = OpMatrixTimesMatrix %mat2x2 %m2x2 %m2x3 ; error: arithmetic/product `%m2x3`",
        "%r = OpOuterProduct %mat2x3 %v3 %v2",
        "%r = OpOuterProduct %mat2x3 %v2 %v2 ; error: arithmetic/product `%v2`",
        "%r = OpTranspose %mat3x2 %m2x3",
        "%r = OpTranspose %mat2x3 %m2x3 ; error: composite/transpose `%m2x3`",
        "%r = OpTranspose %vec3 %m2x3 ; error: composite/transpose `%vec3`",
    ],
)
def test_arithmetic(line: str) -> None:
    declarations = """
        %f_zero = OpConstant %float 0
        %f_one = OpConstant %float 1
        %some_zero = OpConstantComposite %vec2 %f_one %f_zero
        %pair = OpTypeStruct %uint %uint
        %signed_pair = OpTypeStruct %int %int
        %uneven_pair = OpTypeStruct %uint %ulong
    """
    check(shader(line, declarations))


def test_messages_spell_both_types() -> None:
    found = check(shader("%r = OpFAdd %vec4 %v4 %v3 ; error: arithmetic/float"))
    assert "%v3 is vec3<f32>" in found[0].message
    assert "vec4<f32>" in found[0].message


def test_a_wrong_result_type_is_mended() -> None:
    found = check(shader("%r = OpFNegate %float %v4 ; error: arithmetic/float"))
    assert [edit.text for fix in found[0].fixes for edit in fix.edits] == ["%vec4"]


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpSDot %int %i2 %i2",
        "%r = OpSDot %int %i %i PackedVectorFormat4x8Bit",
        "%r = OpUDotAccSat %uint %u2 %u2 %u",
        "%r = OpSDot %int %i %i ; error: arithmetic/integer-dot",
        "%r = OpSDot %int %v2 %v2 ; error: arithmetic/integer-dot `%v2`",
        "%r = OpUDot %int %u2 %u2 ; error: arithmetic/integer-dot `%int`",
        "%r = OpUDot %uint %i2 %u2 ; error: arithmetic/integer-dot `%i2`",
        "%r = OpSUDot %int %i2 %i2 ; error: arithmetic/integer-dot `%i2`",
        "%r = OpSDotAccSat %int %i2 %i2 %u ; error: arithmetic/integer-dot `%u`",
        "%r = OpSDot %int %i2 %i ; error: arithmetic/integer-dot `%i`",
    ],
)
def test_integer_dot(line: str) -> None:
    capabilities = "DotProduct DotProductInputAll DotProductInput4x8BitPacked"
    check(shader(line, capabilities=capabilities), env="spv1.6")


def test_integer_dot_takes_a_capability() -> None:
    line = "%r = OpSDot %int %i2 %i2 ; error: arithmetic/integer-dot"
    check(shader(line, capabilities="DotProduct"), env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFDot2MixAcc32VALVE %float %h2 %h2 %f",
        "%r = OpFDot2MixAcc32VALVE %float %h3 %h3 %f ; error: arithmetic/mixed-dot `%h3`",
        "%r = OpFDot2MixAcc32VALVE %half %h2 %h2 %h ; error: arithmetic/mixed-dot `%half`",
        "%r = OpFDot2MixAcc32VALVE %float %h2 %h2 %h ; error: arithmetic/mixed-dot `%h`",
        "%r = OpFDot2MixAcc16VALVE %half %h2 %h2 %h ; error: arithmetic/mixed-dot `%h2`",
    ],
)
def test_mixed_dot(line: str) -> None:
    declarations = """
        %half = OpTypeFloat 16
        %hvec2 = OpTypeVector %half 2
        %hvec3 = OpTypeVector %half 3
        %h = OpUndef %half
        %h2 = OpUndef %hvec2
        %h3 = OpUndef %hvec3
    """
    capabilities = "Float16 DotProductFloat16AccFloat32VALVE"
    if "MixAcc16" in line:
        capabilities += " DotProductBFloat16AccVALVE"
    check(shader(line, declarations, capabilities=capabilities, extensions="SPV_VALVE_mixed_float_dot_product"))


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpShiftLeftLogical %uint %u %l",
        "%r = OpBitwiseAnd %uvec2 %i2 %u2",
        "%r = OpNot %int %u",
        "%r = OpShiftLeftLogical %float %u %u ; error: bitwise/operands `%float`",
        "%r = OpShiftLeftLogical %uint %u2 %u ; error: bitwise/operands `%u2`",
        "%r = OpBitwiseOr %uint %u %l ; error: bitwise/operands `%l`",
        "%r = OpBitwiseXor %uint %f %u ; error: bitwise/operands `%f`",
        "%r = OpBitFieldInsert %uint %u %u %i %u",
        "%r = OpBitFieldUExtract %uint %u %i %u",
        "%r = OpBitCount %uint %l",
        "%r = OpBitFieldInsert %uint %i %u %u %u ; error: bitwise/field `%i`",
        "%r = OpBitFieldSExtract %uint %u %f %u ; error: bitwise/field `%f`",
        "%r = OpBitReverse %uint %i ; error: bitwise/field `%i`",
        "%r = OpBitCount %uint %u2 ; error: bitwise/field `%u2`",
    ],
)
def test_bits(line: str) -> None:
    check(shader(line))


def test_vulkan_counts_32_bits() -> None:
    line = "%r = OpBitCount %uint %l"
    found = check(shader(f"{line} ; error: bitwise/field"), env="vulkan1.3")
    assert found[0].vuid == "VUID-RuntimeSpirv-None-10824"
    check(shader(line), env="vulkan1.3", options={"allow_vulkan_32_bit_bitwise": True})


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFOrdLessThan %bvec2 %v2 %v2",
        "%r = OpIEqual %bool %u %i",
        "%r = OpIsNan %bool %f",
        "%r = OpFOrdLessThan %bool %v2 %v2 ; error: relational/comparison `%v2`",
        "%r = OpFOrdEqual %uint %f %f ; error: relational/comparison `%uint`",
        "%r = OpFOrdEqual %bool %f %u ; error: relational/comparison `%u`",
        "%r = OpIEqual %bool %f %u ; error: relational/comparison `%f`",
        "%r = OpULessThan %bool %u %l ; error: relational/comparison `%l`",
        "%r = OpIsInf %bool %u ; error: relational/comparison `%u`",
        "%r = OpLogicalAnd %bool %b %b",
        "%r = OpAny %bool %b2",
        "%r = OpAny %bool %b ; error: relational/logical `%b`",
        "%r = OpLogicalOr %bool %b %u ; error: relational/logical `%u`",
        "%r = OpLogicalNot %uint %u ; error: relational/logical `%uint`",
        "%r = OpSelect %vec2 %b2 %v2 %v2",
        "%r = OpSelect %vec2 %b %v2 %v2 ; error: relational/select `%b`",
        "%r = OpSelect %float %u %f %f ; error: relational/select `%u`",
        "%r = OpSelect %float %b %f %v2 ; error: relational/select `%v2`",
        "%r = OpSelect %mat2x3 %b %m2x3 %m2x3 ; error: relational/select `%mat2x3`",
    ],
)
def test_relations_before_1_4(line: str) -> None:
    check(shader(line), env="spv1.3")


def test_relaxed_pointers_are_selected_by_capability() -> None:
    declarations = """
        %private_float = OpTypePointer Private %float
        %p = OpVariable %private_float Private
    """
    line = "%r = OpSelect %private_float %b %p %p ; error: relational/select `%private_float`"
    check(shader(line, declarations), env="spv1.3", options={"relax_logical_pointer": True})


def test_composites_are_selected_since_1_4() -> None:
    check(shader("%r = OpSelect %mat2x3 %b %m2x3 %m2x3\n%s = OpSelect %vec2 %b %v2 %v2"), env="spv1.4")
