"""Rules of `module/literal`: literals and strings as words."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.sources.literal_form import LITERAL_FORM_NAME, LITERAL_FORM_TEXT, literal_form_found, literal_form_words


def _with(old: int, new: int) -> list[str]:
    words = literal_form_words()
    assert words.count(old) == 1
    words[words.index(old)] = new
    return literal_form_found(words)


def test_as_it_is_nothing_is_found() -> None:
    assert literal_form_found(literal_form_words()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(4660, 0x00011234, id="an unsigned number"),
        pytest.param(0xFFFFFFFE, 0x0000FFFE, id="a negative number without its sign"),
        pytest.param(0xFFFFFFFE, 0xFFFF7FFE, id="the sign of a negative number above another one"),
        pytest.param(0x3C00, 0x80003C00, id="a float"),
        pytest.param(4661, 0x00011235, id="a case of a switch"),
    ],
)
def test_bits_above_a_narrow_literal(old: int, new: int) -> None:
    assert _with(old, new) == ["module/narrow-literals-are-extended"]


def test_octets_behind_the_end_of_a_string() -> None:
    name = int.from_bytes(LITERAL_FORM_NAME, "little")
    assert _with(name, int.from_bytes(b"ab\0c", "little")) == ["module/strings-are-zero-padded"]


def test_octets_that_are_no_text() -> None:
    name = int.from_bytes(LITERAL_FORM_NAME, "little")
    assert _with(name, int.from_bytes(b"a\xffc\0", "little")) == ["module/strings-are-utf-8"]


@pytest.mark.parametrize(("length", "expected"), [(65535, []), (65536, ["module/string-length-is-within-limit"])])
def test_the_length_of_a_string(length: int, expected: list[str]) -> None:
    text = LITERAL_FORM_TEXT.replace('"abc"', f'"{"x" * length}"')
    assert [diagnostic.rule for diagnostic in spvls.validate(text)] == expected


def test_a_string_is_measured_in_characters() -> None:
    text = LITERAL_FORM_TEXT.replace('"abc"', f'"{"ä" * 65535}"')
    assert spvls.validate(text) == []
