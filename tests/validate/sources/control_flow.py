"""Parts of modules for the tests of several subjects: control flow."""

from __future__ import annotations

CONTROL_FLOW_HEAD = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%yes = OpConstantTrue %bool
%one = OpConstant %int 1
%half = OpConstant %float 0.5
%ptr = OpTypePointer Function %int
%int_fn = OpTypeFunction %int
"""


def control_flow_module(body: str, more: str = "") -> str:
    return f"{CONTROL_FLOW_HEAD}%main = OpFunction %void None %fn\n%entry = OpLabel\n{body}\nOpFunctionEnd\n{more}"


CONTROL_FLOW_GOOD = {
    "selection": "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn",
    "loop": (
        "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next Unroll\nOpBranch %body\n%body = OpLabel\n"
        "OpBranchConditional %yes %end %next\n%next = OpLabel\nOpBranch %head\n%end = OpLabel\nOpReturn"
    ),
    "switch": (
        "OpSelectionMerge %end None\nOpSwitch %one %other 0 %a 1 %b\n%a = OpLabel\nOpBranch %b\n%b = OpLabel\n"
        "OpBranch %end\n%other = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "phi": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\n%two = OpIAdd %int %one %one\nOpBranch %end\n"
        "%end = OpLabel\n%x = OpPhi %int %one %entry %two %a\nOpReturn"
    ),
    "lifetime": "%v = OpVariable %ptr Function\nOpReturn",
}
