"""Numbers as a listing writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.binary.float_text import number_text
from spvls.binary.operand_codecs import is_exact
from spvls.syntax.number import FLOAT_FORMATS, NumericType, words_of_number

I8, I16, U16, I32, U32 = (
    NumericType(*parts) for parts in [("int", 8), ("int", 16), ("uint", 16), ("int", 32), ("uint", 32)]
)
I64, U64 = NumericType("int", 64), NumericType("uint", 64)
F16, F32, F64 = (NumericType("float", width) for width in (16, 32, 64))
BF16, E4M3, E5M2 = (
    NumericType("float", *parts) for parts in [(16, "BFloat16KHR"), (8, "Float8E4M3EXT"), (8, "Float8E5M2EXT")]
)
E2M1, E2M3, E3M2 = (
    NumericType("float", *parts) for parts in [(4, "Float4E2M1EXT"), (6, "Float6E2M3EXT"), (6, "Float6E3M2EXT")]
)
E8M0, MXINT8 = NumericType("float", 8, "Float8UnsignedE8M0EXT"), NumericType("float", 8, "MXInt8EXT")


@pytest.mark.parametrize(
    ("type_", "value", "text"),
    [
        (I32, 5, "5"),
        (I32, 0xFFFFFFFF, "-1"),
        (U32, 0xFFFFFFFF, "4294967295"),
        (I16, 0xFFFFFFFE, "-2"),
        (I16, 0x0000FFFE, "65534"),
        (U16, 0xFFFE, "65534"),
        (I64, (0xFFFFFFFF, 0xFFFFFFFF), "-1"),
        (I64, (0, 0x80000000), "-9223372036854775808"),
        (U64, (1, 1), "4294967297"),
        (NumericType("int", 128), (1, 2, 3, 4), ""),
        (NumericType("int", 0), (), ""),
        (F32, 0x3F800000, "1"),
        (F32, 0x3F8CCCCD, "1.10000002"),
        (F32, 0x80000000, "-0"),
        (F32, 0xFF7FFFFF, "-3.40282347e+38"),
        (F32, 0x00000001, "0x1p-149"),
        (F32, 0x00400000, "0x1p-127"),
        (F32, 0x7F800000, "0x1p+128"),
        (F32, 0xFF800000, "-0x1p+128"),
        (F32, 0x7FC00001, "0x1.800002p+128"),
        (F64, (0x9999999A, 0x3FB99999), "0.10000000000000001"),
        (F64, (1, 0), "0x1p-1074"),
        (F64, (1, 0x7FF80000), "0x1.8000000000001p+1024"),
        (F16, 0x3C01, "0x1.004p+0"),
        (F16, 0x0001, "0x1p-24"),
        (F16, 0x8000, "-0x0p+0"),
        (F16, 0xFBFF, "-0x1.ffcp+15"),
        (BF16, 0x3F80, "0x1p+0"),
        (BF16, 0x4049, "0x1.92p+1"),
        (E4M3, 0x38, "0x1p+0"),
        (E4M3, 0x01, "0x1p-9"),
        (E5M2, 0x7C, "0x1p+16"),
        (E2M1, 1, "0x1p-1"),
        (E2M1, 0xFFFFFFFF, "-0x1.8p+2"),
        (E2M3, 0x21, "-0x1p-3"),
        (E2M3, 0x1F, "0x1.ep+2"),
        (E3M2, 0x20, "-0x0p+0"),
        (E3M2, 0x03, "0x1.8p-3"),
        (E8M0, 0x00, "0x1p-127"),
        (E8M0, 0x17F, "0x1p+0"),
        (E8M0, 0xFF, "0x1p+128"),
        (MXINT8, 0x00, "0x0p+0"),
        (MXINT8, 0x160, "0x1.8p+0"),
        (MXINT8, 0x80, "-0x1p+1"),
        (MXINT8, 0xFF, "-0x1p-6"),
        (NumericType("float", 24), 1, "0x1p-149"),
        (NumericType("float", 40), (0, 0x3FF00000), "1"),
    ],
)
def test_number_text(type_: NumericType, value: int | tuple[int, ...], text: str) -> None:
    assert number_text(type_, value) == text


@given(st.integers(0, 0xFFFFFFFF), st.sampled_from([I32, U32, F32]))
def test_words_come_back_from_their_text(word: int, type_: NumericType) -> None:
    assert words_of_number(number_text(type_, word), type_) == word


@given(st.integers(0, 0xFFFFFFFF), st.integers(0, 0xFFFFFFFF), st.sampled_from([I64, U64, F64]))
def test_two_words_come_back_from_their_text(low: int, high: int, type_: NumericType) -> None:
    assert words_of_number(number_text(type_, (low, high)), type_) == (low, high)


@pytest.mark.parametrize("type_", [F16, BF16, E4M3, E5M2], ids=str)
def test_every_narrow_float_comes_back_from_its_text(type_: NumericType) -> None:
    format_ = FLOAT_FORMATS[type_.width, type_.encoding]
    top = (1 << format_.exponent) - 1
    for word in range(1 << type_.width):
        if word >> format_.fraction & top == top and (word & (1 << format_.fraction) - 1 or not format_.infinity):
            continue  # the text syntax has no NaN, and what lies beyond the largest number reads as it pleases
        assert words_of_number(number_text(type_, word), type_) == word, hex(word)


@pytest.mark.parametrize(
    ("type_", "misread"),
    [
        (E2M1, {0x1, 0x9}),
        (E2M3, {*range(0x01, 0x08), *range(0x21, 0x28)}),
        (E3M2, {*range(0x01, 0x04), *range(0x21, 0x24)}),
        (E8M0, {0xFF}),
        (MXINT8, {0x80}),
    ],
    ids=str,
)
def test_a_microscaling_float_that_does_not_come_back_is_listed_as_a_word(type_: NumericType, misread: set[int]) -> None:
    assert {word for word in range(1 << type_.width) if not is_exact(type_, word)} == misread
    assert not any(is_exact(type_, word | 1 << type_.width) for word in range(1 << type_.width))
