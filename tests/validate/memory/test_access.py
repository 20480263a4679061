"""Rules of `memory/access`: loads and stores."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.memory import MEMORY_DECLARATIONS, MEMORY_LAYOUT, memory_module


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpLoad %float %x",
        "%r = OpLoad %int %x ; error: memory/load-matches-pointee `%int`",
        "%r = OpLoad %float %f ; error: memory/access-takes-pointer `%f`",
        "%r = OpLoad %block %b1 ; error: memory/load-has-fixed-size `%block`",
        "OpStore %x %c",
        "OpStore %x %zero ; error: memory/store-matches-pointee `%zero`",
        "OpStore %f %c ; error: memory/access-takes-pointer `%f`",
        "OpStore %in %c ; error: memory/stored-class-is-writable `%in`",
        "OpCopyMemory %x %y",
        "OpCopyMemory %x %j ; error: memory/copied-pointees-match `%j`",
        "OpCopyMemory %x %f ; error: memory/copy-takes-pointers `%f`",
        "%r = OpArrayLength %uint %b1 1",
        "%r = OpArrayLength %int %b1 1 ; error: memory/array-length-is-unsigned `%int`",
        "%r = OpArrayLength %uint %b1 0 ; error: memory/array-length-names-runtime-array `0`",
        "%r = OpArrayLength %uint %u1 1 ; error: memory/array-length-names-runtime-array `%u1`",
        "%r = OpArrayLength %uint %x 0 ; error: memory/array-length-names-runtime-array `%x`",
    ],
)
def test_access(line: str) -> None:
    check(memory_module(line), env="spv1.3")


def test_a_load_takes_the_type_of_what_is_there() -> None:
    [found] = check(memory_module("%r = OpLoad %int %x ; error: memory/load-matches-pointee"), env="spv1.3")
    assert "%x points to f32" in found.message
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%float"]


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
    check(shader("OpStore %v %vs ; error: memory/store-matches-pointee", declarations), env="spv1.3")
    check(shader("OpStore %v %vo ; error: memory/store-matches-pointee", declarations), options=relaxed, env="spv1.3")


def test_uniform_blocks_are_read_only_in_vulkan() -> None:
    declarations = MEMORY_DECLARATIONS + "%uint_in_uniform = OpTypePointer Uniform %uint\n"
    body = "%m = OpAccessChain %uint_in_uniform %u1 %zero\nOpStore %m %one{}"
    text = shader(body.format(" ; error: memory/uniform-block-is-not-stored `%m`"), declarations, annotations=MEMORY_LAYOUT)
    check(text, env="vulkan1.1")
    check(shader(body.format(""), declarations, annotations=MEMORY_LAYOUT), env="spv1.3")


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
    text = shader(body.format(" ; error: memory/opaque-object-is-not-stored `%loaded`"), declarations, annotations=annotations)
    check(text, env="vulkan1.1")
    check(shader(body.format(""), declarations, annotations=annotations), env="spv1.3")
