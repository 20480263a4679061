"""Numbers as text: into the words that a literal of a given type takes (SPIR-V 2.2.1, 2.5)."""

from __future__ import annotations

import struct

from spvls.grammar import tables
from spvls.record import NamedTuple
from spvls.syntax.peg import pattern
from spvls.text.pattern import pattern as lazy

_INTEGER = pattern("integer")
_FLOAT = pattern("float")


class NumericType(NamedTuple):
    """What a numeric type says of its literals.

    `kind` is "int", "uint" or "float"; `width` is in bits; `encoding` names a floating-point encoding other than IEEE 754
    (`BFloat16KHR`, `Float8E4M3EXT`, …), or is empty.
    """

    kind: str
    width: int
    encoding: str = ""


class FloatFormat(NamedTuple):
    """A binary floating-point format: widths of its fields in bits, and whether it has an infinity and NaNs.

    Without a fraction it has powers of two alone, and no sign; without an exponent it is a fixed-point number in two's
    complement, whose literals cannot take its lowest value.
    """

    exponent: int
    fraction: int
    infinity: bool = True
    nan: bool = True

    @property
    def exact(self) -> bool:
        """Whether literals must be numbers of the format, and are not rounded to one."""
        return not (self.exponent and self.fraction)


FLOAT_FORMATS = {
    (16, ""): FloatFormat(5, 10),
    (32, ""): FloatFormat(8, 23),
    (64, ""): FloatFormat(11, 52),
    (16, "BFloat16KHR"): FloatFormat(8, 7),
    (8, "Float8E4M3EXT"): FloatFormat(4, 3, infinity=False),
    (8, "Float8E5M2EXT"): FloatFormat(5, 2),
    (8, "Float8UnsignedE8M0EXT"): FloatFormat(8, 0, infinity=False),
    (6, "Float6E2M3EXT"): FloatFormat(2, 3, infinity=False, nan=False),
    (6, "Float6E3M2EXT"): FloatFormat(3, 2, infinity=False, nan=False),
    (4, "Float4E2M1EXT"): FloatFormat(2, 1, infinity=False, nan=False),
    (8, "MXInt8EXT"): FloatFormat(0, 6, infinity=False, nan=False),
}

#: The width in bits that each floating-point encoding calls for (SPIR-V 3.2.55).
ENCODING_WIDTHS = {
    "BFloat16KHR": 16,
    "Float8E4M3EXT": 8,
    "Float8E5M2EXT": 8,
    "Float8UnsignedE8M0EXT": 8,
    "Float6E2M3EXT": 6,
    "Float6E3M2EXT": 6,
    "Float4E2M1EXT": 4,
    "MXInt8EXT": 8,
}


def encoding_of(value: int) -> str:
    """The encoding that an FPEncoding stands for, under the name that this module has for it; empty if there is none."""
    enumerant = tables.kind("FPEncoding").by_value(value)
    names = () if enumerant is None else (enumerant.name, *enumerant.aliases)
    return next((name for name in names if name in ENCODING_WIDTHS), names[0] if names else "")



def misfit(type_: NumericType) -> int | None:
    """The width that the encoding of a type calls for, where the type has another one."""
    wanted = ENCODING_WIDTHS.get(type_.encoding, type_.width)
    return wanted if wanted != type_.width else None


UINT16 = NumericType("uint", 16)
UINT32 = NumericType("uint", 32)
FLOAT32 = NumericType("float", 32)


#: Characters that a number has at most: more of them have no meaning for any type, and take Python longer than linear time.
MOST_CHARACTERS = 1000
_SHOWN = 40


class NumberError(ValueError):
    """A number that its type cannot hold, or that is none; the text of the error says what would be right."""


_SHORT = 10
"""Digits of a decimal number from which on it may be more than 32 bits take."""


_NOT_PLAIN = lazy(rf" (?!(?:0|[1-9][0-9]{{0,{_SHORT - 2}}})(?: |\Z))")
"""Where a number among some with a space before each is not plain."""


def is_plain_word(text: str) -> bool:
    """Whether a number is decimal, without a sign, and short enough for any integer type of 32 bits."""
    return len(text) < _SHORT and text.isdecimal() and text.isascii() and (text[0] != "0" or text == "0")


def plain_words(texts: list[str]) -> list[int] | None:
    """The words of numbers that are plain all of them, as `is_plain_word` says; None where one is not."""
    together = f" {' '.join(texts)}"
    return [*map(int, together.split())] if _NOT_PLAIN.search(together) is None else None


def words_of_number(text: str, type_: NumericType) -> int | tuple[int, ...]:
    """The word of the number, or its words, low word first, where it takes more than one.

    Raises NumberError.
    """
    if type_.width == 32 and type_.kind != "float" and is_plain_word(text):
        return int(text)
    if len(text) > MOST_CHARACTERS:
        shown = f"{text[:_SHOWN]}…"
        raise NumberError(f"`{shown}` has {len(text)} characters; a number must have at most {MOST_CHARACTERS}")
    bits = _float_bits(text, type_) if type_.kind == "float" else _integer_bits(text, type_)
    if type_.width <= 32:
        return bits & 0xFFFFFFFF
    return (bits & 0xFFFFFFFF, bits >> 32 & 0xFFFFFFFF)


def is_integer(text: str) -> bool:
    return _INTEGER.fullmatch(text) is not None


def is_float(text: str) -> bool:
    # Digits with at most a point are a number, and quicker to know.
    return (text.replace(".", "", 1).isdecimal() and text.isascii()) or _FLOAT.fullmatch(text) is not None


def _integer_value(text: str) -> int:
    """The value of an `integer` of the grammar: decimal, 0x…, or octal after a leading 0."""
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    if digits[:2] in ("0x", "0X"):
        return sign * int(digits, 16)
    return sign * int(digits, 8 if digits.startswith("0") else 10)


def _integer_bits(text: str, type_: NumericType) -> int:
    name = f"{type_.width}-bit {'signed' if type_.kind == 'int' else 'unsigned'} integer"
    article = "an" if name.startswith(("8", "11-", "18-")) else "a"
    if not is_integer(text):
        octal = ": after a leading 0, digits are octal" if text.isascii() and text.removeprefix("-").isdecimal() else ""
        raise NumberError(f"`{text}` is not an integer{octal}; write decimal, octal (0…) or hexadecimal (0x…) digits")
    if type_.width > 64:
        raise NumberError(f"{article} {name} cannot be written as a literal; the widest literals have 64 bits")
    if not type_.width:
        raise NumberError(f"{article} {name} cannot be written as a literal; the narrowest literals have 1 bit")
    signed = type_.kind == "int"
    if text.startswith("-") and not signed:
        raise NumberError(f"`{text}` has a sign, but the type is {article} {name}")
    value = _integer_value(text)
    hexadecimal = value >= 0 and ("x" in text or "X" in text)
    low = -(1 << type_.width - 1) if signed and not hexadecimal else 0
    high = (1 << type_.width - (signed and not hexadecimal)) - 1
    if not low <= value <= high:
        values = f"0x0 to {high:#x} in hexadecimal" if hexadecimal else f"{low} to {high}"
        raise NumberError(f"`{text}` does not fit in {article} {name}, expected {values}")
    if signed and hexadecimal and value >> (type_.width - 1):
        value -= 1 << type_.width
    return value & (1 << 64) - 1


def _float_bits(text: str, type_: NumericType) -> int:
    format_ = FLOAT_FORMATS.get((type_.width, type_.encoding))
    if format_ is None:
        what = f" of encoding {type_.encoding}" if type_.encoding else ""
        raise NumberError(f"{type_.width}-bit floats{what} cannot be written as numbers; write the words as !N")
    if not is_float(text):
        raise NumberError(f"`{text}` is not a valid float literal; write a number such as 1.5, 2e-3 or 0x1.8p+3")
    if format_.exact:
        return _exact_bits(text, format_, type_)
    digits = text.lstrip("+-")
    negative = text.startswith("-")
    if digits[:2] in ("0x", "0X"):
        magnitude = _hex_float_bits(digits, format_)
    else:
        magnitude = _decimal_float_bits(digits, format_, text, type_)
    return magnitude | negative << (format_.exponent + format_.fraction)


def _exact_bits(text: str, format_: FloatFormat, type_: NumericType) -> int:
    from math import frexp

    digits = text.lstrip("+-")
    if digits[:2] in ("0x", "0X"):
        bits = _hex_float_bits(digits, FLOAT_FORMATS[64, ""])
        value: float = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    else:
        value = float(digits)
    if text.startswith("-"):
        value = -value
    if format_.exponent:
        bias = (1 << format_.exponent - 1) - 1
        mantissa, exponent = frexp(value)
        if mantissa == 0.5 and -bias < exponent <= bias + 1:
            return exponent - 1 + bias
        values = f"a power of two from 0x1p-{bias} to 0x1p+{bias}"
    else:
        one, most = 1 << format_.fraction, (1 << type_.width - 1) - 1
        scaled = value * one
        if scaled.is_integer() and -most <= scaled <= most:
            return int(scaled) & (1 << type_.width) - 1
        values = f"a multiple of 0x1p-{format_.fraction} from -{most / one} to {most / one}"
    raise NumberError(f"`{text}` does not fit in {type_.encoding}, expected {values}")


def _decimal_float_bits(digits: str, format_: FloatFormat, text: str, type_: NumericType) -> int:
    if format_.fraction == 52:
        value = float(digits)
        if value == float("inf"):
            raise NumberError(f"`{text}` is beyond the largest 64-bit float")
        return int.from_bytes(struct.pack("<d", value), "little")
    single = _nearest_single(digits)
    if single >= 0x7F800000:
        raise NumberError(f"`{text}` is beyond the largest 32-bit float")
    if format_.fraction == 23:
        return single
    bits = _narrow(single, format_)
    if bits is None:
        raise NumberError(f"`{text}` is beyond the largest {type_.width}-bit float")
    return bits


def _nearest_single(digits: str) -> int:
    """The bits of the 32-bit float nearest to a decimal number, ties to even; infinity where it overflows."""
    value = float(digits)
    if value == 0:
        return 0  # also where the exponent is too small for any exact number to be made of it
    bits = int.from_bytes(struct.pack("<d", value), "little")
    if bits & 0x1FFFFFFF == 0x10000000 or value < 2**-126:
        # Rounding twice could go astray here: settle the tie by the exact value.
        from fractions import Fraction
        from math import frexp

        exact = Fraction(digits)
        unit = Fraction(2) ** (max(frexp(value)[1], -125) - 24) if value else Fraction(2) ** -149
        count, rest = divmod(exact, unit)
        if rest * 2 > unit or (rest * 2 == unit and count & 1):
            count += 1
        value = float(count * unit)
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return 0x7F800000


def _narrow(single: int, format_: FloatFormat) -> int | None:
    """A finite 32-bit float cut down, towards zero, to a narrower format; None where it overflows.

    Without infinities, all from the largest power of two on become the largest number, as in other assemblers.
    """
    exponent, fraction = (single >> 23) - 127, single & 0x7FFFFF
    if single >> 23 == 0:
        exponent, significand = -126, fraction
    else:
        significand = fraction | 0x800000
    bits = _assemble(significand, exponent - 23, format_)
    largest = ((1 << format_.exponent) - format_.infinity << format_.fraction) - 1 - (format_.nan and not format_.infinity)
    if not format_.infinity and bits is not None and exponent >= 1 << format_.exponent - 1:
        one = 1 << format_.fraction
        return largest if significand <= (one | largest & one - 1) << 23 - format_.fraction else None
    return bits if bits is None or bits <= largest else None


def _hex_float_bits(digits: str, format_: FloatFormat) -> int:
    mantissa, _, exponent = digits[2:].lower().partition("p")
    whole, _, fraction = mantissa.partition(".")
    significand, power = int(whole + fraction or "0", 16), int(exponent) - 4 * len(fraction)
    steps = 3 - (1 << format_.exponent - 1) - significand.bit_length() - power
    if not format_.nan and significand and steps > 0:
        return _misread_subnormal(significand, format_) >> steps
    bits = _assemble(significand, power, format_)
    if bits is None:
        return ((1 << format_.exponent) - 1) << format_.fraction
    return bits


def _misread_subnormal(significand: int, format_: FloatFormat) -> int:
    """The digits of a subnormal number of less than 8 bits as other assemblers read them: the first too far right, or lost."""
    one = 1 << format_.fraction
    fraction = (significand << format_.fraction >> significand.bit_length() - 1) & one - 1
    return fraction | one >> 7 - format_.exponent - format_.fraction


def _assemble(significand: int, exponent: int, format_: FloatFormat) -> int | None:
    """significand · 2^exponent in `format_`, cut towards zero; None where it is too large.

    The exponent just above the range gives the bits of an infinity or, with a fraction, of a NaN.
    """
    if significand == 0:
        return 0
    bias = (1 << format_.exponent - 1) - 1
    top = significand.bit_length() - 1 + exponent
    if top > bias + 1:
        return None
    shift = exponent - max(top, 1 - bias) + format_.fraction
    fraction = significand << shift if shift >= 0 else significand >> -shift
    if top < 1 - bias:
        return fraction
    return (top + bias << format_.fraction) | (fraction & (1 << format_.fraction) - 1)
