"""Rules of `memory/descriptor_heap`: descriptor heaps."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.descriptor_heap import descriptor_heap_module


@pytest.mark.parametrize(
    "lines",
    [
        "%p = OpUntypedAccessChainKHR %ptr %images %resources %one\n%x = OpLoad %image %p",
        "%p = OpUntypedAccessChainKHR %ptr %samplers %sampling %one\n%x = OpLoad %sampler %p",
        "%p = OpUntypedAccessChainKHR %ptr %samplers %resources %one\n%x = OpLoad %sampler %p ; error: memory/load-uses-matching-heap `%p`",
        "%p = OpUntypedAccessChainKHR %ptr %buffers %resources %one\n%x = OpBufferPointerEXT %buffer_ptr %p",
        "%p = OpUntypedAccessChainKHR %ptr %buffers %resources %one\n"
        "%x = OpBufferPointerEXT %ptr %p ; error: memory/buffer-pointer-points-to-buffer `%ptr`",
        "%p = OpUntypedAccessChainKHR %ptr %images %resources %one\n"
        "%x = OpUntypedImageTexelPointerEXT %image_ptr %image %p %u2 %zero",
        "%p = OpUntypedAccessChainKHR %ptr %wide_images %resources %one\n"
        "%x = OpUntypedImageTexelPointerEXT %image_ptr %wide_image %p %u2 %zero ; error: "
        "image/untyped-texel-pointer-fits-image `%wide_image`",
    ],
)
def test_heaps(lines: str) -> None:
    check(descriptor_heap_module(lines), env="vulkan1.4")


def test_the_heap_of_resources_is_a_uniform_constant() -> None:
    line = "%x = OpUntypedVariableKHR %buffer_ptr StorageBuffer %uint ; error: memory/resource-heap-is-uniform-constant ; error: memory/resource-type-fits-class"
    check(descriptor_heap_module("", line, "OpDecorate %x BuiltIn ResourceHeapEXT"), env="vulkan1.4")
