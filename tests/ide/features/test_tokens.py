"""Semantic tokens name what each word stands for, however the text came to be."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from hypothesis import given

from spvls.diagnostic import Position, Range
from spvls.ide.features.tokens import MODIFIERS, TYPES, WIDTH, SemanticTokens, delta, tokens_in_lines
from spvls.ide.source.source_module import SourceModule
from tests.ide.modules import SHADER
from tests.strategies import edit_batches, texts


def _units(_line: int, column: int) -> int:
    return column


def _data(source: SourceModule) -> array[int]:
    tokens = SemanticTokens(source, _units)
    for _ in tokens.steps():
        pass
    return tokens.data()


def _places(data: array[int]) -> Iterator[tuple[int, int, int, str, list[str]]]:
    line = column = 0
    for at in range(0, len(data), WIDTH):
        below, right, length, type_, bits = data[at : at + WIDTH]
        line, column = line + below, right + (column if below == 0 else 0)
        yield line, column, length, TYPES[type_], [name for bit, name in enumerate(MODIFIERS) if bits >> bit & 1]


def test_words_by_what_they_name() -> None:
    lines = SHADER.split("\n")
    found = {
        (lines[line], lines[line][column : column + length]): (type_, modifiers)
        for line, column, length, type_, modifiers in _places(_data(SourceModule(SHADER)))
    }
    load = "%a = OpLoad %v4 %in Volatile|Aligned 4"
    call = "%b = OpExtInst %v4 %glsl Sqrt %a"
    assert found[load, "%a"] == ("variable", ["definition", "readonly"])
    assert found[load, "OpLoad"] == ("keyword", [])
    assert found[load, "%v4"] == ("type", [])
    assert found[load, "%in"] == ("variable", [])
    assert found[load, "Volatile|Aligned"] == ("enumMember", ["defaultLibrary"])
    assert found[load, "4"] == ("number", [])
    assert found[call, "%glsl"] == ("namespace", [])
    assert found[call, "Sqrt"] == ("method", ["defaultLibrary"])
    assert found["OpMemoryBarrier %scope %acquire", "%scope"] == ("variable", ["readonly", "static"])
    assert found["%entry = OpLabel", "%entry"] == ("label", ["definition"])
    assert found["%main = OpFunction %void None %fn", "%main"] == ("function", ["definition"])
    assert found['OpName %main "main"', '"main"'] == ("string", [])


def test_a_string_over_lines_is_a_token_on_each() -> None:
    places = list(_places(_data(SourceModule('%s = OpString "one\r\n\r\ntwo" OpNop\n'))))
    assert [(line, column, length) for line, column, length, type_, _ in places if type_ == "string"] == [
        (0, 0, 2),
        (0, 14, 4),
        (2, 0, 4),
    ]


def test_what_an_id_names_elsewhere_counts_everywhere() -> None:
    source = SourceModule("%a = OpTypeVoid\n%f = OpFunction %a None %t\n%x = OpUndef %a\nOpFunctionEnd\n")
    tokens = SemanticTokens(source, _units)
    list(tokens.steps())
    source.edit([(Range(Position(0, 5), Position(0, 15)), "OpTypeStruct")])
    list(tokens.steps())
    assert tokens.data() == _data(SourceModule(source.text))


def test_work_that_was_broken_off_is_done_again() -> None:
    source = SourceModule("%f = OpFunction %a None %t\nOpFunctionEnd\n" * 3)
    tokens = SemanticTokens(source, _units)
    next(tokens.steps())
    list(tokens.steps())
    assert tokens.data() == _data(source)


@given(texts(), edit_batches())
def test_tokens_under_edits_are_those_from_scratch(text: str, batches: list[list[tuple[Range, str]]]) -> None:
    source = SourceModule(text)
    tokens = SemanticTokens(source, _units)
    before = array("I")
    for batch in [[], *batches]:
        source.edit(batch)
        for _ in tokens.steps():
            pass
        data = tokens.data()
        assert data == _data(SourceModule(source.text))
        assert patched(before, delta(before, data)) == data
        before = data


@given(texts())
def test_tokens_lie_in_the_text_one_after_the_other(text: str) -> None:
    source = SourceModule(text)
    end = (0, 0)
    for line, column, length, _, _ in _places(_data(source)):
        assert end <= (line, column)
        end = (line, column + length)
        assert length > 0
        assert len(source.document.lines[line].rstrip("\r\n")) >= column + length


@given(texts())
def test_the_tokens_of_lines_are_those_of_the_text(text: str) -> None:
    source = SourceModule(text)
    whole = list(_places(_data(source)))
    middle = len(source.document.lines) // 2
    for first, last in ((0, middle), (middle, middle + 5), (0, len(source.document.lines))):
        some = list(_places(tokens_in_lines(source, first, last, _units)))
        assert some == [token for token in whole if first <= token[0] <= last]


def patched(data: array[int], edits: list[tuple[int, int, array[int]]]) -> array[int]:
    """Data after edits, as a client applies them."""
    result = array("I", data)
    for start, count, come in edits:
        result[start : start + count] = come
    return result


def test_functions_that_share_a_line() -> None:
    source = SourceModule("OpFunctionEnd OpFunctionEnd %f = OpFunction %v None %t OpFunctionEnd %g = OpFunction %v None %t\n")
    found = [(column, type_) for _, column, _, type_, _ in _places(_data(source)) if type_ == "function"]
    assert found == [(28, "function"), (69, "function")]


def test_what_is_deprecated_is_marked() -> None:
    text = "OpMemoryModel Logical Simple\nOpKill\nOpLessOrGreater\nOpDecorate %a BufferBlock\nOpReturn\n"
    lines = text.split("\n")
    marked = {
        lines[line][column : column + length]
        for line, column, length, _, modifiers in _places(_data(SourceModule(text)))
        if "deprecated" in modifiers
    }
    assert marked == {"Simple", "OpKill", "OpLessOrGreater", "BufferBlock"}
