"""A source module: an assembly text under edits, with the module that it declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import Environment
from spvls.module.ids import SymbolTable
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.document import Change, Chunk, Document
from spvls.syntax.header import Header, read_header
from spvls.syntax.instruction import Instruction, Span
from spvls.syntax.report import range_in
from spvls.text.lines import clamp

MOST_REDEFINED = 1000
"""Names, beyond as many as the text has, whose last edit is remembered."""


class ReadModule(NamedTuple):
    """A text that was read, and the ids in it."""

    document: Document
    ids: SymbolTable


class SourceModule:
    """The instructions of a text and what they declare, for one target environment.

    `chosen` names the environment to take the module for; with None the text says it, else it is the one that `fallback`
    names, else the default one.
    `follow` is called with the changes of each edit: the module's own `update`, unless a checker of the module takes its place.
    `revision` counts the edits.
    """

    __slots__ = ("_redefined", "_remembered", "chosen", "document", "fallback", "follow", "header", "module", "revision")

    def __init__(self, text: str | ReadModule = "", chosen: str | None = None, fallback: str | None = None) -> None:
        self.chosen = chosen
        self.fallback = fallback
        self.document, ids = (Document(text), None) if isinstance(text, str) else text
        self.header: Header = read_header(self.document.lines)
        self.module = self._module(self._environment(), ids)
        self.follow: Callable[[list[Change]], object] = self.module.update
        self.revision = 0
        #: For names the edit that last touched a definition of theirs, and the edit since which all such names are here.
        self._redefined: dict[str, int] = {}
        self._remembered = 0

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def environment(self) -> Environment:
        """The environment that the module is taken for."""
        return self.module.environment

    def edit(self, edits: Iterable[tuple[Range, str]]) -> list[Change]:
        """Apply edits in turn, each to the text that the one before it left."""
        return self._followed(self.document.edit(edits))

    def replace(self, text: str) -> list[Change]:
        """Take another text in the place of the whole."""
        return self._followed(self.document.replace(text))

    def redefined_since(self, revision: int) -> set[str] | None:
        """The names that edits after a revision touched a definition of; None where that is long ago, and may be any."""
        if revision < self._remembered:
            return None
        return {name for name, at in self._redefined.items() if at > revision}

    def choose(self, chosen: str | None, fallback: str | None = None) -> None:
        """Take the module for another environment."""
        self.chosen = chosen
        self.fallback = fallback
        self._settle()

    def _environment(self) -> Environment:
        own = self.header.target is not None
        return self.header.environment(self.chosen or (None if own else self.fallback))

    def _followed(self, changes: list[Change]) -> list[Change]:
        changes = merged(changes)
        self.revision += 1
        for _, removed, added in changes:
            for record in (*removed, *added):
                if record.result is not None:
                    self._redefined[record.result] = self.revision
        if len(self._redefined) > self.module.ids.count + MOST_REDEFINED:
            self._redefined.clear()
            self._remembered = self.revision
        if not self._settle():
            self.follow(changes)
        return changes

    def _settle(self) -> bool:
        """Make the module anew if the environment or the version is another one now; whether it is."""
        self.header = read_header(self.document.lines)
        environment = self._environment()
        if (environment, self.header.version_in(environment)) == (self.module.environment, self.module.version):
            self.module.header = self.header
            return False
        self.module = self._module(environment)
        self.follow = self.module.update
        return True

    def _module(self, environment: Environment, ids: SymbolTable | None = None) -> Module:
        module = Module(self.document.chunks, environment, self.header.version_in(environment), ids=ids)
        module.header = self.header
        return module

    # Places

    def clamp(self, position: Position) -> Position:
        """The nearest position that the text has."""
        return clamp(self.document.lines, position)

    def placed(self, chunk: Chunk) -> Iterator[tuple[int, Instruction]]:
        """The instructions of a chunk, each with the line it starts on."""
        records = chunk.records
        at, count, line = 0, len(records), chunk.first
        while at < count:
            for record in self.document.records_on(line):
                if at < count and record is records[at]:
                    at += 1
                    yield line, record
            line += 1

    def range_of(self, record: Instruction, span: Span | None = None, line: int | None = None) -> Range:
        """Where an instruction, or a part of it, stands."""
        start, end = span if span is not None else (record.start, record.end)
        return range_in(record, self.document.line_of(record) if line is None else line, start, end)


def merged(changes: list[Change]) -> list[Change]:
    """Changes of one edit with all that happened to a chunk in one; what came and went again is left out."""
    if len(changes) < 2:
        return changes
    found: dict[int, tuple[Chunk, dict[int, Instruction], dict[int, Instruction]]] = {}
    for chunk, removed, added in changes:
        _, gone, come = found.setdefault(id(chunk), (chunk, {}, {}))
        for record in removed:
            if come.pop(id(record), None) is None:
                gone[id(record)] = record
        for record in added:
            if gone.pop(id(record), None) is None:
                come[id(record)] = record
    return [
        Change(chunk, list(gone.values()), list(come.values())) for chunk, gone, come in found.values() if gone or come
    ]
