"""Reads the operands of one binary instruction word by word along the walk over them, and says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.binary.operand_codecs import FLOAT, ID_CODEC, INTEGER, TEXT, CodecTable, InstructionCodec, OperandCodec
from spvls.binary.words import DecodeError
from spvls.grammar import tables
from spvls.grammar.operand_walk import (
    CONTEXT_DEPENDENT_NUMBER,
    EXTENDED_INSTRUCTION,
    INNER_OPCODE,
    OperandDecl,
    OperandWalk,
    bits_of,
    decls_of,
)
from spvls.grammar.records import ExtendedSet, Opcode
from spvls.grammar.records import Operand as Declared
from spvls.grammar.specialization import SPECIALIZABLE
from spvls.syntax.instruction import Operand
from spvls.syntax.number import NumericType
from spvls.typed import Protocol


class UnknownValueError(DecodeError):
    """An opcode, enumerant or extended instruction that the grammar does not have."""


def lacking(opcode: Opcode, count: int, operand: Declared) -> str:
    """That an instruction of so many words lacks an operand."""
    return f"{opcode.name} ends after {count} words, without its operand {operand.name or operand.kind}"


def null_id(opcode: Opcode, operand: Declared) -> str:
    """That an operand is 0 where an id is required."""
    name = (operand.name or operand.kind).removesuffix(" ...")
    name = _PLAIN.get(operand.kind) or _PLAIN.get(name) or (name if name.startswith("Operand ") else f"operand {name}")
    return f"{name} of {opcode.name} is 0, which is not an id; ids start at 1"


_PLAIN = {"IdResult": "the result id", "IdResultType": "the result type", "Operands": "an operand"}


class Ids(Protocol):
    """What the instructions before declare about ids, by number."""

    def name(self, word: int) -> str:
        """The name of an id; KeyError for 0, which is not an id."""

    def literal_type(self, word: int, at: int) -> NumericType:
        """The numeric type that an id declares; DecodeError, at word `at`, where it declares none."""

    def selector_type(self, word: int, at: int) -> NumericType:
        """The integer type of the value of an id; DecodeError, at word `at`, where it has none."""

    def imported(self, word: int, at: int) -> ExtendedSet | None:
        """The set that an id imports, None where it has no grammar; DecodeError, at word `at`, where it imports none."""


class OperandReader:
    """Reads the operands of instructions of one module; `decisive` are the words, counted from the start of the
    instruction, that decided which operands the last one has."""

    def __init__(self, words: Sequence[int], data: bytes, table: CodecTable, ids: Ids) -> None:
        self._words = words
        self._data = data
        self._table = table
        self._ids = ids
        self._known: dict[tuple[int, tuple[OperandCodec, ...]], InstructionCodec] = {}
        self.decisive: set[int] = set()

    def read(self, opcode: Opcode, at: int, stop: int) -> tuple[tuple[Operand, ...], InstructionCodec]:
        """The operands of the instruction at words[at:stop], the result type and the result first.

        The codec is that of the operands after these two. Raises DecodeError.
        """
        self._opcode, self._at, self._stop = opcode, at, stop
        self._place = at + 1
        self._values: list[Operand] = []
        self._found: list[OperandCodec] = []
        self.decisive = set()
        walk = OperandWalk(decls_of(opcode))
        while self._place < stop:
            decl = walk.next()
            if decl is None:
                taken = self._place - at
                words = "1 word" if taken == 1 else f"{taken} words"
                message = f"{opcode.name} has {words} here, but its word count is {stop - at}"
                raise DecodeError(message, self._place)
            self._operand(walk, decl)
        missing = walk.missing()
        if missing is not None:
            raise DecodeError(lacking(opcode, stop - at, missing.declared), at)
        head = opcode.has_type + opcode.has_result
        return tuple(self._values), self._codec(opcode, tuple(self._found[head:]))

    def _codec(self, opcode: Opcode, operands: tuple[OperandCodec, ...]) -> InstructionCodec:
        key = opcode.value, operands
        codec = self._known.get(key)
        if codec is None:
            only_ids = all(operand is ID_CODEC for operand in operands)
            codec = self._known[key] = InstructionCodec(None if only_ids else operands)
        return codec

    def _take(self, value: Operand, codec: OperandCodec, words: int = 1) -> None:
        self._values.append(value)
        self._found.append(codec)
        self._place += words

    def _operand(self, walk: OperandWalk, decl: OperandDecl) -> None:
        """Read one operand, and pass its value to the walk where that decides what follows."""
        place, word = self._place, self._words[self._place]
        kind = decl.kind
        if kind.category == "id":
            self._take(self._id(word, decl.declared), ID_CODEC)
        elif kind.category == "literal":
            self._literal(walk, kind.name, word)
        else:
            for value in bits_of(word) if decl.is_mask else (word,):
                if kind.by_value(value) is None:
                    what = f"the bit 0x{value:x}, which is not a bit" if decl.is_mask else f"{word}, which is not a value"
                    raise UnknownValueError(f"{self._opcode.name} has {what} of {kind.name}", place)
            self._take(word, self._table.enumerant(kind))
        if decl.deciding and walk.read(decl, word):
            self.decisive.add(place - self._at)

    def _id(self, word: int, wanted: Declared) -> str:
        try:
            return self._ids.name(word)
        except KeyError:
            raise DecodeError(null_id(self._opcode, wanted), self._place) from None

    def _literal(self, walk: OperandWalk, kind: str, word: int) -> None:
        if kind == "LiteralString":
            self._string()
        elif kind == CONTEXT_DEPENDENT_NUMBER:
            self._number()
        elif kind == EXTENDED_INSTRUCTION:
            self._instruction(walk, word)
        elif kind == INNER_OPCODE:
            self._inner_opcode(word)
        else:
            self._take(word, FLOAT if kind == "LiteralFloat" else INTEGER)

    def _string(self) -> None:
        start = self._place * 4
        end = self._data.find(b"\0", start, self._stop * 4)
        if end < 0:
            message = f"the string that begins here does not end within {self._opcode.name}; a NUL byte is missing"
            raise DecodeError(message, self._place)
        self._take(self._data[start:end], TEXT, (end - start) // 4 + 1)

    def _number(self) -> None:
        """A literal of the result type, or of the type of the first operand."""
        holder = self._words[self._at + 1]
        self.decisive.add(1)
        type_of = self._ids.literal_type if self._opcode.has_type else self._ids.selector_type
        type_ = type_of(holder, self._at + 1)
        count = (type_.width + 31) // 32
        if self._place + count > self._stop:
            left = self._stop - self._place
            message = f"a {type_.width}-bit literal takes {count} words, but {self._opcode.name} has only {left} left"
            raise DecodeError(message, self._place)
        value = self._words[self._place : self._place + count]
        self._take(value[0] if count == 1 else tuple(value), self._table.number(type_), count)

    def _inner_opcode(self, word: int) -> None:
        inner = tables.opcode_by_value(word)
        if inner is None or inner.value not in SPECIALIZABLE:
            what = inner.name if inner else f"opcode {word}"
            raise UnknownValueError(f"{what} is not an operation that OpSpecConstantOp may perform", self._place)
        self._take(word, self._table.inner_opcode)

    def _instruction(self, walk: OperandWalk, number: int) -> None:
        """Read the number of an extended instruction.

        Instructions of a non-semantic set that is not known, or not in this revision, take ids (SPIR-V 2.13).
        """
        place = self._place
        set_ = self._ids.imported(self._words[place - 1], place - 1)
        self.decisive.update((place - 1 - self._at, place - self._at))
        self._take(number, self._table.instruction(set_))
        if set_ is None or set_.numeric:
            return
        instruction = set_.by_value(number)
        if instruction is not None:
            walk.extended(set_, instruction)
        elif not set_.non_semantic:
            raise UnknownValueError(f"{set_.name} has no instruction {number}", place)


def deciding_words(opcode: Opcode) -> tuple[int, ...]:
    """The words of an instruction, counted from its first, that decide what operands instructions of an opcode have.

    Only the first operand that can have parameters counts.
    """
    for place, decl in enumerate(decls_of(opcode), 1):
        parts = decl.parts or (decl,)
        if any(part.kind.name == CONTEXT_DEPENDENT_NUMBER for part in parts):
            return (1,)
        if decl.kind.name == EXTENDED_INSTRUCTION:
            return (place - 1, place)
        if decl.kind.name == INNER_OPCODE or (decl.has_enumerants and decl.kind.parameter_kinds):
            return (place,)
        if decl.parts or decl.repeats or decl.kind.name == "LiteralString":
            break
    return ()
