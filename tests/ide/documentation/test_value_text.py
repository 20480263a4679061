"""Values have the fewest digits that give their words."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.ide.documentation.value_text import float_text
from spvls.syntax.number import FLOAT32, NumericType, words_of_number

_HALF = NumericType("float", 16)
_DOUBLE = NumericType("float", 64)


def _single(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


@pytest.mark.parametrize("text", ["0.15", "2.2", "0.02", "1", "10", "-20", "10000", "1e+10", "1e-05", "0.33333334"])
def test_a_single_is_short(text: str) -> None:
    assert float_text(_single(float(text)), FLOAT32) == text


def test_the_type_decides() -> None:
    tenth = _single(0.1)
    assert float_text(tenth, FLOAT32) == "0.1"
    assert float_text(tenth, _DOUBLE) == "0.10000000149011612"
    assert float_text(0.0999755859375, _HALF) == "0.1"
    assert float_text(math.inf, FLOAT32) == "inf"
    assert float_text(1e300, FLOAT32) == "1e+300"


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_the_text_has_the_words_of_the_value(value: float) -> None:
    assert words_of_number(float_text(value, FLOAT32), FLOAT32) == words_of_number(repr(value), FLOAT32)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_of_a_double_is_the_double(value: float) -> None:
    assert float(float_text(value, _DOUBLE)) == value
