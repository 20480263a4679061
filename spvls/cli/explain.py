"""`spvls explain RULE`: what a rule checks, why, and an example of it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from spvls.cli.console import say
from spvls.cli.failure import Failure
from spvls.syntax.nearest import Spelling
from spvls.validate.engine.explanation import explained, explanation


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="the id of a rule, as findings show it in brackets")


def run(options: Namespace) -> int:
    found = explanation(options.rule)
    if found is None:
        near = Spelling(explained()).nearest(options.rule)
        hint = f"; did you mean {near}?" if near else "; `spvls rules` lists them"
        raise Failure(f"there is no rule {options.rule}{hint}")
    say(f"{found.id}{f' ({found.about})' if found.about else ''}\n\n{found.text}")
    return 0
