"""Rules of `block_layout/block`: block and BufferBlock."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.sources.annotation import annotation_module
from tests.validate.sources.block_layout import block_layout_buffer, block_layout_offsets


def test_vulkan_has_no_glsl_layouts() -> None:
    text = annotation_module("OpDecorate %T GLSLShared")
    assert "block-layout/shared-and-packed-are-unused" in {d.rule for d in spvls.validate(text, target_env="vulkan1.3")}
    check(text, env="spv1.6")


def test_blocks_are_not_nested() -> None:
    offsets = "OpMemberDecorate %U 0 Offset 0\nOpMemberDecorate %T 0 Offset 0\nOpDecorate %inner ArrayStride 16\n"
    members = "%inner = OpTypeArray %T %four\n%U = OpTypeStruct %inner"
    check(annotation_module(f"{offsets}OpDecorate %U Block", members))
    check(annotation_module(f"{offsets}OpDecorate %T Block\nOpDecorate %U Block", f"{members} ; error: block-layout/block-is-not-nested `%U`"))


@pytest.mark.parametrize("storage", ["Uniform", "StorageBuffer"])
def test_block_decoration(storage: str) -> None:
    text = block_layout_buffer(block_layout_offsets(0), "%vec4", storage, rule="block-layout/buffer-struct-is-block `%block`")
    check(text.replace("OpDecorate %block Block\n", ""), env="vulkan1.1")
    check(block_layout_buffer(block_layout_offsets(0), "%vec4", storage), env="vulkan1.1")


def test_buffer_block_in_storage_buffer() -> None:
    text = block_layout_buffer(block_layout_offsets(0), "%vec4", "StorageBuffer").replace("Block\n", "BufferBlock\n", 1)
    text = text.replace("%ptr StorageBuffer", "%ptr StorageBuffer ; error: block-layout/buffer-struct-is-block `%ptr`")
    check(text, env="vulkan1.1")
