"""Rules of `computation/composite`: composites and copies."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader

DECLARATIONS = """
    %array = OpTypeArray %float %two
    %same_array = OpTypeArray %float %two
    %struct = OpTypeStruct %float %vec2 %array
    %like_struct = OpTypeStruct %float %vec2 %same_array
    %other_struct = OpTypeStruct %float %vec3 %array
    %a = OpUndef %array
    %s = OpUndef %struct
"""


def test_the_part_is_the_result_type() -> None:
    found = spvls.validate(shader("%r = OpCompositeExtract %vec4 %s 1", DECLARATIONS), target_env="spv1.4")
    assert [edit.text for fix in found[0].fixes for edit in fix.edits] == ["%vec2"]


def test_stored_halves_are_not_taken_apart() -> None:
    declarations = """
        %half = OpTypeFloat 16
        %hvec2 = OpTypeVector %half 2
        %struct = OpTypeStruct %hvec2
        %ptr_struct = OpTypePointer StorageBuffer %struct
        %ptr_hvec2 = OpTypePointer StorageBuffer %hvec2
        %buffer = OpVariable %ptr_struct StorageBuffer
    """
    body = """
        %p = OpAccessChain %ptr_hvec2 %buffer %zero
        %h2 = OpLoad %hvec2 %p
        %wide = OpFConvert %vec2 %h2
        %part = OpCompositeExtract %half %h2 0
    """
    annotations = """
        OpDecorate %struct Block
        OpMemberDecorate %struct 0 Offset 0
        OpDecorate %buffer DescriptorSet 0
        OpDecorate %buffer Binding 0
    """
    extensions = "SPV_KHR_16bit_storage SPV_KHR_storage_buffer_storage_class"
    found = spvls.validate(
        shader(body, declarations, capabilities="StorageBuffer16BitAccess", extensions=extensions, annotations=annotations),
        target_env="spv1.3",
    )
    assert any("OpCapability Float16" in edit.text for fix in found[0].fixes for edit in fix.edits)
