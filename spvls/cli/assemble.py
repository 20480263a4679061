"""`spvls as`: a text to a binary module."""

from __future__ import annotations

import sys

from spvls import AssembleError, assemble_with_ids
from spvls.cli.arguments import ArgumentParser, Namespace
from spvls.cli.console import colored, warn
from spvls.cli.failure import Failure
from spvls.cli.formats.text import as_text
from spvls.cli.modules import TextModule, chosen_module, module_argument
from spvls.cli.outcome import Listing
from spvls.cli.output import force_argument, write
from spvls.cli.source import STDIN, is_binary, read, shown, size_argument, stdin_argument, text_of
from spvls.cli.tally import Tally
from spvls.cli.target import environment_argument
from spvls.host.findings import placed
from spvls.syntax.header import read_header
from spvls.text.escaping import json_text
from spvls.text.lines import split_lines


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=STDIN, metavar="FILE", help="the text; - or none is the standard input")
    parser.add_argument(
        "-o", dest="output", default="out.spv", metavar="OUT", help="the binary; - is the standard output (default: out.spv)"
    )
    force_argument(parser)
    environment_argument(parser)
    module_argument(parser)
    stdin_argument(parser)
    size_argument(parser)
    parser.add_argument(
        "--preserve-numeric-ids", action="store_true", help="ids written as numbers keep these; names fill the gaps"
    )
    parser.add_argument("--id-map", metavar="FILE", help="write the number of each id here, as a JSON object")


def run(options: Namespace) -> int:
    if options.id_map is not None and options.id_map == options.output:
        raise Failure(f"the binary and the map of ids cannot both go to {options.output}")
    data = read(options.path, options.max_file_size)
    if is_binary(data):
        raise Failure(f"{shown(options.path)}: this is a binary module already; `spvls dis` lists it as text")
    name = options.stdin_filename if options.path == STDIN else options.path
    module = chosen_module(text_of(data, options.path), name, options.module)
    target = options.target_env if module.is_whole else module.target(options.target_env, None)
    try:
        binary, numbers = assemble_with_ids(
            module.text, target_env=target, preserve_numeric_ids=options.preserve_numeric_ids
        )
    except AssembleError as error:
        warn_of_errors(error, module, options.path)
        return 1
    write(options.output, binary, force=options.force)
    header = read_header(split_lines(module.text))
    taken = header.environment(target)
    if header.version_in(taken) < taken.version:
        written = ".".join(map(str, taken.version))
        warn(f"the text declares SPIR-V 1.{header.version}, and the binary is SPIR-V {written}, that of {taken.name}")
    if options.id_map is not None:
        write(options.id_map, json_text(numbers, indent=1).encode() + b"\n", force=options.force)
    return 0


def warn_of_errors(error: AssembleError, module: TextModule, path: str) -> None:
    """Show what keeps a text from being assembled, each error at its place, and count them."""
    listing = Listing(shown(path), module.host.lines, color=colored(sys.stderr), spans=module.host.spans)
    placement = module.host.placement(module.span)
    for finding in error.diagnostics:
        warn(as_text(listing, placed(finding, placement)), styled=listing.color)
    warn(str(Tally(error.diagnostics)))
