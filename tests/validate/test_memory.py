"""Loads, stores, copies and their memory operands; lengths of arrays; predicated access."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader

DECLARATIONS = """
    %c = OpConstant %float 1
    %n16 = OpConstant %uint 16
    %minus = OpConstant %int -4
    %floats = OpTypeRuntimeArray %float
    %block = OpTypeStruct %uint %floats
    %flat = OpTypeStruct %uint %float
    %plain = OpTypeStruct %float
    %private = OpTypePointer Private %float
    %function = OpTypePointer Function %float
    %buffer = OpTypePointer StorageBuffer %block
    %uniform = OpTypePointer Uniform %flat
    %buffer_floats = OpTypePointer StorageBuffer %floats
    %input = OpTypePointer Input %float
    %workgroup = OpTypePointer Workgroup %float
    %ints = OpTypePointer Private %int
    %x = OpVariable %private Private
    %y = OpVariable %private Private
    %b1 = OpVariable %buffer StorageBuffer
    %u1 = OpVariable %uniform Uniform
    %in = OpVariable %input Input
    %w = OpVariable %workgroup Workgroup
    %j = OpVariable %ints Private
"""
LAYOUT = """
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpMemberDecorate %block 1 Offset 4
    OpDecorate %floats ArrayStride 4
    OpDecorate %flat Block
    OpMemberDecorate %flat 0 Offset 0
    OpMemberDecorate %flat 1 Offset 4
    OpDecorate %b1 DescriptorSet 0
    OpDecorate %b1 Binding 0
    OpDecorate %u1 DescriptorSet 0
    OpDecorate %u1 Binding 1
"""


def memory(body: str, *, memory_model: str = "GLSL450", capabilities: str = "", interface: str = "%in") -> str:
    return shader(
        body,
        DECLARATIONS,
        annotations=LAYOUT,
        memory_model=memory_model,
        capabilities=capabilities,
        interface=interface,
        model="Fragment",
    )


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpLoad %float %x",
        "%r = OpLoad %int %x ; error: opcode/OpLoad/pointee-match `%int`",
        "%r = OpLoad %float %f ; error: memory/load-store-need-pointer `%f`",
        "%r = OpLoad %block %b1 ; error: opcode/OpLoad/result-fixed-size `%block`",
        "OpStore %x %c",
        "OpStore %x %zero ; error: opcode/OpStore/pointee-match `%zero`",
        "OpStore %f %c ; error: memory/load-store-need-pointer `%f`",
        "OpStore %in %c ; error: memory/read-only-class `%in`",
        "OpCopyMemory %x %y",
        "OpCopyMemory %x %j ; error: opcode/OpCopyMemory/same-pointee `%j`",
        "OpCopyMemory %x %f ; error: opcode/OpCopyMemory/pointers `%f`",
        "%r = OpArrayLength %uint %b1 1",
        "%r = OpArrayLength %int %b1 1 ; error: opcode/OpArrayLength/result-u32 `%int`",
        "%r = OpArrayLength %uint %b1 0 ; error: opcode/OpArrayLength/structure-pointer `0`",
        "%r = OpArrayLength %uint %u1 1 ; error: opcode/OpArrayLength/structure-pointer `%u1`",
        "%r = OpArrayLength %uint %x 0 ; error: opcode/OpArrayLength/structure-pointer `%x`",
    ],
)
def test_access(line: str) -> None:
    check(memory(line), env="spv1.3")


def test_a_load_takes_the_type_of_what_is_there() -> None:
    [found] = check(memory("%r = OpLoad %int %x ; error: opcode/OpLoad/pointee-match"), env="spv1.3")
    assert "%x points to f32" in found.message
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%float"]


@pytest.mark.parametrize(
    "line",
    [
        "OpStore %w %c MakePointerAvailable|NonPrivatePointer %two",
        "OpStore %w %c MakePointerAvailable %two ; error: memory/availability-operands `MakePointerAvailable`",
        "OpStore %w %c MakePointerVisible|NonPrivatePointer %two ; error: memory/availability-operands",
        "%r = OpLoad %float %w MakePointerVisible|NonPrivatePointer %two",
        "%r = OpLoad %float %w MakePointerVisible|NonPrivatePointer %one ; error: memory/availability-operands `%one`",
        "%r = OpLoad %float %x NonPrivatePointer ; error: memory/non-private-storage-classes `NonPrivatePointer`",
        "%r = OpLoad %float %x Aligned 4",
        "%r = OpLoad %float %x Aligned 3 ; error: memory/aligned-operand `3`",
        "OpCopyMemory %w %x Aligned 4 Volatile",
        "OpCopyMemory %w %w MakePointerVisible|NonPrivatePointer %two None ; error: memory/availability-operands",
    ],
)
def test_memory_operands(line: str) -> None:
    everything = "%x %y %b1 %u1 %in %w %j"
    check(memory(line, memory_model="Vulkan", capabilities="VulkanMemoryModel", interface=everything), env="spv1.5")


def test_a_second_mask_came_with_1_4() -> None:
    line = "OpCopyMemory %x %y Aligned 4 Volatile ; error: memory/two-masks-version `Volatile`"
    check(memory(line), env="spv1.3")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpLoad %uint %address Aligned 4",
        "%r = OpLoad %uint %address ; error: memory/aligned-operand",
        "%r = OpLoad %uint %address Aligned 2 ; error: memory/aligned-operand `2`",
    ],
)
def test_addresses_say_their_alignment(line: str) -> None:
    declarations = "%p = OpTypePointer PhysicalStorageBuffer %uint\n%address = OpUndef %p"
    text = shader(line, declarations, capabilities="PhysicalStorageBufferAddresses")
    check(text.replace("Logical", "PhysicalStorageBuffer64"), env="spv1.5")


def test_the_alignment_is_written_for_you() -> None:
    declarations = "%p = OpTypePointer PhysicalStorageBuffer %ulong\n%address = OpUndef %p"
    line = "%r = OpLoad %ulong %address ; error: memory/aligned-operand"
    text = shader(line, declarations, capabilities="PhysicalStorageBufferAddresses")
    [found] = check(text.replace("Logical", "PhysicalStorageBuffer64"), env="spv1.5")
    assert [edit.text for fix in found.fixes for edit in fix.edits] == [" Aligned 8"]


def test_structures_of_one_layout_may_be_stored() -> None:
    declarations = """
        %one_struct = OpTypeStruct %float %uint
        %same = OpTypeStruct %float %uint
        %other = OpTypeStruct %float %int
        %p = OpTypePointer Private %one_struct
        %v = OpVariable %p Private
        %vs = OpUndef %same
        %vo = OpUndef %other
    """
    relaxed = {"relax_struct_store": True}
    check(shader("OpStore %v %vs", declarations), options=relaxed, env="spv1.3")
    check(shader("OpStore %v %vs ; error: opcode/OpStore/pointee-match", declarations), env="spv1.3")
    check(shader("OpStore %v %vo ; error: opcode/OpStore/pointee-match", declarations), options=relaxed, env="spv1.3")


def test_uniform_blocks_are_read_only_in_vulkan() -> None:
    declarations = DECLARATIONS + "%uint_in_uniform = OpTypePointer Uniform %uint\n"
    body = "%m = OpAccessChain %uint_in_uniform %u1 %zero\nOpStore %m %one{}"
    text = shader(body.format(" ; error: vulkan/uniform-block-read-only `%m`"), declarations, annotations=LAYOUT)
    check(text, env="vulkan1.1")
    check(shader(body.format(""), declarations, annotations=LAYOUT), env="spv1.3")


def test_images_are_not_stored_in_vulkan() -> None:
    declarations = """
        %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %p = OpTypePointer UniformConstant %image
        %q = OpTypePointer Private %image
        %v = OpVariable %p UniformConstant
        %w = OpVariable %q Private
    """
    body = "%loaded = OpLoad %image %v\nOpStore %w %loaded{}"
    annotations = "OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0"
    text = shader(body.format(" ; error: vulkan/opaque-not-stored `%loaded`"), declarations, annotations=annotations)
    check(text, env="vulkan1.1")
    check(shader(body.format(""), declarations, annotations=annotations), env="spv1.3")


def test_uniform_arrays_have_no_length_in_vulkan() -> None:
    declarations = """
        %floats = OpTypeRuntimeArray %vec4
        %block = OpTypeStruct %floats
        %p = OpTypePointer {0} %block
        %v = OpVariable %p {0}
    """
    annotations = """
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %floats ArrayStride 16
        OpDecorate %v DescriptorSet 0
        OpDecorate %v Binding 0
    """
    line = "%r = OpArrayLength %uint %v 0"
    check(shader(line, declarations.format("StorageBuffer"), annotations=annotations), env="vulkan1.1")
    text = shader(f"{line} ; error: vulkan/array-length-uniform `%v`", declarations.format("Uniform"), annotations=annotations)
    check(text, env="vulkan1.1")


@pytest.mark.parametrize(
    "line",
    [
        "OpCopyMemorySized %x %y %four",
        "OpCopyMemorySized %x %y %zero ; error: opcode/OpCopyMemorySized/size-integer `%zero`",
        "OpCopyMemorySized %x %y %f ; error: opcode/OpCopyMemorySized/size-integer `%f`",
    ],
)
def test_sized_copies(line: str) -> None:
    declarations = """
        %four = OpConstant %uint 4
        %p = OpTypePointer CrossWorkgroup %float
        %x = OpVariable %p CrossWorkgroup
        %y = OpVariable %p CrossWorkgroup
    """
    check(kernel(line, declarations, capabilities="Int64"))


@pytest.mark.parametrize(
    ("line", "capabilities"),
    [
        ("OpCopyMemorySized %to %from %four", ""),
        ("OpCopyMemorySized %to %from %three", "Int8"),
        ("OpCopyMemorySized %to %from %two", "Int16"),
        ("OpCopyMemorySized %to %from %three ; error: opcode/OpCopyMemorySized/size-multiple `%three`", "Int16"),
        ("OpCopyMemorySized %to %from %two ; error: opcode/OpCopyMemorySized/size-multiple `%two`", ""),
    ],
)
def test_sized_copies_in_shaders(line: str, capabilities: str) -> None:
    declarations = """
        %p = OpTypeUntypedPointerKHR StorageBuffer
        %to = OpUntypedVariableKHR %p StorageBuffer %uint
        %from = OpUntypedVariableKHR %p StorageBuffer %uint
    """
    text = shader(
        line, declarations, capabilities=f"UntypedPointersKHR {capabilities}", extensions="SPV_KHR_untyped_pointers"
    )
    check(text, env="spv1.3")


def test_small_numbers_are_not_copied_in_memory() -> None:
    declarations = """
        %half = OpTypeFloat 16
        %s = OpTypeStruct %half
        %p = OpTypePointer StorageBuffer %s
        %to = OpVariable %p StorageBuffer
        %from = OpVariable %p StorageBuffer
    """
    annotations = "OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0"
    line = "OpCopyMemory %to %from"
    check(shader(line, declarations, capabilities="Float16", annotations=annotations), env="spv1.3")
    text = shader(
        f"{line} ; error: type/storage16-copy-memory `%to`",
        declarations,
        capabilities="StorageBuffer16BitAccess",
        annotations=annotations,
    )
    check(text, env="spv1.3")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpPredicatedLoadINTEL %float %x %b %f",
        "%r = OpPredicatedLoadINTEL %float %x %b %u ; error: opcode/OpPredicatedLoadINTEL/types `%u`",
        "%r = OpPredicatedLoadINTEL %uint %x %b %u ; error: opcode/OpPredicatedLoadINTEL/types `%uint`",
        "%r = OpPredicatedLoadINTEL %float %f %b %f ; error: memory/predicated-pointer `%f`",
        "%r = OpPredicatedLoadINTEL %float %x %u %f ; error: memory/predicated-pointer `%u`",
        "%r = OpPredicatedLoadINTEL %float %x %b %f Volatile ; error: memory/predicated-not-volatile `Volatile`",
        "OpPredicatedStoreINTEL %x %f %b",
        "OpPredicatedStoreINTEL %x %u %b ; error: opcode/OpPredicatedStoreINTEL/types `%u`",
    ],
)
def test_predicated_access(line: str) -> None:
    declarations = "%p = OpTypePointer Private %float\n%x = OpVariable %p Private"
    check(shader(line, declarations, capabilities="PredicatedIOINTEL", extensions="SPV_INTEL_predicated_io"), env="spv1.3")
