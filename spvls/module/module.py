"""A module under edits: its chunks of instructions, its ids, and what they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from spvls.grammar import spv, tables
from spvls.grammar.environments import Environment
from spvls.grammar.records import Version
from spvls.grammar.tables import NO_OPCODE
from spvls.module.availability import Availability
from spvls.module.built_ins import READ_FOR_BUILT_INS, BuiltInUse, built_in_variables
from spvls.module.callgraph import CALL_FACTS, CallGraph
from spvls.module.changes import changed_facts, results
from spvls.module.constants import CONSTANT_OPCODES, Constant, evaluate
from spvls.module.context_dependent import ResolvedOperands, numeric_type, resolve
from spvls.module.debug_source import SOURCE_FACTS, DebugSources
from spvls.module.declarations import Declarations, EntryPoint, ExecutionMode
from spvls.module.decorations import Decoration, decorations_of, given_by_group
from spvls.module.facts import Facts
from spvls.module.functions import Function
from spvls.module.ids import SymbolTable
from spvls.module.types import Type, contents, spell
from spvls.syntax.document import Change, Chunk
from spvls.syntax.header import Header
from spvls.syntax.instruction import Instruction, Operand
from spvls.syntax.number import NumericType

_FEW = 8
"""Decorations of an id that are gone through one by one when one is asked for."""


class Module:
    """What stands in the chunks of a text or of a binary, by id.

    `chunks` is the live list of a document, or a list made once; after an edit, `update` must be told of its changes.
    Whatever is asked is noted in `reads`, which a caller may put in place before it asks. `version` is the one that the
    header of a binary says; None stands for the newest that the environment takes. `bound` is that header's bound of ids.
    `header` is what the comments at the top of a text say. `schema` is the reserved word of a binary's header, and
    `unpadded_strings` are its strings with other bytes than 0 after the NUL that ends them: instruction and operand index.
    """

    def __init__(
        self, chunks: list[Chunk], environment: Environment, version: Version | None = None, bound: int | None = None
    ) -> None:
        self.chunks = chunks
        self.header: Header | None = None
        self.environment = environment
        self.version: Version = version or environment.version
        self.bound = bound
        self.schema = 0
        self.unpadded_strings: tuple[tuple[Instruction, int], ...] = ()
        self.ids = SymbolTable(chunks)
        self._raw = sum(record.raw for chunk in chunks for record in chunk.records)
        self._inner = {id(chunk): found for chunk in chunks[1:] if (found := _declarations_in(chunk))}
        self.reads = Facts()
        self._types: dict[str, Type | None] = {}
        self._constants: dict[str, Constant | None] = {}
        self._decorations: dict[str, list[Decoration]] = {}
        self._decorations_by_name: dict[str, dict[tuple[str, int | None], Decoration]] = {}
        self._groups: dict[str, tuple[Instruction, ...]] = {}
        self._functions: dict[int, Function] = {}
        self._contents: dict[tuple[str, bool], frozenset[int | str]] = {}
        self._declarations: Declarations | None = None
        self._places: dict[int, int] | None = None
        self._built_ins: Mapping[str, tuple[BuiltInUse, ...]] | None = None
        self._capabilities: frozenset[str] | None = None
        self._availability: Availability | None = None
        self._callgraph: CallGraph | None = None
        self._entry_kinds: dict[int, tuple[EntryPoint, ...]] = {}
        self._debug_sources: DebugSources | None = None
        self._alike: dict[tuple[int, tuple[Operand, ...]], Instruction] | None = None

    def update(self, changes: Iterable[Change]) -> Facts:
        """Follow an edit of the document that the chunks are of; the facts that are no longer what they were."""
        changes = list(changes)
        before = {name: self.ids.sole_definition(name) for name in results(changes)}
        self.ids.update(changes)
        for chunk, removed, added in changes:
            self._functions.pop(id(chunk), None)
            self._inner.pop(id(chunk), None)
            if chunk.is_function and (inner := _declarations_in(chunk)):
                self._inner[id(chunk)] = inner
            self._raw += sum(record.raw for record in added) - sum(record.raw for record in removed)
        changed = changed_facts(changes, before, self.ids, self.chunks[0], chain.from_iterable(self._inner.values()))
        if any(chunk is self.chunks[0] for chunk, _, _ in changes) or spv.OpFunction in changed.module:
            self._declarations = None
            self._built_ins = None
            self._places = None
            self._entry_kinds.clear()
        if spv.OpCapability in changed.module or spv.OpExtension in changed.module:
            self._capabilities = None
            self._availability = None
        if not CALL_FACTS.isdisjoint(changed.module):
            self._callgraph = None
            self._entry_kinds.clear()
        if not SOURCE_FACTS.isdisjoint(changed.module):
            self._debug_sources = None
        for name in changed.definitions:
            self._types.pop(name, None)
        for name in changed.values:
            self._constants.pop(name, None)
        if changed.decorations:
            self._decorations.clear()
            self._decorations_by_name.clear()
            self._groups.clear()
        if spv.OpTypeForwardPointer in changed.module:
            self._contents.clear()
        if changed.global_types:
            self._alike = None
        for name in changed.values:
            self._contents.pop((name, False), None)
            self._contents.pop((name, True), None)
        self._forget_unknown(changes)
        return changed

    def _forget_unknown(self, changes: Iterable[Change]) -> None:
        """Drop what was found out about ids that an edit took out of the text."""
        for name in {name for _, removed, _ in changes for record in removed for name in (record.result, *record.uses())}:
            if name is not None and not self.ids.is_known(name):
                self._types.pop(name, None)
                self._constants.pop(name, None)
                self._decorations.pop(name, None)
                self._decorations_by_name.pop(name, None)
                self._groups.pop(name, None)
                self._contents.pop((name, False), None)
                self._contents.pop((name, True), None)

    @property
    def has_raw(self) -> bool:
        """Whether the module has literal words (`!N`, OpUnknown)."""
        return self._raw > 0

    # Ids

    def definition(self, name: str) -> Instruction | None:
        """The instruction that defines an id; the first of several."""
        self.reads.definitions.add(name)
        return self.ids.definition(name)

    def definer(self, name: str) -> Instruction | None:
        """The instruction that defines an id, to be asked for its opcode, its type and its function, and for nothing else.

        Who asks for no more is not asked again when, say, the value of a constant changes.
        """
        self.reads.types.add(name)
        return self.ids.definition(name)

    def opcode_of(self, name: str | None) -> int:
        """The value of the opcode that defines an id; NO_OPCODE for none, and where nothing defines it."""
        definition = self.definer(name) if name is not None else None
        return definition.opcode.value if definition is not None else NO_OPCODE

    def opcode_name_of(self, name: str) -> str:
        """The name of the opcode that defines an id, as the text has it; empty where nothing defines it."""
        definition = self.definer(name)
        return definition.opcode.name if definition is not None else ""

    def is_constant(self, name: str) -> bool:
        """Whether an id is made by a constant instruction, specialization constants among them, OpUndef not."""
        definition = self.definer(name)
        return definition is not None and definition.opcode.is_constant

    def is_specialization(self, name: str) -> bool:
        """Whether an id is made by a specialization constant instruction."""
        definition = self.definer(name)
        return definition is not None and definition.opcode.is_specialization

    def is_type(self, name: str) -> bool:
        """Whether an id is a type."""
        definition = self.definer(name)
        return definition is not None and definition.opcode.is_type

    def global_names(self) -> Iterable[str]:
        """The ids that are defined before the first function."""
        self.reads.module.add("ids")
        return self.ids.scope(self.chunks[0]).definitions.keys()

    def is_global(self, name: str) -> bool:
        """Whether an id is defined before the first function."""
        self.reads.types.add(name)
        return self.ids.defining_chunk(name) is self.chunks[0]

    def owner_of(self, name: str) -> str | None:
        """The function that an id is defined in, or that it names; None for global ids and unknown ones."""
        self.reads.types.add(name)
        chunk = self.ids.defining_chunk(name)
        owner = chunk.records[0].result if chunk is not None and chunk.is_function else None
        if owner is not None:
            self.reads.types.add(owner)
        return owner

    def is_forward_pointer(self, name: str) -> bool:
        """Whether OpTypeForwardPointer announces a pointer type."""
        return name in self.declarations.forward_pointers

    def has_values(self, pointer: str) -> bool:
        """Whether anything has a pointer type as its type."""
        self.reads.module.add(f"values of %{pointer}")
        return any(record.type == pointer for _, record in self.ids.uses(pointer))

    def is_non_semantic(self, record: Instruction) -> bool:
        """Whether an OpExtInst runs an instruction of a non-semantic set, or describes debug information."""
        named = record.operands[0]
        set_name = self.import_name(named) if isinstance(named, str) else None
        return set_name is not None and (set_name.startswith("NonSemantic.") or "DebugInfo" in set_name)

    def precedes(self, first: Instruction, second: Instruction) -> bool:
        """Whether one instruction of the global part stands before another, or before all that stand in functions."""
        self.reads.definitions.update(record.result for record in (first, second) if record.result is not None)
        places = self._global_places
        place = places.get(id(first))
        return place is not None and place <= places.get(id(second), place)

    def global_place(self, record: Instruction) -> int:
        """How many instructions stand before one of the global part."""
        return self._global_places[id(record)]

    @property
    def _global_places(self) -> dict[int, int]:
        if self._places is None:
            self._places = {id(record): at for at, record in enumerate(self.chunks[0].records)}
        return self._places

    def name_of(self, name: str) -> str | None:
        """What OpName calls an id."""
        return self.declarations.names.get(name)

    def shown(self, name: str) -> str:
        """An id as messages show it: as it stands in the text."""
        return f"%{name}"

    # Types

    def type(self, name: str | None) -> Type | None:
        """The type that an id declares."""
        if name is None:
            return None
        self.reads.definitions.add(name)
        try:
            return self._types[name]
        except KeyError:
            declaration = self.ids.definition(name)
            type_ = None
            if declaration is not None and declaration.opcode.is_type and not declaration.faults:
                type_ = Type(declaration, self.type)
            self._types[name] = type_
            return type_

    def type_of(self, name: Operand | None) -> Type | None:
        """The type of the value that an id stands for."""
        if not isinstance(name, str):
            return None
        self.reads.types.add(name)
        definition = self.ids.definition(name)
        return self.type(definition.type) if definition is not None and definition.type is not None else None

    def spell(self, type_: Type | None) -> str:
        """A type as messages show it."""
        return spell(type_, self._type_name)

    def _type_name(self, name: str) -> str:
        definition = self.definition(name)
        if definition is not None and definition.opcode.value in CONSTANT_OPCODES:
            constant = self.constant(name)
            if constant is not None and isinstance(constant.value, int) and not constant.specialized:
                return str(constant.value)
        return self.name_of(name) or f"%{name}"

    def first_alike(self, declaration: Instruction) -> Instruction | None:
        """The first type declaration of this opcode with these operands."""
        self.reads.module.add(declaration.opcode.value)
        if self._alike is None:
            self._alike = {}
            for record in self.chunks[0].records:
                if record.opcode.is_type and not record.faults:
                    self._alike.setdefault((record.opcode.value, record.operands), record)
        return self._alike.get((declaration.opcode.value, declaration.operands))

    def pointer_to(self, pointee: str, storage: int) -> str | None:
        """The first pointer type of a storage class to a type."""
        self.reads.module.add(spv.OpTypePointer)
        for record in self.ids.scope(self.chunks[0]).uses.get(pointee, ()):
            if record.opcode.value == spv.OpTypePointer and record.operands == (storage, pointee):
                return record.result
        return None

    def contents(self, name: str | None, *, behind_pointers: bool = True) -> frozenset[int | str]:
        """The kinds of a type and of all that it is made of: `Struct`, `RuntimeArray`, `Int`.

        Integers and IEEE 754 floats are there by width as well (`Int16`, `Float64`), other floats by the name of their
        encoding (`BFloat16KHR`). Pointers that are declared forward are not followed, others only `behind_pointers`.
        """
        if name is None:
            return frozenset()
        self.reads.values.add(name)
        self.reads.module.add(spv.OpTypeForwardPointer)
        key = name, behind_pointers
        found = self._contents.get(key)
        if found is None:
            found = self._contents[key] = contents(name, self.type, self.is_forward_pointer, behind_pointers)
        return found

    # Constants

    def constant(self, name: Operand | None) -> Constant | None:
        """The constant that an id stands for; None where it is none."""
        if not isinstance(name, str):
            return None
        self.reads.values.add(name)
        try:
            return self._constants[name]
        except KeyError:
            pass
        self._constants[name] = None  # for one that is made of itself
        record = self.ids.definition(name)
        constant = None
        if record is not None and record.opcode.value in CONSTANT_OPCODES and not record.faults:
            constant = evaluate(record, self.resolved(record).operands, self.type(record.type), self.constant)
        self._constants[name] = constant
        return constant

    def integer(self, name: Operand | None) -> int | None:
        """The value of an integer constant that cannot be specialized."""
        constant = self.constant(name)
        if constant is None or constant.specialized or isinstance(constant.value, bool):
            return None
        return constant.value if isinstance(constant.value, int) else None

    # Decorations

    def decorations(self, name: str) -> list[Decoration]:
        """The decorations of an id and of its members."""
        self.reads.decorations.add(name)
        found = self._decorations.get(name)
        if found is None:
            records = dict.fromkeys(self.ids.scope(self.chunks[0]).uses.get(name, ()))
            found = decorations_of(name, records, self._given_by_group)
            if len({(item.name, item.member) for item in found}) < len(found):
                places = self._global_places
                found.sort(key=lambda item: places[id(item.group or item.record)])
            self._decorations[name] = found
        return found

    def decorations_of_group(self, group: str) -> tuple[Instruction, ...]:
        """The instructions whose decorations a group gives to its targets: of each decoration the first ones alone."""
        self.reads.decorations.add(group)
        return self._given_by_group(group)

    def _given_by_group(self, group: str) -> tuple[Instruction, ...]:
        given = self._groups.get(group)
        if given is None:
            uses = sorted(self.ids.scope(self.chunks[0]).uses.get(group, ()), key=self.global_place)
            given = self._groups[group] = given_by_group(group, uses)
        return given

    def in_order(self, decorations: Iterable[Decoration]) -> list[Decoration]:
        """Decorations of an id in the order of their instructions; `decorations` gives them as edits have left them."""
        found = list(decorations)
        if len(found) > 1:
            places = self._global_places
            found.sort(key=lambda decoration: places.get(id(decoration.record), -1))
        return found

    def decoration(self, name: str, decoration: str, member: int | None = None) -> Decoration | None:
        """The first decoration of that name on an id, or on a member of it."""
        decorations = self.decorations(name)
        if len(decorations) <= _FEW:
            return next((d for d in decorations if d.name == decoration and d.member == member), None)
        known = self._decorations_by_name.get(name)
        if known is None:
            known = self._decorations_by_name[name] = {(d.name, d.member): d for d in reversed(decorations)}
        return known.get((decoration, member))

    def has_decoration(self, name: str, decoration: str) -> bool:
        """Whether the id itself has the decoration."""
        return self.decoration(name, decoration) is not None

    def decorated_with(self, decoration: str) -> set[str]:
        """The ids that have the decoration, not counting members."""
        self.reads.module.update((f"OpDecorate {decoration}", spv.OpGroupDecorate))
        enumerant = tables.kind("Decoration").get(decoration)
        return self.declarations.decorated.get(enumerant.value, set()) if enumerant is not None else set()

    def built_in_variables(self) -> Mapping[str, tuple[BuiltInUse, ...]]:
        """The global variables that are, or whose members are, decorated with BuiltIn."""
        self.reads.module.update(READ_FOR_BUILT_INS)
        if self._built_ins is None:
            self._built_ins = built_in_variables(self.chunks[0].records, self)
        return self._built_ins

    # The module as a whole

    @property
    def declarations(self) -> Declarations:
        """Capabilities, extensions, memory model, entry points, execution modes, names."""
        if self._declarations is None:
            self._declarations = Declarations(self.chunks[0].records, lambda opcodes: self.reads.module.update(opcodes))
        return self._declarations

    @property
    def availability(self) -> Availability:
        """What instructions and enumerants the module may use."""
        self.reads.module.update((spv.OpCapability, spv.OpExtension))
        known = self._availability
        if known is None:
            declared = self.declarations
            extensions = frozenset(declared.extensions)
            known = self._availability = Availability(declared.capabilities, extensions, self.version, self.environment)
        return known

    def has_capability(self, name: str) -> bool:
        """Whether the module declares a capability, or one that implies it."""
        self.reads.module.add(spv.OpCapability)
        if self._capabilities is None:
            self._capabilities = self.declarations.capabilities
        return name in self._capabilities

    def has_extension(self, name: str) -> bool:
        return name in self.declarations.extensions

    @property
    def addressing_model(self) -> int:
        """An AddressingModel value; -1 without OpMemoryModel."""
        return self.declarations.addressing_model

    @property
    def memory_model(self) -> int:
        """A MemoryModel value; -1 without OpMemoryModel."""
        return self.declarations.memory_model

    # Functions

    def functions(self) -> Iterator[Function]:
        """All functions, in order."""
        for chunk in self.chunks[1:]:
            yield self.function(chunk)

    def function(self, chunk: Chunk) -> Function:
        """The function of a chunk that begins with OpFunction."""
        found = self._functions.get(id(chunk))
        if found is None:
            found = self._functions[id(chunk)] = Function(chunk.records)
        return found

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
        self.reads.module |= CALL_FACTS
        if self._callgraph is None:
            functions = [chunk.records[0].result for chunk in self.chunks[1:] if chunk.is_function]
            self._callgraph = CallGraph(self.ids, self.declarations, [name for name in functions if name is not None])
        return self._callgraph

    def reached_from(self, function: str) -> tuple[EntryPoint, ...]:
        """The entry points that are a function, or call it in any number of steps."""
        return self.callgraph.reached_from(function)

    def kinds_reached_from(self, function: str) -> tuple[EntryPoint, ...]:
        """Of the entry points that `reached_from` gives, the first one of each model with execution modes of the same names.

        There may be many entry points, and few such kinds of them.
        """
        bits = self.callgraph.reached_bits(function)
        modes = self.declarations.execution_modes
        known = self._entry_kinds.get(bits)
        if known is None:
            kinds: dict[object, EntryPoint] = {}
            for entry in self.callgraph.entry_points(bits):
                names = frozenset(mode.name for mode in modes.get(entry.function, ()))
                kinds.setdefault((entry.model, names), entry)
            known = self._entry_kinds[bits] = tuple(kinds.values())
        return known

    def source_lines(self, source: str) -> list[bytes] | None:
        """The lines of the text of a DebugSource; None where it carries none."""
        self.reads.module |= SOURCE_FACTS
        if self._debug_sources is None:
            records = self.chunks[0].records
            self._debug_sources = DebugSources(records, self.extended_instruction, self._string)
        return self._debug_sources.lines(source)

    def _string(self, name: str) -> bytes | None:
        definition = self.ids.definition(name)
        if definition is None or definition.opcode.value != spv.OpString or definition.faults:
            return None
        text = definition.operands[0]
        return text if isinstance(text, bytes) else None

    def execution_modes(self, function: str) -> list[ExecutionMode]:
        """The execution modes of an entry point's function."""
        return self.declarations.execution_modes.get(function, [])

    # What context-dependent operands are read by

    def numeric_type(self, name: str) -> NumericType | None:
        declaration = self.definition(name)
        return numeric_type(declaration) if declaration is not None else None

    def value_type(self, name: str) -> str | None:
        self.reads.types.add(name)
        definition = self.ids.definition(name)
        return definition.type if definition is not None else None

    def import_name(self, name: str) -> str | None:
        """The name of the extended set that an id imports."""
        definition = self.definition(name)
        if definition is None or definition.opcode.value != spv.OpExtInstImport or not definition.operands:
            return None
        named = definition.operands[0]
        return named.decode("utf-8", "replace") if isinstance(named, bytes) else None

    def resolved(self, record: Instruction) -> ResolvedOperands:
        """The operands of an instruction with context-dependent ones read."""
        return resolve(record, self)

    def extended_instruction(self, record: Instruction) -> tuple[str, str] | None:
        """The set and the name of the instruction that an OpExtInst runs; None where they are not known."""
        if len(record.operands) < 2 or not isinstance(record.operands[0], str):
            return None
        set_name = self.import_name(record.operands[0])
        known = tables.extended_set(set_name) if set_name is not None else None
        number = self.resolved(record).operands[1]
        instruction = known.by_value(number) if known is not None and isinstance(number, int) else None
        return (str(set_name), instruction.name) if instruction is not None else None


def _declarations_in(chunk: Chunk) -> list[Instruction]:
    """The constants, and the misplaced types, in a function."""
    return [r for r in chunk.records if r.opcode.value in CONSTANT_OPCODES or r.opcode.class_ == "Type-Declaration"]
