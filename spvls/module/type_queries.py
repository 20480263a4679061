"""What types and constants are, as whoever asks depends on it."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from spvls.grammar import spv
from spvls.grammar.environments import Environment
from spvls.grammar.records import Version
from spvls.module.constants import CONSTANT_OPCODES, Constant, evaluate
from spvls.module.dependencies import GLOBAL_TYPES, RECURSIVE_TYPES
from spvls.module.id_queries import IdQueries
from spvls.module.ids import SymbolTable
from spvls.module.local_declarations import LocalDeclarations
from spvls.module.recursion import components
from spvls.module.type_cycles import may_be_on_cycle, may_close_cycle, recursive_types
from spvls.module.type_walks import contents, members_nested, without_arrays
from spvls.module.types import Type
from spvls.steps import Steps, completed
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import Instruction, Operand


class TypeQueries(IdQueries):
    """Questions about types and constants; see `Module`."""

    def __init__(
        self, chunks: list[Chunk], environment: Environment, version: Version | None, ids: SymbolTable | None = None
    ) -> None:
        super().__init__(chunks, environment, version, ids)
        self._types: dict[str, Type | None] = self.table("definitions")
        self._innermost: dict[str, Type | None] = self.table("values")
        self._nesting: dict[str, int] = self.table("values")
        self._contents: dict[str, frozenset[int | str]] = self.table("values")
        self._contents_behind_pointers: dict[str, frozenset[int | str]] = self.table("values")
        self._constants: dict[str, Constant | None] = self.table("values")
        self._local_declarations = LocalDeclarations(chunks)
        self._recursive = self._recursive_types()

    def update_types(self, changes: list[Change]) -> set[str]:
        """Follow an edit; returns the ids of the types that are on a cycle now and were not, or were and are not."""
        self._local_declarations.update(changes)
        closing = [
            record for change in changes for record in chain(change.removed, change.added) if self._may_close_cycle(record)
        ]
        if not closing:
            return set()
        if not self._recursive and all(record.opcode.value != spv.OpTypeForwardPointer for record in closing):
            # A cycle that was not there leads through one of the ids whose definitions changed.
            changed = [record.result for record in closing if record.result is not None]
            if not may_be_on_cycle(changed, self.ids.definition):
                return set()
        before, self._recursive = self._recursive, self._recursive_types()
        return {name for name in before.keys() | self._recursive.keys() if before.get(name) != self._recursive.get(name)}

    def _may_close_cycle(self, record: Instruction) -> bool:
        if may_close_cycle(record):
            return True
        others = self.ids.definitions(record.result) if record.result is not None else ()
        return any(other.opcode.is_type for _, other in others)  # another definition of the id of a type

    def local_declarations(self) -> Iterator[Instruction]:
        """The constants, and the misplaced types, in functions."""
        return iter(self._local_declarations)

    def _recursive_types(self) -> dict[str, tuple[str, ...]]:
        inner = [record for record in self._local_declarations if record.opcode.is_type]
        return recursive_types(self.chunks[0].records, inner, self.ids.definition)

    def type(self, name: str | None) -> Type | None:
        """The type that an id declares; None for one that contains itself, as for what is not a type."""
        if name is None:
            return None
        self.reads.definitions.add(name)
        try:
            return self._types[name]
        except KeyError:
            declaration = self.ids.definition(name)
            type_ = None
            if declaration is not None and declaration.opcode.is_type and not declaration.faults and name not in self._recursive:
                type_ = Type(declaration, self.type, self.integer)
            self._types[name] = type_
            return type_

    def type_of(self, name: Operand | None) -> Type | None:
        """The type of the value that an id stands for."""
        if not isinstance(name, str):
            return None
        self.reads.types.add(name)
        definition = self.ids.definition(name)
        return self.type(definition.type) if definition is not None and definition.type is not None else None

    @property
    def has_recursive_types(self) -> bool:
        """Whether any type contains itself."""
        self.reads.module.add(RECURSIVE_TYPES)
        return bool(self._recursive)

    def cycle_of(self, name: str) -> tuple[str, ...]:
        """The ids of the types that a type contains and that contain it, itself among them; empty for any other type."""
        self.reads.definitions.add(name)
        return self._recursive.get(name, ())

    def cycle_without_pointer(self, name: str) -> tuple[str, ...]:
        """As `cycle_of`, where no pointer is on the cycle, so that nothing could open it."""
        cycle = self.cycle_of(name)
        return () if any(self.opcode_of(part) == spv.OpTypePointer for part in cycle) else cycle

    def spell(self, type_: Type | None, *, brief: bool = False) -> str:
        """A type as messages show it, or in the few words of a hint."""
        from spvls.module.type_spelling import spell

        return spell(type_, self._type_name, brief=brief)

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
        alike = self.derive("types by declaration", self._types_by_declaration, note=False)
        return alike.get((declaration.opcode.value, declaration.operands))

    def _types_by_declaration(self) -> dict[tuple[int, tuple[Operand, ...]], Instruction]:
        self.reads.module.add(GLOBAL_TYPES)
        found: dict[tuple[int, tuple[Operand, ...]], Instruction] = {}
        for record in self.chunks[0].records:
            if record.opcode.is_type and not record.faults:
                found.setdefault((record.opcode.value, record.operands), record)
        return found

    def pointer_to(self, pointee: str, storage: int) -> str | None:
        """The first pointer type of a storage class to a type."""
        self.reads.module.add(spv.OpTypePointer)
        uses = self.ids.scope(self.chunks[0]).uses_of(pointee)
        return self._first(use for use in uses if use.opcode.value == spv.OpTypePointer and use.operands == (storage, pointee))

    def _first(self, declarations: Iterable[Instruction]) -> str | None:
        """The id of the first in the text of some declarations of the global part."""
        places = self._global_places()
        first = min(declarations, key=lambda declaration: places[id(declaration)], default=None)
        return first.result if first is not None else None

    # Walks over what types are made of

    def contents(self, name: str | None, *, behind_pointers: bool = True) -> frozenset[int | str]:
        """The kinds of a type and of all that it is made of: `Struct`, `RuntimeArray`, `Int`.

        Integers and IEEE 754 floats are there by width as well (`Int16`, `Float64`), other floats by the name of their
        encoding (`BFloat16KHR`). Tensors, arrays of node payloads and pointers that are declared forward are not followed,
        other pointers only `behind_pointers`.
        """
        if name is None:
            return frozenset()
        self.reads.values.add(name)
        known = self._contents_behind_pointers if behind_pointers else self._contents
        found = known.get(name)
        return found if found is not None else completed(contents(name, self.type, self.is_forward_pointer, behind_pointers, known))

    def contents_steps(self, name: str, *, behind_pointers: bool = True) -> Steps[None]:
        """Find the `contents` of a type in short steps."""
        known = self._contents_behind_pointers if behind_pointers else self._contents
        if name not in known:
            found: dict[str, frozenset[int | str]] = {}  # others may ask meanwhile
            yield from contents(name, self.type, self.is_forward_pointer, behind_pointers, ChainMap(found, known))
            known.update(found)

    def without_arrays(self, type_: Type | None) -> Type | None:
        """What an array, or an array of arrays, is made of; the type itself where it is not an array."""
        if type_ is None or not type_.is_array:
            return type_
        self.reads.values.add(type_.id)
        return without_arrays(type_, self._innermost)

    def nesting(self, name: str) -> int:
        """How many structures stand in each other, members of arrays not followed; 0 for what is not a structure."""
        self.reads.values.add(name)
        return members_nested(name, self.type, self._nesting)

    # Constants

    def constant(self, name: Operand | None) -> Constant | None:
        """The constant that an id stands for; None where it is none. One that is made of itself has no value."""
        if not isinstance(name, str):
            return None
        self.reads.values.add(name)
        try:
            return self._constants[name]
        except KeyError:
            pass
        for component in components((name,), self._unknown_constants):
            of = self._constants.get if len(component) == 1 and component[0] not in self._unknown_constants(component[0]) else None
            for part in component:
                self._constants[part] = self._evaluated(part, of)
        return self._constants[name]

    def _unknown_constants(self, name: str) -> list[str]:
        """The constants that a constant is made of, as far as they are not known yet."""
        record = self.ids.definition(name)
        if record is None or record.opcode.value not in CONSTANT_OPCODES:
            return []
        return [operand for operand in record.operands if isinstance(operand, str) and operand not in self._constants]

    def _evaluated(self, name: str, of: Callable[[str], Constant | None] | None) -> Constant | None:
        record = self.ids.definition(name)
        if record is None or record.opcode.value not in CONSTANT_OPCODES or record.faults:
            return None
        type_ = self.type(record.type)
        if of is None:
            return Constant(record, type_, None, record.opcode.is_specialization)
        return evaluate(record, self.resolved(record).operands, type_, of)

    def integer(self, name: Operand | None) -> int | None:
        """The value of an integer constant that cannot be specialized."""
        constant = self.constant(name)
        if constant is None or constant.specialized or isinstance(constant.value, bool):
            return None
        return constant.value if isinstance(constant.value, int) else None

    def integer_constant(self, type_: str, value: int) -> str | None:
        """The first constant of an integer type with a value."""
        self.reads.module.add(spv.OpConstant)
        uses = self.ids.scope(self.chunks[0]).uses_of(type_)
        return self._first(
            use for use in uses if use.opcode.value == spv.OpConstant and use.type == type_ and self.integer(use.result) == value
        )

