"""Conversions of numbers, pointers and bits."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpConvertFToU %uint %f",
        "%r = OpConvertFToS %ivec2 %v2",
        "%r = OpConvertSToF %float %u",
        "%r = OpUConvert %ulong %i",
        "%r = OpSConvert %int %l",
        "%r = OpQuantizeToF16 %float %f",
        "%r = OpConvertFToU %int %f ; error: conversion/numbers `%int`",
        "%r = OpConvertFToS %int %u ; error: conversion/numbers `%u`",
        "%r = OpConvertUToF %vec2 %u ; error: conversion/numbers `%u`",
        "%r = OpConvertSToF %uint %i ; error: conversion/numbers `%uint`",
        "%r = OpUConvert %uint %i ; error: conversion/numbers `%i`",
        "%r = OpUConvert %int %l ; error: conversion/numbers `%int`",
        "%r = OpFConvert %float %f ; error: conversion/numbers `%f`",
        "%r = OpFConvert %float %u ; error: conversion/numbers `%u`",
        "%r = OpQuantizeToF16 %vec2 %f ; error: conversion/numbers `%f`",
        "%r = OpBitcast %uint %f",
        "%r = OpBitcast %uvec2 %l",
        "%r = OpBitcast %uint %v2 ; error: conversion/bitcast `%v2`",
        "%r = OpBitcast %bool %f ; error: conversion/bitcast `%bool`",
        "%r = OpBitcast %uint %b ; error: conversion/bitcast `%b`",
    ],
)
def test_numbers(line: str) -> None:
    check(shader(line))


def test_constants_are_converted_by_the_same_rules() -> None:
    declarations = """
        %wide = OpSpecConstantOp %ulong UConvert %one
        %same = OpSpecConstantOp %uint UConvert %one ; error: conversion/numbers `%one`
    """
    check(shader("", declarations))


_ADDRESSING = """OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpExtension "SPV_KHR_physical_storage_buffer"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%uvec2 = OpTypeVector %uint 2
%vec2 = OpTypeVector %float 2
%pointer = OpTypePointer PhysicalStorageBuffer %uint
%local = OpTypePointer Function %uint
%u = OpUndef %uint
%l = OpUndef %ulong
%f = OpUndef %float
%u2 = OpUndef %uvec2
%v2 = OpUndef %vec2
%main = OpFunction %void None %fn
%entry = OpLabel
%variable = OpVariable %local Function
%p = OpConvertUToPtr %pointer %l
{line}
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpConvertPtrToU %ulong %p",
        "%r = OpBitcast %uvec2 %p",
        "%r = OpBitcast %pointer %u2",
        "%r = OpConvertPtrToU %float %p ; error: conversion/pointers `%float`",
        "%r = OpConvertPtrToU %ulong %u ; error: conversion/pointers `%u`",
        "%r = OpConvertUToPtr %ulong %l ; error: conversion/pointers `%ulong`",
        "%r = OpConvertUToPtr %pointer %f ; error: conversion/pointers `%f`",
        "%r = OpBitcast %pointer %v2 ; error: conversion/bitcast `%v2`",
        "%r = OpBitcast %float %p ; error: conversion/bitcast `%float`",
    ],
)
def test_pointers(line: str) -> None:
    check(_ADDRESSING.format(line=line), env="spv1.3")


def test_addresses_have_64_bits_in_vulkan() -> None:
    text = _ADDRESSING.format(line="%r = OpConvertPtrToU %uint %p ; error: conversion/pointers `%uint`")
    found = check(text, env="vulkan1.2")
    assert found[0].vuid == "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710"


def test_logical_pointers_are_no_numbers() -> None:
    body = """
        %p = OpVariable %local Function
        %r = OpConvertPtrToU %uint %p ; error: conversion/pointers
    """
    text = shader(body, "%local = OpTypePointer Function %uint", capabilities="PhysicalStorageBufferAddresses")
    check(text, env="spv1.5", options={"relax_logical_pointer": True})


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpPtrCastToGeneric %generic_uint %p",
        "%r = OpGenericCastToPtr %local %g",
        "%r = OpGenericCastToPtrExplicit %local %g Function",
        "%r = OpSatConvertSToU %uint %l",
        "%r = OpPtrCastToGeneric %local %p ; error: conversion/pointers `%local`",
        "%r = OpPtrCastToGeneric %generic_float %p ; error: conversion/pointers `%p`",
        "%r = OpGenericCastToPtr %local %p ; error: conversion/pointers `%p`",
        "%r = OpGenericCastToPtrExplicit %local %g Workgroup ; error: conversion/pointers `%local`",
        "%r = OpSatConvertSToU %uint %f ; error: conversion/numbers `%f`",
    ],
)
def test_generic_pointers(line: str) -> None:
    declarations = """
        %local = OpTypePointer Function %uint
        %generic_uint = OpTypePointer Generic %uint
        %generic_float = OpTypePointer Generic %float
    """
    body = f"%p = OpVariable %local Function\n%g = OpPtrCastToGeneric %generic_uint %p\n{line}"
    check(kernel(body, declarations, capabilities="GenericPointer Int64"), env="spv1.2")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpConvertUToAccelerationStructureKHR %as %l",
        "%r = OpConvertUToAccelerationStructureKHR %as %u2",
        "%r = OpConvertUToAccelerationStructureKHR %as %u ; error: conversion/acceleration-structure `%u`",
        "%r = OpConvertUToAccelerationStructureKHR %ulong %l ; error: conversion/acceleration-structure `%ulong`",
    ],
)
def test_acceleration_structures(line: str) -> None:
    declarations = "%as = OpTypeAccelerationStructureKHR"
    check(shader(line, declarations, capabilities="RayQueryKHR", extensions="SPV_KHR_ray_query"))


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpBitcastExtractEXT %small %u %zero",
        "%r = OpBitcastExtractEXT %small %u %f ; error: conversion/bitcast-extract `%f`",
        "%r = OpBitcastExtractEXT %float %u %zero ; error: conversion/bitcast-extract `%u`",
        "%r = OpBitcastExtractEXT %bool %u %zero ; error: conversion/bitcast-extract `%bool`",
    ],
)
def test_bitcast_extract(line: str) -> None:
    declarations = "%small = OpTypeFloat 4 Float4E2M1EXT"
    text = shader(
        line, declarations, capabilities="Float4EXT BitcastExtractEXT", extensions="SPV_EXT_ocp_microscaling_types"
    )
    check(text)
