"""Who asked for what."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spvls.module.facts import Facts, Reads

_NAMES = st.sets(st.sampled_from("abcdefgh"), max_size=4)
_ASKED = st.lists(st.tuples(_NAMES, _NAMES, _NAMES), max_size=300)


def _facts(definitions: set[str], values: set[str], shared: set[str]) -> Facts:
    facts = Facts()
    facts.definitions |= definitions
    facts.values |= values
    facts.shared |= shared
    return facts


def _reads(asked: list[tuple[set[str], set[str], set[str]]]) -> Reads:
    reads = Reads(len(asked))
    for asker, names in enumerate(asked):
        reads.take(asker, _facts(*names).groups())
    return reads


@given(_ASKED, _NAMES, _NAMES)
def test_facts_are_taken_back_from_those_who_asked(
    asked: list[tuple[set[str], set[str], set[str]]], definitions: set[str], values: set[str]
) -> None:
    reads = _reads(asked)
    expected = {at for at, names in enumerate(asked) if names[0] & definitions or names[1] & values}
    changed = _facts(definitions, values, set())
    assert reads.withdraw(changed) == expected
    assert reads.withdraw(changed) == set()


@given(_ASKED, st.sets(st.integers(0, 299)))
def test_what_is_handed_on(asked: list[tuple[set[str], set[str], set[str]]], askers: set[int]) -> None:
    reads = _reads(asked)
    names = {name for at, found in enumerate(asked) if at in askers for name in found[2]}
    assert reads.shared_by(askers).shared == names
    assert reads.sharing(names) == {at for at, found in enumerate(asked) if found[2] & names}


@given(_ASKED, st.sets(st.integers(0, 299)), _NAMES)
def test_who_asks_no_more(asked: list[tuple[set[str], set[str], set[str]]], askers: set[int], values: set[str]) -> None:
    reads = _reads(asked)
    reads.drop({asker for asker in askers if asker < len(asked)})
    expected = {at for at, names in enumerate(asked) if at not in askers and names[1] & values}
    assert reads.withdraw(_facts(set(), values, set())) == expected


def test_facts_that_were_noted_are_cleared() -> None:
    facts = _facts({"a"}, {"b"}, {"c"})
    assert not facts.is_empty()
    Reads(1).take(0, facts.groups())
    assert facts.is_empty()
