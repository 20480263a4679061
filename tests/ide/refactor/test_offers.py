"""Refactorings leave the module meaning what it means."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given

import spvls
from spvls.diagnostic import Position
from spvls.ide.refactor.offers import edits_of, refactorings
from spvls.ide.source.source_module import SourceModule
from tests.corpus import TEXTS, is_faulty, name_of, text_of
from tests.ide.marked import applied, marked
from tests.strategies import positions, texts


def done(text: str, key: str) -> str:
    """A text after one of the refactorings at its cursor."""
    source, cursor, _ = marked(text)
    edits = edits_of(source, cursor, key)
    assert edits is not None
    return applied(source, edits)


def keys(text: str) -> set[str]:
    source, cursor, _ = marked(text)
    return {found.key for found in refactorings(source, cursor)}


def test_an_id_takes_the_name_that_opname_gives_it() -> None:
    text = 'OpName %4 "my color"\n%3 = OpTypeVoid\n%4‸ = OpUndef %3\n'
    assert done(text, "name-after-opname") == 'OpName %my_color "my color"\n%3 = OpTypeVoid\n%my_color = OpUndef %3\n'


def test_a_name_that_is_taken_is_not_offered() -> None:
    assert "name-after-opname" not in keys('OpName %4 "a"\n%a = OpTypeVoid\n%4‸ = OpUndef %a\n')


def test_an_opname_is_added_behind_the_others() -> None:
    text = 'OpName %a "a"\n%a = OpTypeVoid\n%b‸ = OpUndef %a\n'
    assert done(text, "add-opname") == 'OpName %a "a"\nOpName %b "b"\n%a = OpTypeVoid\n%b = OpUndef %a\n'


def test_the_first_opname_stands_before_what_comes_behind_names() -> None:
    text = "OpCapability Shader\n  OpDecorate %a RelaxedPrecision\n%a‸ = OpTypeVoid\n"
    assert done(text, "add-opname") == (
        'OpCapability Shader\nOpName %a "a"\n  OpDecorate %a RelaxedPrecision\n%a = OpTypeVoid\n'
    )


def test_what_nothing_uses_goes_with_its_names_and_decorations() -> None:
    text = 'OpName %b "b"\nOpDecorate %b RelaxedPrecision\n%a = OpTypeVoid\n%b = Op‸Undef %a ; gone\nOpNop\n'
    assert done(text, "remove-unused") == "%a = OpTypeVoid\n ; gone\nOpNop\n"


def test_a_load_that_nothing_uses_goes_unless_it_is_volatile() -> None:
    assert done("%b = Op‸Load %a %p\nOpNop\n", "remove-unused") == "OpNop\n"
    assert "remove-unused" not in keys("%b = Op‸Load %a %p Volatile\n")
    assert "remove-unused" not in keys("OpDecorate %p Volatile\n%b = Op‸Load %a %p\n")


@pytest.mark.parametrize("line", ["%b = OpUn‸def %a\nOpStore %a %b\n", "%b = OpFunction‸Call %a %a\n", "OpN‸op\n"])
def test_what_is_used_or_has_effects_stays(line: str) -> None:
    assert "remove-unused" not in keys(f"%a = OpTypeVoid\n{line}")


def test_capabilities_and_extensions_are_sorted() -> None:
    text = "‸OpCapability Shader ; s\n OpCapability Kernel\nOpExtension \"b\"\nOpExtension \"a\"\nOpNop\n"
    assert done(text, "sort-sections") == (
        "OpCapability Kernel\n OpCapability Shader ; s\nOpExtension \"a\"\nOpExtension \"b\"\nOpNop\n"
    )
    assert "sort-sections" not in keys("‸OpCapability Kernel\nOpCapability Shader\n")


def test_numbers_become_speaking_names() -> None:
    text = "%1‸ = OpTypeFloat 32\n%2 = OpTypeVector %1 4\n%x = OpUndef %2\n"
    assert done(text, "friendly-names") == "%float = OpTypeFloat 32\n%v4float = OpTypeVector %float 4\n%x = OpUndef %v4float\n"


@pytest.mark.parametrize("key", ["renumber", "friendly-names", "sort-sections"])
@pytest.mark.parametrize("path", [path for path in TEXTS if not is_faulty(path)], ids=name_of)
def test_the_words_stay_what_they_are(path: Path, key: str) -> None:
    source = SourceModule(text_of(path))
    edits = edits_of(source, Position(0, 0), key)
    if edits is None:
        assert key != "renumber"
        return
    before, after = spvls.assemble(source.text), spvls.assemble(applied(source, edits))
    if key == "sort-sections":
        assert sorted(before) == sorted(after)
    else:
        assert before == after


@given(texts(), positions())
def test_refactorings_take_any_text(text: str, position: Position) -> None:
    source = SourceModule(text)
    for found in refactorings(source, position):
        edits = sorted(found.edits(), key=lambda edit: edit.range)
        assert all(edit.range.start <= edit.range.end for edit in edits)
        assert all(one.range.end <= other.range.start for one, other in pairwise(edits))
