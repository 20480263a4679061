"""The operators of TOSA.001000.1: what their operands and results are made of.

The attributes of an operator come first and are constants; then come tensors. Elements of tensors are spelled as in
messages: TOSA's `i8` is `u8` here, as its integers are types without a sign, and its `i48` is `u64`.
"""

from __future__ import annotations

from collections.abc import Mapping

from spvls.record import NamedTuple
from spvls.validate.rules.ext_inst.tensor_kind import TensorKind, tensors

_FLOATS = "f16 f32 bfloat16"
_FP8 = "float8e4m3 float8e5m2"
_NARROW = f"u8 u16 {_FLOATS}"
_NUMBERS = f"u8 u16 u32 {_FLOATS}"
_WIDE = f"u32 {_FLOATS}"
_ANY = f"bool {_NUMBERS} {_FP8}"

RESULT = "result"
"""Stands for the result among the names of operands."""


class Operator(NamedTuple):
    """`inputs` are the tensors by the names of the operands; a `result` of None is a structure of two `f32` of rank 3.

    Of the names in a row of `alike`, all have the same element type, and of those in `level` the same rank. `gives` says
    which elements the result may have for those of the first input. `lists` are the attributes that are tensors of 32-bit
    integers, with their lengths.
    """

    inputs: Mapping[str, TensorKind]
    result: TensorKind | None
    alike: tuple[tuple[str, ...], ...] = ()
    level: tuple[str, ...] = ()
    gives: Mapping[str, str] = {}
    lists: Mapping[str, int | None] = {}


_SAME_FLOATS = {name: name for name in _FLOATS.split()}
_SUMS = {"u8": "u32", "u16": "u64", **_SAME_FLOATS, **dict.fromkeys(_FP8.split(), "f16")}
_PRODUCTS = {**_SUMS, "f16": "f16 f32", "bfloat16": "f32"}
_SUM = f"u32 u64 {_FLOATS}"
_LIST = tensors("u32", 1)


def _convolution(rank: int, **lists: int) -> Operator:
    inputs = {
        "input": tensors(f"{_NARROW} {_FP8}", rank),
        "weight": tensors(f"u8 {_FLOATS} {_FP8}", rank),
        "bias": tensors(_SUM, 1),
        "input_zp": tensors(f"{_NARROW} {_FP8}", length=1),
        "weight_zp": tensors(f"u8 {_FLOATS} {_FP8}", length=1),
    }
    alike = (("bias", RESULT), ("input", "input_zp"), ("weight", "weight_zp"))
    return Operator(inputs, tensors(_SUM, rank), alike, gives=_SUMS, lists=lists)


def _unary(elements: str, name: str = "input1") -> Operator:
    return Operator({name: tensors(elements)}, tensors(elements), ((name, RESULT),), (name, RESULT))


def _binary(elements: str, result: str = "") -> Operator:
    inputs = dict.fromkeys(("input1", "input2"), tensors(elements))
    alike = ("input1", "input2") if result else ("input1", "input2", RESULT)
    return Operator(inputs, tensors(result or elements), (alike,), ("input1", "input2", RESULT))


def _layout(*lists: str, level: bool = True, perms: bool = False) -> Operator:
    """An operator that moves elements, as tensors of 32-bit integers say."""
    inputs = {"input1": tensors(_ANY), **dict.fromkeys(lists, _LIST)}
    attributes: dict[str, int | None] = {"perms": None} if perms else {}
    return Operator(inputs, tensors(_ANY), (("input1", RESULT),), ("input1", RESULT) if level else (), lists=attributes)


def _pooling(**zero_points: TensorKind) -> Operator:
    image = tensors(f"{_NARROW} {_FP8}", 4)
    return Operator(
        {"input": image, **zero_points}, image, (("input", *zero_points, RESULT),),
        lists={"kernel": 2, "stride": 2, "pad": 4},
    )  # fmt: skip


_ZERO_POINT = tensors(f"{_NARROW} {_FP8}", length=1)
_BATCHES = tensors(f"{_NUMBERS} {_FP8}", 3)
_INDICES = tensors("u32", 2)
_SPECTRUM = tensors("f32", 3)

OPERATORS: Mapping[str, Operator] = {
    "ARGMAX": Operator({"input": tensors(f"{_NARROW} {_FP8}")}, tensors("u32")),
    "AVG_POOL2D": _pooling(input_zp=_ZERO_POINT, output_zp=_ZERO_POINT),
    "CONV2D": _convolution(4, pad=4, stride=2, dilation=2),
    "CONV3D": _convolution(5, pad=6, stride=3, dilation=3),
    "DEPTHWISE_CONV2D": _convolution(4, pad=4, stride=2, dilation=2),
    "FFT2D": Operator({"input_real": _SPECTRUM, "input_imag": _SPECTRUM}, None),
    "MATMUL": Operator(
        {**dict.fromkeys(("A", "B"), tensors(f"{_NARROW} {_FP8}", 3)), "A_zp": _ZERO_POINT, "B_zp": _ZERO_POINT},
        tensors("u32 u64 f16 f32", 3), (("A", "B", "A_zp", "B_zp"),), gives=_PRODUCTS,
    ),
    "MAX_POOL2D": _pooling(),
    "RFFT2D": Operator({"input_real": _SPECTRUM}, None),
    "TRANSPOSE_CONV2D": _convolution(4, out_pad=4, stride=2),
    "CLAMP": _unary(_NARROW, "input"),
    **dict.fromkeys(("ERF", "SIGMOID", "TANH"), _unary(_FLOATS, "input")),
    **dict.fromkeys(("ADD", "MAXIMUM", "MINIMUM", "SUB"), _binary(_WIDE)),
    **dict.fromkeys(
        ("ARITHMETIC_RIGHT_SHIFT", "BITWISE_AND", "BITWISE_OR", "BITWISE_XOR", "LOGICAL_LEFT_SHIFT", "LOGICAL_RIGHT_SHIFT"),
        _binary("u8 u16 u32"),
    ),
    "INTDIV": _binary("u32"),
    **dict.fromkeys(("LOGICAL_AND", "LOGICAL_OR", "LOGICAL_XOR"), _binary("bool")),
    "MUL": Operator(
        {**dict.fromkeys(("input1", "input2"), tensors(_NUMBERS)), "shift": tensors("u8", length=1)}, tensors(_WIDE),
        (("input1", "input2"),), ("input1", "input2", RESULT), {**dict.fromkeys(("u8", "u16", "u32"), "u32"), **_SAME_FLOATS},
    ),
    "POW": _binary(_FLOATS),
    "TABLE": Operator(
        {"input1": tensors("u8 u16"), "table": tensors("u8 u16", 1)}, tensors("u8 u32"),
        (("input1", "table"),), ("input1", RESULT), {"u8": "u8", "u16": "u32"},
    ),
    "ABS": _unary(_WIDE),
    "BITWISE_NOT": _unary("u8 u16 u32"),
    **dict.fromkeys(("CEIL", "COS", "EXP", "FLOOR", "LOG", "RECIPROCAL", "RSQRT", "SIN"), _unary(_FLOATS)),
    "CLZ": _unary("u32"),
    "LOGICAL_NOT": _unary("bool"),
    "NEGATE": Operator(
        {"input1": tensors(_NUMBERS), **dict.fromkeys(("input1_zp", "output_zp"), tensors(_NUMBERS, length=1))},
        tensors(_NUMBERS), (("input1", "input1_zp", "output_zp", RESULT),), ("input1", RESULT),
    ),
    "SELECT": Operator(
        {"input1": tensors("bool"), **dict.fromkeys(("input2", "input3"), tensors(_ANY))}, tensors(_ANY),
        (("input2", "input3", RESULT),), ("input1", "input2", "input3", RESULT),
    ),
    **dict.fromkeys(("EQUAL", "GREATER", "GREATER_EQUAL"), _binary(_WIDE, "bool")),
    **dict.fromkeys(("REDUCE_ALL", "REDUCE_ANY"), _unary("bool", "input")),
    **dict.fromkeys(("REDUCE_MAX", "REDUCE_MIN"), _unary(_NUMBERS, "input")),
    "REDUCE_PRODUCT": _unary(_FLOATS, "input"),
    "REDUCE_SUM": _unary(_WIDE, "input"),
    "CONCAT": _layout(),
    "PAD": Operator(
        {"input1": tensors(_ANY), "padding": _LIST, "pad_const": tensors(_ANY, length=1)}, tensors(_ANY),
        (("input1", "pad_const", RESULT),), ("input1", RESULT),
    ),
    "RESHAPE": _layout("shape", level=False),
    "REVERSE": _layout(),
    "SLICE": _layout("start", "size"),
    "TILE": _layout("multiples"),
    "TRANSPOSE": _layout(perms=True),
    "GATHER": Operator({"values": _BATCHES, "indices": _INDICES}, _BATCHES, (("values", RESULT),)),
    "SCATTER": Operator(
        {"values_in": _BATCHES, "indices": _INDICES, "input": _BATCHES}, _BATCHES, (("values_in", "input", RESULT),)
    ),
    "RESIZE": Operator(
        {
            "input": tensors(f"{_NARROW} {_FP8}", 4), "scale": tensors("u32", length=4),
            **dict.fromkeys(("offset", "border"), tensors("u32", length=2)),
        },
        tensors(f"u8 u16 u32 u64 {_FLOATS} {_FP8}", 4), gives={"u8": "u8 u32", "u16": "u16 u64", **_SAME_FLOATS},
    ),
    "CAST": Operator({"input": tensors(_ANY)}, tensors(_ANY), level=("input", RESULT)),
    "RESCALE": Operator(
        {
            "input": tensors("u8 u16 u32 u64"), "multiplier": tensors("u16 u32", 1), "shift": tensors("u8", 1),
            "input_zp": tensors("u8 u16 u32 u64", length=1), "output_zp": tensors("u8 u16 u32", length=1),
        },
        tensors("u8 u16 u32"), (("input", "input_zp"), ("output_zp", RESULT)), ("input", RESULT),
    ),
}  # fmt: skip

SCALARS: Mapping[str, str] = {
    **dict.fromkeys(("axis", "nan_mode", "acc_type", "rounding_mode", "mode"), "u32"),
    **dict.fromkeys(
        ("inverse", "local_bound", "round", "scale32", "per_channel", "input_unsigned", "output_unsigned"), "bool"
    ),
}
"""Attributes that are single constants, and their types."""

CHOICES: Mapping[str, Mapping[int, str]] = {
    "nan_mode": {1: "PROPAGATE", 2: "IGNORE"},
    "acc_type": {1: "INT32", 2: "FP16", 3: "FP32", 4: "INT48"},
    "rounding_mode": {1: "SINGLE_ROUND", 2: "INEXACT_ROUND", 3: "DOUBLE_ROUND"},
    "mode": {1: "NEAREST_NEIGHBOR", 2: "BILINEAR"},
}
"""Attributes that choose, and what their values mean."""

LIMITS = ("min_val", "max_val")
"""Attributes that are constants of the element type of the input."""
