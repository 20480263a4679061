"""`spvls explain RULE`: what a rule checks, why, an example of it, and what to read."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace

from spvls.cli.console import colored, say
from spvls.cli.failure import Failure
from spvls.cli.markdown import WIDTH, render
from spvls.syntax.nearest import Spelling
from spvls.validate.engine.explanation import explained, explanation
from spvls.validate.engine.rule_markdown import page_markdown


def arguments(parser: ArgumentParser) -> None:
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("rule", nargs="?", metavar="RULE", help="the id of a rule, as findings show it in brackets")
    asked.add_argument("--list", action="store_true", help="list the ids of all rules, one a line")


def run(options: Namespace) -> int:
    if options.list:
        say("\n".join(explained()))
        return 0
    found = explanation(options.rule)
    if found is None:
        near = Spelling(explained()).nearest(options.rule)
        hint = f"; did you mean {near}?" if near else "; `spvls rules` lists them"
        raise Failure(f"there is no rule {options.rule}{hint}")
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH)
    color = colored(sys.stdout)
    say(render(page_markdown(found), width, color=color), styled=color)
    return 0
