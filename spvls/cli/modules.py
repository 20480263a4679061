"""The modules of a text that a command reads: all of them, or the one that is chosen by its number."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.cli.arguments import ArgumentParser, unfit
from spvls.cli.failure import Failure
from spvls.cli.source import shown
from spvls.host.host_text import HostText
from spvls.host.languages import SPIRV, language_of
from spvls.host.span import Form, ModuleSpan
from spvls.record import NamedTuple
from spvls.syntax.header import read_header
from spvls.text.lines import split_lines

_MOST_DIGITS = 9


class TextModule(NamedTuple):
    """A module of a text: its place in the host and its own text. `number` counts from 1; the text has `among` modules."""

    host: HostText
    span: ModuleSpan
    text: str
    number: int
    among: int

    @property
    def is_whole(self) -> bool:
        """Whether it is assembly text that holds nothing else."""
        return self.host.language.name == SPIRV and self.among < 2

    def target(self, chosen: str | None, project: str | None) -> str | None:
        """The environment to take it for: the chosen one, else None where its own text names one, else that of the host, of
        the project, or of the host's tools."""
        if chosen is not None or read_header(split_lines(self.text)).target is not None:
            return chosen
        return self.span.environment or project or self.span.default


def module_argument(parser: ArgumentParser) -> None:
    """Add `--module` to a parser."""
    parser.add_argument("--module", metavar="N", type=_number, help="the module of this number, from 1, of a file that has several")


def modules_of(host: HostText) -> Iterator[TextModule]:
    """The modules in a text."""
    count = len(host.spans)
    for number, span in enumerate(host.spans, 1):
        yield TextModule(host, span, host.module_text(span), number, count)


def chosen_module(text: str, path: str, number: int | None) -> TextModule:
    """The module of a number, or the only one. Assembly text that holds one module at most is taken as it is. Raises Failure
    where there is no such module, or several to choose from."""
    language = language_of(path)
    host = HostText(text, language)
    found = list(modules_of(host))
    if number is None and len(found) < 2 and language.name == SPIRV:
        return TextModule(host, ModuleSpan(0, len(host.lines)), text, 1, 1)
    if not found:
        raise Failure(f"{shown(path)}: there is no module in this file")
    if number is None:
        if len(found) > 1:
            raise Failure(f"{shown(path)}: this file has {len(found)} modules; choose one with --module 1 to {len(found)}")
        number = 1
    _require(number, len(found), path)
    chosen = found[number - 1]
    if chosen.span.form is Form.DIALECT:
        raise Failure(f"{shown(path)}: module {number} is not SPIR-V assembly, but in the syntax of {chosen.host.language.name}")
    return chosen


def chosen_binary(data: bytes, path: str, number: int | None) -> bytes:
    """The binary module of a number in a file in which several follow each other; without a number, all of the file. Raises
    Failure where there is no such module."""
    if number is None:
        return data
    from spvls.binary.concatenated import binaries_in

    found = binaries_in(data)
    _require(number, len(found), path)
    return found[number - 1]


def _require(number: int, count: int, path: str) -> None:
    if number > count:
        known = "1 module" if count == 1 else f"{count} modules"
        raise Failure(f"{shown(path)}: there is no module {number}; this file has {known}")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS and int(text)):
        raise unfit(f"{text[:40]!r} is not the number of a module, from 1")
    return int(text)
