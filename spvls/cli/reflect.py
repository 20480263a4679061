"""`spvls reflect`: what a module is and offers, listed for people or for programs."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from textwrap import wrap

from spvls.cli.console import columns, say, say_data
from spvls.cli.source_module import header_of, read_source_module, source_module_arguments
from spvls.cli.target import environment_argument
from spvls.ide.summary.reflection import summarize
from spvls.ide.summary.text import text
from spvls.ide.to_json import to_json
from spvls.text.escaping import json_text

_GAP = re.compile(r"(?<=\S)  +").finditer


def arguments(parser: ArgumentParser) -> None:
    source_module_arguments(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how it is written (default: text)")
    environment_argument(parser)


def run(options: Namespace) -> int:
    loaded = read_source_module(options, options.target_env)
    summary = summarize(loaded.source_module, loaded.header or header_of(loaded.source_module))
    if options.format == "json":
        say_data(json_text(to_json(summary), indent=1))
    else:
        width = columns(sys.stdout)
        for line in text(summary).splitlines():
            say(line if width is None else fitted(line, width))
    return int(loaded.damaged)


def fitted(line: str, width: int) -> str:
    """A line of a table, broken between words where it is wider than that; the rest stands below its last column, if that
    begins in the left half."""
    if len(line) <= width:
        return line
    indent = len(line) - len(line.lstrip())
    starts = [gap.end() for gap in _GAP(line) if gap.end() <= width // 2]
    rest = " " * max(indent + 4, *starts, 0)
    return "\n".join(wrap(line, width, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False))
