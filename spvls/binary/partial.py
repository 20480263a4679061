"""Reads a malformed module as far as its word counts allow, with faulty instructions in their places."""

from __future__ import annotations

from spvls.binary.decode import Binary, Decoder
from spvls.binary.gc_pause import paused_gc
from spvls.binary.operand_codecs import RAW
from spvls.binary.words import read_words
from spvls.grammar import tables
from spvls.module.context_dependent import EXTENDED
from spvls.record import NamedTuple
from spvls.syntax.instruction import UNKNOWN, Fault, Instruction

MALFORMED = "physical/malformed"
"""The id of the finding that a binary is not one."""


_SET = 3
"""The word of an instruction that names its extended set."""


class Partial(NamedTuple):
    """What could be read of a binary. An instruction that could not is there with a fault and without operands; one that only
    depends on such an instruction is `raw`. One with an opcode that the grammar does not have defines an id that others use,
    where it can be the one that does.

    `is_whole` is False where the module ends at an instruction whose end is not known.
    """

    binary: Binary
    is_whole: bool


def decode_partly(data: bytes) -> Partial:
    """A binary in either byte order, or a dump of one. Raises DecodeError where there is no header."""
    with paused_gc():
        reading = _Reading(data)
        reading.decoder.run()
        reading.settle_unknown()
        return Partial(reading.decoder.binary, reading.is_whole)


class _Reading:
    def __init__(self, data: bytes) -> None:
        self.decoder = Decoder(read_words(data), around=self._around, redefines=True)
        self.is_whole = True
        self._faulty: set[int] = set()
        #: The positions of the instructions with an opcode that the grammar does not have.
        self._unknown: list[int] = []

    def _around(self, at: int, message: str, word: int) -> int:
        """Put an instruction with a fault in the place of the one that begins at a word; returns the word after it."""
        words = self.decoder.words
        stop = at + (words[at] >> 16)
        opcode = tables.opcode_by_value(words[at] & 0xFFFF)
        faults = (Fault(MALFORMED, f"word {word}: {message}", 0, 0),)
        if opcode is None and (self._unknown or self._leads_to_end(at)):
            self._unknown.append(len(self.decoder.binary.offsets))
            self._faulty.update(words[at + 1 : min(at + 3, stop)])
            self._append(Instruction(UNKNOWN, None, None, (), faults=faults), at)
            return stop
        if opcode is None or not at < stop <= len(words):
            self.is_whole = False
            self._append(Instruction(UNKNOWN, None, None, (), faults=faults), at)
            return len(words)
        head = words[at + 1 : min(at + 1 + opcode.has_type + opcode.has_result, stop)]
        type_ = head[0] if opcode.has_type and head else 0
        result = head[-1] if opcode.has_result and len(head) == opcode.has_type + 1 else 0
        derived = not self._faulty.isdisjoint(words[at + 1 : stop])
        unfit = _SET if opcode.value in EXTENDED else 1
        if opcode.has_type and word == at + unfit < stop and words[word] and not self.decoder.has_result(words[word]):
            self._faulty.add(words[word])  # others that require this type or set have no fault of their own
        names = str(type_) if type_ else None, str(result) if result else None
        self._append(Instruction(opcode, names[0], names[1], (), faults=() if derived else faults, raw=derived), at)
        if result:
            self._faulty.add(result)
        return stop

    def _leads_to_end(self, at: int) -> bool:
        """Whether the word counts from an instruction on lead to the end of the file."""
        words = self.decoder.words
        while at < len(words) and words[at] >> 16:
            at += words[at] >> 16
        return at == len(words)

    def settle_unknown(self) -> None:
        """Find what the instructions with unknown opcodes define: an id that is used and that nothing else defines, as their
        first word, or as their second after that of a type."""
        if not self._unknown:
            return
        binary = self.decoder.binary
        defined = {record.result for record in binary.instructions}
        wanted = {name for record in binary.instructions for name in record.uses()} - defined
        types = {record.result for record in binary.instructions if record.opcode.is_type}
        for place in self._unknown:
            at = binary.offsets[place]
            stop = at + (self.decoder.words[at] >> 16)
            first, second = ([str(word) for word in self.decoder.words[at + 1 : min(at + 3, stop)]] + ["", ""])[:2]
            type_, result = (first, second) if first in types and second in wanted else (None, first)
            if result in wanted:
                wanted.discard(result)
                faults = binary.instructions[place].faults
                binary.instructions[place] = Instruction(UNKNOWN, type_, result, (), faults=faults)

    def _append(self, record: Instruction, at: int) -> None:
        binary = self.decoder.binary
        binary.instructions.append(record)
        binary.offsets.append(at)
        binary.codecs.append(RAW)
