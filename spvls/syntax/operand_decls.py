"""Which declared operand each operand of an instruction stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from spvls.grammar import spv, tables
from spvls.grammar.operand_walk import OperandWalk, argument_decls, decls_of
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


_DECORATION_AT = {spv.OpDecorate: 1, spv.OpMemberDecorate: 2}


def declared_words(record: Instruction) -> Sequence[tuple[int, str, int]]:
    """The words among the operands that may be enumerants: their places, kinds and values."""
    plain = plain_decoration(record)
    if plain:
        return plain
    declared = enumerate(declared_operands(record))
    return [(place, decl.kind, operand) for place, (decl, operand) in declared if isinstance(operand, int)]


def plain_decoration(record: Instruction) -> Sequence[tuple[int, str, int]]:
    """The same where a decoration is the only one; else none."""
    at = _DECORATION_AT.get(record.opcode.value)
    word = record.operands[at] if at is not None and at < len(record.operands) else None
    return ((at, "Decoration", word),) if at is not None and isinstance(word, int) and _is_plain(word) else ()


@cache
def _is_plain(decoration: int) -> bool:
    """Whether no operand of a decoration can be an enumerant."""
    known = tables.kind("Decoration").by_value(decoration)
    return known is not None and not any(decl.has_enumerants for decl in decls_of(known, None))


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
tables.on_replace(_is_plain.cache_clear)
