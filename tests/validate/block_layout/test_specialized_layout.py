"""Rules of `block_layout/specialized_layout`: offsets, strides and lengths by id."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.block_layout import block_layout_buffer, block_layout_offsets
from tests.validate.sources.descriptor_heap import descriptor_heap_module


def test_vector_of_specialized_length() -> None:
    def text(constant: str, error: str) -> str:
        text = block_layout_buffer(block_layout_offsets(0), "%long").replace("OpMemoryModel", 'OpExtension "SPV_EXT_long_vector"\nOpMemoryModel')
        text = text.replace("OpCapability Shader", "OpCapability Shader\nOpCapability LongVectorEXT")
        vector = f"%length = {constant} %uint 8\n%long = OpTypeVectorIdEXT %float %length\n%block ="
        return text.replace("%block =", vector, 1).replace("%ptr Uniform", f"%ptr Uniform {error}")

    check(text("OpConstant", ""), env="vulkan1.0")
    check(text("OpSpecConstant", "; error: block-layout/vector-has-fixed-length `%ptr`"), env="vulkan1.0")


@pytest.mark.parametrize(
    ("declarations", "annotation"),
    [
        ("%a = OpTypeArray %float %two", "OpDecorateId %a ArrayStrideIdEXT %image_size ; error: block-layout/stride-id-is-for-descriptors `%a`"),
        ("%a = OpTypeArray %sampler %two", "OpDecorateId %a ArrayStrideIdEXT %zero ; error: block-layout/stride-id-is-for-descriptors `%zero`"),
        ("%s = OpTypeStruct %sampler", "OpMemberDecorateIdEXT %s 0 OffsetIdEXT %zero"),
        ("%s = OpTypeStruct %sampler", "OpMemberDecorateIdEXT %s 0 OffsetIdEXT %true ; error: block-layout/offset-id-is-for-members `%true`"),
        ("%s = OpTypeStruct %sampler", "OpDecorateId %s OffsetIdEXT %zero ; error: block-layout/offset-id-is-for-members"),
    ],
)
def test_decorations_by_id(declarations: str, annotation: str) -> None:
    check(descriptor_heap_module("", declarations, annotation), env="vulkan1.4")
