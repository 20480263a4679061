"""Blocks are split at the cursor, and merged into the one before them."""

from __future__ import annotations

import pytest

from tests.ide.refactor.shaders import body, keys, shader

_IF = """\
%a = OpLoad %float %in
%c = OpFOrdLessThan %bool %a %one{cursor}
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
%x = OpFAdd %float %a %one
OpBranch %end
%end = OpLabel
%r = OpPhi %float %a %entry %x %then
OpStore %out %r"""


def test_a_block_is_split_and_the_phis_after_it_follow() -> None:
    assert body(shader(_IF.format(cursor="‸")), "split-block")[2:] == [
        "%a = OpLoad %float %in",
        "OpBranch %entry_rest",
        "%entry_rest = OpLabel",
        "%c = OpFOrdLessThan %bool %a %one",
        "OpSelectionMerge %end None",
        "OpBranchConditional %c %then %end",
        "%then = OpLabel",
        "%x = OpFAdd %float %a %one",
        "OpBranch %end",
        "%end = OpLabel",
        "%r = OpPhi %float %a %entry_rest %x %then",
        "OpStore %out %r",
        "OpReturn",
        "OpFunctionEnd",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "‸%v = OpVariable %local_float Function\nOpStore %v %one",
        "OpBranch %h\n%h = OpLabel\n‸%x = OpFAdd %float %one %one\nOpLoopMerge %end %h None\nOpBranchConditional %true %h %end\n%end = OpLabel",
        _IF.format(cursor="").replace("%r = OpPhi", "‸%r = OpPhi"),
        _IF.format(cursor="").replace("OpBranchConditional", "‸OpBranchConditional"),
    ],
)
def test_what_must_stay_together_is_not_split(lines: str) -> None:
    assert "split-block" not in keys(shader(lines))


def test_a_block_is_merged_into_the_only_one_before_it() -> None:
    lines = "OpStore %out %one\nOpBranch %next\n‸%next = OpLabel\n%r = OpPhi %float %zero %entry\nOpStore %out %r ; again"
    text = shader(lines, annotations='OpName %next "next"')
    assert body(text, "merge-blocks")[2:] == ["OpStore %out %one", "OpStore %out %zero ; again", "OpReturn", "OpFunctionEnd"]


def test_a_block_that_stands_elsewhere_is_moved() -> None:
    lines = """\
OpSelectionMerge %end None
OpBranchConditional %true %then %end
%then = OpLabel
OpBranch %far
%end = OpLabel
OpStore %out %zero
OpReturn
‸%far = OpLabel
OpStore %out %one
; far away
OpBranch %other
%other = OpLabel"""
    text = shader(lines)
    assert body(text, "merge-blocks")[4:] == [
        "%then = OpLabel",
        "OpStore %out %one",
        "; far away",
        "OpBranch %other",
        "%end = OpLabel",
        "OpStore %out %zero",
        "OpReturn",
        "%other = OpLabel",
        "OpReturn",
        "OpFunctionEnd",
    ]


@pytest.mark.parametrize("label", ["%then", "%end"])
def test_what_is_reached_in_another_way_is_not_merged(label: str) -> None:
    text = shader(_IF.format(cursor="").replace(f"{label} = OpLabel", f"‸{label} = OpLabel"))
    assert "merge-blocks" not in keys(text)
