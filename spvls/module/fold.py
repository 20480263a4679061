"""Operations on constants, as OpSpecConstantOp asks for them (SPIR-V 2.12, 3.3.7)."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spvls.grammar import tables
from spvls.syntax.instruction import Operand

if TYPE_CHECKING:
    from spvls.module.constants import Constant, Value
    from spvls.module.types import Type


def fold(operands: tuple[Operand, ...], type_: Type | None, of: Callable[[str], Constant | None]) -> Value | None:
    """The value of an inner opcode and its operands; None where it has none: division by zero, an unknown operand."""
    if not operands or not isinstance(operands[0], int) or type_ is None:
        return None
    opcode = tables.opcode_by_value(operands[0])
    if opcode is None:
        return None
    name = opcode.name.removeprefix("Op")
    arguments = operands[1:]
    structural = _STRUCTURAL.get(name)
    if structural is not None:
        return structural(arguments, of)
    if name == "Bitcast":
        source = _constant(arguments[0], of) if arguments else None
        return _bitcast(source, type_) if source is not None else None
    operation = _OPERATIONS.get(name)
    if operation is None:
        return None
    values = [_constant(argument, of) for argument in arguments]
    if any(value is None or value.value is None for value in values):
        return None
    constants = [value for value in values if value is not None]
    scalar = type_.scalar
    operand_type = _scalar(constants[0] if name.startswith("Shift") else constants[-1]) if constants else None
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
    if source is None or target is None or source.width % 8 or target.width % 8 or not source.width or not target.width:
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


def _quotient(left: int, right: int) -> int:
    """Division that cuts towards zero."""
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "SConvert": lambda t, a: _signed(t, a),
    "UConvert": lambda t, a: _unsigned(t, a),
    "FConvert": lambda t, a: a,
    "ConvertFToS": lambda t, a: int(a),
    "ConvertFToU": lambda t, a: int(a),
    "ConvertSToF": lambda t, a: float(_signed(t, a)),
    "ConvertUToF": lambda t, a: float(_unsigned(t, a)),
    "QuantizeToF16": lambda t, a: struct.unpack("<e", struct.pack("<e", a))[0],
    "CopyObject": lambda t, a: a,
    "SNegate": lambda t, a: -a,
    "Not": lambda t, a: ~a,
    "IAdd": lambda t, a, b: a + b,
    "ISub": lambda t, a, b: a - b,
    "IMul": lambda t, a, b: a * b,
    "UDiv": lambda t, a, b: _unsigned(t, a) // _unsigned(t, b),
    "SDiv": lambda t, a, b: _quotient(_signed(t, a), _signed(t, b)),
    "UMod": lambda t, a, b: _unsigned(t, a) % _unsigned(t, b),
    "SRem": lambda t, a, b: _signed(t, a) - _signed(t, b) * _quotient(_signed(t, a), _signed(t, b)),
    "SMod": lambda t, a, b: _signed(t, a) % _signed(t, b),
    "ShiftRightLogical": lambda t, a, b: _unsigned(t, a) >> b if 0 <= b < t.width else None,
    "ShiftRightArithmetic": lambda t, a, b: _signed(t, a) >> b if 0 <= b < t.width else None,
    "ShiftLeftLogical": lambda t, a, b: a << b if 0 <= b < t.width else None,
    "BitwiseOr": lambda t, a, b: a | b,
    "BitwiseXor": lambda t, a, b: a ^ b,
    "BitwiseAnd": lambda t, a, b: a & b,
    "LogicalOr": lambda t, a, b: a or b,
    "LogicalAnd": lambda t, a, b: a and b,
    "LogicalNot": lambda t, a: not a,
    "LogicalEqual": lambda t, a, b: a == b,
    "LogicalNotEqual": lambda t, a, b: a != b,
    "Select": lambda t, condition, a, b: a if condition else b,
    "IEqual": lambda t, a, b: _unsigned(t, a) == _unsigned(t, b),
    "INotEqual": lambda t, a, b: _unsigned(t, a) != _unsigned(t, b),
    "ULessThan": lambda t, a, b: _unsigned(t, a) < _unsigned(t, b),
    "SLessThan": lambda t, a, b: _signed(t, a) < _signed(t, b),
    "UGreaterThan": lambda t, a, b: _unsigned(t, a) > _unsigned(t, b),
    "SGreaterThan": lambda t, a, b: _signed(t, a) > _signed(t, b),
    "ULessThanEqual": lambda t, a, b: _unsigned(t, a) <= _unsigned(t, b),
    "SLessThanEqual": lambda t, a, b: _signed(t, a) <= _signed(t, b),
    "UGreaterThanEqual": lambda t, a, b: _unsigned(t, a) >= _unsigned(t, b),
    "SGreaterThanEqual": lambda t, a, b: _signed(t, a) >= _signed(t, b),
    "FNegate": lambda t, a: -a,
    "FAdd": lambda t, a, b: a + b,
    "FSub": lambda t, a, b: a - b,
    "FMul": lambda t, a, b: a * b,
    "FDiv": lambda t, a, b: a / b,
    "FRem": lambda t, a, b: math.fmod(a, b),
    "FMod": lambda t, a, b: a - b * math.floor(a / b),
}


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
    if not path:
        return part
    index = path[0]
    if not isinstance(value, tuple) or not isinstance(index, int) or index >= len(value):
        return None
    return (*value[:index], _with(value[index], path[1:], part), *value[index + 1 :])


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


_STRUCTURAL: dict[str, Callable[[tuple[Operand, ...], Callable[[str], Constant | None]], Value | None]] = {
    "CompositeExtract": _extract,
    "CompositeInsert": _insert,
    "VectorShuffle": _shuffle,
}
