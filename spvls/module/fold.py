"""Operations on constants, as OpSpecConstantOp asks for them (SPIR-V 2.12, 3.3.7)."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from functools import partial

from spvls.grammar import spv
from spvls.module.constants import MOST_LANES, WIDEST
from spvls.syntax.instruction import Operand
from spvls.typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spvls.module.constants import Constant, Value
    from spvls.module.types import Type


def fold(operands: tuple[Operand, ...], type_: Type | None, of: Callable[[str], Constant | None]) -> Value | None:
    """The value of an inner opcode and its operands; None where it has none: division by zero, an unknown operand, operands of
    types that the operation does not take."""
    if not operands or not isinstance(operands[0], int) or type_ is None:
        return None
    from spvls.module.operation_types import SHIFTS, fits  # few modules compute constants

    opcode = operands[0]
    arguments = operands[1:]
    structural = _STRUCTURAL.get(opcode)
    if structural is not None:
        return structural(arguments, of) if _composes(opcode, arguments, type_, of) else None
    if opcode == spv.OpBitcast:
        source = _constant(arguments[0], of) if arguments else None
        return _bitcast(source, type_) if source is not None else None
    operation = _OPERATIONS.get(opcode)
    if opcode in _TO_INTEGER and type_.scalar is not None:
        operation = partial(_truncated, type_.scalar)
    if operation is None:
        return None
    values = [_constant(argument, of) for argument in arguments]
    if any(value is None or value.value is None for value in values):
        return None
    constants = [value for value in values if value is not None]
    scalar = type_.scalar
    if not fits(opcode, [constant.type for constant in constants], type_):
        return None
    if scalar is None or scalar.width > WIDEST or (type_.is_vector and type_.count > MOST_LANES):
        return None
    operand_type = _scalar(constants[0] if opcode in SHIFTS else constants[-1]) if constants else None
    if type_.is_vector:
        lanes = [_lanes(constant, type_.count) for constant in constants]
        if any(lane is None for lane in lanes):
            return None
        return tuple(
            _apply(operation, [lane[at] for lane in lanes if lane], operand_type, scalar)
            for at in range(type_.count)
        )
    return _apply(operation, [constant.value for constant in constants], operand_type, scalar)


def _constant(argument: Operand, of: Callable[[str], Constant | None]) -> Constant | None:
    return of(argument) if isinstance(argument, str) else None


def _scalar(constant: Constant) -> Type | None:
    return constant.type.scalar if constant.type is not None else None


def _bitcast(constant: Constant, type_: Type) -> Value | None:
    """The bits of a constant read as another type of as many bits."""
    source, target = _scalar(constant), type_.scalar
    if type_.count > MOST_LANES or (target is not None and target.width > WIDEST):
        return None
    if source is None or target is None or source.width % 8 or target.width % 8 or not source.width or not target.width:
        return None
    given = constant.type.count if constant.type is not None else 0
    if (type_.count or 1) * target.width != (given or 1) * source.width:
        return None
    values = constant.value if isinstance(constant.value, tuple) else (constant.value,)
    bits = 0
    for at, value in enumerate(values):
        code = _FLOAT_CODES.get(source.width)
        if source.is_int and isinstance(value, int):
            bits |= _unsigned(source, value) << at * source.width
        elif source.is_float and isinstance(value, float) and code is not None and source.encoding is None:
            bits |= int.from_bytes(struct.pack(code, value), "little") << at * source.width
        else:
            return None
    count = type_.count if type_.is_vector else 1
    parts = tuple(_from_bits(bits >> at * target.width & (1 << target.width) - 1, target) for at in range(count))
    return parts if type_.is_vector else parts[0]


def _from_bits(bits: int, type_: Type) -> Value | None:
    if type_.is_int:
        return _wrap(bits, type_)
    code = _FLOAT_CODES.get(type_.width)
    if code is None or type_.encoding is not None:
        return None
    read: float = struct.unpack(code, bits.to_bytes(type_.width // 8, "little"))[0]
    return read


def _lanes(constant: Constant, count: int) -> list[Any] | None:
    value = constant.value
    if isinstance(value, tuple):
        return list(value) if len(value) == count else None
    return [value] * count


def _apply(operation: Callable[..., Any], values: list[Any], operand: Type | None, result: Type | None) -> Value | None:
    if any(value is None or isinstance(value, tuple) for value in values) or operand is None or result is None:
        return None
    try:
        return _wrap(operation(operand, *values), result)
    except (ZeroDivisionError, OverflowError, ValueError, TypeError):
        return None


def _wrap(value: Any, type_: Type) -> Value | None:
    """A result cut to the bits of its type."""
    if type_.is_bool:
        return bool(value)
    if type_.is_int:
        bits = int(value) & (1 << type_.width) - 1
        return bits - (1 << type_.width) if type_.signed and bits >> type_.width - 1 else bits
    if type_.is_float and type_.width in _FLOAT_CODES and type_.encoding is None:
        code = _FLOAT_CODES[type_.width]
        try:
            rounded: float = struct.unpack(code, struct.pack(code, value))[0]
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
        return rounded
    return None


_FLOAT_CODES = {16: "<e", 32: "<f", 64: "<d"}


def _unsigned(type_: Type, value: int) -> int:
    return value & (1 << type_.width) - 1


def _signed(type_: Type, value: int) -> int:
    bits = _unsigned(type_, value)
    return bits - (1 << type_.width) if bits >> type_.width - 1 else bits


def _truncated(result: Type, _: Type, value: float) -> int:
    """A float as an integer of a type. Raises ValueError where it is out of the range of that, and the result undefined."""
    whole = int(value)
    if _wrap(whole, result) != whole:
        raise ValueError
    return whole


_TO_INTEGER = frozenset({spv.OpConvertFToS, spv.OpConvertFToU})


def _quantized(value: float) -> float:
    """A float as a 16-bit one can have it: infinity where it is too large, and zero where it is too small for a normal number."""
    try:
        half: float = struct.unpack("<e", struct.pack("<e", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return math.copysign(0.0, value) if abs(half) < _LEAST_HALF else half


_LEAST_HALF = 2.0**-14


def _quotient(left: int, right: int) -> int:
    """Division that cuts towards zero."""
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole


_OPERATIONS: dict[int, Callable[..., Any]] = {
    spv.OpSConvert: lambda t, a: _signed(t, a),
    spv.OpUConvert: lambda t, a: _unsigned(t, a),
    spv.OpFConvert: lambda t, a: a,
    spv.OpConvertSToF: lambda t, a: float(_signed(t, a)),
    spv.OpConvertUToF: lambda t, a: float(_unsigned(t, a)),
    spv.OpQuantizeToF16: lambda t, a: _quantized(a),
    spv.OpCopyObject: lambda t, a: a,
    spv.OpSNegate: lambda t, a: -a,
    spv.OpNot: lambda t, a: ~a,
    spv.OpIAdd: lambda t, a, b: a + b,
    spv.OpISub: lambda t, a, b: a - b,
    spv.OpIMul: lambda t, a, b: a * b,
    spv.OpUDiv: lambda t, a, b: _unsigned(t, a) // _unsigned(t, b),
    spv.OpSDiv: lambda t, a, b: _quotient(_signed(t, a), _signed(t, b)),
    spv.OpUMod: lambda t, a, b: _unsigned(t, a) % _unsigned(t, b),
    spv.OpSRem: lambda t, a, b: _signed(t, a) - _signed(t, b) * _quotient(_signed(t, a), _signed(t, b)),
    spv.OpSMod: lambda t, a, b: _signed(t, a) % _signed(t, b),
    spv.OpShiftRightLogical: lambda t, a, b: _unsigned(t, a) >> b if 0 <= b < t.width else None,
    spv.OpShiftRightArithmetic: lambda t, a, b: _signed(t, a) >> b if 0 <= b < t.width else None,
    spv.OpShiftLeftLogical: lambda t, a, b: a << b if 0 <= b < t.width else None,
    spv.OpBitwiseOr: lambda t, a, b: a | b,
    spv.OpBitwiseXor: lambda t, a, b: a ^ b,
    spv.OpBitwiseAnd: lambda t, a, b: a & b,
    spv.OpLogicalOr: lambda t, a, b: a or b,
    spv.OpLogicalAnd: lambda t, a, b: a and b,
    spv.OpLogicalNot: lambda t, a: not a,
    spv.OpLogicalEqual: lambda t, a, b: a == b,
    spv.OpLogicalNotEqual: lambda t, a, b: a != b,
    spv.OpSelect: lambda t, condition, a, b: a if condition else b,
    spv.OpIEqual: lambda t, a, b: _unsigned(t, a) == _unsigned(t, b),
    spv.OpINotEqual: lambda t, a, b: _unsigned(t, a) != _unsigned(t, b),
    spv.OpULessThan: lambda t, a, b: _unsigned(t, a) < _unsigned(t, b),
    spv.OpSLessThan: lambda t, a, b: _signed(t, a) < _signed(t, b),
    spv.OpUGreaterThan: lambda t, a, b: _unsigned(t, a) > _unsigned(t, b),
    spv.OpSGreaterThan: lambda t, a, b: _signed(t, a) > _signed(t, b),
    spv.OpULessThanEqual: lambda t, a, b: _unsigned(t, a) <= _unsigned(t, b),
    spv.OpSLessThanEqual: lambda t, a, b: _signed(t, a) <= _signed(t, b),
    spv.OpUGreaterThanEqual: lambda t, a, b: _unsigned(t, a) >= _unsigned(t, b),
    spv.OpSGreaterThanEqual: lambda t, a, b: _signed(t, a) >= _signed(t, b),
    spv.OpFNegate: lambda t, a: -a,
    spv.OpFAdd: lambda t, a, b: a + b,
    spv.OpFSub: lambda t, a, b: a - b,
    spv.OpFMul: lambda t, a, b: a * b,
    spv.OpFDiv: lambda t, a, b: a / b,
    spv.OpFRem: lambda t, a, b: math.fmod(a, b),
    spv.OpFMod: lambda t, a, b: a - b * math.floor(a / b),
}


def _composes(opcode: int, arguments: tuple[Operand, ...], type_: Type, of: Callable[[str], Constant | None]) -> bool:
    """Whether the types of a structural operation fit together."""
    from spvls.module.operation_types import part

    constants = [_constant(argument, of) for argument in arguments[:2]]
    first, second = (constant.type if constant is not None else None for constant in (*constants, None, None)[:2])
    if opcode == spv.OpCompositeExtract:
        return part(first, arguments[1:]) == type_.id
    if opcode == spv.OpCompositeInsert:
        return first is not None and second is not None and second.id == type_.id and part(second, arguments[2:]) == first.id
    elements = [found.element_id for found in (first, second) if found is not None and found.is_vector]
    return type_.is_vector and type_.count == len(arguments) - 2 and elements == [type_.element_id] * 2


def _extract(arguments: tuple[Operand, ...], of: Callable[[str], Constant | None]) -> Value | None:
    constant = _constant(arguments[0], of) if arguments else None
    value = constant.value if constant is not None else None
    for index in arguments[1:]:
        if not isinstance(value, tuple) or not isinstance(index, int) or index >= len(value):
            return None
        value = value[index]
    return value


def _insert(arguments: tuple[Operand, ...], of: Callable[[str], Constant | None]) -> Value | None:
    if len(arguments) < 2:
        return None
    inserted, composite = _constant(arguments[0], of), _constant(arguments[1], of)
    if inserted is None or composite is None:
        return None
    return _with(composite.value, list(arguments[2:]), inserted.value)


def _with(value: Value | None, path: list[Operand], part: Value | None) -> Value | None:
    """A composite with another part at the end of a path of indexes; without a path, the part itself."""
    around: list[tuple[tuple[Value | None, ...], int]] = []
    for index in path:
        if not isinstance(value, tuple) or not isinstance(index, int) or index >= len(value):
            return None
        around.append((value, index))
        value = value[index]
    for whole, index in reversed(around):
        part = (*whole[:index], part, *whole[index + 1 :])
    return part


def _shuffle(arguments: tuple[Operand, ...], of: Callable[[str], Constant | None]) -> Value | None:
    if len(arguments) < 2:
        return None
    vectors = [_constant(argument, of) for argument in arguments[:2]]
    lanes: list[Value | None] = []
    for vector in vectors:
        if vector is None or not isinstance(vector.value, tuple):
            return None
        lanes.extend(vector.value)
    return tuple(lanes[at] if isinstance(at, int) and at < len(lanes) else None for at in arguments[2:])


_STRUCTURAL: dict[int, Callable[[tuple[Operand, ...], Callable[[str], Constant | None]], Value | None]] = {
    spv.OpCompositeExtract: _extract,
    spv.OpCompositeInsert: _insert,
    spv.OpVectorShuffle: _shuffle,
}
