"""A branch that only chooses becomes OpSelect, and OpSelect a branch; instructions are wrapped in constructs."""

from __future__ import annotations

import pytest

from tests.ide.refactor.shaders import body, changed, keys, shader

_IF = """\
%a = OpLoad %float %in
%c = OpFOrdLessThan %bool %a %one
OpSelectionMerge %end None
OpBranchConditional‸ %c %then %{no}
%then = OpLabel
{then}
OpBranch %end
{other}%end = OpLabel
%r = OpPhi %{type} {values}
{store}"""


def branching(then: str, other: str = "", values: str = "%a %entry %x %then", type_: str = "float", store: str = "OpStore %out %r") -> str:
    no = "other" if other else "end"
    return _IF.format(then=then, other=other, values=values, type=type_, store=store, no=no)


def test_a_triangle_becomes_a_selection() -> None:
    assert body(shader(branching("%x = OpFAdd %float %a %one ; more")), "if-to-select")[2:] == [
        "%a = OpLoad %float %in",
        "%c = OpFOrdLessThan %bool %a %one",
        "%x = OpFAdd %float %a %one ; more",
        "%r = OpSelect %float %c %x %a",
        "OpBranch %end",
        "%end = OpLabel",
        "OpStore %out %r",
        "OpReturn",
        "OpFunctionEnd",
    ]


def test_a_diamond_becomes_a_selection() -> None:
    other = "%other = OpLabel\n%y = OpFMul %float %a %a\nOpBranch %end\n"
    text = shader(branching("%x = OpFAdd %float %a %one", other, "%y %other %x %then"))
    assert body(text, "if-to-select")[4:7] == ["%x = OpFAdd %float %a %one", "%y = OpFMul %float %a %a", "%r = OpSelect %float %c %x %y"]


def test_before_version_1_4_a_vector_is_chosen_by_a_vector() -> None:
    lines = branching("%x = OpCompositeConstruct %vec2 %a %a", values="%v %entry %x %then", type_="vec2", store="")
    text = "; SPIR-V\n; Version: 1.3\n" + shader(lines, "%v = OpConstantComposite %vec2 %one %one")
    assert changed(text, "if-to-select")[1] == [
        "%v2bool = OpTypeVector %bool 2",
        "%c_each = OpCompositeConstruct %v2bool %c %c",
        "%r = OpSelect %vec2 %c_each %x %v",
    ]
    newer = text.replace("Version: 1.3", "Version: 1.4")
    assert changed(newer, "if-to-select")[1] == ["%r = OpSelect %vec2 %c %x %v"]


@pytest.mark.parametrize(
    "then",
    ["%x = OpFAdd %float %a %one\nOpStore %out %x", "%i = OpConvertFToS %int %a\n%d = OpSDiv %int %i %i\n%x = OpConvertSToF %float %d"],
)
def test_what_has_an_effect_stays_a_branch(then: str) -> None:
    assert "if-to-select" not in keys(shader(branching(then)))


def test_a_selection_becomes_a_branch() -> None:
    text = shader("%a = OpLoad %float %in\n%c = OpFOrdLessThan %bool %a %one\n%r = OpSelect‸ %float %c %a %one\nOpStore %out %r")
    assert body(text, "select-to-if")[4:-3] == [
        "OpSelectionMerge %r_end None",
        "OpBranchConditional %c %r_then %r_else",
        "%r_then = OpLabel",
        "OpBranch %r_end",
        "%r_else = OpLabel",
        "OpBranch %r_end",
        "%r_end = OpLabel",
        "%r = OpPhi %float %a %r_then %one %r_else",
    ]


def test_a_selection_by_components_stays() -> None:
    declarations = "%bvec2 = OpTypeVector %bool 2\n%both = OpConstantComposite %bvec2 %true %true\n%v = OpConstantComposite %vec2 %one %one"
    assert "select-to-if" not in keys(shader("%r = OpSelect‸ %vec2 %both %v %v", declarations))


# Wrapping

_RUN = "%a = OpLoad %float %in\n«%b = OpFAdd %float %a %one\nOpStore %out %b ; done\n»%c = OpFOrdLessThan %bool %a %one"


def test_instructions_are_wrapped_in_a_selection() -> None:
    assert body(shader(_RUN), "wrap-in-if")[3:-3] == [
        "OpSelectionMerge %end_if None",
        "OpBranchConditional %true %then %end_if",
        "%then = OpLabel",
        "%b = OpFAdd %float %a %one",
        "OpStore %out %b ; done",
        "OpBranch %end_if",
        "%end_if = OpLabel",
    ]


def test_instructions_are_wrapped_in_a_loop() -> None:
    text = shader(_RUN)
    assert body(text, "wrap-in-loop")[3:-3] == [
        "OpBranch %loop",
        "%loop = OpLabel",
        "OpLoopMerge %end_loop %loop_continue None",
        "OpBranch %loop_body",
        "%loop_body = OpLabel",
        "%b = OpFAdd %float %a %one",
        "OpStore %out %b ; done",
        "OpBranch %loop_continue",
        "%loop_continue = OpLabel",
        "OpBranchConditional %false %loop %end_loop",
        "%end_loop = OpLabel",
    ]
    assert "%false = OpConstantFalse %bool" in changed(text, "wrap-in-loop")[1]


def test_what_is_used_after_the_selection_is_not_wrapped() -> None:
    assert "wrap-in-if" not in keys(shader("%a = OpLoad %float %in\n«%b = OpFAdd %float %a %one\n»OpStore %out %b"))
