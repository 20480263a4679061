"""Former names lead to those of today."""

from __future__ import annotations

import pytest

import spvls
from spvls.grammar import tables
from spvls.grammar.history import OPCODES, _document, former_names, renamed
from spvls.grammar.keys import resolve
from spvls.grammar.reference import identity


def test_former_names_are_no_names_of_today() -> None:
    for family, names in _document("former_names.json").items():
        for old, new in names.items():
            known = (tables.opcode(old), tables.opcode(new)) if family == OPCODES else ()
            known = known or (tables.kind(family).get(old), tables.kind(family).get(new))
            assert known[0] is None and known[1] is not None, old


def test_an_entry_says_what_it_was_called() -> None:
    for key in (key for names in _document("former_names.json").values() for old in names for key in renamed(old)):
        subject = resolve(key)
        assert subject is not None and any(fact.startswith("Formerly `") for fact in identity(subject)), key
    assert former_names("Scope") == {}


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("%x = OpAsyncGroupCopy %t", "did you mean OpGroupAsyncCopy?"),
        ("%x = OpTypePointer WorkgroupLocal %t", "did you mean Workgroup?"),
        ("%x = OpTypePointer Workgruop %t", "did you mean Workgroup?"),
    ],
)
def test_what_is_meant(line: str, meant: str) -> None:
    assert any(meant in finding.message for finding in spvls.validate(f"{line}\n"))
