"""The sections of the specification against its table of contents."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from spvls.grammar import sections
from spvls.grammar.sections import Section

_ALL = {name: value for name, value in vars(sections).items() if isinstance(value, Section)}
_ENTRY = re.compile(r"\s*(\d+(?:\.\d+)+)\. (.+?)[ .]*\t\d+\s*$")


def test_numbers_are_in_order_and_name_one_section_each() -> None:
    numbers = [tuple(map(int, section.number.split("."))) for section in _ALL.values()]
    assert numbers == sorted(set(numbers))


def test_anchors_can_be_part_of_an_address() -> None:
    assert [name for name, section in _ALL.items() if not re.fullmatch(r"[\w-]+", section.anchor)] == []


def test_titles_are_those_of_the_specification() -> None:
    path = os.environ.get("SPVLS_SPECIFICATION")
    if path is None:
        pytest.skip("SPVLS_SPECIFICATION names no text of the specification to compare with")
    text = Path(path).read_text(encoding="utf-8")
    assert f"Version {sections.REVISION.split(',')[0]}, Revision {sections.REVISION.rsplit(' ', 1)[1]}" in text
    titles: dict[str, str] = {}
    for line in text.splitlines():
        if (found := _ENTRY.match(line)) is not None:
            titles.setdefault(found[1], found[2])
    assert {section.number: section.title for section in _ALL.values()}.items() <= titles.items()
