"""Parts of modules for the tests of several subjects: interface."""

from __future__ import annotations

INTERFACE_TYPES = """
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

INTERFACE_MODES = {"Fragment": "OpExecutionMode %main OriginUpperLeft", "Vertex": ""}


def interface_module(interface: str, decorations: str, variables: str, body: str = "", model: str = "Fragment", entry: str = "") -> str:
    return (
        f'OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint {model} %main "main" {interface} {entry}\n'
        f"{INTERFACE_MODES[model]}\n{decorations}\n{INTERFACE_TYPES}\n{variables}\n"
        f"%main = OpFunction %void None %fn\n%entry = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n"
    )


INTERFACE_IN = "%a = OpVariable %in_float Input"
