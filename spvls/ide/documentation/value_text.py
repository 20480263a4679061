"""Values as people write them: numbers with the fewest digits that give their words, composites in braces."""

from __future__ import annotations

import math

from spvls.grammar import spv
from spvls.module.constants import Constant, Value
from spvls.module.types import Type
from spvls.syntax.number import FLOAT32, NumberError, NumericType, encoding_of, words_of_number
from spvls.text.escaping import code_span

_MOST_PARTS = 16
_MOST_DIGITS = 17
_MOST_WITHOUT_EXPONENT = 1e7


def value_text(constant: Constant) -> str:
    """The value of a constant as Markdown: integers above 9 in hexadecimal too."""
    value = constant.value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 9:
        width = constant.type.width if constant.type is not None and constant.type.width else 32
        return f"{value} ({code_span(f'0x{value & (1 << width) - 1:x}')})"
    return plain_constant(constant)


def plain_constant(constant: Constant) -> str:
    """The value of a constant on one line; `null` where it has arrays that are null, whose elements are not counted out."""
    if constant.record.opcode.value == spv.OpConstantNull and not _is_known(constant.value):
        return "null"
    return plain_value(constant.value, constant.type)


def _is_known(value: Value | None) -> bool:
    return all(map(_is_known, value)) if isinstance(value, tuple) else value is not None


def plain_value(value: Value | None, type_: Type | None) -> str:
    """A value of a type on one line. Of a composite the first parts are shown."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        inner = ", ".join(plain_value(part, _part(type_, at)) for at, part in enumerate(value[:_MOST_PARTS]))
        return f"{{{inner}{', …' if len(value) > _MOST_PARTS else ''}}}"
    return float_text(value, _numeric(type_)) if isinstance(value, float) else str(value)


def float_text(value: float, type_: NumericType) -> str:
    """The shortest decimal number that has the bits of a float of this type, such as 0.1 for the 32-bit float
    0.100000001490116; with an exponent only where it has many zeros."""
    if not math.isfinite(value):
        return str(value)
    shortest = (f"{value:.{digits}g}" for digits in range(1, _MOST_DIGITS))
    try:
        words = words_of_number(repr(value), type_)
        return next((_without_exponent(text) for text in shortest if _words(text, type_) == words), repr(value))
    except NumberError:
        return repr(value)


def _without_exponent(text: str) -> str:
    """A number such as 1e+04 as 10000; larger ones stay as they are."""
    return f"{float(text):.0f}" if "e+" in text and abs(float(text)) < _MOST_WITHOUT_EXPONENT else text


def _words(text: str, type_: NumericType) -> object:
    try:
        return words_of_number(text, type_)
    except NumberError:
        return None


def _part(type_: Type | None, at: int) -> Type | None:
    if type_ is None:
        return None
    if type_.is_struct:
        return type_.members[at] if at < len(type_.members) else None
    return type_.element


def _numeric(type_: Type | None) -> NumericType:
    if type_ is None or not type_.is_float:
        return FLOAT32
    return NumericType("float", type_.width, encoding_of(type_.encoding) if type_.encoding is not None else "")
