"""Reads the operands of one binary instruction word by word, as the grammar asks for them, and says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol

from spvls.binary.slots import FLOAT, ID_SLOT, INTEGER, TEXT, Shape, Slot, Slots, bits_of
from spvls.binary.words import DecodeError
from spvls.grammar import tables
from spvls.grammar.records import ExtendedSet, Opcode, OperandKind
from spvls.grammar.records import Operand as Declared
from spvls.grammar.specialization import SPECIALIZABLE
from spvls.module.context_dependent import CONSTANTS, EXTENDED
from spvls.syntax.instruction import Operand
from spvls.syntax.number import FLOAT32, NumericType


class UnknownValueError(DecodeError):
    """An opcode, enumerant or extended instruction that the grammar does not have."""


def lacking(opcode: Opcode, count: int, operand: Declared) -> str:
    """That an instruction of so many words lacks an operand."""
    return f"{opcode.name} ends after {count} words, and lacks its operand {operand.name or operand.kind}"


def null_id(opcode: Opcode, operand: Declared) -> str:
    """That an operand is 0 where an id stands."""
    return f"ids count from 1, and the {operand.name or operand.kind} of {opcode.name} is 0"


class Ids(Protocol):
    """What the instructions before say of ids, by number."""

    def name(self, word: int) -> str:
        """The name of an id; KeyError for 0, which is none."""

    def literal_type(self, word: int, at: int) -> NumericType:
        """The numeric type of that id; DecodeError, at word `at`, where it is none."""

    def selector_type(self, word: int, at: int) -> NumericType:
        """The integer type of the value of that id; DecodeError, at word `at`, where it has none."""

    def imported(self, word: int, at: int) -> ExtendedSet | None:
        """The set that an id imports, None where it has no grammar; DecodeError, at word `at`, where it imports none."""


class OperandReader:
    """Reads the operands of instructions of one module; `decisive` are the words, counted from the start of the
    instruction, that decided what other operands the last one has."""

    def __init__(self, words: Sequence[int], octets: bytes, slots: Slots, ids: Ids) -> None:
        self._words = words
        self._octets = octets
        self._slots = slots
        self._ids = ids
        self._shapes: dict[tuple[int, tuple[Slot, ...]], Shape] = {}
        self.decisive: set[int] = set()

    def read(self, opcode: Opcode, at: int, stop: int) -> tuple[tuple[Operand, ...], Shape]:
        """The operands of the instruction at words[at:stop], the result type and the result first.

        The shape is that of the others. Raises DecodeError.
        """
        self._opcode, self._at, self._stop = opcode, at, stop
        self._place = at + 1
        self._set: ExtendedSet | None = None
        self._values: list[Operand] = []
        self._found: list[Slot] = []
        self.decisive = set()
        pending = list(reversed(opcode.operands))
        while self._place < stop:
            if not pending:
                taken = self._place - at
                message = f"{opcode.name} takes {taken} words here, and its word count says {stop - at}"
                raise DecodeError(message, self._place)
            wanted = pending.pop()
            if wanted.quantifier == "*":
                pending.append(wanted)
            if wanted.kind == "LiteralExtInstInteger":
                pending = self._instruction(pending)
            else:
                pending.extend(self._operand(wanted))
        if pending and not pending[-1].quantifier:
            raise DecodeError(lacking(opcode, stop - at, pending[-1]), at)
        head = opcode.has_type + opcode.has_result
        return tuple(self._values), self._shape(opcode, tuple(self._found[head:]))

    def _shape(self, opcode: Opcode, slots: tuple[Slot, ...]) -> Shape:
        key = opcode.value, slots
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = Shape(None if all(slot is ID_SLOT for slot in slots) else slots)
        return shape

    def _take(self, value: Operand, slot: Slot, words: int = 1) -> None:
        self._values.append(value)
        self._found.append(slot)
        self._place += words

    def _operand(self, wanted: Declared) -> tuple[Declared, ...]:
        """Read one operand; those that its value calls for, the last one first."""
        kind = self._kind(wanted.kind)
        word = self._words[self._place]
        match kind.category:
            case "id":
                self._take(self._id(word, wanted), ID_SLOT)
            case "composite":
                return self._parts(kind)
            case "literal":
                return self._literal(wanted.kind, word)
            case "mask":
                return self._mask(kind, word)
            case _:
                enumerant = kind.by_value(word)
                if enumerant is None:
                    raise UnknownValueError(f"{word} is no {kind.name} in {self._opcode.name}", self._place)
                if enumerant.parameters:
                    self.decisive.add(self._place - self._at)
                self._take(word, self._slots.enumerant(kind))
                return enumerant.parameters[::-1]
        return ()

    def _kind(self, name: str) -> OperandKind:
        if self._set is not None and name in self._set.kinds:
            return self._set.kinds[name]
        return tables.kind(name)

    def _id(self, word: int, wanted: Declared) -> str:
        try:
            return self._ids.name(word)
        except KeyError:
            raise DecodeError(null_id(self._opcode, wanted), self._place) from None

    def _parts(self, kind: OperandKind) -> tuple[Declared, ...]:
        if kind.name == "PairLiteralIntegerIdRef" and self._opcode.name == "OpSwitch":
            return _SWITCH_CASE
        return _parts_of(kind)

    def _literal(self, kind: str, word: int) -> tuple[Declared, ...]:
        match kind:
            case "LiteralInteger":
                self._take(word, INTEGER)
            case "LiteralFloat":
                self._take(word, FLOAT)
            case "LiteralString":
                self._string()
            case "LiteralContextDependentNumber":
                self._number()
            case _:
                return self._inner_opcode(word)
        return ()

    def _string(self) -> None:
        start = self._place * 4
        end = self._octets.find(b"\0", start, self._stop * 4)
        if end < 0:
            message = f"the string that begins here does not end within {self._opcode.name}; a NUL octet is missing"
            raise DecodeError(message, self._place)
        self._take(self._octets[start:end], TEXT, (end - start) // 4 + 1)

    def _number(self) -> None:
        holder = self._words[self._at + 1]
        self.decisive.add(1)
        if self._opcode.name in CONSTANTS:
            type_ = self._ids.literal_type(holder, self._at + 1)
        elif self._opcode.name == "OpSwitch":
            type_ = self._ids.selector_type(holder, self._at + 1)
        else:
            type_ = FLOAT32
        count = (type_.width + 31) // 32
        if self._place + count > self._stop:
            message = f"a literal of {type_.width} bits takes {count} words, and {self._opcode.name} ends before that"
            raise DecodeError(message, self._place)
        value = self._words[self._place : self._place + count]
        self._take(value[0] if count == 1 else tuple(value), self._slots.number(type_), count)

    def _mask(self, kind: OperandKind, word: int) -> tuple[Declared, ...]:
        parameters: list[Declared] = []
        for bit in bits_of(word) or (0,):
            enumerant = kind.by_value(bit)
            if enumerant is not None:
                parameters.extend(enumerant.parameters)
            elif bit:
                raise UnknownValueError(f"0x{bit:x} is no bit of {kind.name} in {self._opcode.name}", self._place)
        if parameters:
            self.decisive.add(self._place - self._at)
        self._take(word, self._slots.enumerant(kind))
        return tuple(reversed(parameters))

    def _inner_opcode(self, word: int) -> tuple[Declared, ...]:
        inner = tables.opcode_by_value(word)
        if inner is None or inner.name not in SPECIALIZABLE:
            what = inner.name if inner else f"opcode {word}"
            raise UnknownValueError(f"{what} is no operation on specialization constants", self._place)
        self.decisive.add(self._place - self._at)
        self._take(word, self._slots.inner_opcode)
        return inner.arguments[::-1]

    def _instruction(self, pending: list[Declared]) -> list[Declared]:
        """Read the number of an extended instruction; what is still to be read then, the last operand first.

        Instructions of a non-semantic set that is not known, or not in this revision, take ids (SPIR-V 2.13).
        """
        place = self._place
        number = self._words[place]
        set_ = self._ids.imported(self._words[place - 1], place - 1)
        self.decisive.update((place - 1 - self._at, place - self._at))
        self._take(number, self._slots.instruction(set_))
        if set_ is None or set_.numeric:
            return pending
        instruction = set_.by_value(number)
        if instruction is None:
            if set_.non_semantic:
                return pending
            raise UnknownValueError(f"{set_.name} has no instruction {number}", place)
        self._set = set_
        later = [_LATER_OPERANDS] if set_.non_semantic else []
        return [*later, *reversed(instruction.operands)]


#: A later revision of a non-semantic set may have given more operands to an instruction (SPIR-V 2.13).
_LATER_OPERANDS = Declared("IdRef", "", "*")

_SWITCH_CASE = (Declared("IdRef", "Target", ""), Declared("LiteralContextDependentNumber", "Literal", ""))


@cache
def _parts_of(kind: OperandKind) -> tuple[Declared, ...]:
    # A module may end a list of pairs of ids in the middle of a pair; a validator speaks of that.
    quantifier = "?" if all(base.startswith("Id") for base in kind.bases) else ""
    return tuple(Declared(base, "", quantifier) for base in reversed(kind.bases))


def deciding_words(opcode: Opcode, slots: Slots) -> tuple[int, ...]:
    """The words of an instruction, counted from its first, that decide what operands instructions of an opcode have.

    Only the first operand that can have parameters counts.
    """
    if opcode.name in CONSTANTS or opcode.name == "OpSwitch":
        return (1,)
    if opcode.name in EXTENDED:
        return (3, 4)
    for place, operand in enumerate(opcode.operands, 1):
        kind = tables.kind(operand.kind)
        if operand.kind == "LiteralSpecConstantOpInteger":
            return (place,)
        if kind.category in ("value", "mask") and slots.has_parameters(kind.name):
            return (place,)
        if kind.category == "composite" or operand.quantifier == "*" or operand.kind == "LiteralString":
            break
    return ()
