"""Rules of `computation/dot_product`: dot products of integers, and of small floats into wider ones."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpSDot %int %i2 %i2",
        "%r = OpSDot %int %i %i PackedVectorFormat4x8Bit",
        "%r = OpUDotAccSat %uint %u2 %u2 %u",
        "%r = OpSDot %int %i %i ; error: computation/dot-product-inputs-match",
        "%r = OpSDot %int %v2 %v2 ; error: computation/dot-product-inputs-match `%v2`",
        "%r = OpUDot %int %u2 %u2 ; error: computation/dot-product-inputs-match `%int`",
        "%r = OpUDot %uint %i2 %u2 ; error: computation/dot-product-inputs-match `%i2`",
        "%r = OpSUDot %int %i2 %i2 ; error: computation/dot-product-inputs-match `%i2`",
        "%r = OpSDotAccSat %int %i2 %i2 %u ; error: computation/dot-product-inputs-match `%u`",
        "%r = OpSDot %int %i2 %i ; error: computation/dot-product-inputs-match `%i`",
    ],
)
def test_integer_dot(line: str) -> None:
    capabilities = "DotProduct DotProductInputAll DotProductInput4x8BitPacked"
    check(shader(line, capabilities=capabilities), env="spv1.6")


def test_integer_dot_takes_a_capability() -> None:
    line = "%r = OpSDot %int %i2 %i2 ; error: computation/dot-product-inputs-match"
    check(shader(line, capabilities="DotProduct"), env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFDot2MixAcc32VALVE %float %h2 %h2 %f",
        "%r = OpFDot2MixAcc32VALVE %float %h3 %h3 %f ; error: computation/mixed-dot-product-types-match `%h3`",
        "%r = OpFDot2MixAcc32VALVE %half %h2 %h2 %h ; error: computation/mixed-dot-product-types-match `%half`",
        "%r = OpFDot2MixAcc32VALVE %float %h2 %h2 %h ; error: computation/mixed-dot-product-types-match `%h`",
        "%r = OpFDot2MixAcc16VALVE %half %h2 %h2 %h ; error: computation/mixed-dot-product-types-match `%h2`",
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
