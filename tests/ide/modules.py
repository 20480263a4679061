"""A module for the tests of features, small enough to have in mind."""

from __future__ import annotations

SHADER = """\
; SPIR-V
; Version: 1.3
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %colour
OpExecutionMode %main OriginUpperLeft
%file = OpString "lit.frag"
OpName %main "main"
OpName %colour "out_colour"
OpDecorate %in Location 3
OpDecorate %colour Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%v4 = OpTypeVector %float 4
%pin = OpTypePointer Input %v4
%pout = OpTypePointer Output %v4
%in = OpVariable %pin Input
%colour = OpVariable %pout Output
%half = OpConstant %float 0.5
%scope = OpConstant %uint 1
%acquire = OpConstant %uint 72
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpLoad %v4 %in Volatile|Aligned 4
%b = OpExtInst %v4 %glsl Sqrt %a
OpMemoryBarrier %scope %acquire
OpStore %colour %b
OpReturn
OpFunctionEnd
"""
