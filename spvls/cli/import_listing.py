"""`spvls import`: a listing in the notation of `glslang -H` and of the white paper to assembly."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from spvls.binary.paper_listing import is_paper_listing, paper_to_assembly
from spvls.cli.failure import Failure
from spvls.cli.output import STDOUT, force_argument, write_text
from spvls.cli.source import STDIN, is_binary, read, shown, size_argument, text_of
from spvls.text.lines import split_lines


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=STDIN, metavar="FILE", help="the listing; - or none is the standard input")
    parser.add_argument("-o", dest="output", default=STDOUT, metavar="OUT", help="the assembly; - or none is the standard output")
    force_argument(parser)
    size_argument(parser)


def run(options: Namespace) -> int:
    data = read(options.path, options.max_file_size)
    if is_binary(data):
        raise Failure(f"{shown(options.path)}: this is a binary module; `spvls dis` lists it as text")
    text = text_of(data, options.path)
    if not is_paper_listing(split_lines(text), anywhere=True):
        raise Failure(f"{shown(options.path)}: this is not a listing in the notation of glslang -H")
    write_text(options.output, paper_to_assembly(text), force=options.force)
    return 0
