"""Instructions to words (SPIR-V 2.3), ids to numbers."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence

from spvls.binary.numbering import Numbering
from spvls.binary.preserved_ids import NOTHING_PRESERVED, Preserved
from spvls.binary.text_context import TextContext
from spvls.binary.words import MAGIC, little_endian
from spvls.grammar import spv
from spvls.grammar.operand_walk import decls_of, is_word
from spvls.grammar.records import Opcode, Version
from spvls.module.context_dependent import EXTENDED, resolve
from spvls.record import NamedTuple
from spvls.syntax.instruction import OPCODE, UNKNOWN, ContextDependent, Fault, Instruction, Operand, fault_at

Open = int | str
"""A word, or the name of the id whose number it will be."""

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
    numbers = Numbering(numeric_names, preserved.ids)
    generator = GENERATOR if preserved.generator is None else preserved.generator
    header = (MAGIC, version[0] << 16 | version[1] << 8, generator, 0, preserved.schema or 0)
    open_words: list[Open] = list(header)
    encoded = Encoder(version).append(records, TextContext(), open_words)
    words = array("I", [word if isinstance(word, int) else numbers[word] for word in open_words])
    words[3] = max(numbers.bound, preserved.bound or 0)
    return Encoding(words, encoded.offsets, numbers, encoded.faults)


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
        #: Of each opcode whether its operands are its words and declare nothing, unless there are literal words or faults.
        self._direct: dict[Opcode, bool] = {}
        self._refused: set[Opcode] = set()

    def append(self, records: Sequence[Instruction], context: TextContext, words: list[Open]) -> Encoded:
        """Append the words of instructions to `words`, with the names of ids in the place of their numbers.

        `context` is what the text before them declares, and takes what they declare.
        """
        encoded = Encoded()
        offsets, direct, value_types = encoded.offsets, self._direct, context.value_types
        for index, record in enumerate(records):
            at = len(words)
            offsets.append(at)
            opcode = record.opcode
            if record.raw or record.faults or not (direct[opcode] if opcode in direct else self._learn(opcode)):
                self._append_slowly(index, record, context, words, encoded)
            else:
                words.append(0)
                type_, result = record.type, record.result
                if type_ is not None:
                    words.append(type_)
                    if result is not None:
                        value_types[result] = type_
                if result is not None:
                    words.append(result)
                words += record.operands  # type: ignore[arg-type]
                words[at] = len(words) - at << 16 | opcode.value
            if len(words) - at > MAX_INSTRUCTION_WORDS and opcode is not UNKNOWN:
                message = f"this instruction has {len(words) - at} words, but the limit is {MAX_INSTRUCTION_WORDS}"
                encoded.faults.append((index, fault_at(record, OPCODE, "syntax/too-long", message)))
                del words[at:]
        offsets.append(len(words))
        return encoded

    def _append_slowly(
        self, index: int, record: Instruction, context: TextContext, words: list[Open], encoded: Encoded
    ) -> None:
        """Append the words of any instruction, with its context-dependent operands resolved."""
        at = len(words)
        operands, found = self._resolve(record, context)
        if operands is not record.operands:
            encoded.resolved[index] = operands
        if not found:
            fault = context.follow(record)
            if fault is not None:
                found = (fault,)
        if found:
            encoded.faults.extend([(index, fault) for fault in found])
            return
        if record.opcode is not UNKNOWN:
            words.append(0)
        if record.type is not None:
            words.append(record.type)
        if record.result is not None and not result_among_operands(record):
            words.append(record.result)
        for operand in operands:
            if operand.__class__ is int or operand.__class__ is str:
                words.append(operand)
            else:
                words.extend(words_of(operand))
        if record.opcode is not UNKNOWN:
            words[at] = len(words) - at << 16 | record.opcode.value

    def is_direct(self, opcode: Opcode) -> bool:
        """Whether instructions of an opcode have their operands for words, and declare nothing but the type of their result."""
        return self._direct[opcode] if opcode in self._direct else self._learn(opcode)

    def _learn(self, opcode: Opcode) -> bool:
        """Whether instructions of an opcode that is available have their operands for words, and declare nothing but a value."""
        if not self._is_available(opcode):
            self._refused.add(opcode)
        declares = opcode.has_result and not opcode.has_type and (opcode.is_type or opcode.value == spv.OpExtInstImport)
        answer = not declares and opcode not in self._refused and all(is_word(decl) for decl in decls_of(opcode))
        self._direct[opcode] = answer
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
    return fault_at(record, OPCODE, "syntax/unavailable-opcode", message)
