"""A module under edits: its chunks of instructions, its ids, and what they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from spvls.grammar import spv
from spvls.grammar.environments import Environment
from spvls.grammar.records import Version
from spvls.module.availability import AVAILABILITY, Availability, availability_of
from spvls.module.built_ins import BuiltInUse, built_in_variables
from spvls.module.callgraph import CALL_FACTS, CallGraph
from spvls.module.declarations import EntryPoint
from spvls.module.decorations import (
    ANNOTATIONS,
    DECORATION,
    AppliedDecoration,
    decoration_value,
    decorations_of,
    given_by,
    given_by_group,
)  # fmt: skip
from spvls.module.dependencies import GLOBALS, Facts
from spvls.module.functions import Function, is_complete
from spvls.module.ids import SymbolTable
from spvls.module.source_files import SourceFiles
from spvls.module.type_queries import TypeQueries
from spvls.steps import PORTION, Steps
from spvls.syntax.document import Change, Chunk
from spvls.syntax.header import Header
from spvls.syntax.instruction import Instruction, Operand

BUILT_IN_VARIABLES = "built-in variables"
"""The name of the answer that `Module.built_in_variables` is."""

_FEW = 8
"""Decorations of an id that are gone through one by one when one is asked for."""

_MANY = 1 << 12
"""Instructions that name an id, from which on what decorates it is found in short steps."""

_PORTION = 8 * PORTION
"""Of these, those that are looked at in one step."""


class Module(TypeQueries):
    """What stands in the chunks of a text or of a binary, by id.

    `chunks` is the live list of a document, or a list made once; after an edit, `update` must be called with its changes.
    Whatever is asked is recorded in `reads`, which a caller may put in place before it asks. `version` is the one that the
    header of a binary says; None stands for the newest that the environment takes. `bound` is that header's bound of ids.
    `header` is what the comments at the top of a text say. `schema` is the reserved word of a binary's header, and
    `unpadded_strings` are its strings with other bytes than 0 after the NUL that ends them: instruction and operand index.
    `ids` is the table of the chunks, where it is made already.
    """

    def __init__(
        self,
        chunks: list[Chunk],
        environment: Environment,
        version: Version | None = None,
        bound: int | None = None,
        ids: SymbolTable | None = None,
    ) -> None:
        super().__init__(chunks, environment, version, ids)
        self.header: Header | None = None
        self.bound = bound
        self.schema = 0
        self.unpadded_strings: tuple[tuple[Instruction, int], ...] = ()
        self._raw = sum(record.raw for chunk in chunks for record in chunk.records)
        self._count = sum(len(chunk.records) for chunk in chunks)
        self._incomplete: set[int] | None = None
        self._decorations: dict[str, list[AppliedDecoration]] = self.table("decorations")
        self._decorations_by_name: dict[str, dict[tuple[int, int | None], AppliedDecoration]] = self.table("decorations")
        self._groups: dict[str, tuple[Instruction, ...]] = self.table("decorations")
        self._shared: dict[str, dict[int, tuple[Instruction, list[AppliedDecoration]]]] = self.table("decorations")
        self._functions: dict[int, Function] = self.table("chunks")

    def update(self, changes: Iterable[Change]) -> Facts:
        """Follow an edit of the document that the chunks are of; the facts that are no longer what they were."""
        from spvls.module.changes import changed_facts, results  # nothing edits the module of a command

        changes = list(changes)
        before = {name: self.ids.sole_definition(name) for name in results(changes)}
        self.ids.update(changes)
        for _, removed, added in changes:
            self._raw += sum(record.raw for record in added) - sum(record.raw for record in removed)
            self._count += len(added) - len(removed)
        inverted = self.update_types(changes)
        changed = changed_facts(changes, before, inverted, self.ids, self.chunks[0], self.local_declarations())
        self.invalidate(changed)
        if self._incomplete is not None:
            for chunk, _, _ in changes:
                self._incomplete.discard(id(chunk))
                if chunk.is_function and not is_complete(chunk.records):
                    self._incomplete.add(id(chunk))
        return changed

    @property
    def instruction_count(self) -> int:
        """How many instructions there are."""
        return self._count

    @property
    def has_raw(self) -> bool:
        """Whether the module has literal words (`!N`, OpUnknown)."""
        return self._raw > 0

    @property
    def most_operands_declared(self) -> int:
        """The most operands of a type or a constant. Nobody depends on it: it says only what takes long."""
        return self.derive("most operands declared", self._read_most_operands, note=False)

    def _read_most_operands(self) -> int:
        self.reads.module.add(GLOBALS)
        records = self.chunks[0].records
        return max((len(record.operands) for record in records if record.opcode.is_type or record.opcode.is_constant), default=0)

    # Decorations

    def decorations(self, name: str) -> list[AppliedDecoration]:
        """The decorations of an id and of its members, in the order of the text."""
        self.reads.decorations.add(name)
        found = self._decorations.get(name)
        if found is None:
            records = dict.fromkeys(self.ids.scope(self.chunks[0]).uses_of(name))
            found = decorations_of(name, records, self._shared_by_targets)
            self._decorations[name] = self._placed(found)
        return found

    def declaration_steps(self) -> Steps[None]:
        """Make what is asked of very many entry points and execution modes, in short steps."""
        if len(self.chunks[0].records) >= _MANY:
            for name in ("opcodes", "entry_points", "models_by_function", "execution_modes", "modes_by_function", "first_modes"):
                getattr(self.declarations, name)
                yield

    def annotation_steps(self) -> Steps[None]:
        """Make what is asked of very many annotations, in short steps."""
        if len(self.chunks[0].records) < _MANY or not self.annotated_ids():
            return
        yield
        for derive in (self._global_places, self.uses_decoration, self._decorated):
            derive()
            yield
        known, scope = self._decorations, self.ids.scope(self.chunks[0])
        named_often = [name for name, uses in scope.uses.items() if uses.__class__ is list and len(uses) >= _MANY]
        for name in named_often:
            if name in known:
                continue
            yield
            records = list(dict.fromkeys(scope.uses_of(name)))
            found: list[AppliedDecoration] = []
            for start in range(0, len(records), _PORTION):
                yield
                found += decorations_of(name, records[start : start + _PORTION], self._shared_by_targets)
            yield
            known[name] = self._placed(found)

    def _placed(self, found: list[AppliedDecoration]) -> list[AppliedDecoration]:
        """The decorations that an id has, in the order of the text."""
        if len(found) > 1:
            places = self._global_places()
            found.sort(key=lambda item: places[id(item.group or item.record)])
        return found

    def decorations_of_group(self, group: str) -> tuple[Instruction, ...]:
        """The instructions whose decorations a group gives to its targets: of each decoration the first ones alone."""
        self.reads.decorations.add(group)
        return self._given_by_group(group)

    def _shared_by_targets(self, group: str, record: Instruction) -> list[AppliedDecoration]:
        """What an instruction gives to each of its targets of the decorations of a group: made once where both may be many."""
        if len(record.operands) <= _FEW:
            return given_by(record, self._given_by_group(group))
        shared = self._shared.setdefault(group, {})
        known = shared.get(id(record))
        if known is None or known[0] is not record:
            known = shared[id(record)] = record, given_by(record, self._given_by_group(group))
        return known[1]

    def _given_by_group(self, group: str) -> tuple[Instruction, ...]:
        given = self._groups.get(group)
        if given is None:
            places = self._global_places()
            uses = sorted(self.ids.scope(self.chunks[0]).uses_of(group), key=lambda use: places[id(use)])
            given = self._groups[group] = given_by_group(group, uses)
        return given

    def in_order(self, decorations: Iterable[AppliedDecoration]) -> list[AppliedDecoration]:
        """Decorations of an id in the order of their instructions; `decorations` gives them as edits have left them."""
        found = list(decorations)
        if len(found) > 1:
            places = self._global_places()
            found.sort(key=lambda decoration: places.get(id(decoration.record), -1))
        return found

    def decoration(self, name: str, decoration: int, member: int | None = None) -> AppliedDecoration | None:
        """The first of some decoration on an id, or on a member of it."""
        decorations = self.decorations(name)
        if len(decorations) <= _FEW:
            return next((d for d in decorations if d.value == decoration and d.member == member), None)
        known = self._decorations_by_name.get(name)
        if known is None:
            known = self._decorations_by_name[name] = {(d.value, d.member): d for d in reversed(decorations)}
        return known.get((decoration, member))

    def has_decoration(self, name: str, decoration: int) -> bool:
        """Whether the id itself has the decoration."""
        return self.decoration(name, decoration) is not None

    def uses_decoration(self, *decorations: int) -> bool:
        """Whether the module decorates anything with one of these."""
        self.reads.module.update([f"{DECORATION}{decoration}" for decoration in decorations])
        return not self.derive("used decorations", self._read_used_decorations, note=False).isdisjoint(decorations)

    def _read_used_decorations(self) -> frozenset[int | None]:
        self.reads.module |= ANNOTATIONS
        return frozenset([decoration_value(record) for record in self.chunks[0].records if record.opcode.value in ANNOTATIONS])

    def decorated_with(self, decoration: int) -> set[str]:
        """The ids that have the decoration, not counting members."""
        self.reads.module.update((f"{DECORATION}{decoration}", spv.OpGroupDecorate))
        return self._decorated().get(decoration, set())

    def _decorated(self) -> dict[int, set[str]]:
        return self.derive("decorated ids", self.declarations.decorated, note=False)

    def annotated_ids(self) -> frozenset[str]:
        """The ids that annotations name. Whoever asks notes the decorations of an id itself."""
        return self.derive("annotated ids", self._read_annotated_ids, note=False)

    def _read_annotated_ids(self) -> frozenset[str]:
        self.reads.module |= ANNOTATIONS
        annotations = (record for record in self.chunks[0].records if record.opcode.value in ANNOTATIONS)
        return frozenset(name for record in annotations for name in record.uses())

    def built_in_variables(self) -> Mapping[str, tuple[BuiltInUse, ...]]:
        """The global variables that are, or whose members are, decorated with BuiltIn."""
        return self.derive(BUILT_IN_VARIABLES, lambda: built_in_variables(self))


    # The module as a whole

    @property
    def availability(self) -> Availability:
        """What instructions and enumerants the module may use."""
        known: Availability | None = self.known(AVAILABILITY)
        return known if known is not None else self.derive(AVAILABILITY, self._read_availability)

    def _read_availability(self) -> Availability:
        declared = self.declarations
        capabilities, extensions = frozenset(declared.declared_capabilities), frozenset(declared.extensions)
        return availability_of(capabilities, extensions, self.version, self.environment)

    # Functions

    def functions(self) -> Iterator[Function]:
        """All functions, in order."""
        known = self._functions
        for chunk in self.chunks[1:]:
            yield known.get(id(chunk)) or self.function(chunk)

    @property
    def has_incomplete_functions(self) -> bool:
        """Whether a function has no body or no end."""
        if self._incomplete is None:
            self._incomplete = {id(chunk) for chunk in self.chunks[1:] if not is_complete(chunk.records)}
        return bool(self._incomplete)

    def function(self, chunk: Chunk) -> Function:
        """The function of a chunk that begins with OpFunction."""
        found = self._functions.get(id(chunk))
        if found is None:
            found = self._functions[id(chunk)] = Function(chunk.records)
        return found

    def function_steps(self, chunk: Chunk) -> Steps[None]:
        """Make the function of a chunk, and dominance in it, in short steps."""
        found = self._functions.get(id(chunk))
        if found is None:
            found = yield from Function.steps(chunk.records)
            found = self._functions.setdefault(id(chunk), found)
        yield from found.dominance_steps()

    def function_named(self, name: Operand | None) -> Function | None:
        """The function that an id names."""
        if not isinstance(name, str):
            return None
        self.reads.definitions.add(name)
        chunk = self.ids.defining_chunk(name)
        if chunk is None or not chunk.is_function or chunk.records[0].result != name:
            return None
        return self.function(chunk)

    def body(self, name: Operand | None) -> Function | None:
        """The function that an id names, for one who looks at what stands in it and hears of its changes."""
        found = self.function_named(name)
        if found is not None:
            self.reads.module.add(f"%{found.name}")
        return found

    @property
    def callgraph(self) -> CallGraph:
        """Who calls whom."""
        return self.derive("call graph", self._read_callgraph)

    def callgraph_steps(self) -> Steps[None]:
        """Make the call graph of very many functions, unless it is known, in short steps."""
        very_many = len(self.chunks) >= PORTION or len(self.declarations.entry_points) >= PORTION
        if very_many and self.known("call graph") is None:
            graph = self.callgraph
            yield
            yield from graph.steps()

    def _read_callgraph(self) -> CallGraph:
        self.reads.module |= CALL_FACTS
        functions = [chunk.records[0].result for chunk in self.chunks[1:] if chunk.is_function]
        return CallGraph(self.ids, self.declarations, [name for name in functions if name is not None])

    def reached_from(self, function: str) -> tuple[EntryPoint, ...]:
        """The entry points that are a function, or call it in any number of steps."""
        return self.callgraph.reached_from(function)

    def kinds_reached_from(self, function: str) -> tuple[EntryPoint, ...]:
        """Of the entry points that `reached_from` gives, the first one of each model with execution modes of the same names.

        There may be many entry points, and few such kinds of them.
        """
        kinds_of = self.derive("kinds of entry points", self._read_entry_kinds)
        bits = self.callgraph.reached_bits(function)
        known = kinds_of.get(bits)
        if known is None:
            names = self.declarations.modes_by_function
            kinds: dict[object, EntryPoint] = {}
            for entry in self.callgraph.entry_points(bits):
                kinds.setdefault((entry.model, names.get(entry.function, frozenset())), entry)
            known = kinds_of[bits] = tuple(kinds.values())
        return known

    def _read_entry_kinds(self) -> dict[int, tuple[EntryPoint, ...]]:
        """Nothing yet, for the call graph and the execution modes that there are."""
        _ = self.callgraph, self.declarations.modes_by_function
        return {}

    def debug_lines(self, source: str) -> list[bytes] | None:
        """The lines of the text of a DebugSource; None where it carries none."""
        return self.source_files.debug_lines(source)

    @property
    def source_files(self) -> SourceFiles:
        """The source files that debug information names."""
        return self.derive("source files", self._read_source_files)

    def _read_source_files(self) -> SourceFiles:
        self.reads.module.update((spv.OpString, spv.OpSource, spv.OpSourceContinued, spv.OpExtInst))
        return SourceFiles(self.chunks[0].records, self.extended_instruction, self._string)

    def _string(self, name: str) -> bytes | None:
        definition = self.definition(name)
        if definition is None or definition.opcode.value != spv.OpString or definition.faults:
            return None
        text = definition.operands[0]
        return text if isinstance(text, bytes) else None
