"""Formatting changes white space, and no word of the binary."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spvls
from spvls.diagnostic import Position, Range
from spvls.ide.formatting import Style, format_document, format_on_type, format_range, formatted
from spvls.syntax.document import Document
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines
from tests.corpus import TEXTS, name_of, text_of

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


_PIECES = ["OpNop", "%a", "=", '"s\n t"', "; c\n", "\n", " ", "\t", "OpUnknown(", ",", ")", "!5", "\r\n", "%x = OpTypeVoid", "\\", "OpLabel"]


@given(st.lists(st.sampled_from(_PIECES), max_size=24), st.sampled_from(_STYLES))
def test_anything_keeps_its_words(pieces: list[str], style: Style) -> None:
    text = " ".join(pieces)
    once = formatted(text, style)
    assert _words(once) == _words(text)
    assert formatted(once, style) == once


def test_range_and_typing_touch_their_lines_only() -> None:
    document = Document("OpNop\n  OpNop\n OpNop\n")
    chance = random.Random(1)
    line = chance.randrange(3)
    assert {edit.range.start.line for edit in format_range(document, Range(Position(line, 0), Position(line, 1)))} <= {line}
    assert all(edit.range.end.line == 1 for edit in format_on_type(document, Position(2, 0)))
    assert len(format_document(document)) == 3
