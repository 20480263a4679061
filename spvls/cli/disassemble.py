"""`spvls dis`: a binary module to text."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from spvls import DisassembleError, disassemble
from spvls.cli.console import coloured
from spvls.cli.failure import Failure
from spvls.cli.output import STDOUT, write
from spvls.cli.source import STDIN, read, shown

#: Switches by their long flags, what each does, and the value it gives to which parameter of `disassemble`.
SWITCHES = {
    "raw-id": ("call ids by their number, not by what they are", "friendly_names", False),
    "no-indent": ("do not align the results", "indent", False),
    "no-header": ("leave out what the header of the module says", "header", False),
    "offsets": ("tell where each instruction begins, in bytes", "offsets", True),
    "comment": ("title the sections, and tell numbers and decorations of ids", "comment", True),
    "nested-indent": ("indent blocks by control flow", "nested_indent", True),
    "reorder-blocks": ("order blocks by control flow", "reorder_blocks", True),
    "handle-unknown-opcodes": ("write instructions that are not known as words", "handle_unknown_opcodes", True),
    "recover": ("list as much as can be read of a damaged module", "recover", True),
    "keep-ids": ("add what gives ids the same numbers when the text is assembled", "keep_ids", True),
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=STDIN, metavar="FILE", help="the binary; - or none is the standard input")
    parser.add_argument(
        "-o", dest="output", default=STDOUT, metavar="OUT", help="the text; - or none is the standard output"
    )
    for flag, (meaning, _, _) in SWITCHES.items():
        parser.add_argument(f"--{flag}", action="store_true", help=meaning)
    parser.add_argument("--color", action="store_true", default=None, help="colour the text; the default on a terminal")
    parser.add_argument("--no-color", dest="color", action="store_false", help="do not; of the two the last one counts")


def run(options: Namespace) -> int:
    data = read(options.path)
    if not data:
        raise Failure(f"{shown(options.path)}: this is empty")
    chosen = {name: value for flag, (_, name, value) in SWITCHES.items() if getattr(options, flag.replace("-", "_"))}
    colour = options.color
    if colour is None:
        colour = options.output == STDOUT and coloured(sys.stdout)
    try:
        text = disassemble(data, color=colour, **chosen)
    except DisassembleError as error:
        if _is_text(data):
            raise Failure(f"{shown(options.path)}: this is a text already; `spvls as` makes a binary of it") from None
        print(f"{shown(options.path)}: error: {error}", file=sys.stderr)
        return 1
    write(options.output, text.encode("utf-8", "surrogateescape"))
    return 0


def _is_text(data: bytes) -> bool:
    try:
        return b"\0" not in data and "Op" in data.decode("utf-8")
    except UnicodeDecodeError:
        return False
