"""`spvls requirements`: what modules need of a Vulkan device, each with the places that ask for it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any, NamedTuple

from spvls.binary.words import DecodeError
from spvls.cli.console import complain, say, say_data
from spvls.cli.excerpt import place_of
from spvls.cli.failure import UNUSABLE, Failure
from spvls.cli.source import is_binary, modules_at, read, shown, size_argument, text_of
from spvls.cli.target import environment_argument
from spvls.diagnostic import Range
from spvls.grammar.vulkan import Enabler
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.syntax.header import read_header
from spvls.text.escaping import json_text, visible
from spvls.text.lines import split_lines
from spvls.validate.config import config_for
from spvls.validate.engine.report import Places
from spvls.validate.requirements import needs, rank, title
from spvls.validate.validator import module_of_binary, module_of_text


class Asker(NamedTuple):
    """What asks for something, of a `kind` of needs: in a text at a range, in a binary by the instruction's number, from 1."""

    path: str
    kind: str
    subject: str
    range: Range | None
    instruction: int | None
    vuid: str | None

    @property
    def place(self) -> str:
        if self.range is not None:
            return f"{self.path}:{place_of(self.range.start)}"
        return self.path if self.instruction is None else f"{self.path}: instruction {self.instruction}"


Needed = dict[tuple[Enabler, ...], list[Asker]]
"""What is needed, any one of the enablers, and who asks; no enablers stand for what Vulkan does not have."""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="FILE",
        help="a text or a binary, told apart by content; a folder of them (.spvasm, .spvasm.*, .spv); - is the standard input",
    )
    environment_argument(parser)
    size_argument(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to list them (default: text)")


def run(options: Namespace) -> int:
    needed: Needed = {}
    failures: list[str] = []
    for path in modules_at(options.paths, failures):
        try:
            _gather(path, read(path, options.max_file_size), options.target_env, needed)
        except Failure as failure:
            complain(str(failure))
            failures.append(str(failure))
    if options.format == "json":
        say_data(json_text({"requirements": [_entry(*item) for item in needed.items()], "failures": failures}, indent=1))
    else:
        for enablers, askers in sorted(needed.items(), key=lambda item: rank(item[0])):
            say(title(enablers))
            for asker in askers:
                say(visible(f"    {asker.place}: {asker.subject}"))
    return UNUSABLE if failures else 0


def _gather(path: str, data: bytes, target_env: str | None, needed: Needed) -> None:
    """Add what a module needs. Raises Failure for one that cannot be decoded."""
    module, document = _module(path, data, target_env)
    places = Places(module, document)
    for need in needs(module):
        where = places.range(need.record, need.place)
        asker = Asker(shown(path), need.kind, need.subject.rstrip(","), where, places.number(need.record), need.vuid)
        needed.setdefault(need.enablers, []).append(asker)


def _module(path: str, data: bytes, target_env: str | None) -> tuple[Module, Document | None]:
    fallback = target_env or config_for(path).target_env
    if is_binary(data):
        try:
            return module_of_binary(data, fallback), None
        except DecodeError as error:
            raise Failure(f"{shown(path)}: {error}") from error
    text = text_of(data, path)
    own = read_header(split_lines(text)).target is not None
    document = Document(text)
    return module_of_text(document, target_env if own else fallback), document


def _entry(enablers: tuple[Enabler, ...], askers: list[Asker]) -> dict[str, Any]:
    """A need for programs; lines and columns count from 0, columns in code points."""
    return {
        "any": [
            {
                "kind": enabler.kind,
                "name": enabler.name,
                **({"value": enabler.value} if enabler.value else {}),
                **({"structure": enabler.structure, "from": enabler.sources} if enabler.structure else {}),
            }
            for enabler in enablers
        ],
        "asked": [
            {
                "path": asker.path,
                "by": asker.kind,
                "subject": asker.subject,
                "range": {"start": asker.range.start._asdict(), "end": asker.range.end._asdict()} if asker.range else None,
                "instruction": asker.instruction,
                "vuid": asker.vuid,
            }
            for asker in askers
        ],
    }
