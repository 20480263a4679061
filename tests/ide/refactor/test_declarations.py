"""Variables and constants of other types, constants from literals, and declarations in order."""

from __future__ import annotations

import pytest

import spvls
from spvls.diagnostic import Position
from spvls.ide.refactor.offers import edits_of
from spvls.ide.source.source_module import SourceModule
from spvls.text.edits import edited
from tests.ide.refactor.shaders import body, changed, done, keys, shader

# Types


def test_a_variable_is_converted_where_it_is_loaded_and_stored() -> None:
    text = shader("%v = OpVariable‸ %local_float Function\nOpStore %v %one\n%a = OpLoad %float %v\nOpStore %out %a")
    assert body(text, "retype-variable:int")[2:-3] == [
        "%v = OpVariable %_ptr_Function_int Function",
        "%one_1 = OpConvertFToS %int %one",
        "OpStore %v %one_1",
        "%a_1 = OpLoad %int %v",
        "%a = OpConvertSToF %float %a_1",
    ]


def test_a_vector_grows() -> None:
    declarations = "%local_vec2 = OpTypePointer Function %vec2\n%pair = OpConstantComposite %vec2 %one %one"
    text = shader("%v = OpVariable‸ %local_vec2 Function\nOpStore %v %pair\n%a = OpLoad %vec2 %v", declarations)
    assert body(text, "retype-variable:vec3")[2:-2] == [
        "%v = OpVariable %_ptr_Function_vec3 Function",
        "%pair_1 = OpCompositeConstruct %vec3 %pair %float_zero",
        "OpStore %v %pair_1",
        "%a_1 = OpLoad %vec3 %v",
        "%a = OpVectorShuffle %vec2 %a_1 %a_1 0 1",
    ]
    assert "%float_zero = OpConstantNull %float" in changed(text, "retype-variable:vec3")[1]


def test_a_variable_that_is_passed_on_keeps_its_type() -> None:
    functions = "%f = OpFunction %void None %takes\n%p = OpFunctionParameter %local_float\n%l = OpLabel\nOpReturn\nOpFunctionEnd"
    text = shader("%v = OpVariable‸ %local_float Function\n%c = OpFunctionCall %void %f %v", "%takes = OpTypeFunction %void %local_float", "", functions)
    assert not [key for key in keys(text) if key.startswith("retype-variable")]


_INDEX = "%uint = OpTypeInt 32 0\n%two‸ = OpConstant %int 2\n%array = OpTypeArray %float %two"


def test_a_constant_changes_its_sign_where_its_users_take_either() -> None:
    assert changed(shader("", _INDEX), "retype-constant") == (["%two = OpConstant %int 2"], ["%two = OpConstant %uint 2"])
    pair = "\n%ivec2 = OpTypeVector %int 2\n%pair = OpConstantComposite %ivec2 %two %two"
    assert "retype-constant" not in keys(shader("", _INDEX + pair))


# Literals and constants


@pytest.mark.parametrize(
    ("line", "name", "added"),
    [
        ("%x = OpFMul %float %one -‸2.5", "float_n2_5", True),
        ("%x = OpFMul %float %one ‸1", "one", False),
        ("%x = OpIAdd %int %i ‸7", "int_7", True),
        ("OpStore %out ‸3.0", "float_3_0", True),
    ],
)
def test_a_literal_becomes_a_constant(line: str, name: str, added: bool) -> None:
    text = shader(line, "%i = OpConstant %int 3")
    plain = text.replace("‸", "")
    number = next(at for at, found in enumerate(text.split("\n")) if "‸" in found)
    place = Position(number, text.split("\n")[number].index("‸"))
    edits = edits_of(SourceModule(plain), place, "extract-constant")
    assert edits is not None
    after = edited(plain, edits)
    assert spvls.validate(after) == []
    assert f"%{name}" in after.split("\n")[number + added]
    assert (f"\n%{name} = OpConstant" in after) and after.count("\n") == plain.count("\n") + added


@pytest.mark.parametrize("line", ["%x = OpIAdd %int %i ‸2.5", "%x = OpFAdd %vec2 %v ‸1", "%x = OpCompositeExtract %float %v ‸0"])
def test_a_literal_that_is_no_such_constant_is_not_offered(line: str) -> None:
    assert "extract-constant" not in keys(shader(line, "%i = OpConstant %int 3\n%v = OpConstantComposite %vec2 %one %one"))


def test_a_constant_is_named_after_its_value() -> None:
    text = shader("%x = OpFAdd %float %7 %one", "%7 = OpConstant‸ %float -0.5")
    assert changed(text, "name-constant")[1] == ["%float_n0_5 = OpConstant %float -0.5", "%x = OpFAdd %float %float_n0_5 %one"]


def test_a_constant_becomes_one_that_is_specialized() -> None:
    text = shader("%x = OpFAdd %float %half %one", "%half = OpConstant‸ %float 0.5")
    assert changed(text, "specialize-constant")[1] == ["OpDecorate %half SpecId 0", "%half = OpSpecConstant %float 0.5"]
    assert "specialize-constant" not in keys(shader("", _INDEX))


# Order


def test_a_declaration_moves_to_what_it_uses() -> None:
    text = shader("", "%vec4‸ = OpTypeVector %float 4 ; four")
    lines = done(text, "move-declaration").split("\n")
    assert lines[lines.index("%float = OpTypeFloat 32") + 1] == "%vec4 = OpTypeVector %float 4 ; four"


def test_names_decorations_and_declarations_are_sorted() -> None:
    annotations = 'OpName %out "out"\nOpName %in "in"\nOpDecorate %out RelaxedPrecision'
    text = shader("", "%two‸ = OpConstant %int 2\n%array = OpTypeArray %float %two\n%vec4 = OpTypeVector %float 4", annotations)
    lines = done(text, "sort-declarations").split("\n")
    assert [line for line in lines if line.startswith("OpName")] == ['OpName %in "in"', 'OpName %out "out"']
    assert [line for line in lines if line.startswith("OpDecorate")] == [
        "OpDecorate %in Location 0",
        "OpDecorate %out RelaxedPrecision",
        "OpDecorate %out Location 0",
    ]
    order = [line.split()[0] for line in lines if line]
    assert order.index("%vec4") < order.index("%true") < order.index("%in") < order.index("%out") < order.index("%main")
    assert order.index("%two") < order.index("%array")


def test_declarations_that_repeat_others_go() -> None:
    declarations = "%uno‸ = OpConstant %float 1\n%p = OpTypePointer Private %float\n%q = OpTypePointer Private %float\n%v = OpVariable %q Private"
    text = shader("%x = OpFAdd %float %uno %one", declarations)
    assert changed(text, "merge-all-duplicates") == (
        [
            "%uno = OpConstant %float 1",
            "%q = OpTypePointer Private %float",
            "%v = OpVariable %q Private",
            "%x = OpFAdd %float %uno %one",
        ],
        ["%v = OpVariable %p Private", "%x = OpFAdd %float %one %one"],
    )
