"""The manual page, made from what reads the arguments: roff with the macros of man(7)."""

from __future__ import annotations

import re
from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator

FILES = """\
.TP
.I spvls.toml
Settings for the modules in its folder and below: the target environment, options of the validator, the Vulkan device, and
severities of rules. Of several, the nearest counts."""

ENVIRONMENT = """\
.TP
.B NO_COLOR
Without colors, if it is set and not empty.
.TP
.B COLUMNS
The width of lines that are fitted to the terminal."""

EXIT_STATUS = """\
.TP
.B 0
Nothing is wrong.
.TP
.B 1
A module has errors; with \\fBlint \\-\\-strict\\fR also warnings; with \\fB\\-\\-diff\\fR or \\fBfmt \\-\\-check\\fR something would change.
.TP
.B 2
Wrong usage, or something cannot be read or written.
.TP
.B 130
Interrupted."""


def manual(parser: ArgumentParser, version: str) -> str:
    """The page of a command line."""
    return "\n".join(_lines(parser, version)) + "\n"


def _lines(parser: ArgumentParser, version: str) -> Iterator[str]:
    yield f'.TH SPVLS 1 "" "spvls {version}" "User Commands"'
    yield ".SH NAME"
    yield "spvls \\- " + _text("language server, linter, assembler, disassembler and validator for SPIR-V assembly")
    yield ".SH SYNOPSIS"
    yield ".B spvls\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]..."
    yield ".SH OPTIONS"
    for action in parser._actions:
        if not isinstance(action, _SubParsersAction):
            yield from _entry(action)
    yield ".SH COMMANDS"
    for names, sub in _commands(parser):
        yield ".SS " + _text(", ".join(names))
        yield _text(sub.description or "")
        for action in sub._actions:
            if action.help is not SUPPRESS and "--help" not in action.option_strings:
                yield from _entry(action)
    for title, text in (("EXIT STATUS", EXIT_STATUS), ("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT)):
        yield f".SH {title}"
        yield text
    yield ".SH SEE ALSO"
    yield ".BR spirv-as (1),\n.BR spirv-dis (1),\n.BR spirv-val (1)"


def _commands(parser: ArgumentParser) -> Iterator[tuple[list[str], ArgumentParser]]:
    """Each command under all of its names."""
    (subparsers,) = (action for action in parser._actions if isinstance(action, _SubParsersAction))
    names: dict[int, list[str]] = {}
    for name, sub in subparsers.choices.items():
        names.setdefault(id(sub), []).append(name)
    for sub in dict.fromkeys(subparsers.choices.values()):
        yield names[id(sub)], sub


def _entry(action: Action) -> Iterator[str]:
    """An argument: its flags with what they take, or its name, then what it means."""
    value = f" \\fI{_text(_value(action))}\\fR" if action.nargs != 0 else ""
    flags = ", ".join(f"\\fB{_text(flag)}\\fR{value}" for flag in action.option_strings)
    yield ".TP"
    yield flags or f"\\fI{_text(_value(action))}\\fR"
    yield _text((action.help or "") % {"default": action.default, "prog": "spvls"})


def _value(action: Action) -> str:
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest
    return f"{metavar}..." if action.nargs in ("*", "+") else metavar


def _text(text: str) -> str:
    """Words of a page: no backslash, dash, or dot at the start of a line has a meaning."""
    escaped = re.sub(r"[\\]", r"\\e", text).replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
