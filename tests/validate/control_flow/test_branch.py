"""Each rule of control flow finds the body of a function that breaks it, and only that."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.control_flow import CONTROL_FLOW_GOOD, control_flow_module

BAD = {
    "control-flow/branch-targets-label": "OpBranch %one ; error: control-flow/branch-targets-label `%one`",
    "control-flow/branch-condition-is-bool": (
        "OpSelectionMerge %end None\nOpBranchConditional %one %a %end ; error: control-flow/branch-condition-is-bool `%one`\n"
        "%a = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/branch-labels-differ": "OpBranchConditional %yes %end %end ; error: control-flow/branch-labels-differ `%end`\n%end = OpLabel\nOpReturn",
    "control-flow/branch-weights-are-paired": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end 1 ; error: control-flow/branch-weights-are-paired `1`\n%a = OpLabel\n"
        "OpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/loop-merge-blocks-differ": (
        "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %end None ; error: control-flow/loop-merge-blocks-differ `%end`\n"
        "OpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/loop-controls-do-not-conflict": CONTROL_FLOW_GOOD["loop"].replace("Unroll", "Unroll|DontUnroll ; error: control-flow/loop-controls-do-not-conflict `Unroll|DontUnroll`"),
    "control-flow/entry-block-is-not-targeted": "OpBranch %entry ; error: control-flow/entry-block-is-not-targeted `%entry`",
    "control-flow/dominators-come-first": (
        "OpBranch %b\n%a = OpLabel\nOpReturn\n%b = OpLabel ; error: control-flow/dominators-come-first `OpLabel`\nOpBranch %a"
    ),
    "control-flow/merge-block-has-one-header": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\n"
        "OpSelectionMerge %end None ; error: control-flow/merge-block-has-one-header `%end`\nOpBranchConditional %yes %b %end\n"
        "%b = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/back-edge-targets-loop-header": (
        "OpBranch %a\n%a = OpLabel\nOpBranch %b\n%b = OpLabel ; error: control-flow/back-edge-targets-loop-header\nOpBranch %a"
    ),
    "control-flow/loop-has-one-back-edge": (
        "OpBranch %head\n%head = OpLabel ; error: control-flow/loop-has-one-back-edge\nOpLoopMerge %end %next None\nOpBranch %end\n"
        "%next = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/header-dominates-merge-block": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %b\n%a = OpLabel\nOpSelectionMerge %c None\n"
        "OpBranchConditional %yes %d %c\n%d = OpLabel\nOpBranch %c\n%b = OpLabel\nOpBranch %c\n"
        "%c = OpLabel ; error: control-flow/header-dominates-merge-block\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/construct-exit-is-structured": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\nOpSelectionMerge %c None\n"
        "OpBranchConditional %yes %b %c\n%b = OpLabel ; error: control-flow/construct-exit-is-structured\nOpBranch %end\n%c = OpLabel\nOpBranch %end\n"
        "%end = OpLabel\nOpReturn"
    ),
    "control-flow/nested-merge-stays-in-construct": (
        "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\nOpBranch %body\n"
        "%body = OpLabel ; error: control-flow/nested-merge-stays-in-construct\nOpSelectionMerge %next None\nOpBranchConditional %yes %a %next\n"
        "%a = OpLabel\nOpBranch %next\n%next = OpLabel\nOpBranchConditional %yes %head %end\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/fall-through-follows-case-order": (
        "OpSelectionMerge %end None\nOpSwitch %one %end 0 %a 1 %b 2 %c ; error: control-flow/fall-through-follows-case-order\n%a = OpLabel\nOpBranch %c\n"
        "%b = OpLabel\nOpBranch %end\n%c = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/branch-requires-merge": (
        "OpBranchConditional %yes %a %b ; error: control-flow/branch-requires-merge\n%a = OpLabel\nOpReturn\n%b = OpLabel\nOpReturn"
    ),
    "control-flow/switch-requires-merge": "OpSwitch %one %a ; error: control-flow/switch-requires-merge\n%a = OpLabel\nOpReturn",
    "control-flow/back-edge-post-dominates-continue": (
        "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\nOpBranch %body\n%body = OpLabel\nOpBranch %next\n"
        "%next = OpLabel\nOpSelectionMerge %join None\nOpBranchConditional %yes %out %join\n%out = OpLabel\nOpReturn\n"
        "%join = OpLabel ; error: control-flow/back-edge-post-dominates-continue\nOpBranch %head\n%end = OpLabel\nOpReturn"
    ),
    "control-flow/switch-selector-is-integer": (
        "%x = OpUndef %bool\nOpSelectionMerge %end None\nOpSwitch %x %end ; error: control-flow/switch-selector-is-integer `%x`\n"
        "%end = OpLabel\nOpReturn"
    ),
    "control-flow/phi-names-each-predecessor-once": CONTROL_FLOW_GOOD["phi"].replace("%two %a", "; error: control-flow/phi-names-each-predecessor-once `OpPhi`"),
    "control-flow/phi-values-match-result": CONTROL_FLOW_GOOD["phi"].replace("%int %one %entry", "%int %half %entry").replace(
        "%two %a", "%two %a ; error: control-flow/phi-values-match-result `%half`"
    ),
    "control-flow/phi-type-is-permitted": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\nOpBranch %end\n%end = OpLabel\n"
        "%x = OpPhi %ptr %v %entry %v %a ; error: control-flow/phi-type-is-permitted `%ptr` ; error: pointer/logical-operand-is-permitted\nOpReturn"
    ),
    "function/non-void-function-returns-value": "OpReturnValue %one ; error: function/returned-value-matches-function `%one`",
    "id/definition-dominates-uses": (
        "OpSelectionMerge %end None\nOpBranchConditional %yes %a %end\n%a = OpLabel\n%x = OpIAdd %int %one %one\nOpBranch %end\n"
        "%end = OpLabel\n%y = OpIAdd %int %x %one ; error: id/definition-dominates-uses `%x`\nOpReturn"
    ),
    "id/is-defined-before-use": "%y = OpIAdd %int %nothing %one ; error: id/is-defined-before-use `%nothing`\nOpReturn",
    "id/is-defined-once": (
        "%y = OpIAdd %int %one %one\n%y = OpIAdd %int %one %one ; error: id/is-defined-once `%y`\nOpReturn"
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad(name: str) -> None:
    body = BAD[name]
    if name == "control-flow/phi-type-is-permitted":
        body = f"%v = OpVariable %ptr Function\n{body}"
    check(control_flow_module(body), env="spv1.6")
