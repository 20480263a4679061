"""The id-indexed symbol table: where each id is defined and used, kept under edits.

Every chunk of instructions has a table of its own, so that an edit in a function costs what that function costs; an index
over all names says which chunks know a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spvls.steps import PORTION, Steps, completed
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import Instruction
from spvls.typed import Any, TypeVar

Entry = TypeVar("Entry")


class Scope:
    """The ids of one chunk: name → the instruction that defines it, name → the one that uses it; a list where there are several,
    and once for each use."""

    __slots__ = ("_firsts", "chunk", "definitions", "uses")

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self.definitions: dict[str, Instruction | list[Instruction]] = {}
        self.uses: dict[str, Instruction | list[Instruction]] = {}
        self._firsts: dict[str, Instruction] | None = None

    def definition(self, name: str) -> Instruction:
        """The instruction that defines an id, the first one in the text where there are several."""
        found = self.definitions[name]
        if not isinstance(found, list):
            return found
        if self._firsts is None:
            self._firsts = {r.result: r for r in reversed(self.chunk.records) if r.result is not None}
        return self._firsts[name]

    def uses_of(self, name: str) -> Sequence[Instruction]:
        """The instructions that use an id, once for each use, in no order."""
        found = self.uses.get(name, ())
        return (found,) if isinstance(found, Instruction) else found

    def all_definitions(self, name: str) -> list[Instruction]:
        """The instructions that define an id, in the order of the text."""
        found = self.definitions[name]
        if not isinstance(found, list):
            return [found]
        return [record for record in self.chunk.records if record.result == name]

    def changed(self) -> None:
        """The instructions of the chunk are others now."""
        self._firsts = None


class SymbolTable:
    """All ids of a module."""

    __slots__ = ("_chunks", "_ordered", "_places", "_scopes", "_using", "defining")

    def __init__(self, chunks: Sequence[Chunk] = ()) -> None:
        """`chunks` is the live list of a document: where two chunks start on one line it says which comes first."""
        completed(self._index(chunks))

    @classmethod
    def steps(cls, chunks: Sequence[Chunk]) -> Steps[SymbolTable]:
        """The table of the chunks of a document, made in short steps."""
        made = cls.__new__(cls)
        yield from made._index(chunks)
        return made

    def _index(self, chunks: Sequence[Chunk]) -> Steps[None]:
        self._chunks = chunks
        self._scopes: dict[int, Scope] = {}
        self.defining: dict[str, Scope | list[Scope]] = {}
        """For names the scope that defines them; a list where there are several."""
        #: The same for the scope that uses them.
        self._using: dict[str, Scope | list[Scope]] = {}
        self._ordered: dict[str, list[Scope]] = {}
        self._places: dict[int, int] = {}
        indexed = 0
        yield
        for chunk in chunks:
            scope, records = self.scope(chunk), chunk.records
            for at in range(0, len(records), PORTION):
                portion = records[at : at + PORTION]
                self._add(scope, portion)
                indexed += len(portion)
                if indexed >= PORTION:
                    indexed = 0
                    yield

    def update(self, changes: Iterable[Change]) -> set[str]:
        """Follow an edit; the names that gained or lost a definition."""
        touched: set[str] = set()
        self._ordered.clear()
        self._places.clear()
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
        return len(self.defining)

    def names(self) -> Iterable[str]:
        """Every id that is defined or used."""
        return self.defining.keys() | self._using.keys()

    def is_known(self, name: str) -> bool:
        """Whether an id is defined or used."""
        return name in self.defining or name in self._using

    def definition(self, name: str) -> Instruction | None:
        """The instruction that defines an id, the first one in the text where there are several."""
        scope = self.defining.get(name)
        if isinstance(scope, Scope):
            found = scope.definitions[name]
            return scope.definition(name) if isinstance(found, list) else found
        return self._in_order(name, scope)[0].definition(name) if scope else None

    def sole_definition(self, name: str) -> tuple[Chunk, Instruction] | None:
        """The definition of an id with its chunk; None where there is not exactly one."""
        scope = self.defining.get(name)
        if not isinstance(scope, Scope):
            return None
        found = scope.definitions[name]
        return (scope.chunk, found) if isinstance(found, Instruction) else None

    def definitions(self, name: str) -> list[tuple[Chunk, Instruction]]:
        """All definitions of an id in the order of the text; more than one is a fault of the module."""
        scopes = self._in_order(name, _each(self.defining.get(name)))
        return [(scope.chunk, record) for scope in scopes for record in scope.all_definitions(name)]

    def defining_chunks(self, names: Iterable[str]) -> list[Chunk]:
        """The chunks that define any of some ids, each once."""
        defining = self.defining
        entries = {id(entry): entry for name in names if (entry := defining.get(name)) is not None}
        scopes = {id(scope): scope for entry in entries.values() for scope in _each(entry)}
        return [scope.chunk for scope in scopes.values()]

    def defining_chunk(self, name: str) -> Chunk | None:
        scopes = _each(self.defining.get(name))
        if not scopes:
            return None
        return self._in_order(name, scopes)[0].chunk

    def is_of_other_function(self, name: str, chunk: Chunk) -> bool:
        """Whether a function that is not this chunk defines an id."""
        scope = self.defining.get(name)
        if isinstance(scope, Scope):
            return scope.chunk is not chunk and scope.chunk.is_function
        return any(one.chunk is not chunk and one.chunk.is_function for one in _each(scope))

    def follows(self, name: str, other: str) -> bool:
        """Whether an id is defined in a later chunk than another."""
        chunk, before = self.defining_chunk(name), self.defining_chunk(other)
        return chunk is not None and before is not None and self._place(chunk) > self._place(before)

    def uses(self, name: str) -> list[tuple[Chunk, Instruction]]:
        """The instructions that use an id, once for each use, in no order."""
        return [(scope.chunk, record) for scope in _each(self._using.get(name)) for record in scope.uses_of(name)]

    def using_count(self, name: str) -> int:
        """How many chunks use an id."""
        return len(_each(self._using.get(name)))

    def using_chunks(self, name: str) -> list[Chunk]:
        return [scope.chunk for scope in _each(self._using.get(name))]

    def _in_order(self, name: str, scopes: list[Scope]) -> list[Scope]:
        """The scopes that define an id in the order of the text; kept until the next edit."""
        if len(scopes) < 2:
            return scopes
        known = self._ordered.get(name)
        if known is None:
            if len({scope.chunk.first for scope in scopes}) == len(scopes):
                known = sorted(scopes, key=lambda scope: scope.chunk.first)
            else:
                known = sorted(scopes, key=lambda scope: self._place(scope.chunk))
            self._ordered[name] = known
        return known

    def _place(self, chunk: Chunk) -> int:
        """The number of a chunk in the text; kept until the next edit."""
        if not self._places:
            self._places.update({id(chunk): place for place, chunk in enumerate(self._chunks)})
        return self._places[id(chunk)]

    def _add(self, scope: Scope, records: list[Instruction]) -> None:
        definitions = scope.definitions
        uses: dict[str, Any] = scope.uses
        defining, using = self.defining, self._using
        for record in records:
            name = record.result
            if name is not None:
                if name in definitions:
                    _put(definitions, name, record)
                else:
                    definitions[name] = record
                    if name in defining:
                        _put(defining, name, scope)
                    else:
                        defining[name] = scope
            type_ = record.type
            named: tuple[Any, ...] = record.operands if type_ is None else (type_, *record.operands)
            for name in named:
                if name.__class__ is str:
                    known = uses.get(name)
                    if known is None:
                        uses[name] = record
                        if name in using:
                            _put(using, name, scope)
                        else:
                            using[name] = scope
                    elif known.__class__ is list:
                        known.append(record)
                    else:
                        uses[name] = [known, record]

    def _remove(self, scope: Scope, records: list[Instruction]) -> None:
        for record in records:
            if record.result is not None:
                _discard(scope.definitions, self.defining, scope, record.result, record)
            for name in record.uses():
                _discard(scope.uses, self._using, scope, name, record)


def _put(table: dict[str, Entry | list[Entry]], name: str, entry: Entry) -> None:
    """Add an entry to those of a name; one alone stands without a list, as nearly all do."""
    known = table[name]
    if isinstance(known, list):
        known.append(entry)
    else:
        table[name] = [known, entry]


def _take(table: dict[str, Entry | list[Entry]], name: str, entry: Entry) -> bool:
    """Take an entry of a name out; whether none is left."""
    known = table[name]
    if isinstance(known, list):
        known.remove(entry)
        if len(known) == 1:
            table[name] = known[0]
        return False
    del table[name]
    return True


def _each(entry: Scope | list[Scope] | None) -> list[Scope]:
    return entry if isinstance(entry, list) else [] if entry is None else [entry]


def _discard(
    table: dict[str, Instruction | list[Instruction]],
    index: dict[str, Scope | list[Scope]],
    scope: Scope,
    name: str,
    record: Instruction,
) -> None:
    if _take(table, name, record):
        _take(index, name, scope)
