"""Commands that change a module: a text becomes the same text after edits, a binary the same words but for what changes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from array import array
from collections.abc import Callable

from spvls.binary.assemble import AssembleError, assemble
from spvls.binary.disassemble import DisassembleError, disassemble
from spvls.binary.words import DecodeError, big_endian, little_endian, read_words
from spvls.cli.assemble import warn_of_errors
from spvls.cli.failure import Failure
from spvls.cli.modules import chosen_binary, chosen_module, module_argument
from spvls.cli.output import STDOUT, force_argument, write, write_text
from spvls.cli.source import STDIN, is_binary, read, shown, size_argument, stdin_argument, text_of
from spvls.diagnostic import Edit
from spvls.ide.source.source_module import SourceModule
from spvls.text.edits import edited

Transformation = Callable[[SourceModule], list[Edit]]
"""The edits of a module. Raises Failure where it cannot be changed so."""

_VERSION, _BOUND = 1, 3
"""Words of the header (SPIR-V 2.3)."""


def file_arguments(parser: ArgumentParser) -> None:
    """Add the arguments that name the module and the output to a parser."""
    parser.add_argument("path", metavar="FILE", help="a text or a binary, as its content shows; - is the standard input")
    parser.add_argument(
        "-o",
        dest="output",
        default=STDOUT,
        metavar="OUT",
        help="the result, a text or a binary as the input is; - or none is the standard output",
    )
    force_argument(parser)
    module_argument(parser)
    stdin_argument(parser)
    size_argument(parser)


def write_transformed(options: Namespace, transformation: Transformation) -> int:
    """Change the module of `options` and write what becomes of it; the exit code. Nothing is written of a module with errors."""
    data = read(options.path, options.max_file_size)
    if is_binary(data):
        binary = chosen_binary(data, options.path, options.module)
        write(options.output, _binary(binary, options.path, transformation), force=options.force)
        return 0
    name = options.stdin_filename if options.path == STDIN else options.path
    module = chosen_module(text_of(data, options.path), name, options.module)
    try:
        assemble(module.text, target_env=None if module.is_whole else module.target(None, None))
    except AssembleError as error:
        warn_of_errors(error, module, options.path)
        return 1
    source = SourceModule(module.text)
    write_text(options.output, edited(module.text, transformation(source)), force=options.force)
    return 0


def _binary(data: bytes, path: str, transformation: Transformation) -> bytes:
    """A binary after edits to its listing, in which every id is its number. Its header stays, with a bound for new ids."""
    try:
        before = read_words(data)
        listing = disassemble(data, friendly_names=False, handle_unknown_opcodes=True, keep_ids=True)
    except (DecodeError, DisassembleError) as error:
        raise Failure(f"{shown(path)}: {error}") from None
    edits = transformation(SourceModule(listing))
    header = before.header
    words = read_words(assemble(edited(listing, edits))).words if edits else before.words
    words[_VERSION : _BOUND + 2] = [*header[:2], max(header.bound, words[_BOUND]), header.schema]
    return (big_endian if header.byte_order == "big" else little_endian)(array("I", words))
