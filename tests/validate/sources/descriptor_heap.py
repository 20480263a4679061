"""Parts of modules for the tests of several subjects: descriptor heap."""

from __future__ import annotations

from tests.validate.shaders import shader

DESCRIPTOR_HEAP_DECLARATIONS = """
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
DESCRIPTOR_HEAP_DECORATIONS = """
    OpDecorate %resources BuiltIn ResourceHeapEXT
    OpDecorate %sampling BuiltIn SamplerHeapEXT
    OpDecorateId %images ArrayStrideIdEXT %image_size
    OpDecorateId %wide_images ArrayStrideIdEXT %image_size
    OpDecorateId %buffers ArrayStrideIdEXT %image_size
    OpDecorateId %samplers ArrayStrideIdEXT %image_size
"""


def descriptor_heap_module(body: str, declarations: str = "", annotations: str = "") -> str:
    return shader(
        body,
        DESCRIPTOR_HEAP_DECLARATIONS + declarations,
        capabilities="DescriptorHeapEXT UntypedPointersKHR RuntimeDescriptorArray",
        extensions="SPV_EXT_descriptor_heap SPV_KHR_untyped_pointers SPV_EXT_descriptor_indexing",
        annotations=DESCRIPTOR_HEAP_DECORATIONS + annotations,
        interface="%resources %sampling",
    )
