"""Parts of modules for the tests of several subjects: advice."""

from __future__ import annotations

ADVICE = {"advice": True}

ADVICE_FUNCTION = """\
OpCapability Shader
{more}
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
{names}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%one = OpConstant %float 1
%pointer = OpTypePointer Function %float
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"""


def advice_function(body: str, *, more: str = "", names: str = "") -> str:
    return ADVICE_FUNCTION.format(body=body, more=more, names=names)
