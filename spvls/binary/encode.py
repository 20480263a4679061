"""Instructions to words (SPIR-V 2.3), ids to numbers."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from spvls.binary.numbering import Numbering
from spvls.binary.preserved_ids import NOTHING_PRESERVED, Preserved
from spvls.binary.text_context import TextContext
from spvls.binary.words import MAGIC, little_endian
from spvls.grammar.records import Opcode, Version
from spvls.module.context_dependent import EXTENDED, resolve
from spvls.record import NamedTuple
from spvls.syntax.fast_path import fast_path
from spvls.syntax.instruction import OPCODE, UNKNOWN, ContextDependent, Fault, Instruction, Operand

GENERATOR = 0x00070000
MAX_INSTRUCTION_WORDS = 0xFFFF


class Encoding(NamedTuple):
    """The words of a module, header first; where each instruction begins; what is wrong.

    `faults` pairs the position of an instruction, from 0, with a fault of it; such an instruction has no words.
    """

    words: array[int]
    offsets: array[int]
    numbering: Numbering
    faults: list[tuple[int, Fault]]

    def data(self) -> bytes:
        """The binary, little-endian."""
        return little_endian(self.words)


def encode(
    records: list[Instruction],
    version: Version,
    *,
    preserve_numeric_ids: bool = False,
    preserved: Preserved = NOTHING_PRESERVED,
) -> Encoding:
    """The words of a module of SPIR-V `version`; `preserved` is what the comments of its text say of header and ids."""
    numeric_names: Iterable[str] = ()
    if preserve_numeric_ids or preserved.numbers_stay:
        numeric_names = {name for record in records for name in (record.result, *record.uses()) if name}
    numbering = Numbering(numeric_names, preserved.ids)
    generator = GENERATOR if preserved.generator is None else preserved.generator
    words = array("I", (MAGIC, version[0] << 16 | version[1] << 8, generator, 0, preserved.schema or 0))
    encoded = Encoder(version).append(records, TextContext(), numbering.__getitem__, words)
    words[3] = max(numbering.bound, preserved.bound or 0)
    return Encoding(words, encoded.offsets, numbering, encoded.faults)


class Encoded:
    """Where each instruction begins in the words, and at the end where the last one ends; the faults of those without words,
    by position; and the operands of those that had context-dependent ones, with these resolved."""

    __slots__ = ("faults", "offsets", "resolved")

    def __init__(self) -> None:
        self.offsets = array("I")
        self.faults: list[tuple[int, Fault]] = []
        self.resolved: dict[int, tuple[Operand, ...]] = {}


class Encoder:
    """Encodes instructions of modules of one version of SPIR-V."""

    def __init__(self, version: Version) -> None:
        self._version = version
        self._only_ids: dict[Opcode, bool] = {}
        self._refused: set[Opcode] = set()

    def append(
        self,
        records: Sequence[Instruction],
        context: TextContext,
        number: Callable[[str], Any],
        words: array[int] | list[Any],
    ) -> Encoded:
        """Append the words of instructions to `words`.

        `context` is what the text before them declares, and takes what they declare. `number` gives the word of an id by
        its name, or what stands for it.
        """
        encoded = Encoded()
        offsets, faults, resolved = encoded.offsets, encoded.faults, encoded.resolved
        follow, only_ids = context.follow, self._only_ids
        extend, append = words.extend, words.append
        for index, record in enumerate(records):
            at = len(words)
            offsets.append(at)
            opcode, operands, found = record.opcode, record.operands, record.faults
            plain = only_ids.get(opcode)
            if plain is None:
                plain = self._learn(opcode)
            if record.raw or (not plain and not found):
                plain = False
                operands, found = self._resolve(record, context)
                if operands is not record.operands:
                    resolved[index] = operands
            if record.result is not None and not found:
                fault = follow(record)
                if fault is not None:
                    found = (fault,)
            if found:
                faults.extend([(index, fault) for fault in found])
                continue
            if opcode is not UNKNOWN:
                append(0)
            if record.type is not None:
                append(number(record.type))
            if record.result is not None and not result_among_operands(record):
                append(number(record.result))
            if plain:
                extend(map(number, operands))  # type: ignore[arg-type]
            else:
                _append_operands(operands, number, words)
            count = len(words) - at
            if opcode is UNKNOWN:
                continue
            if count <= MAX_INSTRUCTION_WORDS:
                words[at] = count << 16 | opcode.value
                continue
            del words[at:]
            message = f"this instruction has {count} words; the limit is {MAX_INSTRUCTION_WORDS}"
            faults.append((index, Fault("syntax/too-long", message, *record.span(OPCODE))))
        offsets.append(len(words))
        return encoded

    def _learn(self, opcode: Opcode) -> bool:
        """Whether an opcode is available and takes ids only, so that its operands need no further check."""
        if not self._is_available(opcode):
            self._refused.add(opcode)
        path = fast_path(opcode.name)
        answer = path is not None and path.ids and opcode not in self._refused
        self._only_ids[opcode] = answer
        return answer

    def _resolve(self, record: Instruction, context: TextContext) -> tuple[tuple[Operand, ...], tuple[Fault, ...]]:
        """The operands of an instruction with context-dependent ones resolved, and its faults."""
        if record.faults:
            return record.operands, record.faults
        if record.opcode in self._refused and not record.raw:
            return record.operands, (_unavailable(record, self._version),)
        if ContextDependent in map(type, record.operands) or (record.opcode.value in EXTENDED and not record.raw):
            return resolve(record, context)
        return record.operands, ()

    def _is_available(self, opcode: Opcode) -> bool:
        """Whether the assembler accepts an opcode: the version has it, or a capability or an extension can enable it."""
        version = self._version
        return bool(
            (opcode.version is not None and opcode.version <= version and version <= (opcode.last_version or version))
            or opcode.capabilities
            or opcode.extensions
        )


def _append_operands(
    operands: Sequence[Operand], number: Callable[[str], Any], words: array[int] | list[Any]
) -> None:
    for operand in operands:
        kind = operand.__class__
        if kind is int:
            words.append(operand)  # type: ignore[arg-type]
        elif kind is str:
            words.append(number(operand))  # type: ignore[arg-type]
        else:
            words.extend(words_of(operand))


def result_among_operands(record: Instruction) -> bool:
    """Whether the result is one of the operands, after a result type that is given as a literal word."""
    return record.raw and record.result is not None and record.type is None and record.opcode.has_type


def words_of(operand: Operand) -> Sequence[int]:
    """The words of an operand that is a string or a number of several words (SPIR-V 2.2.1)."""
    if isinstance(operand, bytes):
        words = array("I", operand + b"\0" * (4 - len(operand) % 4))
        if sys.byteorder == "big":
            words.byteswap()
        return words
    if isinstance(operand, tuple):
        return operand
    raise TypeError(f"{operand!r} has no words of its own")


def _unavailable(record: Instruction, version: Version) -> Fault:
    opcode = record.opcode
    have = f"SPIR-V {version[0]}.{version[1]}"
    if opcode.version is not None and opcode.version > version:
        message = f"{opcode.name} requires SPIR-V {opcode.version[0]}.{opcode.version[1]}; this module is {have}"
    else:
        message = f"{opcode.name} is not part of {have}"
    return Fault("syntax/unavailable-opcode", message, *record.span(OPCODE))
