"""Reads a malformed module as far as its word counts allow, with faulty instructions in their places."""

from __future__ import annotations

from spvls.binary.decode import Binary, Decoder
from spvls.binary.gc_pause import paused_gc
from spvls.binary.operand_codecs import RAW
from spvls.binary.words import read_words
from spvls.grammar import tables
from spvls.record import NamedTuple
from spvls.syntax.instruction import UNKNOWN, Fault, Instruction

MALFORMED = "physical/malformed"
"""The id of the finding that a binary is not one."""


class Partial(NamedTuple):
    """What could be read of a binary. An instruction that could not is there with a fault and without operands; one that only
    depends on such an instruction is `raw`.

    `is_whole` is False where the module ends at an instruction whose end, or whose result, is not known.
    """

    binary: Binary
    is_whole: bool


def decode_partly(data: bytes) -> Partial:
    """A binary in either byte order, or a dump of one. Raises DecodeError where there is no header."""
    with paused_gc():
        reading = _Reading(data)
        reading.decoder.run()
        return Partial(reading.decoder.binary, reading.is_whole)


class _Reading:
    def __init__(self, data: bytes) -> None:
        self.decoder = Decoder(read_words(data), around=self._around, redefines=True)
        self.is_whole = True
        self._faulty: set[int] = set()

    def _around(self, at: int, message: str, word: int) -> int:
        """Put an instruction with a fault in the place of the one that begins at a word; returns the word after it."""
        words = self.decoder.words
        stop = at + (words[at] >> 16)
        opcode = tables.opcode_by_value(words[at] & 0xFFFF)
        faults = (Fault(MALFORMED, f"word {word}: {message}", 0, 0),)
        if opcode is None or not at < stop <= len(words):
            self.is_whole = False
            self._append(Instruction(UNKNOWN, None, None, (), faults=faults), at)
            return len(words)
        head = words[at + 1 : min(at + 1 + opcode.has_type + opcode.has_result, stop)]
        type_ = head[0] if opcode.has_type and head else 0
        result = head[-1] if opcode.has_result and len(head) == opcode.has_type + 1 else 0
        derived = not self._faulty.isdisjoint(words[at + 1 : stop])
        names = str(type_) if type_ else None, str(result) if result else None
        self._append(Instruction(opcode, names[0], names[1], (), faults=() if derived else faults, raw=derived), at)
        if result:
            self._faulty.add(result)
        return stop

    def _append(self, record: Instruction, at: int) -> None:
        binary = self.decoder.binary
        binary.instructions.append(record)
        binary.offsets.append(at)
        binary.codecs.append(RAW)
