"""`spvls reflect`: what a module is and offers, listed for people or for programs."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from spvls.cli.assembly import header_of, read_assembly
from spvls.cli.output import STDOUT, write
from spvls.cli.source import STDIN, size_argument
from spvls.cli.target import environment_argument
from spvls.ide.plain import plain
from spvls.ide.reflection import summarize
from spvls.ide.summary_text import text


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="?", default=STDIN, metavar="FILE", help="a text or a binary, told apart by content; - is the standard input"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how it is written (default: text)")
    environment_argument(parser)
    size_argument(parser)


def run(options: Namespace) -> int:
    source = read_assembly(options.path, options.target_env, options.max_file_size)
    summary = summarize(source.assembly, source.header or header_of(source.assembly))
    shown = text(summary) if options.format == "text" else json.dumps(plain(summary), indent=1) + "\n"
    write(STDOUT, shown.encode("utf-8", "replace"))
    return int(source.damaged)
