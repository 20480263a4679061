"""Rules of `computation/conversion`: conversions between numbers."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpConvertFToU %uint %f",
        "%r = OpConvertFToS %ivec2 %v2",
        "%r = OpConvertSToF %float %u",
        "%r = OpUConvert %ulong %i",
        "%r = OpSConvert %int %l",
        "%r = OpQuantizeToF16 %float %f",
        "%r = OpConvertFToU %int %f ; error: computation/conversion-types-match `%int`",
        "%r = OpConvertFToS %int %u ; error: computation/conversion-types-match `%u`",
        "%r = OpConvertUToF %vec2 %u ; error: computation/conversion-types-match `%u`",
        "%r = OpConvertSToF %uint %i ; error: computation/conversion-types-match `%uint`",
        "%r = OpUConvert %uint %i ; error: computation/conversion-types-match `%i`",
        "%r = OpUConvert %int %l ; error: computation/conversion-types-match `%int`",
        "%r = OpFConvert %float %f ; error: computation/conversion-types-match `%f`",
        "%r = OpFConvert %float %u ; error: computation/conversion-types-match `%u`",
        "%r = OpQuantizeToF16 %vec2 %f ; error: computation/conversion-types-match `%f`",
        "%r = OpBitcast %uint %f",
        "%r = OpBitcast %uvec2 %l",
        "%r = OpBitcast %uint %v2 ; error: computation/bitcast-keeps-bit-count `%v2`",
        "%r = OpBitcast %bool %f ; error: computation/bitcast-keeps-bit-count `%bool`",
        "%r = OpBitcast %uint %b ; error: computation/bitcast-keeps-bit-count `%b`",
    ],
)
def test_numbers(line: str) -> None:
    check(shader(line))


def test_constants_are_converted_by_the_same_rules() -> None:
    declarations = """
        %wide = OpSpecConstantOp %ulong UConvert %one
        %same = OpSpecConstantOp %uint UConvert %one ; error: computation/conversion-types-match `%one`
    """
    check(shader("", declarations))


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpBitcastExtractEXT %small %u %zero",
        "%r = OpBitcastExtractEXT %small %u %f ; error: computation/bitcast-extract-types-match `%f`",
        "%r = OpBitcastExtractEXT %float %u %zero ; error: computation/bitcast-extract-types-match `%u`",
        "%r = OpBitcastExtractEXT %bool %u %zero ; error: computation/bitcast-extract-types-match `%bool`",
    ],
)
def test_bitcast_extract(line: str) -> None:
    declarations = "%small = OpTypeFloat 4 Float4E2M1EXT"
    text = shader(
        line, declarations, capabilities="Float4EXT BitcastExtractEXT", extensions="SPV_EXT_ocp_microscaling_types"
    )
    check(text)
