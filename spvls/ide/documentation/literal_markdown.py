"""What is shown of a literal, as Markdown: what a number or a string says, and the words that it takes (SPIR-V 2.2.1)."""

from __future__ import annotations

import struct

from spvls.grammar.operand_walk import CONTEXT_DEPENDENT_NUMBER
from spvls.ide.documentation.demangle import demangled
from spvls.ide.documentation.value_text import float_text
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.target import Target
from spvls.syntax.fast_path import string_value
from spvls.syntax.instruction import Operand
from spvls.syntax.number import FLOAT32, UINT32, NumberError, NumericType, is_integer, words_of_number
from spvls.text.escaping import code_span


def literal_markdown(source: SourceModule, target: Target) -> str | None:
    """What a literal stands for, as Markdown; None for a word that is none."""
    text = target.text
    if text.startswith('"'):
        return _string(text)
    if text.startswith("!"):
        return _number(text[1:], UINT32) if is_integer(text[1:]) else None
    decl = target.decl
    if decl is None or decl.kind.category != "literal":
        return None
    type_: NumericType | None = UINT32
    if decl.kind.name == "LiteralFloat":
        type_ = FLOAT32
    elif decl.kind.name == CONTEXT_DEPENDENT_NUMBER:
        type_ = _context(source, target)
    return _number(text, type_) if type_ is not None else None


def _context(source: SourceModule, target: Target) -> NumericType | None:
    """The type that a literal of a constant or of a switch is read by."""
    module, record = source.module, target.word.record
    holder: Operand | None = record.type
    if not record.opcode.has_type:
        selector = record.operands[0] if record.operands else None
        holder = module.value_type(selector) if isinstance(selector, str) else None
    return module.numeric_type(holder) if isinstance(holder, str) else None


def _number(text: str, type_: NumericType) -> str | None:
    try:
        words = words_of_number(text, type_)
    except NumberError:
        return None
    listed = (words,) if isinstance(words, int) else words
    bits = sum(word << 32 * at for at, word in enumerate(listed))
    hexadecimal = f"0x{bits & (1 << type_.width) - 1:0{type_.width // 4}x}"
    lines = [f"{code_span(_spelled(type_))} {_value(bits, type_)}", code_span(hexadecimal)]
    if type_.kind != "float" and type_.width == 32:
        as_float = struct.unpack("<f", listed[0].to_bytes(4, "little"))[0]
        if 1e-6 < abs(as_float) < 1e9:
            lines.append(f"as {code_span('f32')}: {float_text(as_float, FLOAT32)}")
    lines.append("words " + code_span(" ".join(f"{word:08x}" for word in listed)))
    return " · ".join(lines)


def _spelled(type_: NumericType) -> str:
    return f"{ {'int': 'i', 'uint': 'u', 'float': 'f'}[type_.kind] }{type_.width}"


def _value(bits: int, type_: NumericType) -> str:
    bits &= (1 << type_.width) - 1
    if type_.kind == "float":
        code = {16: "<e", 32: "<f", 64: "<d"}.get(type_.width)
        if code is None or type_.encoding:
            return type_.encoding
        value = struct.unpack(code, bits.to_bytes(type_.width // 8, "little"))[0]
        return float_text(value, type_)
    if type_.kind == "int" and bits >> type_.width - 1:
        bits -= 1 << type_.width
    return str(bits)


def _string(text: str) -> str | None:
    try:
        value = string_value(text)
    except ValueError:
        return None
    words = len(value) // 4 + 1
    size = f"{len(value)} byte{'' if len(value) == 1 else 's'} of UTF-8 · {words} word{'' if words == 1 else 's'}"
    spoken = demangled(value.decode("utf-8", "replace"))
    return size if spoken is None else f"Demangled {code_span(spoken)} · {size}"
