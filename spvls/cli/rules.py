"""`spvls rules`: the rules of the validator, one a line, by folder."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import groupby

from spvls.cli.console import say, say_data
from spvls.cli.failure import Failure
from spvls.text.escaping import json_text
from spvls.validate.engine.rule import Rule, folder_title, rules
from spvls.validate.engine.rule_facts import facts_of
from spvls.validate.engine.rule_patterns import patterns_of


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "filters", nargs="*", metavar="FILTER", help="list only rules with this in their id or their sentence; image/* is a folder"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to list them (default: text)")


def run(options: Namespace) -> int:
    known = [rule for rule in rules().values() if _passes(rule, options.filters)]
    if not known:
        raise Failure(f"there is no rule with {' and '.join(options.filters)}; `spvls rules` lists all")
    if options.format == "json":
        say_data(json_text([_entry(rule) for rule in known], indent=1))
    else:
        width = max(len(rule.id) for rule in known)
        for folder, group in groupby(known, key=lambda rule: rule.folder):
            say(f"{folder}: {folder_title(folder)}")
            for rule in group:
                say(f"  {rule.id:{width}}  {rule.severity.value:7}  {rule.title}")
    return 0


def _passes(rule: Rule, filters: list[str]) -> bool:
    """Whether a rule has all of these, in upper or lower case."""
    said = f"{rule.id} {rule.title}".lower()
    return all(wanted in patterns_of(rule.id) or wanted.lower() in said for wanted in filters)


def _entry(rule: Rule) -> dict[str, object]:
    return {
        "rule": rule.id,
        "severity": rule.severity.value,
        "section": rule.section.number,
        "vuid": rule.vuid,
        "vuids": list(facts_of(rule.id).vuids),
        "apis": sorted(rule.apis),
        "title": rule.title,
    }
