"""Strings of a binary whose last word is not filled up with zeros (SPIR-V 2.2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.binary.decode import Binary
from spvls.binary.operand_codecs import word_count
from spvls.binary.words import read_words
from spvls.syntax.instruction import Instruction


def unpadded_strings(binary: Binary, data: bytes) -> tuple[tuple[Instruction, int], ...]:
    """The strings of a decoded file with other bytes than 0 after their NUL: the instruction, and the index of the operand."""
    file = read_words(data).data
    return tuple(
        [
            (record, place)
            for record, offset in zip(binary.instructions, binary.offsets, strict=True)
            if bytes in map(type, record.operands)
            for place in unpadded_operands(record, offset, file)
        ]
    )


def unpadded_operands(record: Instruction, offset: int, data: bytes) -> Iterator[int]:
    """The operands of an instruction that are such strings, by index.

    The instruction begins `offset` words into `data`, the little-endian bytes of the file.
    """
    end = 4 * (offset + 1 + record.opcode.has_type + record.opcode.has_result)
    for place, operand in enumerate(record.operands):
        begin, end = end, end + 4 * word_count(operand)
        if isinstance(operand, bytes) and any(data[begin + len(operand) : end]):
            yield place
