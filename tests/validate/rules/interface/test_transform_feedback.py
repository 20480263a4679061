"""The valid usages of Vulkan that findings in captured outputs have."""

from __future__ import annotations

import pytest

import spvls

MODULE = """
OpCapability Shader
OpCapability TransformFeedback
OpMemoryModel Logical GLSL450
OpEntryPoint Geometry %main "main" %a %b
OpExecutionMode %main Xfb
OpExecutionMode %main Triangles
OpExecutionMode %main OutputPoints
OpExecutionMode %main OutputVertices 1
OpExecutionMode %main Invocations 1
OpDecorate %a XfbBuffer 0
OpDecorate %a XfbStride 16
OpDecorate %a Offset 0
{}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%pvec2 = OpTypePointer Output %vec2
%a = OpVariable %pvec2 Output
%b = OpVariable %pvec2 Output
%main = OpFunction %void None %fn
%label = OpLabel
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("decorations", "vuid"),
    [
        ("XfbBuffer 0|XfbStride 32|Offset 8", "VUID-StandaloneSpirv-XfbBuffer-04693"),
        ("XfbBuffer 0|XfbStride 16|Offset 8|Stream 1", "VUID-StandaloneSpirv-Stream-04694"),
        ("XfbBuffer 0|XfbStride 16|Offset 4", "VUID-StandaloneSpirv-XfbBuffer-04696"),
    ],
)
def test_a_fault_has_the_valid_usage_of_vulkan_that_says_so(decorations: str, vuid: str) -> None:
    text = MODULE.format("\n".join(f"OpDecorate %b {decoration}" for decoration in decorations.split("|")))
    rule = "interface/captured-outputs-fit-buffer"
    assert [found.vuid for found in spvls.validate(text, target_env="vulkan1.1") if found.rule == rule] == [vuid]
    assert [found.vuid for found in spvls.validate(text, target_env="spv1.3") if found.rule == rule] == [None]
