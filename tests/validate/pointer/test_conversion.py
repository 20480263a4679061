"""Rules of `pointer/conversion`: conversion to and from integers and Generic."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader

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
        "%r = OpConvertPtrToU %float %p ; error: pointer/conversion-types-match `%float`",
        "%r = OpConvertPtrToU %ulong %u ; error: pointer/conversion-types-match `%u`",
        "%r = OpConvertUToPtr %ulong %l ; error: pointer/conversion-types-match `%ulong`",
        "%r = OpConvertUToPtr %pointer %f ; error: pointer/conversion-types-match `%f`",
        "%r = OpBitcast %pointer %v2 ; error: computation/bitcast-keeps-bit-count `%v2`",
        "%r = OpBitcast %float %p ; error: computation/bitcast-keeps-bit-count `%float`",
    ],
)
def test_pointers(line: str) -> None:
    check(_ADDRESSING.format(line=line), env="spv1.3")


def test_addresses_have_64_bits_in_vulkan() -> None:
    text = _ADDRESSING.format(line="%r = OpConvertPtrToU %uint %p ; error: pointer/conversion-types-match `%uint`")
    found = check(text, env="vulkan1.2")
    assert found[0].vuid == "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710"


def test_logical_pointers_are_no_numbers() -> None:
    body = """
        %p = OpVariable %local Function
        %r = OpConvertPtrToU %uint %p ; error: pointer/conversion-types-match
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
        "%r = OpPtrCastToGeneric %local %p ; error: pointer/conversion-types-match `%local`",
        "%r = OpPtrCastToGeneric %generic_float %p ; error: pointer/conversion-types-match `%p`",
        "%r = OpGenericCastToPtr %local %p ; error: pointer/conversion-types-match `%p`",
        "%r = OpGenericCastToPtrExplicit %local %g Workgroup ; error: pointer/conversion-types-match `%local`",
        "%r = OpSatConvertSToU %uint %f ; error: computation/conversion-types-match `%f`",
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
