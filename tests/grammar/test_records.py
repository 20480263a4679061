"""The lookups that the tables are made of."""

from __future__ import annotations

import pytest

from spvls.grammar.records import Entries, Entry, Enumerant, Lookup, Opcode, Operand

ENTRIES: Entries = {
    "Old": {"value": 1, "aliases": ["OldKHR", "OldEXT"]},
    "New": {"value": 2},
    "AlsoNew": {"value": 2},
}


def make(name: str, entry: Entry) -> Enumerant:
    return Enumerant("Kind", name, entry["value"], (), aliases=tuple(entry.get("aliases", ())))


def test_entries_are_loaded_with_the_first_question_and_made_when_asked_for() -> None:
    loads: list[None] = []
    made: list[str] = []

    def load() -> Entries:
        loads.append(None)
        return ENTRIES

    def record(name: str, entry: Entry) -> Enumerant:
        made.append(name)
        return make(name, entry)

    lookup = Lookup(load, record)
    assert (loads, made) == ([], [])
    assert lookup.get("New") is lookup.get("New")
    assert lookup.get("Missing") is None
    assert (loads, made) == ([None], ["New"])


def test_names_aliases_and_values_lead_to_one_record() -> None:
    lookup = Lookup(lambda: ENTRIES, make)
    record = lookup.by_value(1)
    assert record is not None
    assert record.name == "Old"
    assert lookup.get("Old") is lookup.get("OldKHR") is lookup.get("OldEXT") is record
    assert lookup.get("old") is None
    assert lookup.by_value(3) is None


def test_first_entry_of_a_value_is_the_one_shown() -> None:
    lookup = Lookup(lambda: ENTRIES, make)
    shown = lookup.by_value(2)
    assert shown is not None and shown.name == "New"
    assert [record.name for record in lookup.all] == ["Old", "New", "AlsoNew"]
    assert lookup.all[2] is lookup.get("AlsoNew")


def test_new_contents_reach_records_already_handed_out() -> None:
    lookup = Lookup(lambda: ENTRIES, make)
    old, new, gone = lookup.get("Old"), lookup.get("New"), lookup.get("AlsoNew")
    assert old is not None and new is not None and gone is not None
    fresh: Entries = {"Old": {"value": 7}, "Newer": {"value": 2, "aliases": ["New"]}}
    lookup.become(Lookup(lambda: fresh, make))
    assert lookup.get("Old") is lookup.by_value(7) is old
    assert (old.value, old.aliases) == (7, ())
    assert lookup.get("New") is lookup.get("Newer") is lookup.by_value(2) is new
    assert (new.name, new.aliases) == ("Newer", ("New",))
    assert lookup.get("AlsoNew") is None
    assert (gone.name, gone.value) == ("AlsoNew", 2)
    assert lookup.get("OldKHR") is None


@pytest.mark.parametrize(
    ("kinds", "arguments"),
    [
        (("IdResultType", "IdResult", "IdRef"), ("IdRef",)),
        (("IdResult", "LiteralInteger"), ("LiteralInteger",)),
        (("IdRef", "IdRef"), ("IdRef", "IdRef")),
        (("IdResult",), ()),
        ((), ()),
    ],
)
def test_arguments_leave_out_type_and_result(kinds: tuple[str, ...], arguments: tuple[str, ...]) -> None:
    opcode = Opcode("OpMade", 1, "Memory", tuple(Operand(kind, "", "") for kind in kinds))
    assert tuple(operand.kind for operand in opcode.arguments) == arguments
    assert opcode.has_type == ("IdResultType" in kinds)
    assert opcode.has_result == ("IdResult" in kinds)
