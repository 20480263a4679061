"""`spvls`: chooses a subcommand and answers for how it ends.

Exit codes: 0 nothing wrong; 1 errors in a module; 2 wrong usage, or an input or output that could not be read or written.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module

import spvls
from spvls.cli.arguments import ArgumentParser, PlainArguments, parser_class
from spvls.cli.console import complain, described
from spvls.cli.failure import UNUSABLE, Failure, reason
from spvls.cli.own_modules import find_own_modules
from spvls.record import NamedTuple
from spvls.typed import Any

INTERRUPTED = 130
PIPE_CLOSED = 141

_MANY = 100_000
"""Objects that a command makes before it looks for garbage among them: more than are made for a short file."""


class Command(NamedTuple):
    """A subcommand: `module` has `arguments(parser)`, which says what it takes, and `run(options) -> exit code`."""

    module: str
    summary: str
    aliases: tuple[str, ...] = ()


COMMANDS = {
    "lint": Command("spvls.cli.lint", "report what is wrong with modules, texts and binaries alike", ("validate",)),
    "as": Command("spvls.cli.assemble", "assemble a text into a binary module"),
    "dis": Command("spvls.cli.disassemble", "list a binary module as text"),
    "fmt": Command("spvls.cli.format", "put the white space of texts in order"),
    "import": Command("spvls.cli.import_listing", "make assembly of a listing of glslang -H or of the white paper"),
    "strip": Command("spvls.cli.strip", "remove debug information, non-semantic instructions and reflection"),
    "specialize": Command("spvls.cli.specialize", "give specialization constants values, and fold what is made of them"),
    "requirements": Command("spvls.cli.requirements", "list what modules need of a Vulkan device, and what asks for it"),
    "cfg": Command("spvls.cli.cfg", "draw the control flow of functions"),
    "reflect": Command("spvls.cli.reflect", "summarize a module: entry points, interfaces, resources, blocks"),
    "sources": Command("spvls.cli.sources", "list or extract the sources that the debug information of a module names"),
    "rules": Command("spvls.cli.rules", "list the rules of the validator"),
    "explain": Command("spvls.cli.explain", "say what a rule checks, and why"),
    "doc": Command("spvls.cli.doc", "say what instructions, enumerants and other names mean"),
    "serve": Command("spvls.cli.serve", "run the language server"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, by default that of the process, which then ends; the exit code."""
    if arguments is not None:
        return _outcome(arguments)
    # What start-up makes lives to the end: to look for garbage in it, and to take it apart, is a tenth of a short run.
    gc.disable()
    gc.set_threshold(_MANY)
    find_own_modules()
    code = _outcome(None)
    if "threading" in sys.modules:
        atexit.register(gc.freeze)
        return code
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)  # nobody waits for the end


def _outcome(arguments: Sequence[str] | None) -> int:
    """The exit code of a command line."""
    try:
        try:
            return _run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
            if arguments is not None:
                gc.enable()
    except Failure as failure:
        complain(str(failure))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; the interpreter's own last flush must not fail too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        complain(reason(error))
    except Exception as error:
        complain(f"internal error: {described(error)}")
    return UNUSABLE


def _run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if arguments and (command := _named(arguments[0])) is not None:
        options: Any
        plain = PlainArguments()
        _add_arguments(plain, COMMANDS[command])
        options = plain.read(arguments[1:])
        if options is None:
            # The names of all other commands would only be made to be passed over.
            alone = parser_class()(prog=f"spvls {command}", description=_sentence(COMMANDS[command].summary))
            _add_arguments(alone, COMMANDS[command])
            options = alone.parse_args(arguments[1:])
    else:
        first = next((argument for argument in arguments if not argument.startswith("-")), "")
        options = parser(lambda name: name == _named(first)).parse_args(arguments)
    gc.enable()
    code: int = options.run(options)
    return code


def _named(argument: str) -> str | None:
    """The command that an argument names, by its name or an alias of it."""
    return next((name for name, command in COMMANDS.items() if argument == name or argument in command.aliases), None)


def _add_arguments(parser: ArgumentParser | PlainArguments, command: Command) -> None:
    module = import_module(command.module)
    module.arguments(parser)
    parser.set_defaults(run=module.run)


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def parser(wanted: Callable[[str], bool]) -> ArgumentParser:
    """What reads the arguments: the options of the commands that are wanted, of which the modules are loaded, and the names of
    all others."""
    whole = parser_class()(prog="spvls", description="SPIR-V assembly: linter, assembler, disassembler, language server.")
    whole.add_argument("--version", action="version", version=f"spvls {spvls.__version__}")
    subparsers = whole.add_subparsers(metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        summary = command.summary
        sub = subparsers.add_parser(name, help=summary, description=_sentence(summary), aliases=list(command.aliases))
        if wanted(name):
            _add_arguments(sub, command)
    return whole
