"""Operands that depend on other instructions: literals of a declared type, instructions of an imported set.

The width and sign of a constant's literal come from its type, those of a switch's from its selector's type, and the
operands of an extended instruction from the set that it names (SPIR-V 2.5, 3.3.4).
"""

from __future__ import annotations

from functools import cache

from spvls.grammar import spv, tables
from spvls.grammar.operand_walk import OperandDecl, OperandWalk, argument_decls
from spvls.grammar.records import ExtendedInstruction, ExtendedSet
from spvls.record import NamedTuple
from spvls.steps import PORTION
from spvls.syntax.instruction import TYPE, ContextDependent, Fault, Instruction, Operand, fault_at, shown
from spvls.syntax.number import (
    UINT32,
    NumberError,
    NumericType,
    encoding_of,
    is_integer,
    is_plain_word,
    plain_words,
    words_of_number,
)
from spvls.syntax.wording import did_you_mean, expected, extended_spelling, lacks, no_enumerant, shown_word, surplus
from spvls.typed import Protocol


class Context(Protocol):
    """What other instructions declare about ids."""

    def numeric_type(self, name: str) -> NumericType | None:
        """The scalar integer or float type that an id declares."""

    def value_type(self, name: str) -> str | None:
        """The id of the type of a value."""

    def import_name(self, name: str) -> str | None:
        """The name of the set that an id imports."""


class ResolvedOperands(NamedTuple):
    """The operands of an instruction without context-dependent ones, unless there are faults."""

    operands: tuple[Operand, ...]
    faults: tuple[Fault, ...] = ()


CONSTANTS = frozenset({spv.OpConstant, spv.OpSpecConstant})
EXTENDED = frozenset({spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR})


def resolve(record: Instruction, context: Context) -> ResolvedOperands:
    """The operands of `record`, with context-dependent ones read as `context` says."""
    if record.opcode.value in EXTENDED:
        return _resolve_extended(record, context)
    if ContextDependent not in map(type, record.operands):
        return ResolvedOperands(record.operands)
    return _resolve_numbers(record, context)


def numeric_type(record: Instruction) -> NumericType | None:
    """The numeric type that an instruction declares, if it does."""
    operands = record.operands
    match record.opcode.value:
        case spv.OpTypeInt if len(operands) == 2 and isinstance(operands[0], int):
            return NumericType("int" if operands[1] else "uint", operands[0])
        case spv.OpTypeFloat if operands and isinstance(operands[0], int):
            encoding = ""
            if len(operands) > 1 and isinstance(operands[1], int):
                encoding = encoding_of(operands[1])
            return NumericType("float", operands[0], encoding)
    return None


def _id(operand: Operand) -> str:
    return operand if isinstance(operand, str) else "?"


def _fault(record: Instruction, place: int, rule: str, message: str, suggestion: str | None = None) -> Fault:
    return fault_at(record, place, rule, message, suggestion)


_CASES = slice(2, None, 2)
"""The literals of a switch among its operands."""


def _resolve_numbers(record: Instruction, context: Context) -> ResolvedOperands:
    """The operands of a constant, whose literal has the result type, or of a switch, whose literals have the selector's type."""
    if record.opcode.has_type:
        place, holder = TYPE, record.type
        where, wanted = f"the result type %{holder}", "an integer or float type"
    else:
        place, selector = 0, record.operands[0]
        holder = context.value_type(selector) if isinstance(selector, str) else None
        where, wanted = f"the type of operand Selector (%{_id(selector)})", "an integer type"
    type_ = context.numeric_type(holder) if holder else None
    if type_ is None:
        message = f"{where} must be {wanted}, declared before this instruction"
        return ResolvedOperands(record.operands, (_fault(record, place, "syntax/number-type", message),))
    if place == 0 and type_.kind == "float":
        message = f"{where} is a {type_.width}-bit float, expected {wanted}"
        return ResolvedOperands(record.operands, (_fault(record, 0, "syntax/number-type", message),))
    operands = list(record.operands)
    if type_.width == 32 and type_.kind != "float":
        if len(operands) < PORTION:
            operands = [
                int(operand.text) if operand.__class__ is ContextDependent and is_plain_word(operand.text) else operand
                for operand in operands
            ]
        else:
            texts = [operand.text for operand in operands[_CASES] if isinstance(operand, ContextDependent)]
            words = plain_words(texts) if len(texts) == len(operands[_CASES]) else None
            operands[_CASES] = words or operands[_CASES]
    faults: list[Fault] = []
    for index, operand in enumerate(operands if ContextDependent in map(type, operands) else ()):
        if isinstance(operand, ContextDependent):
            try:
                operands[index] = words_of_number(operand.text, type_)
            except NumberError as error:
                faults.append(_fault(record, index, "syntax/number", str(error)))
    return ResolvedOperands(tuple(operands), tuple(faults))


def _resolve_extended(record: Instruction, context: Context) -> ResolvedOperands:
    if len(record.operands) < 2:
        return ResolvedOperands(record.operands)
    import_id, named = record.operands[:2]
    import_name = context.import_name(import_id) if isinstance(import_id, str) else None
    if import_name is None:
        message = f"operand Set (%{_id(import_id)}) must be the result of an earlier OpExtInstImport"
        return ResolvedOperands(record.operands, (_fault(record, 0, "syntax/extended-set", message),))
    known = tables.extended_set(import_name)
    if known is None:
        return _resolve_unknown_set(record, named)
    if isinstance(named, int):
        instruction = known.by_value(named)
        if instruction is None:
            return ResolvedOperands(record.operands)
    elif isinstance(named, ContextDependent) and known.get(named.text) is not None:
        instruction = known.get(named.text)
    elif known.non_semantic and isinstance(named, ContextDependent) and named.text.isdigit():
        return _resolve_unknown_set(record, named)
    else:
        text = named.text if isinstance(named, ContextDependent) else str(named)
        near = extended_spelling(known).nearest(text)
        message = f"{import_name} has no instruction `{text}`{did_you_mean(near)}"
        return ResolvedOperands(record.operands, (_fault(record, 1, "syntax/unknown-extended-instruction", message, near),))
    assert instruction is not None
    number = named if isinstance(named, int) else instruction.value
    rest = record.operands[2:]
    if len(rest) == _id_count(instruction) and set(map(type, rest)) <= {str}:
        return ResolvedOperands((import_id, number, *rest))
    return _resolve_operands(record, known, instruction, (import_id, number))


@cache
def _id_count(instruction: ExtendedInstruction) -> int:
    """How many ids, and nothing else, an instruction takes; -1 where that is not so."""
    declared = instruction.operands
    plain = all(operand.kind.startswith("Id") and not operand.quantifier for operand in declared)
    return len(declared) if plain else -1


tables.on_replace(_id_count.cache_clear)


def _resolve_unknown_set(record: Instruction, named: Operand) -> ResolvedOperands:
    """Instructions of non-semantic sets that the tables do not know are a number and ids."""
    if isinstance(named, ContextDependent):
        if not (named.text.isascii() and named.text.isdigit()):
            message = f"an instruction of an unknown set must be written as a number, not as `{shown_word(named.text)}`"
            return ResolvedOperands(record.operands, (_fault(record, 1, "syntax/unknown-extended-instruction", message),))
        try:
            number = words_of_number(named.text, UINT32)
        except NumberError as error:
            return ResolvedOperands(record.operands, (_fault(record, 1, "syntax/number", str(error)),))
    else:
        number = named  # type: ignore[assignment]
    for index, operand in enumerate(record.operands[2:], 2):
        if isinstance(operand, ContextDependent) or not (isinstance(operand, str) or record.raw):
            why = "instructions of an unknown extended instruction set have only ids as operands"
            message = f"expected an id, found `{shown(operand)}`: {why}"
            return ResolvedOperands(record.operands, (_fault(record, index, "syntax/operand-kind", message),))
    return ResolvedOperands((record.operands[0], number, *record.operands[2:]))


class _WrongError(Exception):
    """An operand that does not fit its declaration; `args` are the rule, the message and a suggestion."""


def _resolve_operands(
    record: Instruction, known: ExtendedSet, instruction: ExtendedInstruction, head: tuple[Operand, ...]
) -> ResolvedOperands:
    operands: list[Operand] = list(head)
    walk = OperandWalk(argument_decls(record.opcode)[2:])
    walk.extended(known, instruction)
    for index, operand in enumerate(record.operands[2:], 2):
        decl = walk.next()
        if decl is None and record.raw and not isinstance(operand, ContextDependent):
            operands.append(operand)  # a literal word
            continue
        try:
            if decl is None:
                raise _WrongError("syntax/surplus-operand", surplus(instruction.name, shown(operand)), None)
            operand = _operand(decl, operand)
        except _WrongError as error:
            rule, message, near = error.args
            return ResolvedOperands(record.operands, (_fault(record, index, rule, message, near),))
        if decl.deciding and isinstance(operand, int):
            walk.read(decl, operand)
        operands.append(operand)
    missing = walk.missing()
    if missing is not None and not record.raw:
        message = lacks(instruction.name, missing.declared)
        return ResolvedOperands(record.operands, (_fault(record, len(record.operands) - 1, "syntax/missing-operand", message),))
    return ResolvedOperands(tuple(operands))


def _operand(decl: OperandDecl, operand: Operand) -> Operand:
    """An operand of an extended instruction, read as its declaration says."""
    if isinstance(operand, (int, tuple)):
        return operand
    category = decl.kind.category
    if category == "id" and isinstance(operand, str):
        return operand
    if decl.kind.name == "LiteralString" and isinstance(operand, bytes):
        return operand
    wrong = _WrongError("syntax/operand-kind", expected(decl.declared, shown(operand)), None)
    if not isinstance(operand, ContextDependent) or category == "id" or decl.kind.name == "LiteralString":
        raise wrong
    if category == "literal":
        if not is_integer(operand.text):
            raise wrong
        try:
            return words_of_number(operand.text, UINT32)
        except NumberError as error:
            raise _WrongError("syntax/number", str(error), None) from None
    value = 0
    for name in operand.text.split("|") if decl.is_mask else (operand.text,):
        enumerant = decl.kind.get(name)
        if enumerant is None:
            if not name:
                raise wrong
            raise _WrongError("syntax/unknown-enumerant", *no_enumerant(decl.kind, name))
        value |= enumerant.value
    return value
