"""Rules of built-ins in Vulkan."""

from __future__ import annotations

import pytest

from tests.validate.check import check


def _fragment(decoration: str, variable: str, body: str, modes: str = "", types: str = "") -> str:
    return f"""OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %v
OpExecutionMode %main OriginUpperLeft
{modes}{decoration}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%zero = OpConstant %float 0
{types}{variable}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"""


def test_good() -> None:
    check(
        _fragment(
            "OpDecorate %v BuiltIn FragCoord",
            "%p = OpTypePointer Input %v4\n%v = OpVariable %p Input",
            "%x = OpLoad %v4 %v",
        ),
        env="vulkan1.1",
    )


@pytest.mark.parametrize(
    ("decoration", "variable", "body"),
    [
        (
            "OpDecorate %v BuiltIn FragCoord",
            "%p = OpTypePointer Input %v3\n%v = OpVariable %p Input ; error: interface/built-in-has-required-type `%p`",
            "%x = OpLoad %v3 %v",
        ),
        (
            "OpDecorate %v BuiltIn FragCoord",
            "%p = OpTypePointer Private %v4\n%v = OpVariable %p Private ; error: interface/built-in-fits-storage-class `Private`",
            "%x = OpLoad %v4 %v",
        ),
        (
            "OpDecorate %v BuiltIn VertexIndex\nOpDecorate %v Flat",
            "%p = OpTypePointer Input %int\n%v = OpVariable %p Input",
            "%x = OpLoad %int %v ; error: interface/built-in-fits-vulkan-model `%v`",
        ),
        (
            "OpDecorate %v BuiltIn FragDepth",
            "%p = OpTypePointer Output %float\n%v = OpVariable %p Output",
            "OpStore %v %zero ; error: interface/built-in-fits-vulkan-model `%v`",
        ),
        (
            "OpDecorate %v BuiltIn VertexId ; error: interface/built-in-exists-in-vulkan `VertexId`\nOpDecorate %v Flat",
            "%p = OpTypePointer Input %int\n%v = OpVariable %p Input",
            "%x = OpLoad %int %v",
        ),
    ],
)
def test_bad(decoration: str, variable: str, body: str) -> None:
    text = _fragment(decoration, variable, body)
    if "Private" in variable:
        text = text.replace('"main" %v', '"main"')
    check(text, env="vulkan1.1")


def test_depth_with_its_mode() -> None:
    text = _fragment(
        "OpDecorate %v BuiltIn FragDepth",
        "%p = OpTypePointer Output %float\n%v = OpVariable %p Output",
        "OpStore %v %zero",
        modes="OpExecutionMode %main DepthReplacing\n",
    )
    check(text, env="vulkan1.1")


@pytest.mark.parametrize(("count", "error"), [("3", ""), ("2", " ; error: interface/workgroup-size-is-constant-vector")])
def test_workgroup_size(count: str, error: str) -> None:
    ones = " ".join(["%one"] * int(count))
    check(
        f"""OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %size BuiltIn WorkgroupSize
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v = OpTypeVector %uint {count}
%one = OpConstant %uint 1
%size = OpConstantComposite %v {ones}{error}
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
""",
        env="vulkan1.1",
    )


_MESH = """OpCapability MeshShadingEXT
OpExtension "SPV_EXT_mesh_shader"
OpMemoryModel Logical GLSL450
OpEntryPoint MeshEXT %main "main" %prims %layers
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %main OutputVertices 3
OpExecutionMode %main OutputPrimitivesEXT 1
OpExecutionMode %main OutputTrianglesEXT
OpDecorate %prims BuiltIn PrimitiveTriangleIndicesEXT
OpDecorate %layers BuiltIn Layer
{mark}%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%a = OpTypeArray %v3 %{length}
%b = OpTypeArray %uint %one
%pa = OpTypePointer Output %a
%pb = OpTypePointer Output %b
%prims = OpVariable %pa Output{first}
%layers = OpVariable %pb Output{second}
%main = OpFunction %void None %fn
%entry = OpLabel
OpSetMeshOutputsEXT %one %one
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("mark", "length", "first", "second"),
    [
        ("OpDecorate %layers PerPrimitiveEXT\n", "one", "", ""),
        ("OpDecorate %layers PerPrimitiveEXT\n", "two", " ; error: interface/primitive-built-in-is-decorated", ""),
        ("", "one", "", " ; error: interface/primitive-built-in-is-decorated"),
    ],
)
def test_mesh(mark: str, length: str, first: str, second: str) -> None:
    check(_MESH.format(mark=mark, length=length, first=first, second=second), env="vulkan1.3")
