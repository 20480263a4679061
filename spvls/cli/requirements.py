"""`spvls requirements`: what modules need of a Vulkan device, each with the places that ask for it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from spvls.binary.words import DecodeError
from spvls.cli.console import complain, say, say_data
from spvls.cli.excerpt import place_of
from spvls.cli.failure import UNUSABLE, Failure
from spvls.cli.modules import modules_of
from spvls.cli.search import Search, modules_at, search_arguments
from spvls.cli.source import is_binary, read, shown, size_argument, text_of
from spvls.cli.target import environment_argument
from spvls.diagnostic import Range
from spvls.grammar.vulkan import Enabler
from spvls.host.host_text import HostText
from spvls.host.languages import language_of
from spvls.host.span import Form, Placement
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.document import Document
from spvls.text.escaping import json_text, visible
from spvls.typed import Any
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
        help="a text or a binary, as its content shows; a folder of them; - is the standard input",
    )
    environment_argument(parser)
    search_arguments(parser)
    size_argument(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to list them (default: text)")


def run(options: Namespace) -> int:
    needed: Needed = {}
    failures: list[str] = []
    for path in modules_at(options.paths, failures, Search.of(options)):
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
    """Add what the modules of a file need. Raises Failure for one that cannot be decoded."""
    project = config_for(path).target_env
    if is_binary(data):
        try:
            module = module_of_binary(data, target_env or project)
        except DecodeError as error:
            raise Failure(f"{shown(path)}: {error}") from error
        _add(path, module, None, None, needed)
        return
    for found in modules_of(HostText(text_of(data, path), language_of(path))):
        if found.span.form is Form.MODULE:
            document = Document(found.text)
            module = module_of_text(document, found.target(target_env, project))
            _add(path, module, document, found.host.placement(found.span), needed)


def _add(path: str, module: Module, document: Document | None, placement: Placement | None, needed: Needed) -> None:
    """Add what a module needs, at its places in the file."""
    places = Places(module, document)
    for need in needs(module):
        where = places.range(need.record, need.operand_index)
        if where is not None and placement is not None:
            where = placement.to_host_range(where)
        asker = Asker(shown(path), need.kind, need.subject.rstrip(","), where, places.number(need.record), need.vuid)
        needed.setdefault(need.enablers, []).append(asker)


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
