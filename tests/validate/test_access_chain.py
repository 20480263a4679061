"""Access chains: typed, untyped, from elements, and raw ones."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

DECLARATIONS = """
    %k0 = OpConstant %int 0
    %minus = OpConstant %int -1
    %array = OpTypeArray %vec4 %four
    %struct = OpTypeStruct %uint %array
    %to_struct = OpTypePointer Private %struct
    %to_uint = OpTypePointer Private %uint
    %to_float = OpTypePointer Private %float
    %to_vec4 = OpTypePointer Private %vec4
    %to_shared = OpTypePointer Workgroup %float
    %x = OpVariable %to_struct Private
"""


@pytest.mark.parametrize(
    "line",
    [
        "%p = OpAccessChain %to_float %x %one %two %three",
        "%p = OpAccessChain %to_uint %x %zero",
        "%p = OpAccessChain %to_float %x %zero ; error: opcode/access-chain/indexes `%to_float`",
        "%p = OpAccessChain %to_uint %x %two ; error: opcode/access-chain/indexes `%two`",
        "%p = OpAccessChain %to_uint %x %u ; error: opcode/access-chain/indexes `%u`",
        "%p = OpAccessChain %to_vec4 %x %one %f ; error: opcode/access-chain/indexes `%f`",
        "%p = OpAccessChain %to_vec4 %x %one %minus ; error: opcode/access-chain/indexes `%minus`",
        "%p = OpAccessChain %to_uint %x %zero %zero ; error: opcode/access-chain/indexes `%zero`",
        "%p = OpAccessChain %float %x %zero ; error: opcode/access-chain/result-pointer `%float`",
        "%p = OpAccessChain %to_uint %u2 %zero ; error: opcode/access-chain/base-pointer `%u2`",
        "%p = OpInBoundsAccessChain %to_shared %x %one %one %one ; error: opcode/access-chain/result-storage-class `%to_shared`",
    ],
)
def test_typed_chains(line: str) -> None:
    check(shader(line, DECLARATIONS), env="spv1.3")


def test_the_result_type_follows_the_indexes() -> None:
    line = "%p = OpAccessChain %to_float %x %one %two ; error: opcode/access-chain/indexes"
    [found] = check(shader(line, DECLARATIONS), env="spv1.3")
    assert "vec4<f32>" in found.message
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%to_vec4"]


def test_negative_indexes_with_relaxed_pointers() -> None:
    line = "%p = OpAccessChain %to_vec4 %x %one %minus"
    check(shader(line, DECLARATIONS), env="spv1.3", options={"relax_logical_pointer": True})


def test_chains_go_only_so_deep() -> None:
    line = "%p = OpAccessChain %to_float %x %one %two %three"
    check(shader(line, DECLARATIONS), env="spv1.3", options={"max_access_chain_indexes": 3})
    comment = " ; error: limit/access-indexes `%three`"
    check(shader(line + comment, DECLARATIONS), env="spv1.3", options={"max_access_chain_indexes": 2})


UNTYPED = """
    %uints = OpTypeArray %uint %four
    %block = OpTypeStruct %uint
    %blocks = OpTypeArray %block %four
    %ptr = OpTypeUntypedPointerKHR StorageBuffer
    %shared = OpTypeUntypedPointerKHR Workgroup
    %typed = OpTypePointer StorageBuffer %uint
    %x = OpUntypedVariableKHR %ptr StorageBuffer %uints
    %y = OpUntypedVariableKHR %ptr StorageBuffer %blocks
"""


@pytest.mark.parametrize(
    "line",
    [
        "%p = OpUntypedAccessChainKHR %ptr %uints %x %one",
        "%p = OpUntypedAccessChainKHR %ptr %blocks %y %one %zero",
        "%p = OpUntypedAccessChainKHR %typed %uints %x %one ; error: opcode/access-chain/result-pointer `%typed`",
        "%p = OpUntypedAccessChainKHR %shared %uints %x %one ; error: opcode/access-chain/result-storage-class `%shared`",
        "%p = OpUntypedAccessChainKHR %ptr %typed %x %one ; error: opcode/untyped-access-chain/base-type `%typed`",
        "%p = OpUntypedAccessChainKHR %ptr %blocks %x %one ; error: opcode/untyped-access-chain/base-type `%blocks`",
        "%p = OpUntypedAccessChainKHR %ptr %uints %u %one ; error: opcode/access-chain/base-pointer `%u`",
        "%p = OpUntypedAccessChainKHR %ptr %uint %x %one ; error: opcode/access-chain/indexes `%one`",
    ],
)
def test_untyped_chains(line: str) -> None:
    text = shader(
        line,
        UNTYPED,
        capabilities="UntypedPointersKHR",
        extensions="SPV_KHR_untyped_pointers",
        annotations="OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %uints ArrayStride 4",
    )
    check(text, env="spv1.3")


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
        "%p = OpPtrAccessChain %to_float %m %f ; error: opcode/ptr-access-chain/element `%f`",
        "%p = OpPtrAccessChain %to_float %x %one %zero ; error: opcode/ptr-access-chain/element `%one`",
        "%m = OpAccessChain %bare %y %zero\n"
        "%p = OpPtrAccessChain %bare %m %u ; error: opcode/ptr-access-chain/explicit-layout-stride",
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
    comment = " ; error: vulkan/ptr-access-chain-class `%m`"
    stride = "%to_block = OpTypePointer StorageBuffer %block"
    text = shader(
        lines.format(comment),
        ELEMENTS.replace(stride, f"{stride} ; warning: memory/block-stride"),
        capabilities="PhysicalStorageBufferAddresses",
        extensions="SPV_KHR_physical_storage_buffer",
        annotations=ELEMENT_DECORATIONS,
    )
    check(text, env="vulkan1.1")


RAW = """
    %block = OpTypeStruct %float
    %to_block = OpTypePointer StorageBuffer %block
    %to_float = OpTypePointer StorageBuffer %float
    %to_struct = OpTypePointer StorageBuffer %block
    %to_private = OpTypePointer Private %float
    %x = OpVariable %to_block StorageBuffer
"""


@pytest.mark.parametrize(
    "line",
    [
        "%p = OpRawAccessChainNV %to_float %x %four %u %u RobustnessPerElementNV",
        "%p = OpRawAccessChainNV %to_struct %x %four %u %u ; error: opcode/OpRawAccessChainNV/result `%to_struct`",
        "%p = OpRawAccessChainNV %to_private %x %four %u %u ; error: opcode/OpRawAccessChainNV/result `%to_private`",
        "%p = OpRawAccessChainNV %to_float %x %u %u %u ; error: opcode/OpRawAccessChainNV/operands `%u`",
        "%p = OpRawAccessChainNV %to_float %x %four %l %u ; error: opcode/OpRawAccessChainNV/operands `%l`",
        "%p = OpRawAccessChainNV %to_float %x %zero %u %u RobustnessPerElementNV ; error: "
        "opcode/OpRawAccessChainNV/robustness `%zero`",
        "%p = OpRawAccessChainNV %to_float %x %four %u %u RobustnessPerElementNV|RobustnessPerComponentNV ; error: "
        "opcode/OpRawAccessChainNV/robustness",
    ],
)
def test_raw_chains(line: str) -> None:
    text = shader(
        line,
        RAW,
        capabilities="RawAccessChainsNV",
        extensions="SPV_NV_raw_access_chains",
        annotations="OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0",
    )
    check(text, env="spv1.3")
