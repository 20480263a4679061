"""Rules of `capability/image`: capabilities of image types and kernels' images."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel


@pytest.mark.parametrize(
    "lines",
    [
        "%s = OpTypeSampler ; warning: capability/kernel-images-are-enabled\n%k = OpConstantSampler %s None 0 Nearest",
        "%k = OpConstantSampler %float None 0 Nearest ; error: constant/sampler-has-sampler-type `%float`",
        "%p = OpTypePointer CrossWorkgroup %float\n%v = OpVariable %p CrossWorkgroup\n%a = OpTypeArray %p %one\n"
        "%k = OpConstantComposite %a %v ; error: constant/constituents-are-constant `%v`",
    ],
)
def test_kernel_constants(lines: str) -> None:
    check(kernel("", lines, capabilities="LiteralSampler Int64"))
