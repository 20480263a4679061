"""Which answers depend on which facts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spvls.module.dependencies import Dependencies, Facts

_NAMES = st.sets(st.sampled_from("abcdefgh"), max_size=4)
_ASKED = st.lists(st.tuples(_NAMES, _NAMES, _NAMES), max_size=300)


def _facts(definitions: set[str], values: set[str], shared: set[str]) -> Facts:
    facts = Facts()
    facts.definitions |= definitions
    facts.values |= values
    facts.chunk_state |= shared
    return facts


def _recorded(asked: list[tuple[set[str], set[str], set[str]]]) -> Dependencies:
    dependencies = Dependencies()
    for asker, names in enumerate(asked):
        dependencies.record(asker, _facts(*names).groups())
    return dependencies


@given(_ASKED, _NAMES, _NAMES)
def test_those_who_depend_on_a_fact_are_invalid_after_it_changes(
    asked: list[tuple[set[str], set[str], set[str]]], definitions: set[str], values: set[str]
) -> None:
    dependencies = _recorded(asked)
    expected = {at for at, names in enumerate(asked) if names[0] & definitions or names[1] & values}
    changed = _facts(definitions, values, set())
    assert dependencies.invalidate(changed) == expected
    assert dependencies.invalidate(changed) == set()


@given(_ASKED, st.sets(st.integers(0, 299)))
def test_state_of_a_chunk_is_of_all_who_take_part(asked: list[tuple[set[str], set[str], set[str]]], askers: set[int]) -> None:
    dependencies = _recorded(asked)
    names = {name for at, found in enumerate(asked) if at in askers for name in found[2]}
    assert dependencies.state_of(askers) == names
    assert dependencies.sharing(names) == {at for at, found in enumerate(asked) if found[2] & names}


@given(_ASKED, st.sets(st.integers(0, 299)), _NAMES)
def test_who_is_forgotten_takes_part_in_nothing(
    asked: list[tuple[set[str], set[str], set[str]]], askers: set[int], state: set[str]
) -> None:
    dependencies = _recorded(asked)
    dependencies.forget_state({asker for asker in askers if asker < len(asked)})
    assert dependencies.sharing(state) == {at for at, names in enumerate(asked) if at not in askers and names[2] & state}


def test_facts_that_were_noted_are_cleared() -> None:
    facts = _facts({"a"}, {"b"}, {"c"})
    assert not facts.is_empty()
    Dependencies().record(0, facts.groups())
    assert facts.is_empty()
