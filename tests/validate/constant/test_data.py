"""Rules of `constant/data`: constants that stand for data: words of an array, sizes of descriptors (SPV_KHR_constant_data, SPV_EXT_descriptor_heap)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.constant import CONSTANT_DECLARATIONS
from tests.validate.sources.descriptor_heap import descriptor_heap_module


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantDataKHR %array 1 2",
        "%k = OpConstantDataKHR %float 1 ; error: constant/data-has-numeric-array-type `%float`",
        "%k = OpConstantDataKHR %array 1 ; error: constant/data-fills-array",
        "%k = OpConstantDataKHR %array 1 2 3 ; error: constant/data-fills-array `3`",
    ],
)
def test_constant_data(line: str) -> None:
    check(shader("", CONSTANT_DECLARATIONS + line, capabilities="ConstantDataKHR", extensions="SPV_KHR_constant_data"))


def test_sizes_are_of_descriptors() -> None:
    line = "%n = OpConstantSizeOfEXT %uint %float ; error: constant/size-is-of-descriptor-type `%float`"
    check(descriptor_heap_module("", line), env="vulkan1.4")
