"""What ids are and what the module declares as a whole, as whoever asks depends on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile

from spvls.grammar import spv, tables
from spvls.grammar.environments import Environment
from spvls.grammar.records import Version
from spvls.grammar.tables import NO_OPCODE
from spvls.module.context_dependent import EXTENDED, ResolvedOperands, numeric_type, resolve
from spvls.module.declarations import CAPABILITIES, Declarations, DeclaredMode
from spvls.module.dependencies import DEFINED_IDS, GLOBALS
from spvls.module.derived import DerivedAnswers
from spvls.module.ids import SymbolTable
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction
from spvls.syntax.number import NumericType

_AFTER_FUNCTIONS = EXTENDED | {
    spv.OpGraphEntryPointARM, spv.OpGraphARM, spv.OpGraphInputARM, spv.OpGraphSetOutputARM, spv.OpGraphEndARM
}  # fmt: skip
_DEBUG_SETS = ("DebugInfo", "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo.")


class IdQueries(DerivedAnswers):
    """Questions about ids; see `Module`."""

    def __init__(
        self, chunks: list[Chunk], environment: Environment, version: Version | None, ids: SymbolTable | None = None
    ) -> None:
        super().__init__()
        self.chunks = chunks
        self.environment = environment
        self.version: Version = version or environment.version
        self.ids = SymbolTable(chunks) if ids is None else ids
        self.sole_globals: Mapping[str, bool] = self.table("types", self._is_sole_global)
        """Whether an id has one definition, which stands before the first function. Whoever asks notes what type the id is of."""
        self.declarations = Declarations(self, chunks)
        """Capabilities, extensions, memory model, entry points, execution modes, names."""

    def definition(self, name: str) -> Instruction | None:
        """The instruction that defines an id; the first of several."""
        self.reads.definitions.add(name)
        return self.ids.definition(name)

    def defining_instruction(self, name: str) -> Instruction | None:
        """The instruction that defines an id, to be asked for its opcode, its type and its function, and for nothing else.

        Who asks for no more is not asked again when, say, the value of a constant changes.
        """
        self.reads.types.add(name)
        return self.ids.definition(name)

    def opcode_of(self, name: str | None) -> int:
        """The value of the opcode that defines an id; NO_OPCODE for none, and where nothing defines it."""
        definition = self.defining_instruction(name) if name is not None else None
        return definition.opcode.value if definition is not None else NO_OPCODE

    def opcode_name_of(self, name: str) -> str:
        """The name of the opcode that defines an id, as the text has it; empty where nothing defines it."""
        definition = self.defining_instruction(name)
        return definition.opcode.name if definition is not None else ""

    def is_constant(self, name: str) -> bool:
        """Whether an id is made by a constant instruction, specialization constants among them, OpUndef not."""
        definition = self.defining_instruction(name)
        return definition is not None and definition.opcode.is_constant

    def is_specialization(self, name: str) -> bool:
        """Whether an id is made by a specialization constant instruction."""
        definition = self.defining_instruction(name)
        return definition is not None and definition.opcode.is_specialization

    def is_type(self, name: str) -> bool:
        """Whether an id is a type."""
        definition = self.defining_instruction(name)
        return definition is not None and definition.opcode.is_type

    def global_names(self) -> Iterable[str]:
        """The ids that are defined before the first function."""
        self.reads.module.add(DEFINED_IDS)
        return self.ids.scope(self.chunks[0]).definitions.keys()

    def is_global(self, name: str) -> bool:
        """Whether an id is defined before the first function."""
        self.reads.types.add(name)
        return self.ids.defining_chunk(name) is self.chunks[0]

    def _is_sole_global(self, name: str) -> bool:
        sole = self.ids.sole_definition(name)
        return sole is not None and sole[0] is self.chunks[0] and not sole[1].faults

    def is_sole_function(self, name: str) -> bool:
        """Whether an id has one definition, which begins a function. Whoever asks notes what type the id is of."""
        sole = self.ids.sole_definition(name)
        return sole is not None and sole[1].opcode.value == spv.OpFunction and not sole[1].faults

    def owner_of(self, name: str) -> str | None:
        """The function that an id is defined in, or that it names; None for those defined outside of functions and unknown ones."""
        self.reads.types.add(name)
        chunk = self.ids.defining_chunk(name)
        owner = chunk.records[0].result if chunk is not None and chunk.is_function else None
        if chunk is None or owner is None or not self.is_in_function(self.ids.definition(name), chunk):
            return None
        self.reads.types.add(owner)
        return owner

    def is_in_function(self, record: Instruction | None, chunk: Chunk) -> bool:
        """Whether an instruction of a function's chunk is part of it; extended ones and graphs may follow its OpFunctionEnd."""
        if record is None or record.opcode.value not in _AFTER_FUNCTIONS:
            return True
        owner = f"%{chunk.records[0].result}"
        return id(record) not in self.derive(f"instructions after {owner}", lambda: self._read_following(owner, chunk))

    def _read_following(self, owner: str, chunk: Chunk) -> frozenset[int]:
        self.reads.module.add(owner)
        after = [*takewhile(lambda record: record.opcode.value != spv.OpFunctionEnd, reversed(chunk.records))]
        return frozenset(map(id, after)) if len(after) < len(chunk.records) else frozenset()

    def follows(self, name: str, function: str) -> bool:
        """Whether an id is defined in a function after that one."""
        self.reads.definitions |= {name, function}
        return self.ids.follows(name, function)

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

    def is_of_non_semantic_set(self, record: Instruction) -> bool:
        """Whether an instruction runs one of a set whose name says that it is non-semantic (SPV_KHR_non_semantic_info)."""
        named = record.operands[0] if record.opcode.value in EXTENDED and record.operands else None
        return isinstance(named, str) and (self.import_name(named) or "").startswith("NonSemantic.")

    def is_debug_information(self, record: Instruction) -> bool:
        """Whether an OpExtInst runs an instruction of a set that relates a module to its source."""
        named = record.operands[0]
        set_name = self.import_name(named) if isinstance(named, str) else None
        return set_name is not None and set_name.startswith(_DEBUG_SETS)

    def precedes(self, first: Instruction, second: Instruction) -> bool:
        """Whether one instruction of the global part stands before another, or before all that stand in functions.

        The first one may have been written anew since, so that it says the same.
        """
        self.reads.definitions.update(record.result for record in (first, second) if record.result is not None)
        self.reads.module.add(GLOBALS)  # a definition that is moved is what it was
        places = self._global_places()
        place = places.get(id(first))
        if place is None and first.result is not None:
            place = places.get(id(self.ids.definition(first.result)))
        return place is not None and place <= places.get(id(second), place)

    def is_defined_before(self, first: str, second: str) -> bool:
        """Whether an id that is defined stands before another, in functions too."""
        return self._place(first) < self._place(second)

    def _place(self, name: str) -> tuple[int, int]:
        """Where the chunk begins that defines an id, and how many of its instructions stand before the definition."""
        definition, owner, chunk = self.definition(name), self.owner_of(name), self.ids.defining_chunk(name)
        if owner is None or chunk is None:
            self.reads.module.add(GLOBALS)
            return -1, self._global_places().get(id(definition), -1)
        places = self.derive(f"places in %{owner}", lambda: self._read_places(owner, chunk))
        return chunk.first, places.get(id(definition), -1)

    def _read_places(self, owner: str, chunk: Chunk) -> dict[int, int]:
        self.reads.module.add(f"%{owner}")
        return {id(record): at for at, record in enumerate(chunk.records)}

    def global_place(self, record: Instruction) -> int:
        """How many instructions stand before one of the global part."""
        self.reads.module.add(GLOBALS)
        return self._global_places()[id(record)]

    def _global_places(self) -> dict[int, int]:
        return self.derive("places of instructions", self._read_global_places, note=False)

    def _read_global_places(self) -> dict[int, int]:
        self.reads.module.add(GLOBALS)
        return {id(record): at for at, record in enumerate(self.chunks[0].records)}

    def users(self, name: str) -> list[Instruction]:
        """The instructions that use an id which a function defines, once for each use, in no order; what changes the function has
        whoever asks for its own ids ask again, so only the uses elsewhere are noted, those by OpName left out."""
        self.reads.module.add(f"uses of %{name} elsewhere")
        return [record for _, record in self.ids.uses(name)]

    def name_of(self, name: str) -> str | None:
        """What OpName calls an id."""
        return self.declarations.names.get(name)

    def shown(self, name: str) -> str:
        """An id as messages show it: as it stands in the text."""
        return f"%{name}"

    # The module as a whole

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

    def has_capability(self, capability: int) -> bool:
        """Whether the module declares a capability, or one that implies it."""
        known: frozenset[int] | None = self.known(CAPABILITIES)
        return capability in (known if known is not None else self.declarations.capabilities)

    def execution_modes(self, function: str) -> list[DeclaredMode]:
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
