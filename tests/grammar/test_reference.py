"""What entries are, and what client APIs say of them."""

from __future__ import annotations

import pytest

from spvls.grammar.keys import resolve
from spvls.grammar.reference import client_facts, identity


@pytest.mark.parametrize(
    ("key", "facts"),
    [
        ("Capability.Geometry", ["Vulkan: feature `geometryShader`"]),
        ("Capability.Shader", ["Vulkan: version 1.0"]),
        ("Capability.Kernel", ["Vulkan: not in its tables of capabilities"]),
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
        ("BuiltIn.WorkDim", ["Vulkan: not among its built-ins"]),
        ("BuiltIn.VertexId", ["Vulkan: not among its built-ins"]),
        ("BuiltIn.ResourceHeapEXT", ["Vulkan: feature `descriptorHeap`"]),
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


@pytest.mark.parametrize(
    ("key", "facts"),
    [
        ("OpFDiv", ["Opcode 136, arithmetic"]),
        ("OpDecorateString", ["Opcode 5632, annotation", "Also `OpDecorateStringGOOGLE`"]),
        ("Decoration.Location", ["Decoration 30 (`0x1e`)"]),
        ("GLSL.std.450.Sqrt", ["Instruction 31 of `GLSL.std.450`"]),
    ],
)
def test_what_an_entry_is(key: str, facts: list[str]) -> None:
    subject = resolve(key)
    assert subject is not None
    assert identity(subject) == facts
