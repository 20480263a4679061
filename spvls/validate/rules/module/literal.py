"""Literals and strings as words (SPIR-V 2.2.1, 2.17)."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.records import Opcode
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction, Operand
from spvls.syntax.number import NumericType
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule


@instruction_rule(
    "module/narrow-literals-are-extended", spv.OpConstant, spv.OpSpecConstant, spv.OpSwitch, section=sections.INSTRUCTIONS
)
def narrow_literals_are_extended(inst: Instruction, context: RuleContext) -> Findings:
    """The unused bits of the last word of a literal must be zeros or copies of its sign bit.

    With other bits, a consumer that cuts off the high bits gets another value than one that uses the whole word.

    The rule checks OpConstant, OpSpecConstant and OpSwitch. The bits are copies of the sign for integers with sign, and zeros for
    other types. Only binaries, and OpUnknown or literal words (`!N`) of a text, can have other bits.
    """
    module = context.module
    if inst.opcode.value == spv.OpSwitch:
        selector = module.value_type(inst.operands[0]) if isinstance(inst.operands[0], str) else None
        places = range(2, len(inst.operands), 2)
    else:
        selector, places = inst.type, range(len(inst.operands))
    type_ = _narrow(selector, module)
    if type_ is None:
        return
    for operand_index in places:
        word = _last_word(inst.operands[operand_index])
        if word is None or _is_extended(word, type_):
            continue
        bits = type_.width % 32
        right = word & (1 << bits) - 1
        right |= -(type_.kind == "int" and right >> bits - 1) << bits & 0xFFFFFFFF
        wanted = f"copies of the sign, bit {bits - 1}" if type_.kind == "int" else "0"
        message = f"the last word of the literal is 0x{word:08x}, expected 0x{right:08x}: "
        message += f"the bits above the lowest {bits} must be {wanted}"
        yield Finding(inst, operand_index, message)
        return


def _narrow(type_id: str | None, module: Module) -> NumericType | None:
    """A numeric type that leaves bits of its last word unused."""
    type_ = module.numeric_type(type_id) if type_id is not None else None
    return type_ if type_ is not None and type_.width % 32 else None


def _last_word(operand: Operand) -> int | None:
    if isinstance(operand, tuple):
        return operand[-1] if operand and isinstance(operand[-1], int) else None
    return operand if isinstance(operand, int) else None


def _is_extended(word: int, type_: NumericType) -> bool:
    bits = type_.width % 32
    above = (word & 0xFFFFFFFF) >> bits
    negative = type_.kind == "int" and word >> bits - 1 & 1
    return above == (0xFFFFFFFF >> bits if negative else 0)


@cache
def _has_string(opcode: Opcode) -> bool:
    return any(operand.kind == "LiteralString" for operand in opcode.arguments)


@instruction_rule("module/strings-are-utf-8", section=sections.INSTRUCTIONS, severity=Severity.WARNING, where=_has_string)
def strings_are_utf_8(inst: Instruction, context: RuleContext) -> Findings:
    """A literal string must be text in UTF-8.

    Names of entry points, extensions and source files are compared and shown as text. Tools may reject other bytes, replace them,
    or fail when they write the string to a report. Strings of decorations are not checked. For a text that is itself not UTF-8 see
    text/not-utf-8.
    """
    for operand_index, operand in enumerate(inst.operands):
        if isinstance(operand, bytes) and not operand.isascii():
            try:
                operand.decode("utf-8")
            except UnicodeDecodeError as error:
                if any("\udc80" <= letter <= "\udcff" for letter in inst.text):
                    return  # said of the text
                octet = f"0x{operand[error.start]:02x}"
                message = f"the string must be UTF-8, but byte {error.start}, counted from 0, is {octet}"
                yield Finding(inst, operand_index, message)


@instruction_rule(
    "module/string-length-is-within-limit", section=sections.UNIVERSAL_LIMITS, severity=Severity.WARNING, where=_has_string
)
def string_length_is_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """A literal string must not have more than 65,535 characters.

    Every consumer must support strings of that length. A longer string may be cut off, or may not fit in the word count of its
    instruction. Use OpSourceContinued for longer source texts. The option `max-string-length` sets another limit. Strings of
    decorations are not checked.
    """
    limit = context.options.max_string_length
    for operand_index, operand in enumerate(inst.operands):
        if isinstance(operand, bytes) and len(operand) > limit and (count := len(operand.decode("utf-8", "replace"))) > limit:
            yield Finding(inst, operand_index, f"the string has {count} characters, but the limit is {limit}")


@module_rule("module/strings-are-zero-padded", section=sections.INSTRUCTIONS, severity=Severity.WARNING)
def strings_are_zero_padded(context: RuleContext) -> Findings:
    """The bytes after the NUL that ends a literal string must be 0.

    A tool that compares instructions word by word takes two equal strings for different ones if the bytes after them differ, so it
    may fail to match imports, extensions or names. Only binaries, and OpUnknown or literal words (`!N`) of a text, can have other
    bytes.
    """
    for record, operand_index in context.module.unpadded_strings:
        yield Finding(record, operand_index, "the bytes after the NUL that ends the string must be 0")
