"""`spvls rules`: all of them, and those that a filter lets pass."""

from __future__ import annotations

import json

import pytest

from spvls.validate.engine.rule import rules
from tests.cli.conftest import Run


def ids(run: Run, *filters: str) -> list[str]:
    return [rule["rule"] for rule in json.loads(run("rules", *filters, "--format", "json").out)]


def test_all_rules(run: Run) -> None:
    assert sorted(ids(run)) == sorted(rules())
    assert [line.split()[0] for line in run("rules").out.splitlines() if line.startswith(" ")] == ids(run)


def test_filters(run: Run) -> None:
    everything = ids(run)
    family = everything[0].partition("/")[0]
    assert ids(run, f"{family}/*") == [rule for rule in everything if rule.startswith(f"{family}/")]
    assert ids(run, everything[0].upper()) == [everything[0]]
    assert set(everything) > set(ids(run, "dominate")) >= set(ids(run, "dominate", "block")) != set()
    said = {rule.id for rule in rules().values() if "dominate" in f"{rule.id} {rule.title}".lower()}
    assert set(ids(run, "DOMINATE")) == said


@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_filter_that_no_rule_passes(run: Run, format_: str) -> None:
    assert run("rules", "xyzzy", "--format", format_) == (2, "", "spvls: there is no rule with xyzzy; `spvls rules` lists all\n")
