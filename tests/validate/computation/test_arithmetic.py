"""Rules of `computation/arithmetic`: arithmetic on scalars and vectors."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFAdd %float %f %f",
        "%r = OpFNegate %vec4 %v4",
        "%r = OpFAdd %uint %u %u ; error: computation/float-operands-match-result `%uint`",
        "%r = OpFMul %vec4 %v4 %v3 ; error: computation/float-operands-match-result `%v3`",
        "%r = OpFMod %float %f %f_zero ; error: computation/float-operands-match-result `%f_zero`",
        "%r = OpFRem %vec2 %v2 %some_zero ; error: computation/float-operands-match-result `%some_zero`",
        "%r = OpIAdd %uint %i %u",
        "%r = OpSDiv %ivec2 %i2 %u2",
        "%r = OpUDiv %uint %u %one",
        "%r = OpIAdd %float %f %f ; error: computation/integer-operands-match-result `%float`",
        "%r = OpIMul %uint %u %f ; error: computation/integer-operands-match-result `%f`",
        "%r = OpISub %uvec2 %u2 %u ; error: computation/integer-operands-match-result `%u`",
        "%r = OpIAdd %uint %l %u ; error: computation/integer-operands-match-result `%l`",
        "%r = OpUDiv %int %i %i ; error: computation/integer-operands-match-result `%int`",
        "%r = OpUMod %uint %u %i ; error: computation/integer-operands-match-result `%i`",
        "%r = OpSDiv %uint %u %zero ; error: computation/integer-operands-match-result `%zero`",
        "%r = OpIAddCarry %pair %u %u",
        "%r = OpSMulExtended %signed_pair %i %i",
        "%r = OpIAddCarry %uint %u %u ; error: computation/extended-result-is-pair `%uint`",
        "%r = OpISubBorrow %signed_pair %i %i ; error: computation/extended-result-is-pair `%signed_pair`",
        "%r = OpUMulExtended %uneven_pair %u %u ; error: computation/extended-result-is-pair `%uneven_pair`",
        "%r = OpIAddCarry %pair %u %l ; error: computation/extended-result-is-pair `%l`",
        "%r = OpDot %float %v4 %v4",
        "%r = OpDot %uint %v4 %v4 ; error: computation/product-sizes-match `%uint`",
        "%r = OpDot %float %f %v4 ; error: computation/product-sizes-match `%f`",
        "%r = OpDot %float %v4 %v3 ; error: computation/product-sizes-match `%v3`",
        "%r = OpVectorTimesScalar %vec4 %v4 %f",
        "%r = OpVectorTimesScalar %vec4 %v4 %u ; error: computation/product-sizes-match `%u`",
        "%r = OpMatrixTimesScalar %mat2x3 %m2x3 %f",
        "%r = OpMatrixTimesScalar %vec4 %v4 %f ; error: computation/product-sizes-match `%vec4`",
        "%r = OpVectorTimesMatrix %vec2 %v3 %m2x3",
        "%r = OpVectorTimesMatrix %vec3 %v3 %m2x3 ; error: computation/product-sizes-match `%m2x3`",
        "%r = OpVectorTimesMatrix %vec2 %v2 %m2x3 ; error: computation/product-sizes-match `%m2x3`",
        "%r = OpMatrixTimesVector %vec3 %m2x3 %v2",
        "%r = OpMatrixTimesVector %vec2 %m2x3 %v2 ; error: computation/product-sizes-match `%m2x3`",
        "%r = OpMatrixTimesVector %vec3 %m2x3 %v3 ; error: computation/product-sizes-match `%v3`",
        "%r = OpMatrixTimesMatrix %mat2x2 %m3x2 %m2x3",
        "%r = OpMatrixTimesMatrix %mat2x2 %m2x2 %m2x3 ; error: computation/product-sizes-match `%m2x3`",
        "%r = OpOuterProduct %mat2x3 %v3 %v2",
        "%r = OpOuterProduct %mat2x3 %v2 %v2 ; error: computation/product-sizes-match `%v2`",
        "%r = OpTranspose %mat3x2 %m2x3",
        "%r = OpTranspose %mat2x3 %m2x3 ; error: computation/transpose-swaps-rows-and-columns `%m2x3`",
        "%r = OpTranspose %vec3 %m2x3 ; error: computation/transpose-swaps-rows-and-columns `%vec3`",
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
    found = check(shader("%r = OpFAdd %vec4 %v4 %v3 ; error: computation/float-operands-match-result"))
    assert "%v3 is vec3<f32>" in found[0].message
    assert "vec4<f32>" in found[0].message


def test_a_wrong_result_type_is_mended() -> None:
    found = check(shader("%r = OpFNegate %float %v4 ; error: computation/float-operands-match-result"))
    assert [edit.text for fix in found[0].fixes for edit in fix.edits] == ["%vec4"]


def test_composites_are_selected_since_1_4() -> None:
    check(shader("%r = OpSelect %mat2x3 %b %m2x3 %m2x3\n%s = OpSelect %vec2 %b %v2 %v2"), env="spv1.4")
