"""`spvls rules`: every rule of the validator, one a line."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from spvls.validate.rule import Rule, rules


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to list them (default: text)")


def run(options: Namespace) -> int:
    known = sorted(rules().values(), key=lambda rule: rule.id)
    if options.format == "json":
        print(json.dumps([_entry(rule) for rule in known], indent=1, ensure_ascii=False))
    else:
        width = max(len(rule.id) for rule in known)
        for rule in known:
            print(f"{rule.id:{width}}  {rule.severity.value:7}  {rule.title}")
    return 0


def _entry(rule: Rule) -> dict[str, object]:
    return {
        "rule": rule.id,
        "severity": rule.severity.value,
        "section": rule.section,
        "vuid": rule.vuid,
        "apis": sorted(rule.apis),
        "title": rule.title,
    }
