"""Words that are read in the light of other instructions: literals of a declared type, instructions of an imported set.

The width and sign of a constant's literal come from its type, those of a switch's from its selector's type, and the
operands of an extended instruction from the set that it names (SPIR-V 2.5, 3.3.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from spvls.grammar import spv, tables
from spvls.grammar.records import ExtendedInstruction, ExtendedSet, OperandKind
from spvls.grammar.records import Operand as Declared
from spvls.syntax.instruction import Fault, Instruction, Late, Operand
from spvls.syntax.nearest import Spelling
from spvls.syntax.number import UINT32, NumberError, NumericType, is_integer, words_of_number


class Context(Protocol):
    """What the rest of the module says of ids."""

    def numeric_type(self, name: str) -> NumericType | None:
        """The scalar integer or float type that an id declares."""

    def value_type(self, name: str) -> str | None:
        """The id of the type of a value."""

    def import_name(self, name: str) -> str | None:
        """The name of the set that an id imports."""


class Reading(NamedTuple):
    """The operands of an instruction with nothing left open, as far as there are no faults."""

    operands: tuple[Operand, ...]
    faults: tuple[Fault, ...] = ()


CONSTANTS = frozenset({spv.OpConstant, spv.OpSpecConstant})
EXTENDED = frozenset({spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR})


def read(record: Instruction, context: Context) -> Reading:
    """The operands of `record` as `context` has them read."""
    if record.opcode.value in EXTENDED:
        return _read_extended(record, context)
    if Late not in map(type, record.operands):
        return Reading(record.operands)
    return _read_numbers(record, context)


def numeric_type(record: Instruction) -> NumericType | None:
    """The numeric type that an instruction declares, if it does."""
    operands = record.operands
    match record.opcode.value:
        case spv.OpTypeInt if len(operands) == 2 and isinstance(operands[0], int):
            return NumericType("int" if operands[1] else "uint", operands[0])
        case spv.OpTypeFloat if operands and isinstance(operands[0], int):
            encoding = ""
            if len(operands) > 1 and isinstance(operands[1], int):
                enumerant = tables.kind("FPEncoding").by_value(operands[1])
                encoding = enumerant.name if enumerant else ""
            return NumericType("float", operands[0], encoding)
    return None


def _id(operand: Operand) -> str:
    return operand if isinstance(operand, str) else "?"


def _fault(record: Instruction, place: int, rule: str, message: str, suggestion: str | None = None) -> Fault:
    return Fault(rule, message, *record.span(place), suggestion)


def _read_numbers(record: Instruction, context: Context) -> Reading:
    name = record.opcode.value
    if name in CONSTANTS:
        holder = record.type
        type_ = context.numeric_type(holder) if holder else None
        where = f"%{holder}"
        place = -2
    else:
        selector = record.operands[0]
        holder = context.value_type(selector) if isinstance(selector, str) else None
        type_ = context.numeric_type(holder) if holder else None
        where = f"the type of %{_id(selector)}"
        place = 0
    if type_ is None:
        message = f"{where} is no integer or float type declared before, and {record.opcode.name} reads its literals by it"
        return Reading(record.operands, (_fault(record, place, "syntax/number-type", message),))
    if place == 0 and type_.kind == "float":
        message = f"a switch selects by an integer, and the type of %{_id(selector)} is a {type_.width}-bit float"
        return Reading(record.operands, (_fault(record, 0, "syntax/number-type", message),))
    operands: list[Operand] = []
    faults: list[Fault] = []
    for index, operand in enumerate(record.operands):
        if isinstance(operand, Late):
            try:
                operand = words_of_number(operand.text, type_)
            except NumberError as error:
                faults.append(_fault(record, index, "syntax/number", str(error)))
        operands.append(operand)
    return Reading(tuple(operands), tuple(faults))


def _read_extended(record: Instruction, context: Context) -> Reading:
    if len(record.operands) < 2:
        return Reading(record.operands)
    import_id, named = record.operands[:2]
    import_name = context.import_name(import_id) if isinstance(import_id, str) else None
    if import_name is None:
        message = f"%{_id(import_id)} is no OpExtInstImport that stands before this"
        return Reading(record.operands, (_fault(record, 0, "syntax/extended-set", message),))
    known = tables.extended_set(import_name)
    if known is None:
        return _read_unknown_set(record, named)
    if isinstance(named, int):
        instruction = known.by_value(named)
        if instruction is None:
            return Reading(record.operands)
        number = named
    elif isinstance(named, Late) and (instruction := known.get(named.text)) is not None:
        number = instruction.value
    elif known.non_semantic and isinstance(named, Late) and named.text.isdigit():
        return _read_unknown_set(record, named)
    else:
        text = named.text if isinstance(named, Late) else str(named)
        near = Spelling(known.entries).nearest(text)
        hint = f"; did you mean {near}?" if near else ""
        message = f"{import_name} has no instruction `{text}`{hint}"
        return Reading(record.operands, (_fault(record, 1, "syntax/unknown-extended-instruction", message, near),))
    rest = record.operands[2:]
    if str is _only_type(rest) and _takes_ids(instruction, len(rest)):
        return Reading((import_id, number, *rest))
    return _read_operands(record, known, instruction, (import_id, number))


def _only_type(operands: tuple[Operand, ...]) -> type | None:
    kinds = {type(operand) for operand in operands}
    return kinds.pop() if len(kinds) == 1 else str if not kinds else None


def _takes_ids(instruction: ExtendedInstruction, count: int) -> bool:
    """Whether `count` ids, and nothing else, are operands that the instruction takes."""
    declared = instruction.operands
    if any(operand.quantifier for operand in declared) or len(declared) != count:
        return False
    return all(operand.kind.startswith("Id") for operand in declared)


def _read_unknown_set(record: Instruction, named: Operand) -> Reading:
    """Instructions of non-semantic sets that the tables do not know are a number and ids."""
    if isinstance(named, Late):
        if not (named.text.isascii() and named.text.isdigit()):
            message = f"the instructions of a set that is not known here are written by number, not as `{named.text[:60]}`"
            return Reading(record.operands, (_fault(record, 1, "syntax/unknown-extended-instruction", message),))
        try:
            number = words_of_number(named.text, UINT32)
        except NumberError as error:
            return Reading(record.operands, (_fault(record, 1, "syntax/number", str(error)),))
    else:
        number = named  # type: ignore[assignment]
    for index, operand in enumerate(record.operands[2:], 2):
        if isinstance(operand, Late) or not (isinstance(operand, str) or record.raw):
            message = "the operands of an extended instruction of an unknown set are ids"
            return Reading(record.operands, (_fault(record, index, "syntax/operand-kind", message),))
    return Reading((record.operands[0], number, *record.operands[2:]))


class _WrongError(Exception):
    """An operand that its place does not take; `args` are the message, the rule and a suggestion."""


def _read_operands(
    record: Instruction, known: ExtendedSet, instruction: ExtendedInstruction, head: tuple[Operand, ...]
) -> Reading:
    operands: list[Operand] = list(head)
    given = record.operands[2:]
    wanted = _declared(known, instruction)
    for index, operand in enumerate(given, 2):
        declared = next(wanted, None)
        as_it_is = record.raw and not isinstance(operand, Late)
        if declared is None and (as_it_is or (known.non_semantic and isinstance(operand, str))):
            operands.append(operand)  # given as it is, or what a later revision of the set may take
            continue
        if declared is None:
            message = f"{instruction.name} takes {index - 2} operands, and this is one more"
            return Reading(record.operands, (_fault(record, index, "syntax/surplus-operand", message),))
        try:
            operands.append(_operand(known, declared, operand))
        except _WrongError as error:
            message, rule, near = error.args
            return Reading(record.operands, (_fault(record, index, rule, message, near),))
    missing = next(wanted, None)
    if missing is not None and not missing.quantifier and not record.raw:
        message = f"{instruction.name} lacks its operand {missing.name or missing.kind}"
        return Reading(record.operands, (_fault(record, len(record.operands) - 1, "syntax/missing-operand", message),))
    return Reading(tuple(operands))


def _declared(known: ExtendedSet, instruction: ExtendedInstruction) -> Iterator[Declared]:
    for operand in instruction.operands:
        bases = tables.kind(operand.kind).bases if operand.kind not in known.kinds else ()
        parts = [Declared(base, operand.name, operand.quantifier) for base in bases] or [operand]
        yield from parts
        while operand.quantifier == "*":
            yield from parts


def _operand(known: ExtendedSet, declared: Declared, operand: Operand) -> Operand:
    kind = known.kinds.get(declared.kind) or tables.kind(declared.kind)
    shown = operand.text if isinstance(operand, Late) else f"%{operand}" if isinstance(operand, str) else "a string"
    wrong = _WrongError(f"expected {_phrase(kind, declared)}, and found `{shown}`", "syntax/operand-kind", None)
    if isinstance(operand, (int, tuple)):
        return operand
    if kind.category == "id":
        if isinstance(operand, str):
            return operand
        raise wrong
    if kind.name == "LiteralString":
        if isinstance(operand, bytes):
            return operand
        raise wrong
    if not isinstance(operand, Late):
        raise wrong
    if kind.category == "literal":
        if not is_integer(operand.text):
            raise wrong
        try:
            return words_of_number(operand.text, UINT32)
        except NumberError as error:
            raise _WrongError(str(error), "syntax/number", None) from None
    return _enumerants(kind, operand.text, wrong)


def _enumerants(kind: OperandKind, text: str, wrong: _WrongError) -> int:
    value = 0
    for name in text.split("|") if kind.category == "mask" else [text]:
        enumerant = kind.get(name)
        if enumerant is None:
            if is_integer(name) or not name:
                raise wrong
            near = Spelling(kind.entries).nearest(name)
            hint = f"; did you mean {near}?" if near else ""
            raise _WrongError(f"{kind.name} has no enumerant `{name}`{hint}", "syntax/unknown-enumerant", near)
        value |= enumerant.value
    return value


def _phrase(kind: OperandKind, declared: Declared) -> str:
    what = {"id": "an id", "literal": "a number"}.get(kind.category, f"a {kind.name}")
    if kind.name == "LiteralString":
        what = "a quoted string"
    return f"{what} ({declared.name})" if declared.name else what
