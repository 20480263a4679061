"""Rules of `pointer/conversion`: conversion to and from integers and Generic."""

from __future__ import annotations

import spvls

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


def test_addresses_have_64_bits_in_vulkan() -> None:
    text = _ADDRESSING.format(line="%r = OpConvertPtrToU %uint %p")
    found = spvls.validate(text, target_env="vulkan1.2")
    assert found[0].vuid == "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710"
