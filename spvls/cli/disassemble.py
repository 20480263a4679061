"""`spvls dis`: a binary module to text."""

from __future__ import annotations

import sys

from spvls import DisassembleError, disassemble
from spvls.cli.arguments import ArgumentParser, Namespace
from spvls.cli.console import colored, is_terminal, warn
from spvls.cli.failure import Failure
from spvls.cli.modules import chosen_binary, module_argument
from spvls.cli.output import STDOUT, force_argument, write_text
from spvls.cli.source import STDIN, read, shown, size_argument
from spvls.record import NamedTuple
from spvls.text.escaping import visible
from spvls.typed import Any


class Switch(NamedTuple):
    """What a flag does, and the value that it gives to a parameter of `disassemble`."""

    meaning: str
    parameter: str
    value: bool


#: The switches by their long flags.
SWITCHES = {
    "raw-id": Switch("call ids by their number, not by what they are", "friendly_names", False),
    "no-indent": Switch("do not align the results", "indent", False),
    "no-header": Switch("leave out what the header of the module says", "header", False),
    "offsets": Switch("show where each instruction begins, in bytes", "offsets", True),
    "comment": Switch("title the sections, and show numbers and decorations of ids", "comment", True),
    "nested-indent": Switch("indent blocks by control flow", "nested_indent", True),
    "reorder-blocks": Switch("order blocks by control flow", "reorder_blocks", True),
    "handle-unknown-opcodes": Switch("write instructions that are not known as words", "handle_unknown_opcodes", True),
    "keep-ids": Switch("add what gives ids the same numbers when the text is assembled", "keep_ids", True),
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=STDIN, metavar="FILE", help="the binary; - or none is the standard input")
    parser.add_argument(
        "-o", dest="output", default=STDOUT, metavar="OUT", help="the text; - or none is the standard output"
    )
    force_argument(parser)
    module_argument(parser)
    size_argument(parser)
    for flag, switch in SWITCHES.items():
        parser.add_argument(f"--{flag}", action="store_true", help=switch.meaning)
    parser.add_argument(
        "--recover", action="store_true", help="list a damaged module as far as it can be read, ids by number; no other options"
    )
    parser.add_argument("--source", action="store_true", help="show the lines of the source that instructions come from")
    parser.add_argument("--color", action="store_true", default=None, help="color the text; the default on a terminal")
    parser.add_argument("--no-color", dest="color", action="store_false", help="do not; of the two the last one counts")


def run(options: Namespace) -> int:
    data = read(options.path, options.max_file_size)
    if not data:
        raise Failure(f"{shown(options.path)}: the file is empty")
    data = chosen_binary(data, options.path, options.module)
    given = [flag for flag in SWITCHES if getattr(options, flag.replace("-", "_"))]
    chosen: dict[str, Any] = {SWITCHES[flag].parameter: SWITCHES[flag].value for flag in given}
    terminal = options.output == STDOUT and is_terminal(sys.stdout)
    color = options.color
    if color is None:
        color = terminal and colored(sys.stdout)
    if options.recover and chosen:
        raise Failure(f"--recover must not be used with {', '.join(f'--{flag}' for flag in given)}")
    try:
        text = _recovered(data) if options.recover else disassemble(data, color=color, visible=terminal, **chosen)
        if options.source:
            text = _with_sources(text, _recovered(data) if options.recover else disassemble(data, **chosen), color=color)
    except DisassembleError as error:
        if _is_text(data):
            raise Failure(f"{shown(options.path)}: this is a text already; `spvls as` makes a binary of it") from None
        hint = "" if options.recover else "\n`spvls dis --recover` lists as much as can be read"
        warn(visible(f"{shown(options.path)}: error: {error}") + hint)
        return 1
    write_text(options.output, text, styled=color, force=options.force)
    return 0


def _recovered(data: bytes) -> str:
    from spvls.binary.recover import recover

    return recover(data)


def _with_sources(shown: str, plain: str, *, color: bool) -> str:
    """A listing with comments about the lines that instructions come from; `plain` is the same as a file has it."""
    from itertools import accumulate

    from spvls.ide.features.source_listing import remarks
    from spvls.ide.source.source_module import SourceModule

    source = SourceModule(plain)
    # Strings may hold carriage returns, which are line breaks in a file and are shown as `\r` on a terminal.
    rows = [0, *accumulate(line.endswith("\n") for line in source.document.lines)]
    lines = shown.split("\n")
    for remark in reversed(list(remarks(source))):
        lines.insert(rows[remark.line], f"\x1b[2m{remark.text}\x1b[0m" if color else remark.text)
    return "\n".join(lines)


def _is_text(data: bytes) -> bool:
    try:
        return b"\0" not in data and "Op" in data.decode("utf-8")
    except UnicodeDecodeError:
        return False
