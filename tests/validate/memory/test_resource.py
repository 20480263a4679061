"""Rules of `memory/resource`: resources of Vulkan and their bindings."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.variable import VARIABLE_BLOCK_DECORATIONS, VARIABLE_BLOCKS, VARIABLE_BOUND, bound_variable


@pytest.mark.parametrize(
    ("storage", "held", "comment"),
    [
        ("Uniform", "%block", ""),
        ("StorageBuffer", "%open_block", ""),
        ("UniformConstant", "%image", ""),
        ("Uniform", "%float", " ; error: memory/resource-type-fits-class `%p`"),
        ("UniformConstant", "%float", " ; error: memory/resource-type-fits-class `%p`"),
        ("UniformConstant", "%images", " ; error: memory/runtime-array-is-in-resource `%p`"),
    ],
)
def test_resources_in_vulkan(storage: str, held: str, comment: str) -> None:
    check(bound_variable(storage, held, comment), env="vulkan1.2")


def test_push_constants_are_one_structure() -> None:
    lines = VARIABLE_BLOCKS + "%p = OpTypePointer PushConstant %block\n%x = OpVariable %p PushConstant"
    check(shader("", lines, annotations=VARIABLE_BLOCK_DECORATIONS), env="vulkan1.2")
    lines = "%p = OpTypePointer PushConstant %float\n%x = OpVariable %p PushConstant ; error: memory/resource-type-fits-class"
    check(shader("", lines), env="vulkan1.2")


def test_resources_are_bound() -> None:
    comment = " ; error: memory/resource-has-set-and-binding"
    check(bound_variable("Uniform", "%block", comment, annotations="OpDecorate %x Binding 0"), env="vulkan1.2")
    check(bound_variable("Uniform", "%block", annotations=""), env="spv1.4")


@pytest.mark.parametrize(
    ("dim", "comment", "annotations"),
    [
        ("2D", "", VARIABLE_BOUND),
        ("3D", " ; error: memory/tile-attachment-is-2d-image `%p`", VARIABLE_BOUND),
        ("2D", " ; error: memory/tile-attachment-is-2d-image", ""),
    ],
)
def test_tile_attachments(dim: str, comment: str, annotations: str) -> None:
    lines = (
        f"%image = OpTypeImage %float {dim} 0 0 0 1 Unknown\n%p = OpTypePointer TileAttachmentQCOM %image\n"
        f"%x = OpVariable %p TileAttachmentQCOM{comment}"
    )
    text = shader("", lines, capabilities="TileShadingQCOM", extensions="SPV_QCOM_tile_shading", annotations=annotations)
    check(text, env="vulkan1.4")
