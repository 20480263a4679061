"""Types and constants that nest deep, share their parts, or have more components than there is memory for."""

from __future__ import annotations

import pytest

import spvls
from spvls.diagnostic import RULE_FAILED
from spvls.validate.validator import validate

_LIBRARY = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
_SHADER = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %v
OpExecutionMode %main OriginUpperLeft
"""
_TYPES = "%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n%two = OpConstant %uint 2\n%f1 = OpConstant %float 1\n"


def _main(*lines: str) -> str:
    body = "".join(f"{line}\n" for line in lines)
    return (
        "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%entry = OpLabel\n"
        f"{body}OpReturn\nOpFunctionEnd\n"
    )


def _chained_lengths(count: int) -> str:
    chain = "".join(f"%c{at + 1} = OpSpecConstantOp %uint IAdd %c{at} %two\n" for at in range(count))
    return f"{_LIBRARY}{_TYPES}%c0 = OpSpecConstant %uint 2\n{chain}%a = OpTypeArray %float %c{count}\n"


def _structures(count: int, storage: str, members: int) -> str:
    """Structures each of which has the one before as its members, laid out as a block."""
    offsets = "".join(
        f"OpMemberDecorate %s{at} {member} Offset {member << min(at, 20) + 2}\n"
        for at in range(count + 1)
        for member in range(members)
    )
    nested = "".join(f"%s{at + 1} = OpTypeStruct{f' %s{at}' * members}\n" for at in range(count))
    return (
        f"{_SHADER}{offsets}OpDecorate %s{count} Block\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n{_TYPES}"
        f"%s0 = OpTypeStruct{' %float' * members}\n{nested}%p = OpTypePointer {storage} %s{count}\n%v = OpVariable %p {storage}\n"
        f"%null = OpConstantNull %s{count}\n{_main()}"
    )


def _arrays(count: int, storage: str) -> str:
    nested = "".join(f"%a{at + 1} = OpTypeArray %a{at} %two\n" for at in range(count))
    return (
        f"{_SHADER}{_TYPES}%a0 = OpTypeArray %float %two\n{nested}%p = OpTypePointer {storage} %a{count}\n"
        f"%v = OpVariable %p {storage}\n{_main()}"
    )


def _pointers(count: int) -> str:
    nested = "".join(f"%p{at + 1} = OpTypePointer Private %p{at}\n" for at in range(count))
    return f"{_SHADER}{_TYPES}%p0 = OpTypePointer Private %float\n{nested}%v = OpVariable %p{count} Private\n{_main('OpCopyMemory %v %v')}"


def _composites(count: int) -> str:
    nested = "".join(f"%s{at + 1} = OpTypeStruct %s{at}\n%c{at + 1} = OpConstantComposite %s{at + 1} %c{at}\n" for at in range(count))
    return (
        f"{_SHADER}{_TYPES}%s0 = OpTypeStruct %float\n%c0 = OpConstantComposite %s0 %f1\n{nested}"
        f"%p = OpTypePointer Private %s{count}\n%v = OpVariable %p Private %c{count}\n{_main()}"
    )


_POINTER_TO_ITSELF = """OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpTypeForwardPointer %p CrossWorkgroup
%p = OpTypePointer CrossWorkgroup %p
%v = OpVariable %p CrossWorkgroup
"""

_MODULES = {
    "lengths": _chained_lengths(1000),
    "uniform structures": _structures(1000, "Uniform", 1),
    "input structures": _structures(1000, "Input", 1),
    "uniform structures of two": _structures(60, "Uniform", 2),
    "private structures of two": _structures(60, "Private", 2),
    "input structures of two": _structures(60, "Input", 2),
    "arrays": _arrays(1000, "Private"),
    "output arrays": _arrays(1000, "Output"),
    "pointers": _pointers(1000),
    "composites": _composites(1000),
    "a pointer to itself": _POINTER_TO_ITSELF + _main("OpCopyMemory %v %v"),
    "an undeclared pointer to itself": f"{_SHADER}%p = OpTypePointer Private %p\n%v = OpVariable %p Private\n{_main('OpCopyMemory %v %v')}",
    "components": f"{_SHADER}OpDecorate %v Location 0\n{_TYPES}%long = OpTypeVector %float 2147483652\n"
    f"%p = OpTypePointer Output %long\n%v = OpVariable %p Output\n%null = OpConstantNull %long\n"
    f"%sum = OpSpecConstantOp %long FAdd %f1 %f1\n{_main()}",
    "an index": f"{_SHADER}{_TYPES}%least = OpConstant %int -2147483648\n%s = OpTypeStruct %float\n%p = OpTypePointer Private %s\n"
    f"%pf = OpTypePointer Private %float\n%v = OpVariable %p Private\n{_main('%x = OpAccessChain %pf %v %least')}",
    "widths": f"{_LIBRARY}%none = OpTypeInt 0 1\n%x = OpConstant %none 3\n%wide = OpTypeInt 4294967295 1\n%y = OpConstantNull %wide\n"
    f"%z = OpSpecConstantOp %wide IAdd %y %y\n{_main('%q = OpSDiv %wide %y %y')}",
}


@pytest.mark.parametrize("environment", ["spv1.6", "vulkan1.2"])
@pytest.mark.parametrize("name", _MODULES)
def test_depth_and_sharing_are_followed(name: str, environment: str) -> None:
    found = validate(_MODULES[name], target_env=environment)
    assert [item.message for item in found if item.rule == RULE_FAILED] == []


_PHYSICAL = """OpCapability Shader
OpCapability Addresses
OpCapability PhysicalStorageBufferAddresses
OpCapability VulkanMemoryModel
OpCapability Linkage
OpMemoryModel PhysicalStorageBuffer64 Vulkan
%uint = OpTypeInt 32 0
%four = OpConstant %uint 4
%p = OpTypePointer PhysicalStorageBuffer %uint
%void = OpTypeVoid
%fn = OpTypeFunction %void %p %p
%f = OpFunction %void None %fn
%a = OpFunctionParameter %p
%b = OpFunctionParameter %p
%entry = OpLabel
%x = OpLoad %uint %a Volatile
OpStore %a %x Nontemporal
OpCopyMemory %a %b Volatile
OpCopyMemorySized %a %b %four MakePointerVisible|Volatile %four
OpReturn
OpFunctionEnd
"""


def test_memory_operands_of_a_binary_are_named() -> None:
    found = validate(spvls.assemble(_PHYSICAL, target_env="spv1.6"))
    assert [item.message for item in found if item.rule == RULE_FAILED] == []
    assert any("Aligned" in item.message for item in found)
    assert any("NonPrivatePointer" in item.message for item in found)
