"""Files as source modules, for commands that show them: a text as it is, a binary as its listing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from spvls.binary.disassemble import DisassembleError, disassemble
from spvls.binary.recover import recover
from spvls.binary.words import DecodeError, read_any_words
from spvls.cli.console import complain
from spvls.cli.failure import Failure
from spvls.cli.modules import chosen_binary, chosen_module, module_argument
from spvls.cli.source import STDIN, is_binary, read, shown, size_argument, stdin_argument, text_of
from spvls.ide.source.source_module import SourceModule
from spvls.ide.summary.summary import ModuleHeader
from spvls.ide.words.encoding import LiveEncoding
from spvls.record import NamedTuple
from spvls.validate.config import config_for


class Loaded(NamedTuple):
    """`header` is that of a binary. A module is `damaged` that could be read in part only."""

    source_module: SourceModule
    header: ModuleHeader | None
    damaged: bool


def source_module_arguments(parser: ArgumentParser) -> None:
    """Add the arguments that name a module to a parser."""
    parser.add_argument(
        "path", nargs="?", default=STDIN, metavar="FILE", help="a text or a binary, as its content shows; - is the standard input"
    )
    module_argument(parser)
    stdin_argument(parser)
    size_argument(parser)


def read_source_module(options: Namespace, target_env: str | None = None) -> Loaded:
    """The module that the arguments of `source_module_arguments` name. Raises Failure for a file that cannot be read, for a
    binary that is not a module at all, and where there is no such module."""
    path = options.path
    data = read(path, options.max_file_size)
    name = options.stdin_filename if path == STDIN else path
    fallback = config_for(name).target_env
    if not (is_binary(data) or (path.endswith(".spv") and b"\0" in data)):
        module = chosen_module(text_of(data, path), name, options.module)
        if not module.is_whole:
            fallback = module.span.environment or fallback or module.span.default
        return Loaded(SourceModule(module.text, target_env, fallback), None, False)
    data = chosen_binary(data, path, options.module)
    try:
        words = read_any_words(data)
        listing, damaged = _listing(path, data)
    except (DecodeError, DisassembleError) as error:
        raise Failure(f"{shown(path)}: {error}") from None
    version = words.header.version >> 16 & 0xFF, words.header.version >> 8 & 0xFF
    _, generator, bound, schema, _ = words.header
    header = ModuleHeader(version, generator, bound, schema, len(words.words))
    return Loaded(SourceModule(listing, target_env, fallback), header, damaged)


def _listing(path: str, data: bytes) -> tuple[str, bool]:
    try:
        return disassemble(data, handle_unknown_opcodes=True), False
    except DisassembleError as error:
        complain(f"{shown(path)}: {error}; this is what can be read of it")
        return recover(data), True


def header_of(source: SourceModule) -> ModuleHeader:
    """The header that a text has when it is assembled."""
    encoding = LiveEncoding(source)
    encoding.refresh()
    header = encoding.header
    return ModuleHeader(header.version, header.generator, header.bound, header.schema, len(encoding.all_words()))
