"""Rules of `computation/float_encoding`: floats of other encodings than IEEE 754."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFConvert %float %x",
        "%r = OpFAdd %brain %x %x ; error: computation/encoded-floats-are-not-computed",
        "%r = OpFOrdEqual %bool %x %x ; error: computation/encoded-floats-are-not-computed",
    ],
)
def test_bfloat16_is_converted(line: str) -> None:
    declarations = """
        %brain = OpTypeFloat 16 BFloat16KHR
        %x = OpUndef %brain
    """
    check(shader(line, declarations, capabilities="BFloat16TypeKHR", extensions="SPV_KHR_bfloat16"))
