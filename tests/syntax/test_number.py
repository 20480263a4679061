"""Literals to words."""

from __future__ import annotations

import math
import struct
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spvls.grammar import tables
from spvls.syntax.number import (
    ENCODING_WIDTHS,
    FLOAT32,
    FLOAT_FORMATS,
    UINT32,
    NumberError,
    NumericType,
    _integer_value,
    encoding_of,
    is_float,
    is_integer,
    words_of_number,
)

HALF = NumericType("float", 16)
DOUBLE = NumericType("float", 64)
BFLOAT = NumericType("float", 16, "BFloat16KHR")
E4M3 = NumericType("float", 8, "Float8E4M3EXT")
E5M2 = NumericType("float", 8, "Float8E5M2EXT")

INTEGER_TYPES = [NumericType(kind, width) for kind in ("int", "uint") for width in (8, 16, 32, 64)]


def integer_type() -> st.SearchStrategy[NumericType]:
    return st.sampled_from(INTEGER_TYPES)


def value_of(words: int | tuple[int, ...]) -> int:
    return words if isinstance(words, int) else words[0] | words[1] << 32


def single(bits: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return value


@given(integer_type(), st.data())
def test_integers_in_range_are_their_bits(type_: NumericType, data: st.DataObject) -> None:
    signed = type_.kind == "int"
    low, high = (-(1 << type_.width - 1), (1 << type_.width - 1) - 1) if signed else (0, (1 << type_.width) - 1)
    value = data.draw(st.integers(low, high))
    extended = 64 if type_.width == 64 else 32
    assert value_of(words_of_number(str(value), type_)) == value & (1 << extended) - 1


@given(integer_type(), st.integers(0, 1 << 40))
def test_integers_out_of_range_are_refused(type_: NumericType, beyond: int) -> None:
    high = (1 << type_.width - (type_.kind == "int")) + beyond
    with pytest.raises(NumberError):
        words_of_number(str(high), type_)
    with pytest.raises(NumberError):
        words_of_number(hex((1 << type_.width) + beyond), type_)
    if type_.kind == "int":
        with pytest.raises(NumberError):
            words_of_number(str(-(1 << type_.width - 1) - 1 - beyond), type_)


@given(integer_type(), st.data())
def test_hexadecimal_gives_every_bit_and_extends_the_sign(type_: NumericType, data: st.DataObject) -> None:
    bits = data.draw(st.integers(0, (1 << type_.width) - 1))
    value = bits - (1 << type_.width) if type_.kind == "int" and bits >> (type_.width - 1) else bits
    expected = value & (1 << max(32, type_.width)) - 1
    for text in (f"0x{bits:x}", f"0X{bits:X}", f"+0x{bits:040x}"):
        assert value_of(words_of_number(text, type_)) == expected


@pytest.mark.parametrize(
    ("text", "type_", "words"),
    [
        ("017", UINT32, 15),
        ("+7", UINT32, 7),
        ("0", UINT32, 0),
        ("0xffff", NumericType("int", 16), 0xFFFFFFFF),
        ("65535", NumericType("uint", 16), 0xFFFF),
        ("-1", NumericType("int", 8), 0xFFFFFFFF),
        ("-0x1", NumericType("int", 64), (0xFFFFFFFF, 0xFFFFFFFF)),
        ("0x100000000", NumericType("uint", 64), (0, 1)),
        ("1", NumericType("float", 32), 0x3F800000),
        (".5", FLOAT32, 0x3F000000),
        ("5.", FLOAT32, 0x40A00000),
        ("1e3", FLOAT32, 0x447A0000),
        ("-0", FLOAT32, 0x80000000),
        ("0x1.8p+3", FLOAT32, 0x41400000),
        ("0x1p999999", FLOAT32, 0x7F800000),
        ("-1e-60", FLOAT32, 0x80000000),
        ("0.7", HALF, 0x3999),
        ("65535.9", HALF, 0x7BFF),
        ("1e-9", HALF, 0),
        ("1", BFLOAT, 0x3F80),
        ("448", E4M3, 0x7E),
        ("256", E4M3, 0x7E),
        ("-300", E4M3, 0xFE),
        ("0x1p+8", E4M3, 0x78),
        ("1.5", E5M2, 0x3E),
        ("1", DOUBLE, (0, 0x3FF00000)),
    ],
)
def test_literals(text: str, type_: NumericType, words: int | tuple[int, ...]) -> None:
    assert words_of_number(text, type_) == words


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("-1", UINT32),
        ("-0", UINT32),
        ("08", UINT32),
        ("1.5", UINT32),
        ("0x", UINT32),
        ("", UINT32),
        ("１", UINT32),
        ("1", NumericType("int", 128)),
        ("1e39", FLOAT32),
        ("65536", HALF),
        ("480", E4M3),
        ("449", E4M3),
        ("1e400", DOUBLE),
        ("1.5f", FLOAT32),
        ("inf", FLOAT32),
        ("nan", FLOAT32),
        ("0xFF", FLOAT32),
        ("0X1p0x", FLOAT32),
        ("1", NumericType("float", 8)),
    ],
)
def test_what_is_no_literal_of_its_type_is_refused_with_a_reason(text: str, type_: NumericType) -> None:
    with pytest.raises(NumberError) as caught:
        words_of_number(text, type_)
    assert len(str(caught.value)) > 20


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_keep_every_bit(value: float) -> None:
    expected = struct.unpack("<II", struct.pack("<d", value))
    assert words_of_number(repr(value), DOUBLE) == expected
    assert words_of_number(value.hex(), DOUBLE) == expected


@given(st.decimals(allow_nan=False, allow_infinity=False, places=50, min_value=-1000, max_value=1000))
@example(Decimal("1.000000059604644775390625"))
@example(Decimal("1.00000005960464477539062500000000000000001"))
@example(Decimal("7.006492321624085354618e-46"))
def test_decimals_round_to_the_nearest_single_ties_to_even(number: Decimal) -> None:
    text = f"{number:f}"
    exact = abs(Fraction(text))
    word = words_of_number(text, FLOAT32)
    assert isinstance(word, int)
    assert word >> 31 == text.startswith("-")
    bits = word & 0x7FFFFFFF
    distance = abs(Fraction(single(bits)) - exact)
    for other in (bits - 1, bits + 1):
        if other >= 0:
            apart = abs(Fraction(single(other)) - exact)
            assert distance < apart or (distance == apart and bits % 2 == 0)


LARGEST = {HALF: 65535, BFLOAT: 2.0**100, E4M3: 448, E5M2: 57344}
CUT = LARGEST | {E4M3: 255}


def narrow_value(bits: int, type_: NumericType) -> float:
    """What the bits of a narrow float without sign stand for."""
    format_ = FLOAT_FORMATS[type_.width, type_.encoding]
    exponent, fraction = bits >> format_.fraction, bits & (1 << format_.fraction) - 1
    bias = (1 << format_.exponent - 1) - 1
    return math.ldexp(fraction + (1 << format_.fraction) * (exponent > 0), max(exponent, 1) - bias - format_.fraction)


@given(st.sampled_from(sorted(LARGEST)), st.data())
def test_narrow_floats_are_cut_towards_zero(type_: NumericType, data: st.DataObject) -> None:
    value = data.draw(st.floats(0, CUT[type_], width=32))
    word = words_of_number(repr(value), type_)
    assert isinstance(word, int)
    assert narrow_value(word, type_) <= value < narrow_value(word + 1, type_)


@given(st.sampled_from(sorted(LARGEST)), st.booleans(), st.data())
def test_hexadecimal_floats_name_every_value_of_a_narrow_type(type_: NumericType, negative: bool, data: st.DataObject) -> None:
    largest = words_of_number(repr(LARGEST[type_]), type_)
    assert isinstance(largest, int)
    bits = data.draw(st.integers(0, largest))
    text = "-" * negative + narrow_value(bits, type_).hex()
    assert words_of_number(text, type_) == bits | negative << type_.width - 1


@given(st.text("0123456789abcdefxXpPeE+-._ %", max_size=12))
def test_readings_agree_with_the_predicates(text: str) -> None:
    for type_, known in ((NumericType("int", 64), is_integer(text)), (DOUBLE, is_float(text))):
        try:
            words_of_number(text, type_)
        except NumberError:
            continue
        assert known
    if is_integer(text):
        digits = text.lstrip("+-")
        octal = digits.startswith("0") and digits[1:2] not in ("x", "X")
        value = int(digits, 8 if octal else 0)
        assert _integer_value(text) == (-value if text.startswith("-") else value)


@pytest.mark.parametrize("type_", [UINT32, FLOAT32, DOUBLE, HALF, NumericType("int", 64)])
@pytest.mark.parametrize("text", ["9" * 5000, "-" + "9" * 5000, "0" * 5000, "0x" + "f" * 5000, "0x1p" + "9" * 5000, "0x1p-" + "9" * 5000, "0." + "1" * 5000, "1e" + "9" * 5000])  # fmt: skip
def test_a_number_of_thousands_of_characters_is_refused(type_: NumericType, text: str) -> None:
    with pytest.raises(NumberError, match=r"has \d+ characters; a number must have at most 1000") as caught:
        words_of_number(text, type_)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("text", "type_", "bits"),
    [
        ("1e-999999999", FLOAT32, 0),
        ("-1e-" + "9" * 900, HALF, 0x8000),
        ("0e" + "9" * 900, FLOAT32, 0),
        ("0." + "0" * 900 + "1e901", FLOAT32, 0x3F800000),
        ("0x1p-" + "9" * 900, FLOAT32, 0),
        ("0x1p" + "9" * 900, FLOAT32, 0x7F800000),
        ("0x1p-" + "9" * 900, DOUBLE, (0, 0)),
        ("1e-999999999", DOUBLE, (0, 0)),
    ],
    ids=range(8),
)
def test_exponents_of_any_size(text: str, type_: NumericType, bits: object) -> None:
    assert words_of_number(text, type_) == bits


@pytest.mark.parametrize("exponent", ["9" * 30, "9" * 900])
def test_a_decimal_exponent_beyond_the_range_is_refused(exponent: str) -> None:
    for type_ in (FLOAT32, DOUBLE, HALF):
        with pytest.raises(NumberError, match="beyond the largest"):
            words_of_number(f"1e{exponent}", type_)


def test_every_encoding_of_the_grammar_has_a_width() -> None:
    assert sorted(encoding_of(enumerant.value) for enumerant in tables.kind("FPEncoding").all) == sorted(ENCODING_WIDTHS)


#: Literals with the words that the reference gives them.
MICROSCALING = {
    "Float4E2M1EXT": """
        0=0x0 -0=0x8 0.49=0x0 .5=0x1 -0.99=0x9 1=0x2 1.5=0x3 1.99=0x3 2=0x4 3=0x5 3.9=0x5 4=0x7 5=0x7 -6=0xf
        6.01=refused -7=refused 1e3=refused 1e-30=0x0 0x0p+0=0x0 0x1p-1=0x0 0x1p+0=0x2 0x1.8p+1=0x5 0x1p+2=0x6
        -0x1.8p+2=0xf 0x1p+3=0x6 0x1.8p+3=0x6
    """,
    "Float6E2M3EXT": """
        0=0x0 0.125=0x1 0.1249=0x0 -0.875=0x27 1=0x8 1.0625=0x8 2=0x10 3.99=0x17 4=0x1f 7=0x1f -7.5=0x3f 7.51=refused
        1e39=refused 1e-30=0x0 0x1p-3=0x0 0x1p-1=0x1 0x1.cp-1=0x3 0x1p+0=0x8 0x1.ep+1=0x17 0x1p+2=0x18 0x1.ep+2=0x1f
        -0x1p+3=0x38
    """,
    "Float6E3M2EXT": """
        0=0x0 0.0625=0x1 0.06=0x0 -0.1875=0x23 0.25=0x4 1.124=0xc 1.25=0xd 15.9=0x1b 16=0x1f 20=0x1f 28=0x1f -28=0x3f
        28.1=refused -32=refused 1e-30=0x0 0x1p-4=0x0 0x1p-3=0x0 0x1.8p-3=0x1 0x1p-2=0x4 0x1.4p+0=0xd 0x1p+4=0x1c
        0x1.cp+4=0x1f -0x1p+5=0x3c
    """,
    "Float8UnsignedE8M0EXT": """
        0=refused -0=refused 1=0x7f -1=refused 1.5=refused 2=0x80 0.25=0x7d 3=refused 256=0x87
        1.7014118346046923e38=0xfe 1e39=refused 1e400=refused 5.8774717541114375e-39=0x0 1e-400=refused 0x1p-127=0x0
        0x1p-128=refused 0x1p+0=0x7f 0x2p+0=0x80 0x1.8p+0=refused 0x1p+127=0xfe 0x1p+128=refused 0x1.8p+1024=refused
    """,
    "MXInt8EXT": """
        0=0x0 -0=0x0 1=0x40 1.5=0x60 -1=0xc0 0.015625=0x1 -0.015625=0xff 0.0078125=refused 1.984375=0x7f
        -1.984375=0x81 1.99=refused 2=refused -2=refused 1e400=refused 1e-400=0x0 1e-30=refused 0x1p-6=0x1
        0x1p-7=refused 0x1.8p+0=0x60 -0x7fp-6=0x81 0x80p-6=refused -0x80p-6=refused 0x1.8p+1024=refused
    """,
}


@pytest.mark.parametrize("encoding", MICROSCALING)
def test_microscaling_floats_are_those_of_the_reference(encoding: str) -> None:
    type_ = NumericType("float", ENCODING_WIDTHS[encoding], encoding)
    given = dict(row.split("=") for row in MICROSCALING[encoding].split())
    found = {}
    for text in given:
        try:
            found[text] = f"{words_of_number(text, type_):#x}"
        except NumberError as error:
            assert len(str(error)) > 20
            found[text] = "refused"
    assert found == given


def test_an_exponent_of_any_size_is_below_every_narrow_float() -> None:
    for encoding in ("Float4E2M1EXT", "Float6E2M3EXT", "Float6E3M2EXT"):
        type_ = NumericType("float", ENCODING_WIDTHS[encoding], encoding)
        assert words_of_number("0x1p-" + "9" * 900, type_) == words_of_number("1e-" + "9" * 900, type_) == 0
