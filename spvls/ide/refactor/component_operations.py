"""How operations depend on the type of the components of their operands: which of them must have the same one, and which operation
does the same for numbers of another kind."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.grammar import spv
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction

_FLOATS = (
    spv.OpFAdd, spv.OpFSub, spv.OpFMul, spv.OpFDiv, spv.OpFRem, spv.OpFMod, spv.OpFNegate, spv.OpVectorTimesScalar, spv.OpDot,
)  # fmt: skip
_INTEGERS = (
    spv.OpIAdd, spv.OpISub, spv.OpIMul, spv.OpSDiv, spv.OpUDiv, spv.OpSRem, spv.OpSMod, spv.OpUMod, spv.OpSNegate, spv.OpBitwiseAnd,
    spv.OpBitwiseOr, spv.OpBitwiseXor, spv.OpNot,
)  # fmt: skip
_FLOAT_COMPARISONS = (
    spv.OpFOrdEqual, spv.OpFUnordEqual, spv.OpFOrdNotEqual, spv.OpFUnordNotEqual, spv.OpFOrdLessThan, spv.OpFUnordLessThan,
    spv.OpFOrdGreaterThan, spv.OpFUnordGreaterThan, spv.OpFOrdLessThanEqual, spv.OpFUnordLessThanEqual,
    spv.OpFOrdGreaterThanEqual, spv.OpFUnordGreaterThanEqual,
)  # fmt: skip
_INTEGER_COMPARISONS = (
    spv.OpIEqual, spv.OpINotEqual, spv.OpSLessThan, spv.OpULessThan, spv.OpSGreaterThan, spv.OpUGreaterThan,
    spv.OpSLessThanEqual, spv.OpULessThanEqual, spv.OpSGreaterThanEqual, spv.OpUGreaterThanEqual,
)  # fmt: skip
_SHIFTS = (spv.OpShiftLeftLogical, spv.OpShiftRightLogical, spv.OpShiftRightArithmetic)

CONVERSIONS = frozenset(
    {
        spv.OpConvertFToU, spv.OpConvertFToS, spv.OpConvertSToF, spv.OpConvertUToF, spv.OpUConvert, spv.OpSConvert, spv.OpFConvert,
    }
)  # fmt: skip
"""Conversions by value, which take any number and give any."""

_PLACES: dict[int, tuple[int, ...]] = {
    spv.OpCompositeExtract: (0,), spv.OpCompositeInsert: (0, 1), spv.OpVectorShuffle: (0, 1), spv.OpVectorExtractDynamic: (0,),
    spv.OpVectorInsertDynamic: (0, 1), spv.OpSelect: (1, 2), spv.OpCopyObject: (0,), spv.OpLoad: (0,), spv.OpStore: (0, 1),
    spv.OpAccessChain: (0,), spv.OpInBoundsAccessChain: (0,), spv.OpVariable: (1,), spv.OpUndef: (),
    **dict.fromkeys((*_FLOATS, *_INTEGERS, *_FLOAT_COMPARISONS, *_INTEGER_COMPARISONS), (0, 1)),
    **dict.fromkeys(_SHIFTS, (0,)),
}  # fmt: skip
"""By opcode: the operands whose components have one type, which is that of the result too, except for comparisons."""

_WITHOUT_RESULT = frozenset({*_FLOAT_COMPARISONS, *_INTEGER_COMPARISONS, spv.OpStore})

_INDEXES: dict[int, Sequence[int]] = {
    spv.OpAccessChain: range(1, 256), spv.OpInBoundsAccessChain: range(1, 256), spv.OpVectorExtractDynamic: (1,),
    spv.OpVectorInsertDynamic: (2,), **dict.fromkeys(_SHIFTS, (1,)),
}  # fmt: skip
"""By opcode: the operands that may be integers of any type, whatever the others are."""

_KINDS: tuple[tuple[int | None, int, int], ...] = (
    (spv.OpFAdd, spv.OpIAdd, spv.OpIAdd),
    (spv.OpFSub, spv.OpISub, spv.OpISub),
    (spv.OpFMul, spv.OpIMul, spv.OpIMul),
    (spv.OpFDiv, spv.OpSDiv, spv.OpUDiv),
    (spv.OpFRem, spv.OpSRem, spv.OpUMod),
    (spv.OpFMod, spv.OpSMod, spv.OpUMod),
    (spv.OpFNegate, spv.OpSNegate, spv.OpSNegate),
    (spv.OpFOrdEqual, spv.OpIEqual, spv.OpIEqual),
    (spv.OpFUnordEqual, spv.OpIEqual, spv.OpIEqual),
    (spv.OpFUnordNotEqual, spv.OpINotEqual, spv.OpINotEqual),
    (spv.OpFOrdNotEqual, spv.OpINotEqual, spv.OpINotEqual),
    (spv.OpFOrdLessThan, spv.OpSLessThan, spv.OpULessThan),
    (spv.OpFUnordLessThan, spv.OpSLessThan, spv.OpULessThan),
    (spv.OpFOrdGreaterThan, spv.OpSGreaterThan, spv.OpUGreaterThan),
    (spv.OpFUnordGreaterThan, spv.OpSGreaterThan, spv.OpUGreaterThan),
    (spv.OpFOrdLessThanEqual, spv.OpSLessThanEqual, spv.OpULessThanEqual),
    (spv.OpFUnordLessThanEqual, spv.OpSLessThanEqual, spv.OpULessThanEqual),
    (spv.OpFOrdGreaterThanEqual, spv.OpSGreaterThanEqual, spv.OpUGreaterThanEqual),
    (spv.OpFUnordGreaterThanEqual, spv.OpSGreaterThanEqual, spv.OpUGreaterThanEqual),
    (None, spv.OpShiftRightArithmetic, spv.OpShiftRightLogical),
)
"""Operations that do the same for floats, for integers with a sign, and for those without."""

_INTEGERS_ONLY = frozenset({spv.OpBitwiseAnd, spv.OpBitwiseOr, spv.OpBitwiseXor, spv.OpNot, spv.OpShiftLeftLogical})
_FLOATS_ONLY = frozenset({spv.OpVectorTimesScalar, spv.OpDot})

_GLSL_KINDS: tuple[tuple[str, str, str | None], ...] = (
    ("FAbs", "SAbs", None),
    ("FSign", "SSign", None),
    ("FMin", "SMin", "UMin"),
    ("FMax", "SMax", "UMax"),
    ("FClamp", "SClamp", "UClamp"),
)
_GLSL_ANY_WIDTH = frozenset(
    {
        "Round", "RoundEven", "Trunc", "Floor", "Ceil", "Fract", "Sqrt", "InverseSqrt", "FMix", "Step", "SmoothStep", "Fma",
        "Length", "Distance", "Cross", "Normalize", "FaceForward", "Reflect", "NMin", "NMax", "NClamp",
    }
)  # fmt: skip
_GLSL_NARROW = frozenset(
    {
        "Radians", "Degrees", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh",
        "Atan2", "Pow", "Exp", "Log", "Exp2", "Log2",
    }
)  # fmt: skip
"""Instructions of GLSL.std.450 for floats, of any width and of at most 32 bits."""

_GLSL = _GLSL_ANY_WIDTH | _GLSL_NARROW | {name for kinds in _GLSL_KINDS for name in kinds if name is not None}
FIRST_OF_SET = 2
"""The first operand of an extended instruction, after the set and the instruction."""


def linked(record: Instruction, extended: tuple[str, str] | None) -> tuple[list[int], bool] | None:
    """The operands of an instruction whose components have one type, and whether the result has it too; None where that is not
    known. `extended` are the set and the name of an extended instruction."""
    opcode = record.opcode.value
    count = len(record.operands)
    if opcode == spv.OpExtInst:
        return (list(range(FIRST_OF_SET, count)), True) if extended in _EXTENDED else None
    if opcode == spv.OpPhi:
        return list(range(0, count, 2)), True
    if opcode == spv.OpCompositeConstruct:
        return list(range(count)), True
    places = _PLACES.get(opcode)
    if places is None:
        return None
    return [at for at in places if at < count], opcode not in _WITHOUT_RESULT


_EXTENDED = {("GLSL.std.450", name) for name in _GLSL}


def takes_any_integer(record: Instruction, operand_index: int) -> bool:
    """Whether an operand may be an integer of any type."""
    return operand_index in _INDEXES.get(record.opcode.value, ())


def operation_for(opcode: int, given: Type, wanted: Type) -> int | None:
    """The opcode that does for components of a type what another one does for those of `given`; None where there is none."""
    if opcode in _FLOATS_ONLY and not wanted.is_float:
        return None
    if opcode in _INTEGERS_ONLY and not wanted.is_int:
        return None
    if _column(given) == _column(wanted):
        return opcode
    kinds = next((kinds for kinds in _KINDS if opcode in kinds), None)
    return opcode if kinds is None else kinds[_column(wanted)]


def extended_for(name: str, given: Type, wanted: Type) -> str | None:
    """The same for instructions of GLSL.std.450, by name."""
    if name in _GLSL_NARROW:
        return name if wanted.is_float and wanted.width <= _SINGLE else None
    if name in _GLSL_ANY_WIDTH:
        return name if wanted.is_float else None
    if _column(given) == _column(wanted):
        return name
    kinds = next((kinds for kinds in _GLSL_KINDS if name in kinds), None)
    return kinds[_column(wanted)] if kinds is not None else None


_SINGLE = 32


def _column(type_: Type) -> int:
    return 0 if type_.is_float else 1 if type_.signed else 2
