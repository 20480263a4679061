"""Rules of `computation/composite`: composites and copies."""

from __future__ import annotations

import pytest

from tests.validate.check import check
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


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCompositeConstruct %vec4 %v2 %f %f",
        "%r = OpCompositeConstruct %mat2x2 %v2 %v2",
        "%r = OpCompositeConstruct %array %f %f",
        "%r = OpCompositeConstruct %struct %f %v2 %a",
        "%r = OpCompositeConstruct %vec4 %v2 %f ; error: computation/constituents-match-parts `%vec4`",
        "%r = OpCompositeConstruct %vec4 %v2 %u %f ; error: computation/constituents-match-parts `%u`",
        "%r = OpCompositeConstruct %vec4 %v4 ; error: computation/constituents-match-parts",
        "%r = OpCompositeConstruct %mat2x2 %v2 %v3 ; error: computation/constituents-match-parts `%v3`",
        "%r = OpCompositeConstruct %array %f %f %f ; error: computation/constituents-match-parts",
        "%r = OpCompositeConstruct %struct %f %v3 %a ; error: computation/constituents-match-parts `%v3`",
        "%r = OpCompositeConstruct %float %f ; error: computation/constituents-match-parts `%float`",
        "%r = OpCompositeExtract %float %v4 3",
        "%r = OpCompositeExtract %float %s 2 1",
        "%r = OpCompositeExtract %float %v4 4 ; error: computation/indexes-lead-to-part `4`",
        "%r = OpCompositeExtract %float %s 3 ; error: computation/indexes-lead-to-part `3`",
        "%r = OpCompositeExtract %float %s 0 0 ; error: computation/indexes-lead-to-part `0`",
        "%r = OpCompositeExtract %vec2 %v4 0 ; error: computation/indexes-lead-to-part `%vec2`",
        "%r = OpCompositeExtract %float %a 2 ; error: computation/indexes-lead-to-part `2`",
        "%r = OpCompositeInsert %struct %f %s 0",
        "%r = OpCompositeInsert %struct %f %s 1 ; error: computation/indexes-lead-to-part `%f`",
        "%r = OpCompositeInsert %vec4 %f %s 0 ; error: computation/indexes-lead-to-part `%s`",
        "%r = OpVectorExtractDynamic %float %v4 %i",
        "%r = OpVectorExtractDynamic %uint %v4 %i ; error: computation/vector-operands-match `%uint`",
        "%r = OpVectorExtractDynamic %float %v4 %f ; error: computation/vector-operands-match `%f`",
        "%r = OpVectorInsertDynamic %vec4 %v4 %f %i",
        "%r = OpVectorInsertDynamic %vec4 %v4 %u %i ; error: computation/vector-operands-match `%u`",
        "%r = OpVectorShuffle %vec4 %v2 %v3 0 1 4 0xFFFFFFFF",
        "%r = OpVectorShuffle %vec4 %v2 %v2 0 1 2 4 ; error: computation/vector-operands-match `4`",
        "%r = OpVectorShuffle %vec4 %v2 %v2 0 1 2 ; error: computation/vector-operands-match `%vec4`",
        "%r = OpVectorShuffle %vec4 %v2 %u2 0 1 2 3 ; error: computation/vector-operands-match `%u2`",
        "%r = OpCopyObject %struct %s",
        "%r = OpCopyObject %struct %a ; error: computation/copy-object-keeps-type `%a`",
        "%r = OpCopyLogical %like_struct %s",
        "%r = OpCopyLogical %struct %s ; error: computation/copy-logical-keeps-structure `%s`",
        "%r = OpCopyLogical %other_struct %s ; error: computation/copy-logical-keeps-structure `%s`",
    ],
)
def test_composites(line: str) -> None:
    check(shader(line, DECLARATIONS), env="spv1.4")


def test_the_part_is_the_result_type() -> None:
    found = check(shader("%r = OpCompositeExtract %vec4 %s 1 ; error: computation/indexes-lead-to-part", DECLARATIONS), env="spv1.4")
    assert [edit.text for fix in found[0].fixes for edit in fix.edits] == ["%vec2"]


def test_constants_are_taken_apart_by_the_same_rules() -> None:
    declarations = """
        %f_one = OpConstant %float 1
        %pair = OpConstantComposite %vec2 %f_one %f_one
        %part = OpSpecConstantOp %float CompositeExtract %pair 1
        %none = OpSpecConstantOp %float CompositeExtract %pair 2 ; error: computation/indexes-lead-to-part `2`
        %mixed = OpSpecConstantOp %vec2 VectorShuffle %pair %pair 0 7 ; error: computation/vector-operands-match `7`
    """
    check(shader("", declarations))


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCompositeConstructReplicateEXT %vec4 %f",
        "%r = OpCompositeConstructReplicateEXT %vec4 %u ; error: computation/replicated-value-matches-parts `%u`",
        "%r = OpCompositeConstructReplicateEXT %float %f ; error: computation/replicated-value-matches-parts `%float`",
    ],
)
def test_replication(line: str) -> None:
    check(shader(line, capabilities="ReplicatedCompositesEXT", extensions="SPV_EXT_replicated_composites"))


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
        %part = OpCompositeExtract %half %h2 0 ; error: computation/indexes-lead-to-part
    """
    annotations = """
        OpDecorate %struct Block
        OpMemberDecorate %struct 0 Offset 0
        OpDecorate %buffer DescriptorSet 0
        OpDecorate %buffer Binding 0
    """
    extensions = "SPV_KHR_16bit_storage SPV_KHR_storage_buffer_storage_class"
    found = check(
        shader(body, declarations, capabilities="StorageBuffer16BitAccess", extensions=extensions, annotations=annotations),
        env="spv1.3",
    )
    assert any("OpCapability Float16" in edit.text for fix in found[0].fixes for edit in fix.edits)
