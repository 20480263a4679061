"""Parts of modules for the tests of several subjects: pointer."""

from __future__ import annotations

from tests.validate.shaders import shader

POINTER_DECLARATIONS = """
    %block = OpTypeStruct %uint %uint
    %to_block = OpTypePointer StorageBuffer %block
    %to_uint = OpTypePointer StorageBuffer %uint
    %also_to_uint = OpTypePointer StorageBuffer %uint
    %shared = OpTypePointer Workgroup %uint
    %private = OpTypePointer Private %uint
    %x = OpVariable %to_block StorageBuffer
    %y = OpVariable %to_block StorageBuffer
    %w = OpVariable %shared Workgroup
    %v = OpVariable %private Private
    %other = OpVariable %private Private
"""
POINTER_MEMBERS = """
    %m = OpAccessChain %to_uint %x %zero
    %n = OpAccessChain %to_uint %x %one
    %o = OpAccessChain %also_to_uint %x %one
    %k = OpAccessChain %to_uint %y %one
"""
POINTER_LAYOUT = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset 4"


def pointer_module(line: str, capabilities: str = "VariablePointersStorageBuffer") -> str:
    return shader(POINTER_MEMBERS + line, POINTER_DECLARATIONS, capabilities=capabilities, annotations=POINTER_LAYOUT, interface="%x %y %w %v %other")
