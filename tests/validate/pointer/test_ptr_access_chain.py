"""Rules of `pointer/ptr_access_chain`: the Element operand."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

ELEMENTS = """
    %block = OpTypeStruct %float
    %to_block = OpTypePointer StorageBuffer %block
    %to_float = OpTypePointer StorageBuffer %float
    %bare = OpTypePointer StorageBuffer %uint
    %bare_block = OpTypeStruct %uint
    %to_bare = OpTypePointer StorageBuffer %bare_block
    %x = OpVariable %to_block StorageBuffer
    %y = OpVariable %to_bare StorageBuffer
"""
ELEMENT_DECORATIONS = """
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %bare_block Block
    OpMemberDecorate %bare_block 0 Offset 0
    OpDecorate %to_float ArrayStride 4
    OpDecorate %to_block ArrayStride 4
    OpDecorate %x DescriptorSet 0
    OpDecorate %x Binding 0
    OpDecorate %y DescriptorSet 0
    OpDecorate %y Binding 1
"""


@pytest.mark.parametrize(
    "lines",
    [
        "%m = OpAccessChain %to_float %x %zero\n%p = OpPtrAccessChain %to_float %m %u",
        "%m = OpAccessChain %to_float %x %zero\n"
        "%p = OpPtrAccessChain %to_float %m %f ; error: pointer/element-index-fits-base `%f`",
        "%p = OpPtrAccessChain %to_float %x %one %zero ; error: pointer/element-index-fits-base `%one`",
        "%m = OpAccessChain %bare %y %zero\n"
        "%p = OpPtrAccessChain %bare %m %u ; error: pointer/element-step-has-stride",
    ],
)
def test_elements(lines: str) -> None:
    text = shader(lines, ELEMENTS, capabilities="VariablePointersStorageBuffer", annotations=ELEMENT_DECORATIONS)
    check(text, env="spv1.3")


def test_elements_in_vulkan_need_variable_pointers() -> None:
    lines = "%m = OpAccessChain %to_float %x %zero\n%p = OpPtrAccessChain %to_float %m %u{}"
    text = shader(
        lines.format(""), ELEMENTS, capabilities="VariablePointersStorageBuffer", annotations=ELEMENT_DECORATIONS
    )
    check(text, env="vulkan1.1")
    comment = " ; error: pointer/element-step-fits-storage-class `%m`"
    stride = "%to_block = OpTypePointer StorageBuffer %block"
    text = shader(
        lines.format(comment),
        ELEMENTS.replace(stride, f"{stride} ; warning: block-layout/block-has-no-stride"),
        capabilities="PhysicalStorageBufferAddresses",
        extensions="SPV_KHR_physical_storage_buffer",
        annotations=ELEMENT_DECORATIONS,
    )
    check(text, env="vulkan1.1")
