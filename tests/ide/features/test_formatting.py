"""Formatting changes white space, and no word of the binary."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import spvls
from spvls.diagnostic import Position, Range
from spvls.ide.features import formatting
from spvls.ide.features.formatting import (
    Style,
    WordsChangedError,
    format_document,
    format_on_type,
    format_range,
    formatted,
    same_words,
)
from spvls.syntax.document import Document
from spvls.syntax.scanner import scan
from spvls.text.lines import splice, split_lines
from tests.corpus import TEXTS, name_of, text_of
from tests.strategies import odd_texts

_STYLES: list[Style] = ["aligned", "nested"]


def _words(text: str) -> list[list[str]]:
    found = (record for _, record in scan(split_lines(text)))
    return [[record.text[span.start : span.end] for span in record.words()] for record in found]


def test_aligned() -> None:
    text = (
        "; about\nOpCapability   Shader ; needed\n\n   ; own line\nOpMemoryModel Logical GLSL450 OpNop\n%a_rather_long_name = OpTypeVoid"
        "\n%x=1\n%s = OpTypeStruct %a\n %b ; second\nOpUnknown( 1 ,1 )"
    )
    assert formatted(text) == (
        "; about\n               OpCapability Shader  ; needed\n\n               ; own line\n"
        "               OpMemoryModel Logical GLSL450\n               OpNop\n%a_rather_long_name = OpTypeVoid\n"
        "                   %x=1\n          %s = OpTypeStruct %a\n                   %b  ; second\n               OpUnknown(1, 1)\n"
    )


def test_nested_blocks_stand_further_in() -> None:
    text = (
        "%f = OpFunction %v None %t\n%l = OpLabel\nOpSelectionMerge %m None\nOpBranchConditional %c %t %m\n%t = OpLabel\n"
        "OpBranch %m\n%m = OpLabel\nOpReturn\nOpFunctionEnd\n"
    )
    lines = formatted(text, "nested").splitlines()
    assert lines[4].index("OpLabel") > lines[1].index("OpLabel") == lines[6].index("OpLabel")


@pytest.mark.parametrize("style", _STYLES)
@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_fixtures_keep_their_words(path: Path, style: Style) -> None:
    text = text_of(path)
    once = formatted(text, style)
    assert _words(once) == _words(text)
    assert formatted(once, style) == once
    try:
        words = spvls.assemble(text)
    except spvls.AssembleError:
        return
    assert spvls.assemble(once) == words


@given(odd_texts(), st.sampled_from(_STYLES))
@example("\r; c\nOpNop\n", "aligned")
@example("; c\r\r\nOpNop %a ; d\r\r\nOpNop", "nested")
@example("OpNop\r%a = OpNop ; c\r\n", "aligned")
@example("\ufeff; Version: 1.0\nOpNop", "aligned")
@example("\ufeffOpNop\n", "aligned")
@example("\\\r\n(", "aligned")
@example("OpName %a \\( %b", "aligned")
@example('OpReturn OpNop"abc\nOpLabel', "aligned")
def test_anything_keeps_its_words(text: str, style: Style) -> None:
    once = formatted(text, style)
    assert _words(once) == _words(text)
    assert same_words(once, text)
    assert formatted(once, style) == once
    assert once.startswith("\ufeff") == text.startswith("\ufeff")


@given(odd_texts(), st.sampled_from(_STYLES), st.integers(0, 6), st.integers(0, 3))
def test_edits_make_the_formatted_text_and_those_of_a_part_keep_the_words(text: str, style: Style, line: int, more: int) -> None:
    document = Document(text)
    for edits in (
        format_document(document, style),
        format_range(document, Range(Position(line, 0), Position(line + more, 0)), style),
        format_on_type(document, Position(line, 0), style),
    ):
        lines = list(document.lines)
        for edit in reversed(edits):
            splice(lines, *edit)
        assert _words("".join(lines)) == _words(text)
        if edits == format_document(document, style):
            assert "".join(lines) == formatted(text, style)


def test_a_lone_carriage_return_gives_way_to_a_line_break_that_ends_comments() -> None:
    text = "OpNop\rOpNop ; first\rOpNop\nOpNop\r\rOpNop\n"
    assert formatted(text) == (
        "               OpNop\n               OpNop  ; first\rOpNop\n               OpNop\n\n               OpNop\n"
    )
    twice = "; first\r\r\nOpNop\r\r\n\r\r\nOpNop\r\r\n"
    assert formatted(twice) == "; first\r\n               OpNop\r\n\r\n               OpNop\r\n"


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        ("OpNop ; a \r\n", "  OpNop\n; a", True),
        ("OpNop ; a", "OpNop ; b", False),
        ("OpNop %a", "OpNop%a", False),
        ("OpNop ; a\nOpNop", "OpNop ; a\rOpNop", False),
        ('OpName "a b"', 'OpName "a  b"', False),
        ("OpNop ; a\n", "; a\nOpNop", False),
        ("\x00 a", "\x00a", False),
    ],
)
def test_what_the_same_words_are(text: str, other: str, same: bool) -> None:
    assert same_words(text, other) == same


def test_a_defect_of_the_formatter_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document("OpNop\n")
    monkeypatch.setattr(formatting, "_words", lambda *_: "OpNopp")
    for attempt in (
        lambda: format_document(document),
        lambda: format_range(document, Range(Position(0, 0), Position(0, 0))),
        lambda: format_on_type(document, Position(1, 0)),
        lambda: formatted("OpNop\n"),
    ):
        with pytest.raises(WordsChangedError, match="would change the words"):
            attempt()


def test_range_and_typing_touch_their_lines_only() -> None:
    document = Document("OpNop\n  OpNop\n OpNop\n")
    chance = random.Random(1)
    line = chance.randrange(3)
    assert {edit.range.start.line for edit in format_range(document, Range(Position(line, 0), Position(line, 1)))} <= {line}
    assert all(edit.range.end.line == 1 for edit in format_on_type(document, Position(2, 0)))
    assert len(format_document(document)) == 3
