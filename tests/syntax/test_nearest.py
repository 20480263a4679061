"""Names for misspelt ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.steps import completed
from spvls.syntax.nearest import Spelling, nearest_among

WORD = st.text("abAB", max_size=6)
NAMES = ("Shader", "Matrix", "Kernel", "Float64")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("Shader", "Shader"),
        ("shader", "Shader"),
        ("Shadr", "Shader"),
        ("Shaader", "Shader"),
        ("Shqder", "Shader"),
        ("Shdaer", "Shader"),
        ("Float46", "Float64"),
        ("Vector", None),
        ("", None),
        ("x" * 10_000, None),
    ],
)
def test_nearest(word: str, name: str | None) -> None:
    assert Spelling(NAMES).nearest(word) == name


@given(st.sampled_from(NAMES), st.data())
def test_one_letter_amiss_is_understood(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.characters(min_codepoint=97, max_codepoint=122))
    for word in (name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :]):
        assert Spelling(NAMES).nearest(word) == name


@given(st.lists(WORD, max_size=8), WORD)
def test_a_word_alone_needs_no_index(names: list[str], word: str) -> None:
    assert completed(nearest_among(word, names)) == Spelling(names).nearest(word)
