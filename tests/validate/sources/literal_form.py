"""Parts of modules for the tests of several subjects: literal form."""

from __future__ import annotations

import struct

import spvls

LITERAL_FORM_TEXT = """\
OpCapability Shader
OpCapability Int16
OpCapability Float16
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %main "abc"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%ushort = OpTypeInt 16 0
%short = OpTypeInt 16 1
%half = OpTypeFloat 16
%u = OpConstant %ushort 4660
%s = OpConstant %short -2
%h = OpConstant %half 1
%main = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpSwitch %u %end 4661 %end
%end = OpLabel
OpReturn
OpFunctionEnd
"""
LITERAL_FORM_SCHEMA, LITERAL_FORM_NAME = 4, b"abc\0"


def literal_form_words() -> list[int]:
    data = spvls.assemble(LITERAL_FORM_TEXT, target_env="spv1.0")
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def literal_form_found(words: list[int]) -> list[str]:
    return [diagnostic.rule for diagnostic in spvls.validate(struct.pack(f"<{len(words)}I", *words))]
