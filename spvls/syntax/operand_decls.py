"""Which declared operand each operand of an instruction stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from spvls.grammar import tables
from spvls.grammar.operand_walk import OperandWalk, argument_decls
from spvls.grammar.operand_walk import enumerants as enumerants_of
from spvls.grammar.records import Enumerant, Opcode
from spvls.grammar.records import Operand as Declared
from spvls.syntax.instruction import Instruction, Operand


def declared_operands(record: Instruction) -> Iterator[tuple[Declared, Operand]]:
    """Each operand with its declaration, the parameters of enumerants and the operands of inner opcodes included.

    Operands of an extended instruction come as OpExtInst declares them, for the set is not looked up.
    """
    walk = OperandWalk(argument_decls(record.opcode))
    following = walk.next
    for operand in record.operands:
        decl = following()
        if decl is None:
            return
        yield decl.declared, operand
        if decl.deciding and isinstance(operand, int):
            walk.read(decl, operand)


@lru_cache(maxsize=4096)
def enumerants(kind: str, value: int) -> tuple[Enumerant, ...]:
    """The enumerants that a value of this kind names: one, or one for each bit of a mask, in ascending order."""
    return enumerants_of(tables.kind(kind), value)


@cache
def has_enumerants(opcode: Opcode) -> bool:
    """Whether any operand of the opcode can be an enumerant."""
    return any(decl.has_enumerants for decl in argument_decls(opcode))


def enumerant_name(kind: str, value: int) -> str:
    """The name of an enumerant; its number where the grammar does not know it."""
    enumerant = tables.kind(kind).by_value(value)
    return enumerant.name if enumerant is not None else str(value)


def capability_name(capability: int) -> str:
    """The name of a capability; its number where the grammar does not know it."""
    return enumerant_name("Capability", capability)


def capability_names(capabilities: Iterable[int]) -> list[str]:
    """As `capability_name`, for several."""
    return [capability_name(capability) for capability in capabilities]


tables.on_replace(enumerants.cache_clear)
tables.on_replace(has_enumerants.cache_clear)
