"""The types that operations on constants take: an operation on others has no value (SPIR-V 3.3.11 to 3.3.15)."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.grammar import spv
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Operand

_INT, _FLOAT, _BOOL = spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeBool


class _Shape(NamedTuple):
    """What the components of operands and result are; with `alike`, operands have as many bits as the result, or where the result
    is a truth value as each other."""

    operand: int
    result: int
    alike: bool = True


_SHAPES = {
    **dict.fromkeys(
        (
            spv.OpIAdd, spv.OpISub, spv.OpIMul, spv.OpUDiv, spv.OpSDiv, spv.OpUMod, spv.OpSRem, spv.OpSMod, spv.OpBitwiseOr,
            spv.OpBitwiseXor, spv.OpBitwiseAnd, spv.OpNot, spv.OpSNegate,
        ),
        _Shape(_INT, _INT),
    ),
    **dict.fromkeys(
        (spv.OpFAdd, spv.OpFSub, spv.OpFMul, spv.OpFDiv, spv.OpFRem, spv.OpFMod, spv.OpFNegate, spv.OpQuantizeToF16),
        _Shape(_FLOAT, _FLOAT),
    ),
    **dict.fromkeys(
        (
            spv.OpIEqual, spv.OpINotEqual, spv.OpULessThan, spv.OpSLessThan, spv.OpUGreaterThan, spv.OpSGreaterThan,
            spv.OpULessThanEqual, spv.OpSLessThanEqual, spv.OpUGreaterThanEqual, spv.OpSGreaterThanEqual,
        ),
        _Shape(_INT, _BOOL),
    ),
    **dict.fromkeys(
        (spv.OpLogicalOr, spv.OpLogicalAnd, spv.OpLogicalNot, spv.OpLogicalEqual, spv.OpLogicalNotEqual), _Shape(_BOOL, _BOOL)
    ),
    **dict.fromkeys((spv.OpSConvert, spv.OpUConvert), _Shape(_INT, _INT, alike=False)),
    spv.OpFConvert: _Shape(_FLOAT, _FLOAT, alike=False),
    **dict.fromkeys((spv.OpConvertFToS, spv.OpConvertFToU), _Shape(_FLOAT, _INT, alike=False)),
    **dict.fromkeys((spv.OpConvertSToF, spv.OpConvertUToF), _Shape(_INT, _FLOAT, alike=False)),
}  # fmt: skip
"""Operations that work on each component by itself."""

_UNARY = frozenset(
    {
        spv.OpNot, spv.OpSNegate, spv.OpFNegate, spv.OpLogicalNot, spv.OpQuantizeToF16, spv.OpSConvert, spv.OpUConvert,
        spv.OpFConvert, spv.OpConvertFToS, spv.OpConvertFToU, spv.OpConvertSToF, spv.OpConvertUToF,
    }
)  # fmt: skip
SHIFTS = frozenset({spv.OpShiftLeftLogical, spv.OpShiftRightLogical, spv.OpShiftRightArithmetic})


def fits(opcode: int, operands: Sequence[Type | None], result: Type) -> bool:
    """Whether operands of these types and this result are what an operation takes; structural ones take literals as well, see
    `part`."""
    types = [type_ for type_ in operands if type_ is not None]
    if len(types) != len(operands):
        return False
    if opcode == spv.OpCopyObject:
        return [type_.id for type_ in types] == [result.id]
    if opcode == spv.OpSelect:
        return len(types) == 3 and _selects(types[0], result) and {type_.id for type_ in types[1:]} == {result.id}
    if opcode in SHIFTS:
        return len(types) == 2 and all(_has(type_, _INT, result) for type_ in (*types, result)) and _is_alike(types[0], result)
    shape = _SHAPES.get(opcode)
    if shape is None or len(types) != (1 if opcode in _UNARY else 2) or not _has(result, shape.result, result):
        return False
    if not all(_has(type_, shape.operand, result) for type_ in types):
        return False
    like = result if shape.operand == shape.result else types[0]
    return not shape.alike or all(_is_alike(type_, like) for type_ in types)


def _selects(condition: Type, result: Type) -> bool:
    """A condition is one truth value, or one for each component."""
    return condition.is_bool or _has(condition, _BOOL, result)


def _has(type_: Type, kind: int, result: Type) -> bool:
    """Whether a type is a scalar of some kind, or a vector of such with as many components as the result."""
    scalar = type_.element if type_.is_vector else type_
    return scalar is not None and scalar.kind == kind and type_.count == result.count


def _is_alike(one: Type, other: Type) -> bool:
    first, second = one.scalar, other.scalar
    return first is not None and second is not None and (first.width, first.encoding) == (second.width, second.encoding)


def part(type_: Type | None, path: Sequence[Operand]) -> str | None:
    """The id of the type at the end of a path of indexes into a composite."""
    name = type_.id if type_ is not None else None
    for index in path:
        if type_ is None or not type_.is_composite or not isinstance(index, int):
            return None
        if type_.is_struct:
            name = type_.member_ids[index] if index < len(type_.member_ids) else None
            type_ = type_.member(index) if name is not None else None
        else:
            name = type_.element_id
            type_ = type_.element
    return name
