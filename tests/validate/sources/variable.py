"""Parts of modules for the tests of several subjects: variable."""

from __future__ import annotations

from tests.validate.shaders import shader

VARIABLE_BLOCKS = """
    %block = OpTypeStruct %float
    %open = OpTypeRuntimeArray %float
    %open_block = OpTypeStruct %open
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %images = OpTypeRuntimeArray %image
"""
VARIABLE_BLOCK_DECORATIONS = """
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %open_block Block
    OpMemberDecorate %open_block 0 Offset 0
    OpDecorate %open ArrayStride 4
"""
VARIABLE_BOUND = "OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 0"


def bound_variable(storage: str, held: str, comment: str = "", annotations: str = VARIABLE_BOUND, capabilities: str = "") -> str:
    lines = f"%p = OpTypePointer {storage} {held}\n%x = OpVariable %p {storage}{comment}"
    return shader("", VARIABLE_BLOCKS + lines, annotations=VARIABLE_BLOCK_DECORATIONS + annotations, capabilities=capabilities)
