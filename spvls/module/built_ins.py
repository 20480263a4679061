"""Variables that are built-ins, or hold them (SPIR-V 3.2.21)."""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Decoration
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from spvls.module.module import Module


class BuiltInUse(NamedTuple):
    """One built-in of a variable, by its `value`.

    `member` and `struct` are there where it is a member of a structure; `storage` is the storage class of the variable.
    """

    value: int
    member: int | None
    struct: Type | None
    storage: int
    variable: Instruction

    @property
    def name(self) -> str:
        """The built-in's name in the grammar."""
        return enumerant_name("BuiltIn", self.value)


def built_in_variables(module: Module) -> dict[str, tuple[BuiltInUse, ...]]:
    """The built-ins of each global variable that has any."""
    found: dict[str, tuple[BuiltInUse, ...]] = {}
    if not module.uses_decoration(Decoration.BuiltIn):
        return found
    for record in module.declarations.records(spv.OpVariable):
        if record.result is None:
            continue
        pointer = module.type(record.type)
        if pointer is None or not pointer.is_pointer:
            continue
        uses = _uses(record, record.result, pointer.storage, pointer.pointee, module)
        if uses:
            found[record.result] = tuple(uses)
    return found


def _uses(variable: Instruction, name: str, storage: int, held: Type | None, module: Module) -> list[BuiltInUse]:
    uses = [BuiltInUse(value, None, None, storage, variable) for value, _ in _built_ins(name, module)]
    return [*uses, *_members(variable, storage, held, module)]


def _members(record: Instruction, storage: int, held: Type | None, module: Module) -> list[BuiltInUse]:
    struct = module.without_arrays(held)
    if struct is None or not struct.is_struct:
        return []
    of_struct = _built_ins(struct.id, module)
    return [BuiltInUse(value, member, struct, storage, record) for value, member in of_struct if member is not None]


def pointed_to(record: Instruction, module: Module) -> tuple[BuiltInUse, ...]:
    """The built-ins that are members of the structure to which a typed pointer type points."""
    pointer = module.type(record.result) if module.uses_decoration(Decoration.BuiltIn) else None
    return tuple(_members(record, pointer.storage, pointer.pointee, module)) if pointer is not None else ()


def uses_of(variable: Instruction, module: Module) -> tuple[BuiltInUse, ...]:
    """The built-ins of a variable, global, local or untyped; the members of a local one are not looked at."""
    if variable.result is None or not module.uses_decoration(Decoration.BuiltIn):
        return ()
    found = module.built_in_variables().get(variable.result)
    if found is not None:
        return found
    pointer = module.type(variable.type)
    if variable.opcode.value == spv.OpUntypedVariableKHR and pointer is not None:
        return tuple(_uses(variable, variable.result, pointer.storage, module.type(id_at(variable, 1)), module))
    own = _built_ins(variable.result, module)
    if pointer is None or not pointer.is_pointer:
        return ()
    return tuple([BuiltInUse(name, None, None, pointer.storage, variable) for name, _ in own])


def _built_ins(name: str, module: Module) -> list[tuple[int, int | None]]:
    found: list[tuple[int, int | None]] = []
    for decoration in module.decorations(name):
        value = decoration.params[0] if decoration.value == Decoration.BuiltIn and decoration.params else None
        if isinstance(value, int) and tables.kind("BuiltIn").by_value(value) is not None:
            found.append((value, decoration.member))
    return found

