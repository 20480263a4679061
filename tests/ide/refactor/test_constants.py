"""Refactorings of constants give modules that are as sound as before, and mean the same."""

from __future__ import annotations

import pytest
from hypothesis import given

import spvls
from spvls.diagnostic import Position
from spvls.ide.refactor.constants import constant_refactorings
from spvls.ide.refactor.offers import edits_of, refactorings
from spvls.ide.refactor.site import Site
from spvls.ide.source.source_module import SourceModule
from tests.corpus import TEXTS, is_faulty, text_of
from tests.ide.marked import applied, marked
from tests.strategies import positions, texts

_MODULE = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
{annotations}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%one = OpConstant %float 1
%half = OpConstant %float 0.5
%three = OpConstant %uint 3
%five = OpConstant %uint 5
%minus = OpConstant %int -7
{declarations}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"""


def module(body: str, declarations: str = "", annotations: str = "") -> str:
    text = _MODULE.format(body=body, declarations=declarations, annotations=annotations)
    return "\n".join(line for line in text.split("\n") if line.strip()) + "\n"


def done(text: str, key: str) -> str:
    """A sound text after one of the refactorings at its cursor; it is sound then as well."""
    source, cursor, _ = marked(text)
    assert spvls.validate(source.text) == []
    edits = edits_of(source, cursor, key)
    assert edits is not None
    after = applied(source, edits)
    assert [f"{d.message}\n{after}" for d in spvls.validate(after)] == []
    spvls.assemble(after)
    return after


def changed(text: str, key: str) -> tuple[list[str], list[str]]:
    """The lines that a refactoring takes away, and those that it adds."""
    before, after = text.replace("‸", "").split("\n"), done(text, key).split("\n")
    return [line for line in before if line not in after], [line for line in after if line not in before]


def keys(text: str) -> set[str]:
    source, cursor, _ = marked(text)
    return {found.key for found in refactorings(source, cursor)}


# Hoisting


def test_a_composite_of_constants_is_hoisted() -> None:
    text = module("%v = OpComposite‸Construct %vec2 %one %half\n%w = OpFAdd %vec2 %v %v")
    assert changed(text, "hoist-constant") == (
        ["%v = OpCompositeConstruct %vec2 %one %half"],
        ["%v = OpConstantComposite %vec2 %one %half"],
    )
    lines = done(text, "hoist-constant").split("\n")
    assert lines.index("%v = OpConstantComposite %vec2 %one %half") == lines.index("%half = OpConstant %float 0.5") + 1


def test_a_constant_that_is_there_is_used() -> None:
    declarations = "%known = OpConstantComposite %vec2 %one %half"
    annotations = 'OpName %v "v"\nOpDecorate %v RelaxedPrecision'
    text = module("%v = OpComposite‸Construct %vec2 %one %half\n%w = OpFAdd %vec2 %v %v", declarations, annotations)
    assert changed(text, "hoist-constant") == (
        ['OpName %v "v"', "OpDecorate %v RelaxedPrecision", "%v = OpCompositeConstruct %vec2 %one %half", "%w = OpFAdd %vec2 %v %v"],
        ["%w = OpFAdd %vec2 %known %known"],
    )


def test_what_can_be_specialized_stays_so() -> None:
    declarations = "%spec = OpSpecConstant %float 2"
    text = module("%v = OpComposite‸Construct %vec2 %one %spec", declarations, "OpDecorate %spec SpecId 0")
    assert changed(text, "hoist-constant")[1] == ["%v = OpSpecConstantComposite %vec2 %one %spec"]


@pytest.mark.parametrize(
    "body",
    [
        "%x = OpFAdd %float %one %one\n%v = OpComposite‸Construct %vec2 %one %x",
        "%v = OpComposite‸Construct %vec3 %pair %one",
    ],
)
def test_other_composites_stay(body: str) -> None:
    assert "hoist-constant" not in keys(module(body, "%pair = OpConstantComposite %vec2 %one %half"))


# Inlining


def test_a_composite_is_inlined() -> None:
    declarations = "%v‸ = OpConstantComposite %vec2 %one %half"
    assert changed(module("%w = OpFAdd %vec2 %v %v", declarations), "inline-constant") == (
        ["%v = OpConstantComposite %vec2 %one %half"],
        ["%v = OpCompositeConstruct %vec2 %one %half"],
    )


def test_inlining_and_hoisting_undo_each_other() -> None:
    text = module("%w = OpFAdd %vec2 %v %v", "%v‸ = OpConstantComposite %vec2 %one %half")
    inlined = done(text, "inline-constant").replace("%v = OpCompositeConstruct", "%v = OpComposite‸Construct")
    once = done(inlined, "hoist-constant")
    assert sorted(once.split("\n")) == sorted(text.replace("‸", "").split("\n"))


def test_variables_stay_first_and_functions_have_their_own() -> None:
    body = "%p = OpVariable %ptr Function\nOpStore %p %v\n%c = OpFunctionCall %void %other"
    other = "%other = OpFunction %void None %fn\n%start = OpLabel\n%x = OpFAdd %vec2 %v %v\nOpReturn\nOpFunctionEnd\n"
    declarations = "%ptr = OpTypePointer Function %vec2\n%v = OpConstantComposite‸ %vec2 %one %half"
    removed, added = changed(module(body, declarations) + other, "inline-constant")
    assert removed == ["%v = OpConstantComposite %vec2 %one %half", "%x = OpFAdd %vec2 %v %v"]
    assert added == [
        "%v = OpCompositeConstruct %vec2 %one %half",
        "%v_1 = OpCompositeConstruct %vec2 %one %half",
        "%x = OpFAdd %vec2 %v_1 %v_1",
    ]


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("OpNop", ""),
        ("%p = OpVariable %ptr Function %v", ""),
        ("%w = OpFAdd %vec2 %v %v", "%pair = OpConstantComposite %two_vectors %v %v"),
    ],
)
def test_what_has_to_be_constant_stays(body: str, more: str) -> None:
    declarations = f"""\
%two = OpConstant %uint 2
%two_vectors = OpTypeArray %vec2 %two
%ptr = OpTypePointer Function %vec2
%v‸ = OpConstantComposite %vec2 %one %half
{more}"""
    assert "inline-constant" not in keys(module(body, declarations))


# Folding


@pytest.mark.parametrize(
    ("line", "folded"),
    [
        ("%x = OpI‸Add %uint %three %five", "OpConstant %uint 8"),
        ("%x = OpI‸Sub %uint %three %five", "OpConstant %uint 4294967294"),
        ("%x = OpS‸Div %int %minus %minus", "OpConstant %int 1"),
        ("%x = OpF‸Mul %float %half %half", "OpConstant %float 0.25"),
        ("%x = OpConvertF‸ToS %int %half", "OpConstant %int 0"),
        ("%x = OpULess‸Than %bool %three %five", "OpConstantTrue %bool"),
        ("%x = OpComposite‸Extract %float %pair 1", "OpConstant %float 0.5"),
        ("%x = OpBit‸cast %uint %minus", "OpConstant %uint 4294967289"),
    ],
)
def test_operations_on_constants_are_folded(line: str, folded: str) -> None:
    text = module(f"{line}\n%y = OpCopyObject {line.split()[3]} %x", "%pair = OpConstantComposite %vec2 %one %half")
    if folded.endswith("0.5"):
        assert changed(text, "fold-to-constant")[1] == ["%y = OpCopyObject %float %half"]
        return
    assert changed(text, "fold-to-constant") == ([line.replace("‸", "")], [f"%x = {folded}"])


def test_what_is_folded_keeps_no_decoration_of_an_operation() -> None:
    text = module("%x = OpF‸Add %float %one %half", annotations="OpDecorate %x NoContraction")
    assert changed(text, "fold-to-constant") == (
        ["OpDecorate %x NoContraction", "%x = OpFAdd %float %one %half"],
        ["%x = OpConstant %float 1.5"],
    )


def test_an_operation_among_the_declarations_is_folded_where_it_stands() -> None:
    text = module("OpNop", "%x = OpSpec‸ConstantOp %uint IAdd %three %five\n%y = OpSpecConstantOp %uint IAdd %x %x")
    assert changed(text, "fold-to-constant") == (
        ["%x = OpSpecConstantOp %uint IAdd %three %five"],
        ["%x = OpConstant %uint 8"],
    )


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpU‸Div %uint %three %zero",
        "%x = OpI‸Add %uint %three %spec",
        "%x = OpConvertF‸ToU %uint %negative",
        "%x = OpI‸Add %uint %three %loaded",
    ],
)
def test_what_has_no_one_value_stays(line: str) -> None:
    declarations = """\
%zero = OpConstant %uint 0
%spec = OpSpecConstant %uint 2
%negative = OpConstant %float -2"""
    text = module(f"%loaded = OpIMul %uint %three %five\n{line}", declarations, "OpDecorate %spec SpecId 0")
    assert "fold-to-constant" not in keys(text)


# Merging


def test_duplicates_are_merged() -> None:
    declarations = "%again‸ = OpConstant %uint 5\n%more = OpConstant %uint 0x5"
    body = "%x = OpIAdd %uint %again %more\n%y = OpIAdd %uint %five %x"
    assert changed(module(body, declarations, 'OpName %again "again"'), "merge-duplicates") == (
        ['OpName %again "again"', "%again = OpConstant %uint 5", "%more = OpConstant %uint 0x5", "%x = OpIAdd %uint %again %more"],
        ["%x = OpIAdd %uint %five %five"],
    )


def test_types_are_merged() -> None:
    declarations = "%array = OpTypeArray %float %three\n%again = OpTypeArray %float %three\n%a = OpConstantNull %array\n%b = OpConstantNull %aga‸in"
    assert changed(module("OpNop", declarations), "merge-duplicates") == (
        ["%again = OpTypeArray %float %three", "%b = OpConstantNull %again"],
        ["%b = OpConstantNull %array"],
    )


def test_types_that_become_the_same_are_merged_along() -> None:
    text = """\
OpCapability Shader
OpCapability Linkage
OpCapability CooperativeMatrixKHR
OpCapability VulkanMemoryModel
OpExtension "SPV_KHR_cooperative_matrix"
OpMemoryModel Logical Vulkan
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%three = OpConstant %uint 3
%zero = OpConstant %uint 0
%size = OpConstant %uint 16
%size_again‸ = OpConstant %uint 16
%matrix = OpTypeCooperativeMatrixKHR %float %three %size %size %zero
%matrix_again = OpTypeCooperativeMatrixKHR %float %three %size %size_again %zero
%a = OpConstantNull %matrix_again
"""
    assert changed(text, "merge-duplicates") == (
        [
            "%size_again = OpConstant %uint 16",
            "%matrix_again = OpTypeCooperativeMatrixKHR %float %three %size %size_again %zero",
            "%a = OpConstantNull %matrix_again",
        ],
        ["%a = OpConstantNull %matrix"],
    )


@pytest.mark.parametrize(
    ("declarations", "annotations"),
    [
        ("%a = OpTypeArray %float %three\n%b‸ = OpTypeArray %float %three", "OpDecorate %b ArrayStride 4"),
        ("%b‸ = OpConstant %int 5", ""),
        ("%a = OpSpecConstant %uint 1\n%b‸ = OpSpecConstant %uint 1", "OpDecorate %a SpecId 0\nOpDecorate %b SpecId 1"),
    ],
)
def test_what_differs_stays(declarations: str, annotations: str) -> None:
    assert "merge-duplicates" not in keys(module("OpNop", declarations, annotations))


# Anything


@pytest.mark.parametrize("path", [path for path in TEXTS if not is_faulty(path)], ids=lambda path: path.stem)
def test_whatever_is_offered_keeps_a_module_sound(path: object) -> None:
    text = text_of(path)  # type: ignore[arg-type]
    source = SourceModule(text)
    before = {d.rule for d in spvls.validate(text)}
    for number in range(len(source.document.lines)):
        for found in constant_refactorings(Site(source, Position(number, 8))):
            after = applied(source, found.edits())
            assert {d.rule for d in spvls.validate(after)} <= before, f"{found.title}\n{after}"


@given(texts(), positions())
def test_any_text_is_taken(text: str, position: Position) -> None:
    for found in constant_refactorings(Site(SourceModule(text), position)):
        found.edits()
