"""Functions are extracted and inlined with all that belongs to them."""

from __future__ import annotations

import pytest

from tests.ide.refactor.shaders import body, changed, done, keys, shader

# Extracting


def test_a_run_of_instructions_becomes_a_function_with_parameters_and_a_result() -> None:
    text = shader("%a = OpLoad %float %in\n«%b = OpFMul %float %a %one\n; half of it\n%c = OpFAdd %float %b %a\n»OpStore %out %c")
    assert body(text, "extract-function")[2:] == [
        "%a = OpLoad %float %in",
        "%c = OpFunctionCall %float %extracted %a",
        "OpStore %out %c",
        "OpReturn",
        "OpFunctionEnd",
    ]
    assert body(text, "extract-function", "extracted") == [
        "%extracted = OpFunction %float None %extracted_type",
        "%a_1 = OpFunctionParameter %float",
        "%extracted_entry = OpLabel",
        "%b = OpFMul %float %a_1 %one",
        "; half of it",
        "%c_1 = OpFAdd %float %b %a_1",
        "OpReturnValue %c_1",
        "OpFunctionEnd",
    ]


def test_a_local_variable_is_passed_and_the_type_of_function_is_used_again() -> None:
    declarations = "%takes = OpTypeFunction %void %local_float"
    text = shader("%v = OpVariable %local_float Function\n«OpStore %v %one\n»OpStore %out %one", declarations)
    assert body(text, "extract-function", "extracted")[:2] == [
        "%extracted = OpFunction %void None %takes",
        "%v_1 = OpFunctionParameter %local_float",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "«%a = OpLoad %float %in\n%b = OpFAdd %float %a %a\n»%c = OpFAdd %float %a %b",
        "«%v = OpVariable %local_float Function\n»OpStore %v %one",
        "«OpStore %out %one\nOpReturn\n»OpFunctionEnd\n%f = OpFunction %void None %fn\n%g = OpLabel",
    ],
)
def test_what_cannot_be_a_function_is_not_offered(lines: str) -> None:
    assert "extract-function" not in keys(shader(lines))


_IF = """\
%a = OpLoad %float %in
%c = OpFOrdLessThan %bool %a %one
OpBranch %head
«%head = OpLabel
OpSelectionMerge %end None
OpBranchConditional %c %then %else
%then = OpLabel
%x = OpFAdd %float %a %one
OpBranch %end
%else = OpLabel
%y = OpFMul %float %a %a
OpBranch %end
»%end = OpLabel
%r = OpPhi %float %x %then %y %else
OpStore %out %r"""


def test_blocks_with_one_way_in_and_out_become_a_function() -> None:
    text = shader(_IF)
    assert body(text, "extract-function")[4:] == [
        "OpBranch %head",
        "%head = OpLabel",
        "%r = OpFunctionCall %float %extracted %c %a",
        "OpBranch %end",
        "%end = OpLabel",
        "OpStore %out %r",
        "OpReturn",
        "OpFunctionEnd",
    ]
    assert body(text, "extract-function", "extracted")[3:] == [
        "%extracted_entry = OpLabel",
        "OpSelectionMerge %extracted_exit None",
        "OpBranchConditional %c_1 %then %else",
        "%then = OpLabel",
        "%x = OpFAdd %float %a_1 %one",
        "OpBranch %extracted_exit",
        "%else = OpLabel",
        "%y = OpFMul %float %a_1 %a_1",
        "OpBranch %extracted_exit",
        "%extracted_exit = OpLabel",
        "%r_1 = OpPhi %float %x %then %y %else",
        "OpReturnValue %r_1",
        "OpFunctionEnd",
    ]


_LOOP = """\
OpBranch %head
«%head = OpLabel
%i = OpPhi %int %first %entry %next %again
OpLoopMerge %end %again None
OpBranchConditional %true %loop %end
%loop = OpLabel
OpBranch %again
%again = OpLabel
%next = OpIAdd %int %i %first
OpBranch %head
»%end = OpLabel"""


def test_a_loop_becomes_a_function() -> None:
    text = shader(_LOOP, "%first = OpConstant %int 1")
    assert body(text, "extract-function", "extracted")[1:7] == [
        "%extracted_entry = OpLabel",
        "OpBranch %head_1",
        "%head_1 = OpLabel",
        "%i = OpPhi %int %first %extracted_entry %next %again",
        "OpLoopMerge %extracted_exit %again None",
        "OpBranchConditional %true %loop %extracted_exit",
    ]


def test_a_way_in_beside_the_first_block_is_none() -> None:
    assert "extract-function" not in keys(shader(_IF.replace("«", "").replace("%then = OpLabel", "«%then = OpLabel")))


_RETURNING = """\
%a = OpLoad %float %in
%c = OpFOrdLessThan %bool %a %one
OpBranch %head
«%head = OpLabel
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
OpStore %out %one
OpReturn ; early
»%end = OpLabel
OpStore %out %a"""


def test_blocks_that_return_become_a_function_that_says_whether_the_caller_returns() -> None:
    text = shader(_RETURNING)
    assert body(text, "extract-function")[4:] == [
        "OpBranch %head",
        "%head = OpLabel",
        "%extracted_call = OpFunctionCall %bool %extracted %c",
        "OpSelectionMerge %go_on None",
        "OpBranchConditional %extracted_call %leave %go_on",
        "%leave = OpLabel",
        "OpReturn",
        "%go_on = OpLabel",
        "OpBranch %end",
        "%end = OpLabel",
        "OpStore %out %a",
        "OpReturn",
        "OpFunctionEnd",
    ]
    assert body(text, "extract-function", "extracted")[2:] == [
        "%extracted_entry = OpLabel",
        "OpSelectionMerge %extracted_exit None",
        "OpBranchConditional %c_1 %then %extracted_exit",
        "%then = OpLabel",
        "OpStore %out %one",
        "OpReturnValue %true",
        "%extracted_exit = OpLabel",
        "OpReturnValue %false",
        "OpFunctionEnd",
    ]


_VALUE = """\
%f = OpFunction %float None %takes
%p = OpFunctionParameter %float
%start = OpLabel
%c = OpFOrdLessThan %bool %p %one
OpBranch %head
«%head = OpLabel
%x = OpFAdd %float %p %one
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
OpReturnValue %x
»%end = OpLabel
{after}
OpReturnValue %x
OpFunctionEnd"""


def returning(after: str) -> str:
    return shader("%r = OpFunctionCall %float %f %one", "%takes = OpTypeFunction %float %float", functions=_VALUE.format(after=after))


def test_what_is_returned_and_what_is_used_on_the_way_on_come_in_a_structure() -> None:
    text = returning("OpStore %out %x")
    lines = body(text, "extract-function", "f")
    assert lines[6:16] == [
        "%extracted_call = OpFunctionCall %extracted_result %extracted %p %c",
        "%returns = OpCompositeExtract %bool %extracted_call 0",
        "%x = OpCompositeExtract %float %extracted_call 2",
        "OpSelectionMerge %go_on None",
        "OpBranchConditional %returns %leave %go_on",
        "%leave = OpLabel",
        "%value = OpCompositeExtract %float %extracted_call 1",
        "OpReturnValue %value",
        "%go_on = OpLabel",
        "OpBranch %end",
    ]
    assert "%extracted_result = OpTypeStruct %bool %float %float" in changed(text, "extract-function")[1]
    assert body(text, "extract-function", "extracted")[-6:] == [
        "%result = OpCompositeConstruct %extracted_result %true %x_1 %float_null",
        "OpReturnValue %result",
        "%extracted_exit = OpLabel",
        "%result_1 = OpCompositeConstruct %extracted_result %false %float_null %x_1",
        "OpReturnValue %result_1",
        "OpFunctionEnd",
    ]


def test_blocks_that_always_return_become_a_function_whose_result_is_returned() -> None:
    text = returning("OpStore %out %one").replace("»", "").replace("%x\nOpFunctionEnd", "%x\n»OpFunctionEnd")
    assert body(text, "extract-function", "f")[4:] == [
        "OpBranch %head",
        "%head = OpLabel",
        "%extracted_call = OpFunctionCall %float %extracted %p %c",
        "OpReturnValue %extracted_call",
        "OpFunctionEnd",
    ]
    assert body(text, "extract-function", "extracted")[-2:] == ["OpReturnValue %x", "OpFunctionEnd"]


def test_a_loop_that_returns_becomes_a_function() -> None:
    text = shader(_LOOP.replace("%loop = OpLabel", _IN_LOOP), "%first = OpConstant %int 1")
    lines = body(text, "extract-function", "extracted")
    assert lines[lines.index("%give = OpLabel") + 1] == "OpReturnValue %true"
    assert lines[-3:] == ["%extracted_exit = OpLabel", "OpReturnValue %false", "OpFunctionEnd"]


_IN_LOOP = """\
%loop = OpLabel
OpSelectionMerge %stay None
OpBranchConditional %true %give %stay
%give = OpLabel
OpReturn
%stay = OpLabel"""


# Inlining

_CALLEE = """\
%f = OpFunction %float None %takes
%p = OpFunctionParameter %float
%start = OpLabel
%local = OpVariable %local_float Function %one
{body}
OpReturnValue {value}
OpFunctionEnd"""


def calling(body: str, value: str, more: str = "", annotations: str = "") -> str:
    call = "%a = OpLoad %float %in\n%r = OpFunctionCall‸ %float %f %a\nOpStore %out %r"
    functions = _CALLEE.format(body=body, value=value)
    return shader(call + more, "%takes = OpTypeFunction %float %float", annotations, functions)


def test_a_call_of_one_block_is_replaced_by_its_instructions() -> None:
    text = calling("%x = OpLoad %float %local\n%y = OpFAdd %float %x %p", "%y", annotations='OpName %x "x"\nOpDecorate %y NoContraction')
    assert body(text, "inline-call")[2:-2] == [
        "%local_1 = OpVariable %local_float Function",
        "%a = OpLoad %float %in",
        "OpStore %local_1 %one",
        "%x_1 = OpLoad %float %local_1",
        "%r = OpFAdd %float %x_1 %a",
        "OpStore %out %r",
    ]
    assert changed(text, "inline-call")[1][:2] == ['OpName %x_1 "x"', "OpDecorate %r NoContraction"]


def test_a_parameter_that_is_returned_takes_the_place_of_the_result() -> None:
    text = calling("OpStore %local %p", "%p", annotations='OpName %r "r"')
    assert "OpStore %out %a" in body(text, "inline-call")
    assert 'OpName %r "r"' not in done(text, "inline-call")


_BLOCKS = """\
%c = OpFOrdLessThan %bool %p %one
OpSelectionMerge %join None
OpBranchConditional %c %then %join
%then = OpLabel
%x = OpFAdd %float %p %one
OpBranch %join
%join = OpLabel
%y = OpPhi %float %p %start %x %then"""


def test_a_call_of_several_blocks_splits_the_block_of_the_call() -> None:
    more = "\n%d = OpFOrdLessThan %bool %r %one\nOpSelectionMerge %end None\nOpBranchConditional %d %end %other\n%other = OpLabel"
    more += "\nOpBranch %end\n%end = OpLabel\n%z = OpPhi %float %a %entry %one %other"
    assert body(calling(_BLOCKS, "%y", more), "inline-call")[3:22] == [
        "%a = OpLoad %float %in",
        "OpStore %local_1 %one",
        "%c_1 = OpFOrdLessThan %bool %a %one",
        "OpSelectionMerge %join_1 None",
        "OpBranchConditional %c_1 %then_1 %join_1",
        "%then_1 = OpLabel",
        "%x_1 = OpFAdd %float %a %one",
        "OpBranch %join_1",
        "%join_1 = OpLabel",
        "%r = OpPhi %float %a %entry %x_1 %then_1",
        "OpBranch %after_f",
        "%after_f = OpLabel",
        "OpStore %out %r",
        "%d = OpFOrdLessThan %bool %r %one",
        "OpSelectionMerge %end None",
        "OpBranchConditional %d %end %other",
        "%other = OpLabel",
        "OpBranch %end",
        "%end = OpLabel",
    ]
    assert "%z = OpPhi %float %a %after_f %one %other" in body(calling(_BLOCKS, "%y", more), "inline-call")


_EARLY = """\
%c = OpFOrdLessThan %bool %p %one
OpSelectionMerge %join None
OpBranchConditional %c %then %join
%then = OpLabel
%x = OpFAdd %float %p %one
OpReturnValue %x
%join = OpLabel"""


def test_a_call_of_a_function_that_returns_early_becomes_the_case_of_a_switch() -> None:
    assert body(calling(_EARLY, "%p"), "inline-call")[3:-2] == [
        "%a = OpLoad %float %in",
        "OpSelectionMerge %after_f None",
        "OpSwitch %int_0 %f_body",
        "%f_body = OpLabel",
        "OpStore %local_1 %one",
        "%c_1 = OpFOrdLessThan %bool %a %one",
        "OpSelectionMerge %join_1 None",
        "OpBranchConditional %c_1 %then_1 %join_1",
        "%then_1 = OpLabel",
        "%x_1 = OpFAdd %float %a %one",
        "OpBranch %after_f",
        "%join_1 = OpLabel",
        "OpBranch %after_f",
        "%after_f = OpLabel",
        "%r = OpPhi %float %x_1 %then_1 %a %join_1",
        "OpStore %out %r",
    ]


def test_a_function_that_returns_in_every_case_is_inlined() -> None:
    text = calling(_EARLY.replace("%then %join\n", "%then %else\n").replace("%join = OpLabel", "%else = OpLabel"), "%p")
    text = text.replace("OpReturnValue %p\nOpFunctionEnd", "OpReturnValue %p\n%join = OpLabel\nOpUnreachable\nOpFunctionEnd")
    assert body(text, "inline-call")[-9:-3] == [
        "%else_1 = OpLabel",
        "OpBranch %after_f",
        "%join_1 = OpLabel",
        "OpUnreachable",
        "%after_f = OpLabel",
        "%r = OpPhi %float %x_1 %then_1 %a %else_1",
    ]


_LOOPING = """\
OpBranch %loop
%loop = OpLabel
%i = OpPhi %float %zero %start %next %again
OpLoopMerge %done %again None
OpBranch %head
%head = OpLabel
%c = OpFOrdLessThan %bool %i %p
OpSelectionMerge %go None
OpBranchConditional %c %give %go
%give = OpLabel
OpReturnValue %i
%go = OpLabel
OpBranchConditional %true %again %done
%again = OpLabel
%next = OpFAdd %float %i %one
OpBranch %loop
%done = OpLabel
{last}"""


def test_a_return_out_of_a_loop_branches_to_its_merge_block_first() -> None:
    text = calling(_LOOPING.format(last="%last = OpPhi %float %one %go"), "%last")
    lines = body(text, "inline-call")
    assert lines[lines.index("%give_1 = OpLabel") + 1] == "OpBranch %done_1"
    assert lines[lines.index("%done_1 = OpLabel") + 1 : -2] == [
        "%last_1 = OpPhi %float %one %go_1 %float_null %give_1",
        "%f_has_returned = OpPhi %bool %true %give_1 %false %go_1",
        "%f_value = OpPhi %float %i_1 %give_1 %float_null %go_1",
        "OpSelectionMerge %done_1_rest None",
        "OpBranchConditional %f_has_returned %after_f %done_1_rest",
        "%done_1_rest = OpLabel",
        "OpBranch %after_f",
        "%after_f = OpLabel",
        "%r = OpPhi %float %last_1 %done_1_rest %f_value %done_1",
        "OpStore %out %r",
    ]
    assert {"%false = OpConstantFalse %bool", "%float_null = OpConstantNull %float"} <= set(changed(text, "inline-call")[1])


def test_what_would_not_be_computed_on_the_way_out_of_a_loop_is_not_used_after_it() -> None:
    text = calling(_LOOPING.format(last="").replace("%go = OpLabel", "%go = OpLabel\n%late = OpFAdd %float %i %one"), "%late")
    assert "inline-call" not in keys(text)
    assert "inline-call" in keys(text.replace("OpReturnValue %late", "OpReturnValue %i"))


_NESTED = """\
%f = OpFunction %void None %takes
%p = OpFunctionParameter %int
%start = OpLabel
OpBranch %outer
%outer = OpLabel
OpLoopMerge %outer_end %outer_again None
OpBranch %body
%body = OpLabel
OpSelectionMerge %switch_end None
OpSwitch %p %switch_end 1 %one_case 2 %two_case
%one_case = OpLabel
OpBranch %inner
%inner = OpLabel
OpLoopMerge %inner_end %inner_again None
OpBranch %inner_body
%inner_body = OpLabel
OpSelectionMerge %stay None
OpBranchConditional %true %leave %stay
%leave = OpLabel
OpReturn
%stay = OpLabel
OpBranch %inner_again
%inner_again = OpLabel
OpBranchConditional %true %inner %inner_end
%inner_end = OpLabel
OpStore %out %one
OpBranch %switch_end
%two_case = OpLabel
OpReturn
%switch_end = OpLabel
OpBranch %outer_again
%outer_again = OpLabel
OpBranchConditional %true %outer %outer_end
%outer_end = OpLabel
OpReturn
OpFunctionEnd"""


def test_returns_out_of_nested_constructs_leave_one_after_the_other() -> None:
    declarations = "%takes = OpTypeFunction %void %int\n%two = OpConstant %int 2"
    lines = body(shader("%r = OpFunctionCall‸ %void %f %two\nOpStore %out %zero", declarations, functions=_NESTED), "inline-call")
    assert lines[lines.index("%leave_1 = OpLabel") + 1] == "OpBranch %inner_end_1"
    assert lines[lines.index("%two_case_1 = OpLabel") + 1] == "OpBranch %outer_end_1"
    branches = [line for line in lines if line.startswith("OpBranchConditional %f_has_returned")]
    assert branches == [
        "OpBranchConditional %f_has_returned %outer_end_1 %inner_end_1_rest",
        "OpBranchConditional %f_has_returned_1 %after_f %outer_end_1_rest",
    ]
    assert "%f_has_returned_1 = OpPhi %bool %true %two_case_1 %true %inner_end_1 %false %outer_again_1" in lines


def test_extracting_and_inlining_undo_each_other() -> None:
    text = shader("%a = OpLoad %float %in\n«%c = OpFAdd %float %a %one\n»OpStore %out %c")
    once = done(text, "extract-function").replace("OpFunctionCall", "OpFunctionCall‸")
    assert body(once, "inline-call")[2:5] == ["%a = OpLoad %float %in", "%c = OpFAdd %float %a %one", "OpStore %out %c"]
