"""Codecs: how the words of operands are read, and how a listing writes what was read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from spvls.binary.float_text import number_text
from spvls.grammar import tables
from spvls.grammar.operand_walk import bits_of, enumerants
from spvls.grammar.records import ExtendedSet, OperandKind
from spvls.syntax.instruction import Operand
from spvls.syntax.number import FLOAT32, NumberError, NumericType, words_of_number
from spvls.typed import Any

#: The roles of operands in a listing, which colors them by role.
ID, NAME, NUMBER, STRING, INSTRUCTION = "id", "name", "number", "string", "instruction"


class OperandCodec:
    """What one operand is, how its word is read, and how a listing writes it.

    `read` takes a word, and raises KeyError where the operand needs a closer look; `write` takes what was read. The codec of
    an id does neither: its word is the id's number, and its text what the listing names it. `exact` says of a value
    whether what `write` makes of it assembles to it; None where that is so of all.
    """

    __slots__ = ("exact", "read", "role", "write")

    def __init__(
        self,
        role: str,
        read: Callable[[int], Operand],
        write: Callable[[Any], str],
        exact: Callable[[Any], bool] | None = None,
    ) -> None:
        self.role = role
        self.read = read
        self.write = write
        self.exact = exact


class InstructionCodec:
    """The codecs of the operands of instructions of one opcode, as many as they have; None where all are ids."""

    __slots__ = ("operands",)

    def __init__(self, operands: tuple[OperandCodec, ...] | None) -> None:
        self.operands = operands


def word_count(operand: Operand) -> int:
    """How many words an operand has."""
    if isinstance(operand, bytes):
        return len(operand) // 4 + 1
    return len(operand) if isinstance(operand, tuple) else 1


def _refuse(word: int) -> Operand:
    raise KeyError(word)


def quoted(value: bytes) -> str:
    """A string as the text syntax has it. Bytes that are not UTF-8 become lone surrogates, which encode back to them."""
    text = value.decode("utf-8", "surrogateescape")
    if "\\" in text or '"' in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


RAW = InstructionCodec(())
ID_CODEC = OperandCodec(ID, _refuse, str)
INTEGER = OperandCodec(NUMBER, int, str)
TEXT = OperandCodec(STRING, _refuse, quoted)
FLOAT = OperandCodec(NUMBER, int, lambda word: number_text(FLOAT32, word))


class _Plain(dict[int, int]):
    """The words that are an enumerant, or a mask of them, without parameters."""

    __slots__ = ("_kind",)

    def __init__(self, kind: OperandKind) -> None:
        self._kind = kind

    def __missing__(self, word: int) -> int:
        for value in bits_of(word) if self._kind.category == "mask" else (word,):
            enumerant = self._kind.by_value(value)
            if enumerant is None or enumerant.parameters:
                raise KeyError(word)
        self[word] = word
        return word


class _Names(dict[int, str]):
    """What the text syntax calls an enumerant, or a mask of them."""

    __slots__ = ("_kind",)

    def __init__(self, kind: OperandKind) -> None:
        self._kind = kind

    def __missing__(self, word: int) -> str:
        name = self[word] = "|".join([enumerant.name for enumerant in enumerants(self._kind, word)])
        return name


class CodecTable:
    """The codecs that a module uses, each made once."""

    def __init__(self) -> None:
        self._enumerants: dict[OperandKind, OperandCodec] = {}
        self._numbers: dict[NumericType, OperandCodec] = {}
        self._instructions: dict[ExtendedSet | None, OperandCodec] = {}
        self.inner_opcode = OperandCodec(INSTRUCTION, int, _inner_opcode_text)

    def enumerant(self, kind: OperandKind) -> OperandCodec:
        codec = self._enumerants.get(kind)
        if codec is None:
            # A mask of none may have no name.
            exact = bool if kind.category == "mask" and kind.by_value(0) is None else None
            codec = OperandCodec(NAME, _Plain(kind).__getitem__, _Names(kind).__getitem__, exact)
            self._enumerants[kind] = codec
        return codec

    def number(self, type_: NumericType) -> OperandCodec:
        """A literal of a numeric type; reads those of one word."""
        codec = self._numbers.get(type_)
        if codec is None:
            exact = None if type_ in _EXACT else partial(is_exact, type_)
            codec = self._numbers[type_] = OperandCodec(NUMBER, int, partial(number_text, type_), exact)
        return codec

    def instruction(self, set_: ExtendedSet | None) -> OperandCodec:
        """The number of an instruction of an extended set, which stays a number where the set has no name for it."""
        codec = self._instructions.get(set_)
        if codec is None:
            codec = self._instructions[set_] = OperandCodec(INSTRUCTION, int, _instruction_text(set_))
        return codec


#: The types with a literal for every word.
_EXACT = frozenset(NumericType(kind, width) for kind in ("int", "uint", "float") for width in (32, 64))


def is_exact(type_: NumericType, value: Operand) -> bool:
    """Whether the text of a literal assembles to its words."""
    try:
        return words_of_number(number_text(type_, value), type_) == value
    except NumberError:
        return False


def _inner_opcode_text(value: int) -> str:
    opcode = tables.opcode_by_value(value)
    return opcode.name[2:] if opcode else str(value)


def _instruction_text(set_: ExtendedSet | None) -> Callable[[int], str]:
    def text(number: int) -> str:
        instruction = set_.by_value(number) if set_ is not None and not set_.numeric else None
        return instruction.name if instruction else str(number)

    return text
