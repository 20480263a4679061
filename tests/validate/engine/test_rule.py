"""The registry: ids, functions, folders and the order of rules agree."""

from __future__ import annotations

import re

import pytest

from spvls.validate.engine.rule import Rule, folder_title, rules

_ID = re.compile(r"[a-z]+(-[a-z]+)*/[a-z0-9]+(-[a-z0-9]+)*")


@pytest.mark.parametrize("rule", rules().values(), ids=rules())
def test_a_rule_stands_in_its_folder_under_its_name(rule: Rule) -> None:
    assert _ID.fullmatch(rule.id)
    folder, _, phrase = rule.id.replace("-", "_").partition("/")
    assert rule.check.__module__.split(".")[:-1] == ["spvls", "validate", "rules", folder]
    assert rule.check.__name__ == phrase


def test_rules_run_in_the_order_of_their_ids() -> None:
    assert list(rules()) == sorted(rules())


def test_every_folder_says_what_it_is_about() -> None:
    titles = {rule.folder: folder_title(rule.folder) for rule in rules().values()}
    assert all(title and "\n" not in title for title in titles.values())
    assert len(set(titles.values())) == len(titles)
