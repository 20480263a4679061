"""Rules of branches, merges, loops, selections, switches, phis and returns."""

from __future__ import annotations

import pytest

from tests.validate.check import check

_HEAD = """
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


def _module(body: str, more: str = "") -> str:
    return f"{_HEAD}%main = OpFunction %void None %fn\n%entry = OpLabel\n{body}\nOpFunctionEnd\n{more}"


GOOD = {
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

BAD = {
    "cfg/target-is-label": "OpBranch %one ; error: cfg/target-is-label `%one`",
    "cfg/condition-is-bool": (
        "OpSelectionMerge %end None\nOpBranchConditional %one %a %end ; error: cfg/condition-is-bool `%one`\n"
        "%a = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "cfg/branch-labels-differ": "OpBranchConditional %yes %end %end ; error: cfg/branch-labels-differ `%end`\n%end = OpLabel\nOpReturn",
    "cfg/branch-weights": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end 1 ; error: cfg/branch-weights `1`\n%a = OpLabel\n"
        "OpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "cfg/loop-merge-operands": (
        "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %end None ; error: cfg/loop-merge-operands `%end`\n"
        "OpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "cfg/loop-control": GOOD["loop"].replace("Unroll", "Unroll|DontUnroll ; error: cfg/loop-control `Unroll|DontUnroll`"),
    "cfg/entry-block-not-branched-to": "OpBranch %entry ; error: cfg/entry-block-not-branched-to `%entry`",
    "cfg/dominator-order": (
        "OpBranch %b\n%a = OpLabel\nOpReturn\n%b = OpLabel ; error: cfg/dominator-order `OpLabel`\nOpBranch %a"
    ),
    "cfg/merge-block-unique": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\n"
        "OpSelectionMerge %end None ; error: cfg/merge-block-unique `%end`\nOpBranchConditional %yes %b %end\n"
        "%b = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "cfg/back-edge-to-loop-header": (
        "OpBranch %a\n%a = OpLabel\nOpBranch %b\n%b = OpLabel ; error: cfg/back-edge-to-loop-header\nOpBranch %a"
    ),
    "cfg/one-back-edge-per-header": (
        "OpBranch %head\n%head = OpLabel ; error: cfg/one-back-edge-per-header\nOpLoopMerge %end %next None\nOpBranch %end\n"
        "%next = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "cfg/header-dominates-merge": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %b\n%a = OpLabel\nOpSelectionMerge %c None\n"
        "OpBranchConditional %yes %d %c\n%d = OpLabel\nOpBranch %c\n%b = OpLabel\nOpBranch %c\n"
        "%c = OpLabel ; error: cfg/header-dominates-merge\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "cfg/exit-is-listed-kind": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\nOpSelectionMerge %c None\n"
        "OpBranchConditional %yes %b %c\n%b = OpLabel ; error: cfg/exit-is-listed-kind\nOpBranch %end\n%c = OpLabel\nOpBranch %end\n"
        "%end = OpLabel\nOpReturn"
    ),
    "cfg/nested-header-contains-merge": (
        "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\nOpBranch %body\n"
        "%body = OpLabel ; error: cfg/nested-header-contains-merge\nOpSelectionMerge %next None\nOpBranchConditional %yes %a %next\n"
        "%a = OpLabel\nOpBranch %next\n%next = OpLabel\nOpBranchConditional %yes %head %end\n%end = OpLabel\nOpReturn"
    ),
    "cfg/switch-cases": (
        "OpSelectionMerge %end None\nOpSwitch %one %end 0 %a 1 %b 2 %c ; error: cfg/switch-cases\n%a = OpLabel\nOpBranch %c\n"
        "%b = OpLabel\nOpBranch %end\n%c = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "cfg/branch-needs-merge": (
        "OpBranchConditional %yes %a %b ; error: cfg/branch-needs-merge\n%a = OpLabel\nOpReturn\n%b = OpLabel\nOpReturn"
    ),
    "cfg/switch-needs-merge": "OpSwitch %one %a ; error: cfg/switch-needs-merge\n%a = OpLabel\nOpReturn",
    "cfg/back-edge-post-dominates-continue": (
        "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\nOpBranch %body\n%body = OpLabel\nOpBranch %next\n"
        "%next = OpLabel\nOpSelectionMerge %join None\nOpBranchConditional %yes %out %join\n%out = OpLabel\nOpReturn\n"
        "%join = OpLabel ; error: cfg/back-edge-post-dominates-continue\nOpBranch %head\n%end = OpLabel\nOpReturn"
    ),
    "cfg/selector-is-integer": (
        "%x = OpUndef %bool\nOpSelectionMerge %end None\nOpSwitch %x %end ; error: cfg/selector-is-integer `%x`\n"
        "%end = OpLabel\nOpReturn"
    ),
    "phi/parents": GOOD["phi"].replace("%two %a", "; error: phi/parents `OpPhi`"),
    "phi/value-type": GOOD["phi"].replace("%int %one %entry", "%int %half %entry").replace(
        "%two %a", "%two %a ; error: phi/value-type `%half`"
    ),
    "phi/result-type": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\nOpBranch %end\n%end = OpLabel\n"
        "%x = OpPhi %ptr %v %entry %v %a ; error: phi/result-type `%ptr` ; error: pointer/logical-operand-whitelist\nOpReturn"
    ),
    "function/return-void": "OpReturnValue %one ; error: function/return-value `%one`",
    "ssa/definition-dominates-use": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\n%x = OpIAdd %int %one %one\nOpBranch %end\n"
        "%end = OpLabel\n%y = OpIAdd %int %x %one ; error: ssa/definition-dominates-use `%x`\nOpReturn"
    ),
    "ssa/id-defined": "%y = OpIAdd %int %nothing %one ; error: ssa/id-defined `%nothing`\nOpReturn",
    "ssa/single-definition": (
        "%y = OpIAdd %int %one %one\n%y = OpIAdd %int %one %one ; error: ssa/single-definition `%y`\nOpReturn"
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_good(name: str) -> None:
    check(_module(GOOD[name]), env="spv1.6")


@pytest.mark.parametrize("name", BAD)
def test_bad(name: str) -> None:
    body = BAD[name]
    if name == "phi/result-type":
        body = f"%v = OpVariable %ptr Function\n{body}"
    check(_module(body), env="spv1.6")


def test_return_without_a_value_where_one_is_due() -> None:
    more = "%f = OpFunction %int None %int_fn\n%l = OpLabel\nOpReturn ; error: function/return-void\nOpFunctionEnd\n"
    check(_module("OpReturn", more), env="spv1.6")


def test_value_of_another_function() -> None:
    more = (
        "%f = OpFunction %int None %int_fn\n%l = OpLabel\nOpReturnValue %y ; error: ssa/result-local-to-function `%y`\n"
        "OpFunctionEnd\n"
    )
    check(_module("%y = OpIAdd %int %one %one\nOpReturn", more), env="spv1.6")


@pytest.mark.parametrize(("size", "error"), [("0", ""), ("4", " ; error: function/lifetime `4`")])
def test_lifetimes(size: str, error: str) -> None:
    check(
        f"""OpCapability Kernel
OpCapability Linkage
OpMemoryModel Logical OpenCL
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 0
%ptr = OpTypePointer Function %int
%f = OpFunction %void None %fn
%l = OpLabel
%v = OpVariable %ptr Function
OpLifetimeStart %v {size}{error}
OpReturn
OpFunctionEnd
"""
    )
