"""Inlay hints and inline values tell what stands elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.diagnostic import Position, Range
from spvls.ide.features.inlay import HintKind, hints
from spvls.ide.features.inline_values import inline_values
from spvls.ide.source.source_module import SourceModule
from spvls.ide.words.encoding import LiveEncoding
from tests.strategies import texts

_ALL = frozenset(HintKind)
_WHOLE = Range(Position(0, 0), Position(1000, 0))


def hinted(text: str, *kinds: HintKind, last: int | None = None) -> str:
    """A text, or its last lines, with its hints in the places where they are shown."""
    source = SourceModule(text)
    live = LiveEncoding(source)
    live.refresh()
    lines = [line.rstrip("\n") for line in source.document.lines]
    for hint in sorted(hints(source, _WHOLE, frozenset(kinds) or _ALL, live), key=lambda hint: hint.position, reverse=True):
        line, column = hint.position
        lines[line] = f"{lines[line][:column]}«{hint.label}»{lines[line][column:]}"
    return "\n".join(lines[-last - 1 : -1] if last is not None else lines)


_TYPES = """\
OpName %9 "light"
OpMemberName %s 0 "color"
OpMemberName %s 1 "size"
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v4 = OpTypeVector %float 4
%s = OpTypeStruct %v4 %float
%ps = OpTypePointer Uniform %s
%pf = OpTypePointer Uniform %float
%zero = OpConstant %int 0
%int_1 = OpConstant %int 1
%k = OpSpecConstant %float 0.5
%9 = OpVariable %ps Uniform
"""


def test_types_of_results() -> None:
    assert hinted(_TYPES + "%a = OpFAdd %v4 %b %c\n", HintKind.TYPE, last=1) == "%a«: vec4<f32>» = OpFAdd %v4 %b %c"
    assert hinted("%a = OpTypeVoid\n", HintKind.TYPE) == "%a = OpTypeVoid\n"


def test_no_type_where_its_id_says_it() -> None:
    types = "%v4float = OpTypeVector %float 4\n%vec4_f32 = OpTypeVector %float 4\n%_ptr_Input_float = OpTypePointer Input %float\n"
    uses = "%a = OpLoad %float %p\n%b = OpLoad %v4float %p\n%c = OpLoad %s %p\n%d = OpCopyObject %_ptr_Input_float %e\n"
    same = uses + "%f = OpLoad %vec4_f32 %p\n"
    assert hinted(_TYPES + types + same, HintKind.TYPE, last=5) == same.rstrip("\n")


def test_types_of_aligned_text_follow_the_instruction() -> None:
    text = "     %a = OpLoad %v4 %b ; why\n%longer = OpLoad %pf %b\n"
    assert hinted(_TYPES + text, HintKind.TYPE, last=2) == (
        "     %a = OpLoad %v4 %b«: vec4<f32>» ; why\n%longer = OpLoad %pf %b«: ptr<Uniform, f32>»"
    )


@pytest.mark.parametrize(
    ("operands", "word"),
    [
        ("2D 0 0 0 1 Unknown", "sampler2D<f32>"),
        ("Cube 1 1 0 1 Unknown", "samplerCubeArrayShadow<f32>"),
        ("2D 0 0 1 1 Unknown", "sampler2DMS<f32>"),
    ],
)
def test_images_are_short(operands: str, word: str) -> None:
    text = f"%i = OpTypeImage %float {operands}\n%t = OpTypeSampledImage %i\n%a = OpLoad %i %b\n%c = OpLoad %t %b\n"
    image = word.replace("sampler", "tex")
    assert hinted(_TYPES + text, HintKind.TYPE, last=2) == f"%a«: {image}» = OpLoad %i %b\n%c«: {word}» = OpLoad %t %b"


@pytest.mark.parametrize(
    ("operands", "word"),
    [
        ("2D 0 0 0 2 Rgba8", "image2D<f32, Rgba8>"),
        ("Buffer 0 0 0 2 Unknown", "imageBuffer<f32>"),
        ("SubpassData 0 0 0 2 Unknown", "subpassInput<f32>"),
        ("SubpassData 0 0 1 2 Unknown", "subpassInputMS<f32>"),
    ],
)
def test_storage_images_are_short(operands: str, word: str) -> None:
    text = f"%i = OpTypeImage %float {operands}\n%a = OpLoad %i %b\n"
    assert hinted(_TYPES + text, HintKind.TYPE, last=1) == f"%a«: {word}» = OpLoad %i %b"


def test_a_structure_without_a_name_is_its_members_and_a_sampler_is_a_word() -> None:
    text = "%7 = OpTypeStruct %v4 %s\n%8 = OpTypeSampler\n%p8 = OpTypePointer UniformConstant %8\n%type_sampler = OpTypeSampler\n"
    uses = "%a = OpLoad %7 %b\n%c = OpLoad %8 %b\n%d = OpLoad %p8 %b\n%e = OpLoad %type_sampler %b\n"
    assert hinted(_TYPES + text + uses, HintKind.TYPE, last=4).split("\n") == [
        "%a«: {vec4<f32>, %s}» = OpLoad %7 %b",
        "%c«: sampler» = OpLoad %8 %b",
        "%d«: ptr<UniformConstant, sampler>» = OpLoad %p8 %b",
        "%e = OpLoad %type_sampler %b",
    ]


def test_a_null_with_arrays_is_called_null() -> None:
    text = "%two = OpConstant %int 2\n%array = OpTypeArray %int %two\n%pair = OpTypeStruct %array %int\n%n = OpConstantNull %pair\n"
    assert hinted(_TYPES + text + "OpStore %9 %n\n", HintKind.VALUE, last=1) == "OpStore %9 %n«= null»"
    plain = "%n = OpConstantNull %s\nOpStore %9 %n\n"
    assert hinted(_TYPES + plain, HintKind.VALUE, last=1) == "OpStore %9 %n«= {{0, 0, 0, 0}, 0}»"


def test_a_number_whose_name_says_it_has_no_exponent() -> None:
    text = "%float_10000 = OpConstant %float 10000\n%a = OpFAdd %float %float_10000 %float_10000\n"
    assert hinted(_TYPES + text, HintKind.VALUE, last=1) == "%a = OpFAdd %float %float_10000 %float_10000"


def test_values_of_composites() -> None:
    text = "%tenth = OpConstant %float 0.1\n%both = OpConstantComposite %v4 %tenth %tenth %k %k\nOpStore %9 %both\n"
    assert hinted(_TYPES + text, HintKind.VALUE, last=1) == "OpStore %9 %both«= {0.1, 0.1, 0.5, 0.5} (default)»"


def test_values_of_constants_unless_their_name_says_it() -> None:
    text = "%x = OpFAdd %float %k %k\n%y = OpIAdd %int %zero %int_1\n"
    assert hinted(_TYPES + text, HintKind.VALUE, last=2) == (
        "%x = OpFAdd %float %k«= 0.5 (default)» %k«= 0.5 (default)»\n%y = OpIAdd %int %zero«= 0» %int_1"
    )


def test_members_that_an_access_chain_selects() -> None:
    text = "%p = OpAccessChain %pf %9 %zero %int_1\n%c = OpCompositeExtract %float %w 1\n%w = OpLoad %s %9\n"
    assert hinted(_TYPES + text, HintKind.MEMBER, last=3) == (
        "%p = OpAccessChain %pf %9 %zero«.color» %int_1\n%c = OpCompositeExtract %float %w 1«.size»\n%w = OpLoad %s %9"
    )
    assert hinted(_TYPES + "OpMemberDecorate %s 1 Offset 16\n", HintKind.MEMBER, last=1) == (
        "OpMemberDecorate %s 1«.size» Offset 16"
    )


def test_names_beside_numbers() -> None:
    assert hinted(_TYPES + "%w = OpLoad %s %9\n", HintKind.NAME, last=1) == "%w = OpLoad %s %9«light»"
    assert hinted('OpName %a "other"\nOpStore %a %a\n', HintKind.NAME) == 'OpName %a "other"\nOpStore %a %a\n'


def test_offsets_in_bytes() -> None:
    assert hinted("OpNop\n OpCapability Shader ; x\nOpNop\n", HintKind.OFFSET) == (
        "«0x14»OpNop\n «0x18»OpCapability Shader ; x\n«0x20»OpNop\n"
    )


def test_only_the_range_is_hinted() -> None:
    source = SourceModule(_TYPES + "%a = OpLoad %v4 %b\n" * 3)
    found = list(hints(source, Range(Position(13, 0), Position(14, 0)), frozenset({HintKind.TYPE})))
    assert [hint.position.line for hint in found] == [13, 14]


def test_inline_values() -> None:
    source = SourceModule(_TYPES + "%x = OpFAdd %float %k %undefined\n")
    found = list(inline_values(source, Range(Position(13, 0), Position(13, 5))))
    assert [(value.range.start.column, value.text) for value in found] == [(19, "%k = 0.5")]


@given(texts())
def test_hints_take_any_text(text: str) -> None:
    source = SourceModule(text)
    live = LiveEncoding(source)
    live.refresh()
    for hint in hints(source, _WHOLE, _ALL, live):
        assert hint.position == source.clamp(hint.position)
        assert hint.label
    list(inline_values(source, _WHOLE))


_DECORATED = """\
OpDecorate %in Location 3
OpDecorate %in Flat
OpDecorate %S Block
OpMemberDecorate %S 1 Offset 16
OpMemberDecorate %S 1 NonWritable
OpDecorate %group NonReadable
%group = OpDecorationGroup
OpGroupDecorate %group %in
OpDecorate %sum RelaxedPrecision
OpDecorate %k SpecId 7
%S = OpTypeStruct %v4 %float
%in = OpVariable %p Input
%k = OpSpecConstant %float 1
%sum = OpFAdd %float %a %b
"""


def test_decorations_are_shown_at_declarations() -> None:
    assert hinted(_DECORATED, HintKind.DECORATION, last=4).splitlines() == [
        "%S = OpTypeStruct %v4 %float",
        "%in = OpVariable %p Input«Location 3, Flat, NonReadable»",
        "%k = OpSpecConstant %float 1«SpecId 7»",
        "%sum = OpFAdd %float %a %b",
    ]


def test_decorations_of_types_and_members_have_switches_of_their_own() -> None:
    line = "%S = OpTypeStruct %v4 %float"
    assert hinted(_DECORATED, HintKind.TYPE_DECORATION, last=4).splitlines()[0] == f"{line}«Block»"
    assert hinted(_DECORATED, HintKind.MEMBER_DECORATION, last=4).splitlines()[0] == f"{line}«Offset 16, NonWritable»"
