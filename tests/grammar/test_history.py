"""What versions changed, and which took an extension in."""

from __future__ import annotations

import json
import re

import pytest

from spvls.grammar import tables
from spvls.grammar.data_text import data_folder
from spvls.grammar.deprecation import deprecations
from spvls.grammar.history import Change, Promotion, changes, promotion
from spvls.grammar.keys import resolve
from spvls.grammar.records import Enumerant, Opcode

VERSION = re.compile(r"1\.[0-6](?:, revision \d)?")


def document(name: str) -> dict[str, object]:
    with open(f"{data_folder()}/{name}", encoding="utf-8") as file:
        found: dict[str, object] = json.load(file)
    return found


@pytest.mark.parametrize("key", document("history.json"))
def test_changes_are_of_entries_and_in_order(key: str) -> None:
    subject = resolve(key)
    assert subject is not None and subject.key == key
    versions = [change.version for change in changes(key)]
    assert versions and versions == sorted(versions) and all(map(VERSION.fullmatch, versions))
    record = subject.record
    assert isinstance(record, Opcode | Enumerant)
    removed = [version for version, what in changes(key) if what == "removed"]
    if removed:
        assert record.last_version is not None
        major, minor = record.last_version
        assert removed == [f"{major}.{minor + 1}"]


def test_what_was_removed_and_what_is_deprecated_by_the_core_says_since_when() -> None:
    silent = {
        key
        for key, known in deprecations().items()
        if known.extension is None and not any(what == "deprecated" for _, what in changes(key))
    }
    assert silent == {"Decoration.BufferBlock"}  # no revision of the text says when
    for opcode in tables.opcodes():
        assert opcode.last_version is None or any(what == "removed" for _, what in changes(opcode.name)), opcode.name


def test_changes() -> None:
    assert changes("OpKill") == (Change("1.6", "deprecated"),)
    assert changes("OpNop") == ()


@pytest.mark.parametrize("name", document("promotions.json"))
def test_promotions_are_of_extensions(name: str) -> None:
    found = promotion(name)
    assert name in tables.extension_names() and found is not None and VERSION.fullmatch(found.version)


def test_promotions_agree_with_the_versions_of_entries() -> None:
    """All enumerants of an extension that has no exception are in the core by the version that took the extension in."""
    for kind in tables.kinds():
        for enumerant in kind.all:
            for name in enumerant.extensions:
                taken = promotion(name)
                if taken is not None and not taken.but and enumerant.version is not None and len(enumerant.extensions) == 1:
                    assert enumerant.version == tuple(map(int, taken.version.split("."))), (enumerant.name, name)


def test_promotion() -> None:
    assert promotion("SPV_KHR_16bit_storage") == Promotion("1.3", "")
    assert promotion("SPV_KHR_ray_query") is None
