"""Parts of modules for the tests of several subjects: memory."""

from __future__ import annotations

from tests.validate.shaders import shader

MEMORY_DECLARATIONS = """
    %c = OpConstant %float 1
    %n16 = OpConstant %uint 16
    %minus = OpConstant %int -4
    %floats = OpTypeRuntimeArray %float
    %block = OpTypeStruct %uint %floats
    %flat = OpTypeStruct %uint %float
    %plain = OpTypeStruct %float
    %private = OpTypePointer Private %float
    %function = OpTypePointer Function %float
    %buffer = OpTypePointer StorageBuffer %block
    %uniform = OpTypePointer Uniform %flat
    %buffer_floats = OpTypePointer StorageBuffer %floats
    %input = OpTypePointer Input %float
    %workgroup = OpTypePointer Workgroup %float
    %ints = OpTypePointer Private %int
    %x = OpVariable %private Private
    %y = OpVariable %private Private
    %b1 = OpVariable %buffer StorageBuffer
    %u1 = OpVariable %uniform Uniform
    %in = OpVariable %input Input
    %w = OpVariable %workgroup Workgroup
    %j = OpVariable %ints Private
"""
MEMORY_LAYOUT = """
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpMemberDecorate %block 1 Offset 4
    OpDecorate %floats ArrayStride 4
    OpDecorate %flat Block
    OpMemberDecorate %flat 0 Offset 0
    OpMemberDecorate %flat 1 Offset 4
    OpDecorate %b1 DescriptorSet 0
    OpDecorate %b1 Binding 0
    OpDecorate %u1 DescriptorSet 0
    OpDecorate %u1 Binding 1
"""


def memory_module(body: str, *, memory_model: str = "GLSL450", capabilities: str = "", interface: str = "%in") -> str:
    return shader(
        body,
        MEMORY_DECLARATIONS,
        annotations=MEMORY_LAYOUT,
        memory_model=memory_model,
        capabilities=capabilities,
        interface=interface,
        model="Fragment",
    )
