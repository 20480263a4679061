"""Parts of modules for the tests of several subjects: block layout."""

from __future__ import annotations

BLOCK_LAYOUT_HEAD = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
"""

BLOCK_LAYOUT_TYPES = """
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%n = OpConstant %uint 4
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%mat = OpTypeMatrix %vec3 3
%array = OpTypeArray %float %n
"""

BLOCK_LAYOUT_BLOCK = """
OpDecorate %block Block
OpDecorate %var DescriptorSet 0
OpDecorate %var Binding 0
"""

BLOCK_LAYOUT_MAIN = """
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def block_layout_buffer(decorations: str, members: str, storage: str = "Uniform") -> str:
    return (
        f"{BLOCK_LAYOUT_HEAD}{BLOCK_LAYOUT_BLOCK}{decorations}{BLOCK_LAYOUT_TYPES}%block = OpTypeStruct {members}\n"
        f"%ptr = OpTypePointer {storage} %block\n%var = OpVariable %ptr {storage}\n{BLOCK_LAYOUT_MAIN}"
    )


def block_layout_offsets(*offsets: int) -> str:
    return "".join(f"OpMemberDecorate %block {at} Offset {offset}\n" for at, offset in enumerate(offsets))
