"""Entries with all that is known of them."""

from __future__ import annotations

import re

import pytest

from spvls.grammar.docs import syntax_keys
from spvls.grammar.keys import keys
from spvls.grammar.reference import client_facts, markdown


def test_every_entry_can_be_shown() -> None:
    for key in (*keys(), *syntax_keys()):
        text = markdown(key)
        assert text, key
        assert not re.search(r"\n\n\n|  $|``(?!`)(?<!```)", text, re.MULTILINE), key


def test_an_instruction() -> None:
    text = markdown("OpFDiv")
    assert text is not None
    blocks = text.split("\n\n")
    assert blocks[0].startswith("Divides")
    assert "- *Operand 1* (`IdRef`): dividend.\n- *Operand 2* (`IdRef`): divisor." in blocks
    assert any(block.startswith("```spirv\n") and "OpFDiv" in block for block in blocks)
    assert blocks[-1].split("\n") == [
        "- Opcode 136, arithmetic",
        "- SPIR-V 1.0 and later",
        "- Vulkan precision: 2.5 ULP where |y| is 0 or in [2^-126, 2^126]; "
        "of 16-bit floats 2.5 ULP where |y| is 0 or in [2^-14, 2^14]",
    ]


def test_without_its_example() -> None:
    text = markdown("OpFDiv", example=False)
    assert text is not None
    assert "```" not in text


def test_an_alias_shows_what_it_stands_for() -> None:
    assert markdown("OpDecorateStringGOOGLE") == markdown("OpDecorateString")


def test_an_optional_operand() -> None:
    text = markdown("OpLoad")
    assert text is not None
    assert "(`MemoryAccess`, optional)" in text


def test_a_form_of_the_text() -> None:
    text = markdown("Header.Bound")
    assert text is not None
    assert text.startswith("Fourth word")


def test_nothing() -> None:
    assert markdown("OpFad") is None


@pytest.mark.parametrize(
    ("key", "facts"),
    [
        ("Capability.Geometry", ["Vulkan: feature `geometryShader`"]),
        ("Capability.Shader", ["Vulkan: version 1.0"]),
        ("Capability.Kernel", ["Vulkan: not available"]),
        ("Capability.DrawParameters", ["Vulkan: feature `shaderDrawParameters`, or `VK_KHR_shader_draw_parameters`"]),
        (
            "Capability.GroupNonUniform",
            ["Vulkan: property `subgroupSupportedOperations` with `VK_SUBGROUP_FEATURE_BASIC_BIT`"],
        ),
        ("ImageFormat.Rgba8", ["Vulkan: `VK_FORMAT_R8G8B8A8_UNORM`, with texels of `float32`"]),
        ("ImageFormat.Unknown", []),
        ("ExecutionMode.OutputPoints", ["For entry points of `Geometry`, `MeshNV` or `MeshEXT`"]),
        ("ExecutionMode.Xfb", []),
        (
            "BuiltIn.Position",
            [
                "Vulkan: `vec4<float32>`",
                "`Output` of `MeshEXT`, `MeshNV` and `Vertex`",
                "`Input` or `Output` of `TessellationControl`, `TessellationEvaluation` and `Geometry`",
            ],
        ),
        ("BuiltIn.SubgroupSize", ["Vulkan: `int32`", "`Input` of any entry point"]),
        ("BuiltIn.WorkDim", ["Vulkan: not available"]),
        ("GLSL.std.450.Exp", ["Vulkan precision: `3 + 2 * |x|` ULP; of 16-bit floats `1 + 2 * |x|` ULP"]),
        ("GLSL.std.450.Tan", ["Vulkan precision: that of `Sin(x) / Cos(x)`"]),
        ("OpFAdd", ["Vulkan precision: correctly rounded"]),
        ("OpIAdd", []),
        ("SPV_KHR_variable_pointers", ["Vulkan: version 1.1, or `VK_KHR_variable_pointers`"]),
        ("SPV_INTEL_subgroups", ["Vulkan: not accepted"]),
        ("StorageClass.Private", []),
    ],
)
def test_facts_of_the_client_apis(key: str, facts: list[str]) -> None:
    assert client_facts(key) == facts
