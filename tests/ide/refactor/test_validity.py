"""A refactoring leaves a valid module valid: what is offered, wherever it is, adds no error."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spvls
from spvls.diagnostic import Position, Severity
from spvls.ide.refactor.offers import refactorings
from spvls.ide.source.source_module import SourceModule
from spvls.text.edits import edited
from tests.corpus import RULES, TEXTS, is_faulty, name_of, text_of
from tests.strategies import positions, texts

SHADERS = [path for path in TEXTS if not is_faulty(path)]
CLEAN = sorted(RULES.glob("**/*.clean.spvasm"))

EACH_PLACE = 7
"""Of the words and selections of a shader, every seventh is tried; that is a number without a factor in common with most lines."""

EACH_MODULE = 12
"""Of the corrected twins of the modules that violate rules, every twelfth is tried, in places that are as far apart."""

SELECTED = (1, 2, 4, 9)
"""Lines of a selection."""

SELECTED_BLOCKS = (1, 2, 3, 5)
"""Blocks of a selection, which is tried at each block."""

LEAST_OF_A_SHADER, LEAST_OF_ALL_TWINS = 4, 100
"""Refactorings that are applied, so that the tests fail when they hardly apply any."""


def errors(text: str) -> Counter[str]:
    return Counter(found.rule for found in spvls.validate(text) if found.severity is Severity.ERROR)


def places(source: SourceModule) -> list[tuple[Position, Position | None]]:
    """The words of instructions, and selections of some lines from each line on."""
    found: list[tuple[Position, Position | None]] = []
    lines = source.document.lines
    for number in range(len(lines)):
        for record in source.document.records_on(number):
            found += [(Position(number, span.start), None) for span in record.words() if "\n" not in record.text[: span.start]]
        found += [(Position(number, 0), Position(number + count, 0)) for count in SELECTED if number + count < len(lines)]
    return found


def blocks(source: SourceModule) -> list[tuple[Position, Position | None]]:
    """Selections of some blocks from each block on."""
    lines = [line.split(";")[0].split() for line in source.document.lines]
    found: list[tuple[Position, Position | None]] = []
    begun = [number for number, words in enumerate(lines) if words[-1:] in (["OpLabel"], ["OpFunctionEnd"])]
    for at, number in enumerate(begun):
        found += [(Position(number, 0), Position(begun[at + count], 0)) for count in SELECTED_BLOCKS if at + count < len(begun)]
    return found


def apply_all(path: Path, each: int) -> int:
    """Apply what is offered at some places of a fixture, each refactoring of a title once, and the extraction of any blocks; how
    many there were."""
    source = SourceModule(text_of(path))
    before = errors(source.text)
    seen: set[tuple[str, str]] = set()
    for start, end in [*places(source)[::each], *blocks(source)]:
        for found in refactorings(source, start, end):
            if (found.key, found.title) in seen and found.key != "extract-function":
                continue
            if found.refused:
                continue
            seen.add((found.key, found.title))
            edits = sorted(found.edits(), key=lambda edit: edit.range)
            assert edits or found.whole, f"{found.title} at {start} changes nothing"
            assert all(one.range.end <= other.range.start for one, other in pairwise(edits)), found.title
            after = edited(source.text, edits)
            assert not errors(after) - before, f"{found.title} at {start}\n{after}"
    return len(seen)


@pytest.mark.parametrize("path", SHADERS, ids=name_of)
def test_refactorings_of_shaders_leave_them_valid(path: Path) -> None:
    assert apply_all(path, EACH_PLACE) >= LEAST_OF_A_SHADER


def test_refactorings_of_corrected_modules_leave_them_valid() -> None:
    assert sum(apply_all(path, EACH_MODULE) for path in CLEAN[::EACH_MODULE]) >= LEAST_OF_ALL_TWINS


@given(texts(), positions(), st.none() | positions())
def test_any_text_and_selection_is_taken(text: str, start: Position, end: Position | None) -> None:
    source = SourceModule(text)
    for found in refactorings(source, start, end):
        edits = sorted(found.edits(), key=lambda edit: edit.range)
        assert all(one.range.end <= other.range.start for one, other in pairwise(edits)), found.title
