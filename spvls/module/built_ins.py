"""Variables that are built-ins, or hold them (SPIR-V 3.2.21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spvls.grammar import spv, tables
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction

if TYPE_CHECKING:
    from spvls.module.module import Module

class BuiltInUse(NamedTuple):
    """One built-in of a variable: `member` and `struct` where it is a member of a structure; `storage` is the variable's."""

    name: str
    member: int | None
    struct: Type | None
    storage: int
    variable: Instruction


def built_in_variables(module: Module) -> dict[str, tuple[BuiltInUse, ...]]:
    """The built-ins of each global variable that has any."""
    found: dict[str, tuple[BuiltInUse, ...]] = {}
    for record in module.declarations.records(spv.OpVariable):
        if record.result is None:
            continue
        pointer = module.type(record.type)
        if pointer is None or not pointer.is_pointer:
            continue
        uses = [BuiltInUse(name, None, None, pointer.storage, record) for name, _ in _built_ins(record.result, module)]
        struct = module.without_arrays(pointer.pointee)
        if struct is not None and struct.is_struct:
            uses += [
                BuiltInUse(name, member, struct, pointer.storage, record)
                for name, member in _built_ins(struct.id, module)
                if member is not None
            ]
        if uses:
            found[record.result] = tuple(uses)
    return found


def _built_ins(name: str, module: Module) -> list[tuple[str, int | None]]:
    found: list[tuple[str, int | None]] = []
    for decoration in module.decorations(name):
        if decoration.name == "BuiltIn" and decoration.params and isinstance(decoration.params[0], int):
            enumerant = tables.kind("BuiltIn").by_value(decoration.params[0])
            if enumerant is not None:
                found.append((enumerant.name, decoration.member))
    return found

