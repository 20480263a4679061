"""Rules of `type/scalar`: integers and floats."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader


@pytest.mark.parametrize(
    ("line", "capabilities"),
    [
        ("%t = OpTypeInt 16 1", "Int16"),
        ("%t = OpTypeInt 16 1 ; error: type/integer-width-is-enabled `16`", ""),
        ("%t = OpTypeInt 8 0 ; error: type/integer-width-is-enabled `8`", "Int16"),
        ("%t = OpTypeInt 19 0 ; error: type/integer-width-is-enabled `19`", ""),
        ("%t = OpTypeInt 64 2 ; error: type/signedness-is-0-or-1 `2`", ""),
        ("%t = OpTypeFloat 64", "Float64"),
        ("%t = OpTypeFloat 64 ; error: type/float-width-is-enabled `64`", ""),
        ("%t = OpTypeFloat 48 ; error: type/float-width-is-enabled `48`", ""),
        ("%t = OpTypeVector %int 3", ""),
        ("%t = OpTypeVector %int 8 ; error: type/vector-has-2-to-4-components `8`", ""),
        ("%t = OpTypeVector %int 5 ; error: type/vector-has-2-to-4-components `5`", ""),
        ("%t = OpTypeVector %vec2 2 ; error: type/vector-components-are-scalar `%vec2`", ""),
        ("%t = OpTypeMatrix %vec4 4", ""),
        ("%t = OpTypeMatrix %vec4 5 ; error: type/matrix-has-2-to-4-columns `5`", ""),
        ("%t = OpTypeMatrix %ivec2 2 ; error: type/matrix-columns-are-float-vectors `%ivec2`", ""),
        ("%t = OpTypeMatrix %float 2 ; error: type/matrix-columns-are-float-vectors `%float`", ""),
        ("%t = OpTypeInt 32 0 ; error: type/non-aggregate-type-is-unique `%t`", ""),
        ("%t = OpTypeArray %float %two", ""),
        ("%t = OpTypeArray %void %two ; error: type/array-element-is-not-void `%void`", ""),
        ("%t = OpTypeArray %float %zero ; error: type/array-length-is-positive `%zero`", ""),
        ("%t = OpTypeArray %float %true ; error: type/array-length-is-constant `%true`", ""),
        ("%t = OpTypeArray %float %u ; error: type/array-length-is-constant `%u`", ""),
        ("%t = OpTypeStruct %float %void ; error: type/struct-members-are-not-void `%void`", ""),
        ("%t = OpTypeStruct %float %t ; error: type/is-not-recursive `%t`", ""),
        ("%t = OpTypeFunction %void %void ; error: type/parameter-type-is-not-void", ""),
        ("%t = OpTypePointer Private %zero ; error: id/operand-is-type `%zero`", ""),
        ("%t = OpTypeArray %fn %two ; error: id/operand-is-type `%fn`", ""),
        ("%t = OpConstant %float 1", ""),
        ("%t = OpConstantNull %zero ; error: id/result-type-is-type `%zero`", ""),
    ],
)
def test_types(line: str, capabilities: str) -> None:
    check(shader("", line, capabilities=capabilities), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%t = OpTypeFloat 16 BFloat16KHR",
        "%t = OpTypeFloat 8 BFloat16KHR ; error: type/float-width-is-enabled `8`",
    ],
)
def test_encodings(line: str) -> None:
    check(shader("", line, capabilities="BFloat16TypeKHR", extensions="SPV_KHR_bfloat16"))


def test_kernels_have_no_signed_integers() -> None:
    lines = "%int = OpTypeInt 32 1 ; error: type/kernel-signedness-is-zero `1`\n%t = OpTypeVector %float 8"
    check(kernel("", lines, capabilities="Int64 Vector16"))
