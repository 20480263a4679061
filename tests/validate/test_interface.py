"""Interfaces of entry points: what they list, where it lies, how it is interpolated."""

from __future__ import annotations

import pytest

from tests.validate.check import check

_TYPES = """
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%n = OpConstant %uint 2
%vec4 = OpTypeVector %float 4
%mat = OpTypeMatrix %vec4 4
%array = OpTypeArray %float %n
%in_float = OpTypePointer Input %float
%in_uint = OpTypePointer Input %uint
%in_mat = OpTypePointer Input %mat
%in_array = OpTypePointer Input %array
%out_float = OpTypePointer Output %float
%out_vec4 = OpTypePointer Output %vec4
%private = OpTypePointer Private %float
%zero = OpConstant %float 0
"""

_MODES = {"Fragment": "OpExecutionMode %main OriginUpperLeft", "Vertex": ""}


def _module(interface: str, decorations: str, variables: str, body: str = "", model: str = "Fragment", entry: str = "") -> str:
    return (
        f'OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint {model} %main "main" {interface} {entry}\n'
        f"{_MODES[model]}\n{decorations}\n{_TYPES}\n{variables}\n"
        f"%main = OpFunction %void None %fn\n%entry = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n"
    )


_IN = "%a = OpVariable %in_float Input"
_LOAD = "%x = OpLoad %float %a"
_COVERS = "; error: entry-point/interface-covers-uses `%a`"
_GLOBAL = "entry-point/interface-global-variable"


@pytest.mark.parametrize(
    ("env", "interface", "variables"),
    [
        ("spv1.3", "%a", _IN),
        ("spv1.3", "%a %a", _IN),
        ("spv1.3", "", f"{_IN} {_COVERS}"),
        ("spv1.3", "", "%a = OpVariable %private Private"),
        ("spv1.4", "%a", "%a = OpVariable %private Private"),
        ("spv1.4", "", f"%a = OpVariable %private Private {_COVERS}"),
        ("spv1.4", "%a %a", f"{_IN} ; error: {_GLOBAL} `%a`"),
        ("spv1.3", "%a", f"%a = OpVariable %private Private ; error: {_GLOBAL} `Private`"),
        ("spv1.3", "%a %zero", _IN),
    ],
)
def test_listed(env: str, interface: str, variables: str) -> None:
    text = _module(interface, "", variables, _LOAD)
    if "%zero" in interface:
        text = text.replace("OpConstant %float 0", f"OpConstant %float 0 ; error: {_GLOBAL} `%zero`")
    check(text, env=env)


def test_listed_by_a_fix() -> None:
    diagnostics = check(_module("", "", f"{_IN} {_COVERS}", _LOAD), env="spv1.3")
    assert [edit.text.strip() for fix in diagnostics[0].fixes for edit in fix.edits] == ["%a"]


def test_used_by_a_called_function() -> None:
    text = _module("", "", f"{_IN} {_COVERS}", "%r = OpFunctionCall %void %other")
    check(text + f"%other = OpFunction %void None %fn\n%first = OpLabel\n{_LOAD}\nOpReturn\nOpFunctionEnd\n", env="spv1.3")


def _at(**locations: int) -> str:
    return "\n".join(f"OpDecorate %{name} Location {location}" for name, location in locations.items())


_B = "%b = OpVariable %in_float Input"
_SHARED = "; error: entry-point/locations `%b`"


@pytest.mark.parametrize(
    ("decorations", "variables", "entry"),
    [
        (_at(a=0, b=1), f"{_IN}\n{_B}", ""),
        (_at(a=0, b=0), f"{_IN}\n{_B}", _SHARED),
        (_at(a=0, b=0) + "\nOpDecorate %b Component 1", f"{_IN}\n{_B}", ""),
        (_at(a=0, b=3), f"%a = OpVariable %in_mat Input\n{_B}", _SHARED),
        (_at(a=0, b=4), f"%a = OpVariable %in_mat Input\n{_B}", ""),
        (_at(a=0, b=1), f"%a = OpVariable %in_array Input\n{_B}", _SHARED),
        (_at(a=0, b=0), f"{_IN}\n%b = OpVariable %out_float Output", ""),
        (_at(a=0), f"{_IN}\n{_B} ; error: entry-point/locations `%b`", ""),
        (_at(a=0, b=1) + "\nOpDecorate %b PerVertexKHR", f"{_IN}\n{_B} ; error: entry-point/locations `%b`", ""),
    ],
)
def test_locations(decorations: str, variables: str, entry: str) -> None:
    text = _module("%a %b", decorations, variables, entry=entry)
    if "PerVertexKHR" in decorations:
        capability = 'OpCapability FragmentBarycentricKHR\nOpExtension "SPV_KHR_fragment_shader_barycentric"\nOpMemoryModel'
        text = text.replace("OpMemoryModel", capability, 1)
    check(text, env="vulkan1.0")


def test_locations_of_members() -> None:
    block = "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 0\n"
    variables = (
        "%block = OpTypeStruct %float %float{}\n%ptr = OpTypePointer Output %block\n%a = OpVariable %ptr Output"
    )
    good = block + "OpMemberDecorate %block 1 Location 1"
    check(_module("%a", good, variables.format(""), model="Vertex"), env="vulkan1.0")
    missing = variables.format(" ; error: entry-point/locations `%float`")
    check(_module("%a", block, missing, model="Vertex"), env="vulkan1.0")


def test_built_ins() -> None:
    position = "OpDecorate %a BuiltIn Position\n"
    variable = "%a = OpVariable %out_vec4 Output"
    check(_module("%a", position, variable, model="Vertex"), env="vulkan1.0")
    twice = f"{variable}\n%b = OpVariable %out_vec4 Output ; error: entry-point/built-ins `%b`"
    check(_module("%a %b", position + position.replace("%a", "%b"), twice, model="Vertex"), env="vulkan1.0")
    placed = f"{variable} ; error: vulkan/builtin-has-no-location `%a`"
    check(_module("%a", position + _at(a=0), placed, model="Vertex"), env="vulkan1.0")


def test_interpolation() -> None:
    flat = "\nOpDecorate %a Flat"
    index = "%a = OpVariable %in_uint Input"
    check(_module("%a", _at(a=0) + flat, index), env="vulkan1.0")
    check(_module("%a", _at(a=0), f"{index} ; error: vulkan/interpolation `%a`"), env="vulkan1.0")
    check(_module("%a", _at(a=0), index, model="Vertex"), env="vulkan1.0")
    check(_module("%a", _at(a=0) + flat, f"{index} ; error: vulkan/interpolation `%a`", model="Vertex"), env="vulkan1.0")


def test_push_constants() -> None:
    block = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    variables = (
        "%block = OpTypeStruct %float\n%ptr = OpTypePointer PushConstant %block\n"
        "%ptr_float = OpTypePointer PushConstant %float\n"
        "%i = OpConstant %uint 0\n%a = OpVariable %ptr PushConstant\n%b = OpVariable %ptr PushConstant"
    )
    use = "%p = OpAccessChain %ptr_float %a %i"
    check(_module("", block, variables, use), env="vulkan1.0")
    both = f"{use}\n%q = OpAccessChain %ptr_float %b %i"
    check(_module("", block, f"{variables} ; error: vulkan/one-push-constant `%b`", both), env="vulkan1.0")


def test_one_of_a_storage_class() -> None:
    def text(interface: str, error: str) -> str:
        return (
            'OpCapability RayTracingKHR\nOpExtension "SPV_KHR_ray_tracing"\nOpMemoryModel Logical GLSL450\n'
            f'OpEntryPoint MissKHR %main "main" {interface} {error}\n{_TYPES}\n'
            "%ptr = OpTypePointer IncomingRayPayloadKHR %float\n"
            "%a = OpVariable %ptr IncomingRayPayloadKHR\n%b = OpVariable %ptr IncomingRayPayloadKHR\n"
            "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )

    check(text("%a", ""), env="vulkan1.2")
    check(text("%a %b", "; error: vulkan/one-of-storage-class `%b`"), env="vulkan1.2")


def test_blocks_in_workgroup() -> None:
    def text(capability: str, error: str) -> str:
        return (
            f'OpCapability Shader\n{capability}\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main "main" %a\n'
            f"OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n{_TYPES}\n"
            "%block = OpTypeStruct %float\n%ptr = OpTypePointer Workgroup %block\n%a = OpVariable %ptr Workgroup\n"
            f"%main = OpFunction %void None %fn {error}\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )

    allowed = 'OpCapability WorkgroupMemoryExplicitLayoutKHR\nOpExtension "SPV_KHR_workgroup_memory_explicit_layout"'
    check(text(allowed, ""), env="spv1.4")
    check(text("", "; error: entry-point/workgroup-blocks `%main`"), env="spv1.4")


def test_contents() -> None:
    def text(error: str) -> str:
        held = "%pointer" if error else "%float"
        variables = f"%pointer = OpTypePointer PhysicalStorageBuffer %float\n%ptr = OpTypePointer Input {held}\n"
        decorations = _at(a=0) + "\nOpDecorate %a RestrictPointer" * bool(error)
        made = _module("%a", decorations, f"{variables}%a = OpVariable %ptr Input {error}")
        made = made.replace("Logical", "PhysicalStorageBuffer64", 1)
        return made.replace("OpMemoryModel", "OpCapability PhysicalStorageBufferAddresses\nOpMemoryModel", 1)

    check(text(""), env="vulkan1.3")
    check(text("; error: vulkan/interface-contents `%ptr`"), env="vulkan1.3")


def test_tile_images() -> None:
    def text(location: int, error: str) -> str:
        variables = (
            "%image = OpTypeImage %float TileImageDataEXT 0 0 0 2 Unknown\n%ptr = OpTypePointer TileImageEXT %image\n"
            f"%a = OpVariable %ptr TileImageEXT\n%b = OpVariable %ptr TileImageEXT {error}"
        )
        capability = 'OpCapability TileImageColorReadAccessEXT\nOpExtension "SPV_EXT_shader_tile_image"\nOpMemoryModel'
        return _module("%a %b", _at(a=0, b=location), variables).replace("OpMemoryModel", capability, 1)

    check(text(1, ""), env="vulkan1.3")
    check(text(0, "; error: vulkan/tile-image-locations `%b`"), env="vulkan1.3")
