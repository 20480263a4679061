"""Parts of modules for the tests of several subjects: extended instruction sets."""

from __future__ import annotations

EXT_INST_GLSL = '%set = OpExtInstImport "GLSL.std.450"'


def ext_inst_shader(body: str, *, declarations: str = "", imports: str = EXT_INST_GLSL, strings: str = "") -> str:
    """A fragment shader around `body`."""
    return f"""
OpCapability Shader
OpCapability Float64
OpCapability Int64
{imports}
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %input
OpExecutionMode %main OriginUpperLeft
{strings}
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%i32 = OpTypeInt 32 1
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%vec2 = OpTypeVector %f32 2
%vec3 = OpTypeVector %f32 3
%ivec2 = OpTypeVector %i32 2
%mat2 = OpTypeMatrix %vec2 2
%mat3x2 = OpTypeMatrix %vec2 3
%split = OpTypeStruct %f32 %i32
%halves = OpTypeStruct %f32 %f32
%input_type = OpTypePointer Input %f32
%input = OpVariable %input_type Input
%local_type = OpTypePointer Function %f32
%local_int_type = OpTypePointer Function %i32
%one = OpConstant %f32 1
%double = OpConstant %f64 1
%int_1 = OpConstant %i32 1
%uint_1 = OpConstant %u32 1
%long = OpConstant %u64 1
%v2 = OpConstantComposite %vec2 %one %one
%v3 = OpConstantComposite %vec3 %one %one %one
%iv2 = OpConstantComposite %ivec2 %int_1 %int_1
%m2 = OpConstantComposite %mat2 %v2 %v2
%m3x2 = OpConstantComposite %mat3x2 %v2 %v2 %v2
{declarations}
%main = OpFunction %void None %main_type
%entry = OpLabel
%local = OpVariable %local_type Function
%local_int = OpVariable %local_int_type Function
{body}
OpReturn
OpFunctionEnd
"""
