"""Rules of `interface/variable`: which variables an interface lists, and what they hold."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.interface import INTERFACE_IN, INTERFACE_TYPES, interface_at, interface_module

_LOAD = "%x = OpLoad %float %a"
_COVERS = "; error: interface/used-variables-are-listed `%a`"
_GLOBAL = "interface/listed-variables-are-global"


@pytest.mark.parametrize(
    ("env", "interface", "variables"),
    [
        ("spv1.3", "%a", INTERFACE_IN),
        ("spv1.3", "%a %a", INTERFACE_IN),
        ("spv1.3", "", f"{INTERFACE_IN} {_COVERS}"),
        ("spv1.3", "", "%a = OpVariable %private Private"),
        ("spv1.4", "%a", "%a = OpVariable %private Private"),
        ("spv1.4", "", f"%a = OpVariable %private Private {_COVERS}"),
        ("spv1.4", "%a %a", f"{INTERFACE_IN} ; error: {_GLOBAL} `%a`"),
        ("spv1.3", "%a", f"%a = OpVariable %private Private ; error: {_GLOBAL} `Private`"),
        ("spv1.3", "%a %zero", INTERFACE_IN),
    ],
)
def test_listed(env: str, interface: str, variables: str) -> None:
    text = interface_module(interface, "", variables, _LOAD)
    if "%zero" in interface:
        text = text.replace("OpConstant %float 0", f"OpConstant %float 0 ; error: {_GLOBAL} `%zero`")
    check(text, env=env)


def test_listed_by_a_fix() -> None:
    diagnostics = check(interface_module("", "", f"{INTERFACE_IN} {_COVERS}", _LOAD), env="spv1.3")
    assert [edit.text.strip() for fix in diagnostics[0].fixes for edit in fix.edits] == ["%a"]


def test_used_by_a_called_function() -> None:
    text = interface_module("", "", f"{INTERFACE_IN} {_COVERS}", "%r = OpFunctionCall %void %other")
    check(text + f"%other = OpFunction %void None %fn\n%first = OpLabel\n{_LOAD}\nOpReturn\nOpFunctionEnd\n", env="spv1.3")


def test_push_constants() -> None:
    block = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    variables = (
        "%block = OpTypeStruct %float\n%ptr = OpTypePointer PushConstant %block\n"
        "%ptr_float = OpTypePointer PushConstant %float\n"
        "%i = OpConstant %uint 0\n%a = OpVariable %ptr PushConstant\n%b = OpVariable %ptr PushConstant"
    )
    use = "%p = OpAccessChain %ptr_float %a %i"
    check(interface_module("", block, variables, use), env="vulkan1.0")
    both = f"{use}\n%q = OpAccessChain %ptr_float %b %i"
    check(interface_module("", block, f"{variables} ; error: interface/push-constant-block-is-unique `%b`", both), env="vulkan1.0")


def test_one_of_a_storage_class() -> None:
    def text(interface: str, error: str) -> str:
        return (
            'OpCapability RayTracingKHR\nOpExtension "SPV_KHR_ray_tracing"\nOpMemoryModel Logical GLSL450\n'
            f'OpEntryPoint MissKHR %main "main" {interface} {error}\n{INTERFACE_TYPES}\n'
            "%ptr = OpTypePointer IncomingRayPayloadKHR %float\n"
            "%a = OpVariable %ptr IncomingRayPayloadKHR\n%b = OpVariable %ptr IncomingRayPayloadKHR\n"
            "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )

    check(text("%a", ""), env="vulkan1.2")
    check(text("%a %b", "; error: interface/storage-class-is-listed-once `%b`"), env="vulkan1.2")


def test_blocks_in_workgroup() -> None:
    def text(capability: str, error: str) -> str:
        return (
            f'OpCapability Shader\n{capability}\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main "main" %a\n'
            f"OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n{INTERFACE_TYPES}\n"
            "%block = OpTypeStruct %float\n%ptr = OpTypePointer Workgroup %block\n%a = OpVariable %ptr Workgroup\n"
            f"%main = OpFunction %void None %fn {error}\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )

    allowed = 'OpCapability WorkgroupMemoryExplicitLayoutKHR\nOpExtension "SPV_KHR_workgroup_memory_explicit_layout"'
    check(text(allowed, ""), env="spv1.4")
    check(text("", "; error: interface/workgroup-blocks-are-aliased `%main`"), env="spv1.4")


def test_contents() -> None:
    def text(error: str) -> str:
        held = "%pointer" if error else "%float"
        variables = f"%pointer = OpTypePointer PhysicalStorageBuffer %float\n%ptr = OpTypePointer Input {held}\n"
        decorations = interface_at(a=0) + "\nOpDecorate %a RestrictPointer" * bool(error)
        made = interface_module("%a", decorations, f"{variables}%a = OpVariable %ptr Input {error}")
        made = made.replace("Logical", "PhysicalStorageBuffer64", 1)
        return made.replace("OpMemoryModel", "OpCapability PhysicalStorageBufferAddresses\nOpMemoryModel", 1)

    check(text(""), env="vulkan1.3")
    check(text("; error: interface/variables-hold-passable-types `%ptr`"), env="vulkan1.3")
