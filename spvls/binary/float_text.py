"""Words to numbers as a listing writes them (SPIR-V 2.2.1): such that they assemble to the same words."""

from __future__ import annotations

import struct

from spvls.syntax.instruction import Operand
from spvls.syntax.number import FLOAT_FORMATS, FloatFormat, NumericType

_SINGLE = FLOAT_FORMATS[32, ""]
_DOUBLE = FLOAT_FORMATS[64, ""]


def number_text(type_: NumericType, value: Operand) -> str:
    """A literal of a type, one word or the tuple of its words; empty where the type has more than 64 bits, or none."""
    if isinstance(value, int):
        bits, width = value, 32
    elif isinstance(value, tuple) and len(value) == 2:
        bits, width = value[1] << 32 | value[0], 64
    else:
        return ""
    if type_.kind == "float":
        format_ = FLOAT_FORMATS.get((type_.width, type_.encoding))
        return float_text(bits, format_ or (_SINGLE if width == 32 else _DOUBLE))
    if type_.kind == "int" and bits >> (width - 1):
        bits -= 1 << width
    return str(bits)


def float_text(bits: int, format_: FloatFormat) -> str:
    """The bits of a float: in decimal where it is a normal number or a zero of 32 or 64 bits, else in hexadecimal."""
    if format_ in (_SINGLE, _DOUBLE):
        exponent = bits >> format_.fraction & (1 << format_.exponent) - 1
        sign_only = not bits & (1 << format_.exponent + format_.fraction) - 1
        if sign_only or 0 < exponent < (1 << format_.exponent) - 1:
            if format_ is _SINGLE:
                (single,) = struct.unpack("<f", bits.to_bytes(4, "little"))
                return f"{single:.9g}"
            (double,) = struct.unpack("<d", bits.to_bytes(8, "little"))
            return f"{double:.17g}"
    return _hexadecimal(bits, format_)


def _hexadecimal(bits: int, format_: FloatFormat) -> str:
    """`0x1.8p+3`: infinities and NaNs have the exponent that follows the largest one of a number."""
    if not format_.exponent:
        (fixed,) = struct.unpack("<b", bytes([bits & 0xFF]))
        return _hexadecimal(int.from_bytes(struct.pack("<f", fixed / (1 << format_.fraction)), "little"), _SINGLE)
    fraction_bits = format_.fraction
    fraction = bits & (1 << fraction_bits) - 1
    biased = bits >> fraction_bits & (1 << format_.exponent) - 1
    exponent = biased - (1 << format_.exponent - 1) + 1
    if not fraction_bits:
        return f"0x1p{exponent:+d}"
    sign = "-" if bits >> fraction_bits + format_.exponent & 1 else ""
    if not fraction and not biased:
        return f"{sign}0x0p+0"
    if not biased:
        missing = fraction_bits + 1 - fraction.bit_length()
        fraction = fraction << missing & (1 << fraction_bits) - 1
        exponent += 1 - missing
    digits = -(-fraction_bits // 4)
    shown = f"{fraction << digits * 4 - fraction_bits:0{digits}x}".rstrip("0")
    return f"{sign}0x1{'.' if shown else ''}{shown}p{exponent:+d}"
