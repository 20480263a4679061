"""`spvls explain RULE`: what a rule checks, why, and an example of it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from inspect import cleandoc

from spvls.cli.failure import Failure
from spvls.syntax.nearest import Spelling
from spvls.validate.rule import rules


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="the id of a rule, as findings show it in brackets")


def run(options: Namespace) -> int:
    rule = rules().get(options.rule)
    if rule is None:
        near = Spelling(rules()).nearest(options.rule)
        hint = f"; did you mean {near}?" if near else "; `spvls rules` lists them"
        raise Failure(f"there is no rule {options.rule}{hint}")
    about = [f"SPIR-V {rule.section}"]
    if rule.vuid is not None:
        about.append(rule.vuid)
    if rule.apis:
        about.append("for " + ", ".join(sorted(rule.apis)))
    print(f"{rule.id} ({rule.severity.value}; {'; '.join(about)})\n\n{cleandoc(rule.documentation)}")
    return 0
