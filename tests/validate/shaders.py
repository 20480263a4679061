"""Modules for the tests of rules on single instructions: all that these need around them, and undefined values to work on."""

from __future__ import annotations

_SHADER = """\
OpCapability Shader
OpCapability Int64
{capabilities}
{extensions}
OpMemoryModel Logical {memory_model}
OpEntryPoint {model} %main "main" {interface}
{modes}
{annotations}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%bvec2 = OpTypeVector %bool 2
%ivec2 = OpTypeVector %int 2
%uvec2 = OpTypeVector %uint 2
%uvec3 = OpTypeVector %uint 3
%uvec4 = OpTypeVector %uint 4
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%mat2x3 = OpTypeMatrix %vec3 2
%mat3x2 = OpTypeMatrix %vec2 3
%mat2x2 = OpTypeMatrix %vec2 2
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%three = OpConstant %uint 3
%four = OpConstant %uint 4
%true = OpConstantTrue %bool
%b = OpUndef %bool
%b2 = OpUndef %bvec2
%i = OpUndef %int
%i2 = OpUndef %ivec2
%u = OpUndef %uint
%u2 = OpUndef %uvec2
%u4 = OpUndef %uvec4
%l = OpUndef %ulong
%f = OpUndef %float
%v2 = OpUndef %vec2
%v3 = OpUndef %vec3
%v4 = OpUndef %vec4
%m2x3 = OpUndef %mat2x3
%m3x2 = OpUndef %mat3x2
%m2x2 = OpUndef %mat2x2
{declarations}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
{end}
OpFunctionEnd
{functions}
"""

_KERNEL = """\
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
{capabilities}
{extensions}
OpMemoryModel {addressing} OpenCL
{annotations}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%b = OpUndef %bool
%u = OpUndef %uint
%l = OpUndef %ulong
%f = OpUndef %float
{declarations}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
{functions}
"""


def _lines(opcode: str, names: str) -> str:
    return "\n".join(f"{opcode} {name}" for name in names.split())


def _extensions(names: str) -> str:
    return "\n".join(f'OpExtension "{name}"' for name in names.split())


def shader(
    body: str,
    declarations: str = "",
    *,
    capabilities: str = "",
    extensions: str = "",
    memory_model: str = "GLSL450",
    model: str = "GLCompute",
    modes: str | None = None,
    interface: str = "",
    annotations: str = "",
    end: str = "OpReturn",
    functions: str = "",
) -> str:
    """A shader whose entry point has `body`, on values named for their types: `%f`, `%v4`, `%u2`, `%m2x3`."""
    if modes is None:
        modes = {"GLCompute": "OpExecutionMode %main LocalSize 1 1 1", "Fragment": "OpExecutionMode %main OriginUpperLeft"}.get(
            model, ""
        )
    return _SHADER.format(
        capabilities=_lines("OpCapability", capabilities),
        extensions=_extensions(extensions),
        memory_model=memory_model,
        model=model,
        modes=modes,
        interface=interface,
        annotations=annotations,
        declarations=declarations,
        body=body,
        end=end,
        functions=functions,
    )


def kernel(
    body: str,
    declarations: str = "",
    *,
    capabilities: str = "",
    extensions: str = "",
    addressing: str = "Physical32",
    annotations: str = "",
    functions: str = "",
) -> str:
    """An OpenCL kernel with `body`."""
    return _KERNEL.format(
        capabilities=_lines("OpCapability", capabilities),
        extensions=_extensions(extensions),
        addressing=addressing,
        annotations=annotations,
        declarations=declarations,
        body=body,
        functions=functions,
    )
