"""Entries that are read from their lines are those of the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from spvls.grammar.data_text import data_folder
from spvls.grammar.entry_lines import KINDS, VALUED, EntryLines

FILES = {"opcodes.json": VALUED, "operand_kinds.json": KINDS}


def text_of(name: str) -> str:
    with open(f"{data_folder()}/{name}", encoding="utf-8") as file:
        return file.read()


def tables() -> Iterator[tuple[EntryLines, dict[str, Any]]]:
    """Every table that has its entries one a line, with what JSON reads of it."""
    for file, opening in FILES.items():
        text = text_of(file)
        whole = json.loads(text)
        yield EntryLines(text, opening), whole
        for name, entry in whole.items():
            if entry.get("enumerants"):
                yield EntryLines(text, opening)[name]["enumerants"], entry["enumerants"]


def plain(entry: dict[str, Any]) -> dict[str, Any]:
    return entry | {"enumerants": dict(entry["enumerants"])} if "enumerants" in entry else entry


def test_each_entry_is_that_of_the_file() -> None:
    for lines, whole in tables():
        assert {name: plain(lines[name]) for name in reversed(whole)} == whole
        assert all(name in lines for name in whole)


def test_all_entries_are_those_of_the_file_in_order() -> None:
    for lines, whole in tables():
        last = next(reversed(whole))
        read = lines[last]
        assert list(lines) == list(whole)
        assert lines[last] is read
        assert {name: plain(entry) for name, entry in lines.items()} == whole


def test_the_first_name_of_a_value_is_found() -> None:
    for lines, whole in tables():
        if all("value" in entry for entry in whole.values()):
            names: dict[int, str] = {}
            for name, entry in whole.items():
                names.setdefault(entry["value"], name)
            assert {value: lines.name_of(value) for value in names} == names
            assert lines.name_of(99_999_999) is None


@pytest.mark.parametrize("name", ["", "OpNo", "opnop", 'OpNop": {"value', "Nop\n", "value", "enumerants", "OpNop\\"])
def test_there_is_no_other_entry(name: str) -> None:
    lines = EntryLines(text_of("opcodes.json"), VALUED)
    assert name not in lines
    with pytest.raises(KeyError):
        lines[name]


def test_few_entries_are_read_one_by_one() -> None:
    lines = EntryLines(text_of("opcodes.json"), VALUED)
    names = list(json.loads(text_of("opcodes.json")))
    for name in names[:60]:
        assert lines[name]
    assert not lines.is_read
    for name in names[60:70]:
        assert lines[name]
    assert lines.is_read
