"""Rules of `decoration/target`: what a decoration may decorate (errors)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.annotation import annotation_module

BUFFER = "%ptr = OpTypePointer {} %T\n%v = OpVariable %ptr {}"


@pytest.mark.parametrize(
    ("env", "annotations", "definition", "fits"),
    [
        ("spv1.3", "OpDecorate %T Block\n", BUFFER.format("StorageBuffer", "StorageBuffer"), True),
        ("spv1.3", "OpDecorate %T Block\n", BUFFER.format("Uniform", "Uniform"), True),
        ("spv1.3", "", BUFFER.format("Private", "Private"), False),
        ("spv1.4", "", BUFFER.format("Private", "Private"), True),
        (
            "spv1.3",
            "",
            "%im = OpTypeImage %float 2D 0 0 0 2 R32f\n" + BUFFER.replace("%T", "%im").format(*["UniformConstant"] * 2),
            True,
        ),
        (
            "spv1.3",
            "",
            "%im = OpTypeImage %float 2D 0 0 0 1 Unknown\n" + BUFFER.replace("%T", "%im").format(*["UniformConstant"] * 2),
            False,
        ),
    ],
)
def test_what_may_be_read_only(env: str, annotations: str, definition: str, fits: bool) -> None:
    offset = "OpMemberDecorate %T 0 Offset 0\n" if annotations else ""
    definition += "" if fits else " ; error: decoration/fits-target-object `%v`"
    check(annotation_module(f"{annotations}{offset}OpDecorate %v NonWritable", definition), env=env)


def test_the_vulkan_memory_model_has_no_volatile_objects() -> None:
    text = annotation_module("OpDecorate %v Volatile", "%v = OpVariable %private Private{}", capabilities="VulkanMemoryModel")
    vulkan = text.replace("GLSL450", "Vulkan")
    check(vulkan.format(" ; error: decoration/fits-target-object `%v`"), env="spv1.6")
    lines = annotation_module("OpDecorate %v Volatile ; warning: decoration/has-meaning-for-target", "%v = OpVariable %private Private")
    check(lines, env="spv1.6")
