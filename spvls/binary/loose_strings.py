"""Strings of a binary whose last word is not filled up with zeros (SPIR-V 2.2.1)."""

from __future__ import annotations

from spvls.binary.decode import Binary
from spvls.binary.words import read_words
from spvls.syntax.instruction import Instruction


def loose_strings(binary: Binary, data: bytes) -> tuple[tuple[Instruction, int], ...]:
    """The strings of a decoded file with other octets than 0 behind their NUL: instruction and place among its operands.

    Before a string all operands are one word long, so its place tells where it starts.
    """
    octets = read_words(data).octets
    found: list[tuple[Instruction, int]] = []
    for record, offset in zip(binary.instructions, binary.offsets, strict=True):
        for place, operand in enumerate(record.operands):
            if operand.__class__ is not bytes:
                continue
            assert isinstance(operand, bytes)
            start = 4 * (offset + 1 + record.opcode.has_type + record.opcode.has_result + place)
            end = start + len(operand)
            if octets[end : start + 4 * (len(operand) // 4 + 1)].strip(b"\0"):
                found.append((record, place))
            break
    return tuple(found)
