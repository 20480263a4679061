"""Which types of different modules are the same: those that are declared alike, all the way down (SPIR-V 2.8, 2.13)."""

from __future__ import annotations

from hashlib import blake2b

from spvls.grammar.enumerants import Decoration
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction, Operand

_LAYOUT = frozenset(
    {
        Decoration.Offset, Decoration.ArrayStride, Decoration.MatrixStride, Decoration.RowMajor, Decoration.ColMajor,
        Decoration.CPacked, Decoration.Alignment, Decoration.OffsetIdEXT, Decoration.ArrayStrideIdEXT,
    }
)  # fmt: skip
"""What decides how a type lies in memory."""


def type_identities(module: Module) -> dict[str, str]:
    """By the ids of types: a text that is the same for types of other modules that are declared alike, names left out.

    A pointer that OpTypeForwardPointer announces is the same as any other where it is used before its declaration.
    """
    found: dict[str, str] = {}
    for record in module.chunks[0].records:
        if record.result is None or record.faults or record.result in found:
            continue
        if record.opcode.is_type:
            found[record.result] = _digest(module, record, found)
        elif record.opcode.value in CONSTANT_OPCODES:
            value = module.integer(record.result)
            found[record.result] = f"= {value}" if value is not None else _constant(record, found)
    return found


def _digest(module: Module, record: Instruction, found: dict[str, str]) -> str:
    parts = [record.opcode.value, *(_part(operand, found) for operand in record.operands)]
    layout = sorted(
        (-1 if one.member is None else one.member, one.value, [_part(param, found) for param in one.params])
        for one in module.decorations(record.result or "")
        if one.value in _LAYOUT
    )
    return _hashed((parts, layout))


def _constant(record: Instruction, found: dict[str, str]) -> str:
    """A constant that is not an integer by what it is made of, such as the shape of a tensor."""
    return _hashed((record.opcode.value, [_part(operand, found) for operand in record.operands if isinstance(operand, str)]))


def _hashed(parts: object) -> str:
    return blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def _part(operand: Operand, found: dict[str, str]) -> str:
    return found.get(operand, "forward") if isinstance(operand, str) else repr(operand)
