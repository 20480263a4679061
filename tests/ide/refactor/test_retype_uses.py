"""The type of an id changes through all its uses, or a reason is given why it cannot."""

from __future__ import annotations

import pytest

from spvls.diagnostic import Position, Range
from spvls.ide.refactor.offers import refactorings
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import marked
from tests.ide.refactor.shaders import body, changed, done, shader

_TO_INT, _TO_FLOAT = "retype-uses:int", "retype-uses:float"


def refused(text: str, key: str = "retype-uses") -> str:
    """Why a refactoring is refused."""
    source, cursor, _ = marked(text)
    (found,) = [found for found in refactorings(source, cursor) if found.key == key]
    return found.refused


def test_what_is_loaded_computed_and_stored_changes_along_with_a_variable() -> None:
    text = shader(
        """\
%v‸ = OpVariable %local_float Function %one
%w = OpVariable %local_float Function
%a = OpLoad %float %v
%b = OpFMul %float %a %one
%c = OpFOrdLessThan %bool %b %two
%d = OpSelect %float %c %b %one
%e = OpFNegate %float %d
OpStore %w %e
%f = OpLoad %float %w
%g = OpConvertFToS %int %f
%h = OpConvertSToF %float %g
OpStore %out %h""",
        "%two = OpConstant %float 2",
    )
    assert body(text, _TO_INT)[2:-2] == [
        "%v = OpVariable %_ptr_Function_int Function %int_1",
        "%w = OpVariable %_ptr_Function_int Function",
        "%a = OpLoad %int %v",
        "%b = OpIMul %int %a %int_1",
        "%c = OpSLessThan %bool %b %int_2",
        "%d = OpSelect %int %c %b %int_1",
        "%e = OpSNegate %int %d",
        "OpStore %w %e",
        "%f = OpLoad %int %w",
        "%g = OpCopyObject %int %f",
        "%h = OpConvertSToF %float %g",
        "OpStore %out %h",
    ]
    assert changed(text, _TO_INT)[1][:3] == [
        "%int_1 = OpConstant %int 1",
        "%int_2 = OpConstant %int 2",
        "%_ptr_Function_int = OpTypePointer Function %int",
    ]


def test_components_of_vectors_change_along_with_them() -> None:
    declarations = "%glsl_int2 = OpTypeVector %int 2\n%local2 = OpTypePointer Function %vec2"
    declarations += "\n%both = OpConstantComposite %vec2 %one %zero"
    text = shader(
        """\
%v‸ = OpVariable %local2 Function %both
%p = OpAccessChain %local_float %v %at
%x = OpLoad %float %p
%a = OpLoad %vec2 %v
%y = OpCompositeExtract %float %a 1
%b = OpCompositeConstruct %vec2 %x %y
%c = OpVectorShuffle %vec2 %a %b 0 3
OpStore %v %c
%d = OpCompositeExtract %float %c 0
%e = OpConvertFToS %int %d""",
        declarations + "\n%at = OpConstant %int 1",
    )
    assert body(text, _TO_INT)[2:-2] == [
        "%v = OpVariable %_ptr_Function_glsl_int2 Function %glsl_int2_both",
        "%p = OpAccessChain %_ptr_Function_int %v %at",
        "%x = OpLoad %int %p",
        "%a = OpLoad %glsl_int2 %v",
        "%y = OpCompositeExtract %int %a 1",
        "%b = OpCompositeConstruct %glsl_int2 %x %y",
        "%c = OpVectorShuffle %glsl_int2 %a %b 0 3",
        "OpStore %v %c",
        "%d = OpCompositeExtract %int %c 0",
        "%e = OpCopyObject %int %d",
    ]
    assert "OpConstantComposite %glsl_int2 %at %int_0" in "\n".join(changed(text, _TO_INT)[1])


_CALLEE = """\
%f = OpFunction %float None %takes
%p = OpFunctionParameter %float
%start = OpLabel
%q = OpFAdd %float %p %one
OpReturnValue %q
OpFunctionEnd"""


def test_parameters_results_and_calls_change_with_the_function() -> None:
    calls = "%r = OpFunctionCall %float %f %one\n%s = OpConvertFToS %int %r"
    text = shader(calls, "%takes = OpTypeFunction %float %float", functions=_CALLEE.replace("%p =", "%p‸ ="))
    assert body(text, _TO_INT)[2:4] == ["%r = OpFunctionCall %int %f %int_1", "%s = OpCopyObject %int %r"]
    assert body(text, _TO_INT, "f") == [
        "%f = OpFunction %int None %function_type",
        "%p = OpFunctionParameter %int",
        "%start = OpLabel",
        "%q = OpIAdd %int %p %int_1",
        "OpReturnValue %q",
        "OpFunctionEnd",
    ]


def test_extended_instructions_are_those_for_the_new_type() -> None:
    lines = "%a = OpLoad %float %v\n%b = OpExtInst %float %glsl FMax %a %one\nOpStore %v %b"
    text = shader(f"%v‸ = OpVariable %local_float Function\n{lines}")
    text = text.replace("OpMemoryModel", '%glsl = OpExtInstImport "GLSL.std.450"\nOpMemoryModel')
    assert "%b = OpExtInst %int %glsl SMax %a %int_1" in body(text, _TO_INT)
    assert refused(text.replace("FMax %a %one", "Sqrt %a"), _TO_INT) == "Sqrt does not take numbers of %int."


def test_an_input_of_integers_is_flat() -> None:
    text = shader("%a = OpLoad %float %in\n%b = OpConvertFToS %int %a\n%c = OpConvertSToF %float %b\nOpStore %out %c")
    lines = text.split("\n")
    moved = [lines.pop(next(at for at, line in enumerate(lines) if line.startswith("%in = "))).replace("%in =", "%in‸ =")]
    at = next(at for at, line in enumerate(lines) if line.startswith("%true"))
    text = "\n".join(lines[:at] + moved + lines[at:])
    assert "OpDecorate %in Flat" in done(text, _TO_INT)


def test_a_constant_changes_in_its_place() -> None:
    text = shader("%a = OpIAdd %int %two %two\n%b = OpConvertSToF %float %a\nOpStore %out %b", "%two‸ = OpConstant %int 2")
    after = done(text, _TO_FLOAT)
    assert "%two = OpConstant %float 2" in after and "%a = OpFAdd %float %two %two" in after
    assert "%b = OpCopyObject %float %a" in after


def test_a_type_that_is_indented_anew_still_stands_before_a_constant() -> None:
    source, cursor, _ = marked(shader("%a = OpIAdd %int %two %two", "%two‸ = OpConstant %int 2"))
    _ = [found.refused for found in refactorings(source, cursor)]
    row = next(row for row, line in enumerate(source.text.split("\n")) if "%float = OpTypeFloat" in line)
    source.edit([(Range(Position(row, 0), Position(row, 0)), "  ")])
    (found,) = [found for found in refactorings(source, cursor) if found.key == _TO_FLOAT]
    assert not found.refused


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("%a‸ = OpLoad %float %in", "It depends on %in, which is a part of the interface of the module."),
        (
            "%v‸ = OpVariable %local_float Function\n%a = OpLoad %float %v\n%b = OpIsNan %bool %a",
            "OpIsNan does not take another type for %a.",
        ),
        (
            "%v‸ = OpVariable %local_float Function\n%a = OpLoad %float %v\n%m = OpCompositeConstruct %pair %a %a",
            "OpCompositeConstruct connects it with %m, %pair{f32, f32}.",
        ),
    ],
)
def test_an_instruction_that_cannot_take_another_type_is_the_reason(lines: str, reason: str) -> None:
    assert refused(shader(lines, "%pair = OpTypeStruct %float %float")) == reason


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("%v‸ = OpVariable %local_float Function %half", "%half is 0.5, which %int does not have."),
        ("%v‸ = OpVariable %local_float Function %spec", "It depends on %spec, a specialization constant."),
        (
            "%v‸ = OpVariable %local_float Function\n%a = OpLoad %float %v\n%x = OpCompositeConstruct %vec2 %a %a\n%b = OpDot %float %x %x",
            "OpDot does not take numbers of %int.",
        ),
    ],
)
def test_a_type_that_does_not_fit_is_refused_with_the_reason(lines: str, reason: str) -> None:
    declarations = "%half = OpConstant %float 0.5\n%spec = OpSpecConstant %float 1"
    assert refused(shader(lines, declarations, "OpDecorate %spec SpecId 0"), _TO_INT) == reason


def test_debug_information_takes_a_constant_as_a_number() -> None:
    text = shader("OpStore %out %one", "%two‸ = OpConstant %int 2\n%said = OpExtInst %void %debug Anything %two")
    text = text.replace("OpMemoryModel", 'OpExtension "SPV_KHR_non_semantic_info"\n%debug = OpExtInstImport "NonSemantic.Mine"\nOpMemoryModel')
    assert refused(text) == "OpExtInst does not take another type for %two."


def test_a_decoration_of_numbers_of_32_bits_is_a_reason() -> None:
    text = shader("%v‸ = OpVariable %local_float Function", annotations="OpDecorate %v RelaxedPrecision")
    text = text.replace("%bool = ", "%double = OpTypeFloat 64\n%bool = ").replace("OpMemoryModel", "OpCapability Float64\nOpMemoryModel")
    assert "RelaxedPrecision" in refused(text, "retype-uses:double")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%q = OpFAdd %float %p %one", "%q = OpFAdd %float %p"),
        ("OpReturnValue %q", "OpReturnValue"),
        ("%r = OpFunctionCall %float %f %one", "%r = OpFunctionCall %float %f"),
        ("%s = OpConvertFToS %int %r", "%s = OpConvertFToS %int"),
        ("%start = OpLabel", "%start = OpLabel\n%p = OpFunctionParameter %float"),
        ("%p = OpFunctionParameter %float\n", ""),
        ("OpTypeInt 32 1", "OpTypeInt"),
        ("%one = OpConstant %float 1", "%one = OpConstant %float"),
    ],
)
def test_what_is_malformed_does_not_end_in_an_exception(old: str, new: str) -> None:
    calls = "%r = OpFunctionCall %float %f %one\n%s = OpConvertFToS %int %r\nOpStore %out"
    text = shader(calls, "%takes = OpTypeFunction %float %float", functions=_CALLEE)
    assert old in text
    source = SourceModule(text.replace(old, new))
    for number, line in enumerate(source.document.lines):
        for column in {0, line.find("Op"), line.rfind("%")} - {-1}:
            for found in refactorings(source, Position(number, column)):
                assert found.refused == "" or found.edits() == []
                found.edits()


@pytest.mark.parametrize(("lines", "column", "offered"), [(0, 5, True), (1, 0, True), (1, 1, False), (7, 0, False)])
def test_several_selected_lines_are_more_than_an_id(lines: int, column: int, offered: bool) -> None:
    source, cursor, _ = marked(shader("%v‸ = OpVariable %local_float Function %one\n%a = OpLoad %float %v\nOpStore %out %a"))
    end = Position(cursor.line + lines, column)
    assert any(found.key.startswith("retype-uses") for found in refactorings(source, Position(cursor.line, 0), end)) is offered
