"""Descriptor heaps: loads, buffers, strides and offsets by id."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

DECLARATIONS = """
    %ptr = OpTypeUntypedPointerKHR UniformConstant
    %buffer_ptr = OpTypeUntypedPointerKHR StorageBuffer
    %image_ptr = OpTypeUntypedPointerKHR Image
    %image = OpTypeImage %float 2D 0 0 0 2 R32f
    %wide_image = OpTypeImage %float 2D 0 0 0 2 Rgba32f
    %sampler = OpTypeSampler
    %buffer = OpTypeBufferEXT StorageBuffer
    %image_size = OpConstantSizeOfEXT %uint %image
    %images = OpTypeRuntimeArray %image
    %wide_images = OpTypeRuntimeArray %wide_image
    %samplers = OpTypeRuntimeArray %sampler
    %buffers = OpTypeRuntimeArray %buffer
    %resources = OpUntypedVariableKHR %ptr UniformConstant
    %sampling = OpUntypedVariableKHR %ptr UniformConstant
"""
DECORATIONS = """
    OpDecorate %resources BuiltIn ResourceHeapEXT
    OpDecorate %sampling BuiltIn SamplerHeapEXT
    OpDecorateId %images ArrayStrideIdEXT %image_size
    OpDecorateId %wide_images ArrayStrideIdEXT %image_size
    OpDecorateId %buffers ArrayStrideIdEXT %image_size
    OpDecorateId %samplers ArrayStrideIdEXT %image_size
"""


def heap(body: str, declarations: str = "", annotations: str = "") -> str:
    return shader(
        body,
        DECLARATIONS + declarations,
        capabilities="DescriptorHeapEXT UntypedPointersKHR RuntimeDescriptorArray",
        extensions="SPV_EXT_descriptor_heap SPV_KHR_untyped_pointers SPV_EXT_descriptor_indexing",
        annotations=DECORATIONS + annotations,
        interface="%resources %sampling",
    )


@pytest.mark.parametrize(
    "lines",
    [
        "%p = OpUntypedAccessChainKHR %ptr %images %resources %one\n%x = OpLoad %image %p",
        "%p = OpUntypedAccessChainKHR %ptr %samplers %sampling %one\n%x = OpLoad %sampler %p",
        "%p = OpUntypedAccessChainKHR %ptr %samplers %resources %one\n%x = OpLoad %sampler %p ; error: vulkan/load-from-heap `%p`",
        "%p = OpUntypedAccessChainKHR %ptr %buffers %resources %one\n%x = OpBufferPointerEXT %buffer_ptr %p",
        "%p = OpUntypedAccessChainKHR %ptr %buffers %resources %one\n"
        "%x = OpBufferPointerEXT %ptr %p ; error: opcode/OpBufferPointerEXT/result `%ptr`",
        "%p = OpUntypedAccessChainKHR %ptr %images %resources %one\n"
        "%x = OpUntypedImageTexelPointerEXT %image_ptr %image %p %u2 %zero",
        "%p = OpUntypedAccessChainKHR %ptr %wide_images %resources %one\n"
        "%x = OpUntypedImageTexelPointerEXT %image_ptr %wide_image %p %u2 %zero ; error: "
        "image/untyped-texel-pointer `%wide_image`",
    ],
)
def test_heaps(lines: str) -> None:
    check(heap(lines), env="vulkan1.4")


def test_the_heap_of_resources_is_a_uniform_constant() -> None:
    line = "%x = OpUntypedVariableKHR %buffer_ptr StorageBuffer %uint ; error: vulkan/heap-class ; error: vulkan/variable-type"
    check(heap("", line, "OpDecorate %x BuiltIn ResourceHeapEXT"), env="vulkan1.4")


def test_sizes_are_of_descriptors() -> None:
    line = "%n = OpConstantSizeOfEXT %uint %float ; error: opcode/OpConstantSizeOfEXT/descriptor-type `%float`"
    check(heap("", line), env="vulkan1.4")


@pytest.mark.parametrize(
    ("declarations", "annotation"),
    [
        ("%a = OpTypeArray %float %two", "OpDecorateId %a ArrayStrideIdEXT %image_size ; error: decoration/array-stride-id `%a`"),
        ("%a = OpTypeArray %sampler %two", "OpDecorateId %a ArrayStrideIdEXT %zero ; error: decoration/array-stride-id `%zero`"),
        ("%s = OpTypeStruct %sampler", "OpMemberDecorateIdEXT %s 0 OffsetIdEXT %zero"),
        ("%s = OpTypeStruct %sampler", "OpMemberDecorateIdEXT %s 0 OffsetIdEXT %true ; error: decoration/offset-id `%true`"),
        ("%s = OpTypeStruct %sampler", "OpDecorateId %s OffsetIdEXT %zero ; error: decoration/offset-id"),
    ],
)
def test_decorations_by_id(declarations: str, annotation: str) -> None:
    check(heap("", declarations, annotation), env="vulkan1.4")
