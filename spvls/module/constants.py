"""Constants and what they evaluate to (SPIR-V 3.3.7, 2.12)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.grammar import spv
from spvls.module.recursion import Steps
from spvls.module.recursion import evaluate as evaluate_parts
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Operand

Value = int | float | bool | tuple["Value | None", ...]
"""An integer (as its type's sign has it), a float, a truth value, or the parts of a composite."""

WIDEST = 64
"""Bits of the widest numbers that are computed with."""

MOST_LANES = 16
"""Components of the longest vector (SPIR-V 3.3.6, OpTypeVector)."""


class Constant(NamedTuple):
    """A constant instruction and its value.

    `value` is None where there is none to be had: an undefined value, an operation that is not folded. `specialized` says
    that the value, or a part of it, is the default of a specialization constant.
    """

    record: Instruction
    type: Type | None
    value: Value | None
    specialized: bool


CONSTANT_OPCODES = frozenset(
    {
        spv.OpConstantTrue, spv.OpConstantFalse, spv.OpConstant, spv.OpConstantComposite, spv.OpConstantNull,
        spv.OpSpecConstantTrue, spv.OpSpecConstantFalse, spv.OpSpecConstant, spv.OpSpecConstantComposite,
        spv.OpSpecConstantOp, spv.OpUndef, spv.OpConstantCompositeReplicateEXT,
        spv.OpSpecConstantCompositeReplicateEXT, spv.OpConstantSampler, spv.OpConstantFunctionPointerINTEL,
        spv.OpConstantPipeStorage, spv.OpConstantSizeOfEXT, spv.OpConstantDataKHR, spv.OpSpecConstantDataKHR,
        spv.OpSpecConstantTargetINTEL, spv.OpSpecConstantArchitectureINTEL, spv.OpSpecConstantCapabilitiesINTEL,
    }
)  # fmt: skip
"""Opcodes of constant instructions (SPIR-V 2.2.1), OpUndef among them."""


def evaluate(
    record: Instruction, operands: tuple[Operand, ...], type_: Type | None, of: Callable[[str], Constant | None]
) -> Constant:
    """The constant that `record` makes; `operands` are its operands with late ones read, `of` gives other constants."""
    specialized = record.opcode.is_specialization
    value: Value | None = None
    match record.opcode.value:
        case spv.OpConstantTrue | spv.OpSpecConstantTrue:
            value = True
        case spv.OpConstantFalse | spv.OpSpecConstantFalse:
            value = False
        case spv.OpConstant | spv.OpSpecConstant:
            value = number(operands[0], type_) if operands else None
        case spv.OpConstantNull:
            value = null(type_)
        case spv.OpConstantComposite | spv.OpSpecConstantComposite:
            parts = [of(operand) if isinstance(operand, str) else None for operand in operands]
            specialized = specialized or any(part is not None and part.specialized for part in parts)
            value = tuple(part.value if part is not None else None for part in parts)
        case spv.OpConstantCompositeReplicateEXT | spv.OpSpecConstantCompositeReplicateEXT:
            part = of(operands[0]) if operands and isinstance(operands[0], str) else None
            specialized = specialized or (part is not None and part.specialized)
            if part is not None and type_ is not None and type_.count:
                value = (part.value,) * min(type_.count, MOST_LANES)
        case spv.OpSpecConstantOp:
            from spvls.module.fold import fold  # few modules have such a constant

            value = fold(operands, type_, of)
    return Constant(record, type_, value, specialized)


def number(operand: Operand, type_: Type | None) -> int | float | None:
    """The number that words of a literal stand for."""
    if type_ is None or not isinstance(operand, int | tuple):
        return None
    bits = operand if isinstance(operand, int) else sum(word << 32 * at for at, word in enumerate(operand))
    width = type_.width
    if type_.is_int and 0 < width <= WIDEST:
        bits &= (1 << width) - 1
        return bits - (1 << width) if type_.signed and bits >> width - 1 else bits
    if type_.is_float and type_.encoding is None and width in (16, 32, 64):
        import struct

        code = {16: "<e", 32: "<f", 64: "<d"}[width]
        unpacked: float = struct.unpack(code, (bits & (1 << width) - 1).to_bytes(width // 8, "little"))[0]
        return unpacked
    return None


def null(type_: Type | None) -> Value | None:
    """The zero of a type; None for one that has none, and for one that is only known after specialization."""
    return evaluate_parts(_null, type_, {}, None)


def _null(type_: Type | None) -> Steps[Type | None, Value | None]:
    if type_ is None:
        return None
    match type_.kind:
        case spv.OpTypeInt:
            return 0
        case spv.OpTypeFloat:
            return 0.0
        case spv.OpTypeBool:
            return False
        case spv.OpTypeVector | spv.OpTypeMatrix:
            return ((yield type_.element),) * min(type_.count, MOST_LANES)
        case spv.OpTypeStruct:
            members = []
            for member in type_.members:
                members.append((yield member))
            return tuple(members)
    return None
