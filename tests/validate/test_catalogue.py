"""The table of requirements and who checks them, `tests/validate/catalogue/`, is whole, honest and without open lines."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

import spvls
from spvls.validate.engine.rule import rules
from tests.validate.catalogue import all_requirements, families, requirements, table
from tests.validate.catalogue.coverage import witnesses

_SOURCES = Path(spvls.__file__).parent


def _finding_ids() -> set[str]:
    """The ids of all findings: those of the rules, and those that the reader, the decoder and the assembler write themselves."""
    found = set(rules())
    for path in _SOURCES.rglob("*.py"):
        found.update(re.findall(r'"([a-z-]+/[a-z0-9-]+)"', path.read_text("utf-8")))
    return found


def test_named_rules_and_findings_exist() -> None:
    known, all_findings = set(rules()), _finding_ids()
    missing = [
        f"{requirement.id}: {name}"
        for requirement in all_requirements()
        for name in requirement.findings
        if name not in (known if requirement.by == "rule" else all_findings)
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("family", families())
def test_ids_are_unique_sorted_and_of_their_family(family: str) -> None:
    ids = [requirement.id for requirement in requirements(family)]
    assert [id_ for id_, count in Counter(ids).items() if count > 1] == []
    assert ids == sorted(ids)
    assert [id_ for id_ in ids if not id_.startswith(f"{family}/")] == []


def test_every_line_says_how() -> None:
    assert [r.id for r in all_requirements() if not r.how.strip()] == []
    short = [f"{r.id}: {r.how}" for r in all_requirements() if r.by == "none" and len(r.how.split()) < 3]
    assert not short, "a reason is a sentence:\n" + "\n".join(short)


def test_nothing_is_open() -> None:
    left = [f"{r.id}: {r.how}" for r in all_requirements() if r.by == "open"]
    assert not left, f"{len(left)} open:\n" + "\n".join(left)


def test_the_table_counts_every_line() -> None:
    printed = table(_MARKED)
    print("\n" + printed)
    assert printed.split()[-2:] == [str(len(all_requirements())), str(len(_MARKED))]


def test_nothing_is_left_out() -> None:
    """Where a list of all requirements is at hand, its first column, every one of them has a line."""
    path = os.environ.get("SPVLS_CATALOGUE")
    if path is None:
        pytest.skip("SPVLS_CATALOGUE names no list of requirements to compare with")
    lines = Path(path).read_text("utf-8").splitlines()[1:]
    listed = {line.split("\t")[0] for line in lines if line}
    ours = {requirement.id for requirement in all_requirements()}
    assert sorted(listed - ours) == []
    assert sorted(ours - listed) == []


_MARKED = witnesses()


def test_marked_requirements_exist() -> None:
    assert sorted({*_MARKED} - {requirement.id for requirement in all_requirements()}) == []


def test_requirements_name_the_rules_that_find_their_violations() -> None:
    named = {requirement.id: requirement.findings for requirement in all_requirements()}
    found = {(id_, witness) for id_, witnesses_ in _MARKED.items() for witness in witnesses_}
    assert sorted((id_, witness) for id_, witness in found if witness.rule not in named[id_]) == []
