"""The id-indexed symbol table: where each id is defined and used, kept under edits.

Every chunk of instructions has a table of its own, so that an edit in a function costs what that function costs; an index
over all names says which chunks know a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import Instruction


class Scope:
    """The ids of one chunk: name → the instructions that define it, name → those that use it, once for each use."""

    __slots__ = ("_firsts", "chunk", "definitions", "uses")

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self.definitions: dict[str, list[Instruction]] = {}
        self.uses: dict[str, list[Instruction]] = {}
        self._firsts: dict[str, Instruction] | None = None

    def definition(self, name: str) -> Instruction:
        """The instruction that defines an id, the first one in the text where there are several."""
        found = self.definitions[name]
        if len(found) == 1:
            return found[0]
        if self._firsts is None:
            self._firsts = {r.result: r for r in reversed(self.chunk.records) if r.result is not None}
        return self._firsts[name]

    def all_definitions(self, name: str) -> list[Instruction]:
        """The instructions that define an id, in the order of the text."""
        found = self.definitions[name]
        if len(found) == 1:
            return found
        return [record for record in self.chunk.records if record.result == name]

    def changed(self) -> None:
        """The instructions of the chunk are others now."""
        self._firsts = None


class SymbolTable:
    """All ids of a module."""

    __slots__ = ("_chunks", "_defining", "_ordered", "_scopes", "_using")

    def __init__(self, chunks: Sequence[Chunk] = ()) -> None:
        """`chunks` is the live list of a document: where two chunks start on one line it says which comes first."""
        self._chunks = chunks
        self._scopes: dict[int, Scope] = {}
        self._defining: dict[str, list[Scope]] = {}
        self._ordered: dict[str, list[Scope]] = {}
        self._using: dict[str, list[Scope]] = {}
        for chunk in chunks:
            self._add(self.scope(chunk), chunk.records)

    def update(self, changes: Iterable[Change]) -> set[str]:
        """Follow an edit; the names that gained or lost a definition."""
        touched: set[str] = set()
        self._ordered.clear()
        for chunk, removed, added in changes:
            scope = self.scope(chunk)
            self._remove(scope, removed)
            self._add(scope, added)
            scope.changed()
            touched.update(record.result for record in removed if record.result is not None)
            touched.update(record.result for record in added if record.result is not None)
            if not chunk.records:
                del self._scopes[id(chunk)]
        return touched

    def scope(self, chunk: Chunk) -> Scope:
        """The table of a chunk."""
        scope = self._scopes.get(id(chunk))
        if scope is None:
            scope = self._scopes[id(chunk)] = Scope(chunk)
        return scope

    @property
    def count(self) -> int:
        """How many ids are defined."""
        return len(self._defining)

    def names(self) -> Iterable[str]:
        """Every id that is defined or used."""
        return self._defining.keys() | self._using.keys()

    def is_known(self, name: str) -> bool:
        """Whether an id is defined or used."""
        return name in self._defining or name in self._using

    def definition(self, name: str) -> Instruction | None:
        """The instruction that defines an id, the first one in the text where there are several."""
        scopes = self._defining.get(name)
        if not scopes:
            return None
        if len(scopes) == 1:
            found = scopes[0].definitions[name]
            return found[0] if len(found) == 1 else scopes[0].definition(name)
        return self._in_order(name, scopes)[0].definition(name)

    def sole_definition(self, name: str) -> tuple[Chunk, Instruction] | None:
        """The definition of an id with its chunk; None where there is not exactly one."""
        scopes = self._defining.get(name, ())
        if len(scopes) != 1 or len(scopes[0].definitions[name]) != 1:
            return None
        return scopes[0].chunk, scopes[0].definitions[name][0]

    def sole_names(self, chunk: Chunk) -> set[str]:
        """The ids that a chunk defines once, and no other chunk defines."""
        defining = self._defining
        return {name for name, found in self.scope(chunk).definitions.items() if len(found) == 1 and len(defining[name]) == 1}

    def definitions(self, name: str) -> list[tuple[Chunk, Instruction]]:
        """All definitions of an id in the order of the text; more than one is a fault of the module."""
        scopes = self._in_order(name, self._defining.get(name, []))
        return [(scope.chunk, record) for scope in scopes for record in scope.all_definitions(name)]

    def defining_chunk(self, name: str) -> Chunk | None:
        scopes = self._defining.get(name)
        if not scopes:
            return None
        return self._in_order(name, scopes)[0].chunk

    def uses(self, name: str) -> list[tuple[Chunk, Instruction]]:
        """The instructions that use an id, once for each use, in no order."""
        return [(s.chunk, record) for s in self._using.get(name, ()) for record in s.uses[name]]

    def using_count(self, name: str) -> int:
        """How many chunks use an id."""
        return len(self._using.get(name, ()))

    def using_chunks(self, name: str) -> list[Chunk]:
        return [scope.chunk for scope in self._using.get(name, ())]

    def _in_order(self, name: str, scopes: list[Scope]) -> list[Scope]:
        """The scopes that define an id in the order of the text; kept until the next edit."""
        if len(scopes) < 2:
            return scopes
        known = self._ordered.get(name)
        if known is None:
            if len({scope.chunk.first for scope in scopes}) == len(scopes):
                known = sorted(scopes, key=lambda scope: scope.chunk.first)
            else:
                places = {id(chunk): place for place, chunk in enumerate(self._chunks)}
                known = sorted(scopes, key=lambda scope: places[id(scope.chunk)])
            self._ordered[name] = known
        return known

    def _add(self, scope: Scope, records: list[Instruction]) -> None:
        definitions, uses = scope.definitions, scope.uses
        for record in records:
            name = record.result
            if name is not None:
                if name in definitions:
                    definitions[name].append(record)
                else:
                    definitions[name] = [record]
                    self._defining.setdefault(name, []).append(scope)
            for name in record.uses():
                if name in uses:
                    uses[name].append(record)
                else:
                    uses[name] = [record]
                    self._using.setdefault(name, []).append(scope)

    def _remove(self, scope: Scope, records: list[Instruction]) -> None:
        for record in records:
            if record.result is not None:
                _discard(scope.definitions, self._defining, scope, record.result, record)
            for name in record.uses():
                _discard(scope.uses, self._using, scope, name, record)


def _discard(
    table: dict[str, list[Instruction]], index: dict[str, list[Scope]], scope: Scope, name: str, record: Instruction
) -> None:
    known = table[name]
    known.remove(record)
    if not known:
        del table[name]
        scopes = index[name]
        scopes.remove(scope)
        if not scopes:
            del index[name]
