"""Which declared operand each operand of an instruction stands for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from spvls.grammar import tables
from spvls.grammar.records import Enumerant, Opcode
from spvls.grammar.records import Operand as Declared
from spvls.syntax.instruction import Instruction, Operand


def declared_operands(record: Instruction) -> Iterator[tuple[Declared, Operand]]:
    """Each operand with its declaration, the parameters of enumerants and the operands of inner opcodes included.

    Instructions of extended sets end after the instruction's number, whose operands the set declares.
    """
    operands = iter(record.operands)
    pending = list(reversed(record.opcode.arguments))
    for operand in operands:
        while True:
            if not pending:
                return
            wanted = pending.pop()
            if wanted.quantifier == "*":
                pending.append(wanted)
            parts = parts_of(wanted)
            if parts:
                pending.extend(reversed(parts))
                continue
            break
        yield wanted, operand
        if isinstance(operand, int):
            if wanted.kind == "LiteralSpecConstantOpInteger":
                inner = tables.opcode_by_value(operand)
                pending.extend(reversed(inner.arguments if inner else ()))
            else:
                for enumerant in reversed(enumerants(wanted.kind, operand)):
                    pending.extend(reversed(enumerant.parameters))


@cache
def parts_of(declared: Declared) -> tuple[Declared, ...]:
    """The operands that make up a composite one; none for a plain one."""
    return tuple(Declared(base, declared.name, "") for base in tables.kind(declared.kind).bases)


@lru_cache(maxsize=4096)
def enumerants(kind: str, value: int) -> tuple[Enumerant, ...]:
    """The enumerants that a value of this kind names: one, or one for each bit of a mask, in ascending order."""
    known = tables.kind(kind)
    if known.category == "value":
        found = known.by_value(value)
        return (found,) if found is not None else ()
    if known.category != "mask":
        return ()
    if value == 0:
        zero = known.by_value(0)
        return (zero,) if zero is not None else ()
    bits = (1 << at for at in range(32) if value >> at & 1)
    return tuple(enumerant for bit in bits if (enumerant := known.by_value(bit)) is not None)


@cache
def has_enumerants(opcode: Opcode) -> bool:
    """Whether any operand of the opcode can be an enumerant."""
    return any(tables.kind(operand.kind).category in ("value", "mask") for operand in opcode.arguments)


def value(kind: str, name: str) -> int:
    """The value of an enumerant that the grammar is known to have."""
    enumerant = tables.kind(kind).get(name)
    if enumerant is None:
        raise KeyError(f"{kind}.{name}")
    return enumerant.value
