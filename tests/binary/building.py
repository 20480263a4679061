"""Binary modules from words, for tests that need odd ones."""

from __future__ import annotations

import struct

from spvls.grammar import tables

MAGIC = 0x07230203
VERSION = 0x00010600
GENERATOR = 0x00070000


def opcode(name: str) -> int:
    found = tables.opcode(name)
    assert found is not None
    return found.value


def instruction(name: str | int, *operands: int | str) -> list[int]:
    """The words of an instruction; its word count is right."""
    words: list[int] = []
    for operand in operands:
        words.extend([operand] if isinstance(operand, int) else string(operand.encode()))
    number = name if isinstance(name, int) else opcode(name)
    return [len(words) + 1 << 16 | number, *words]


def string(data: bytes) -> tuple[int, ...]:
    padded = data + b"\0" * (4 - len(data) % 4)
    return struct.unpack(f"<{len(padded) // 4}I", padded)


def module(*instructions: list[int], bound: int = 100, version: int = VERSION, order: str = "<") -> bytes:
    words = [MAGIC, version, GENERATOR, bound, 0, *[word for words in instructions for word in words]]
    return struct.pack(f"{order}{len(words)}I", *words)


def words_of(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) & ~3])


VOID = instruction("OpTypeVoid", 1)
INT = instruction("OpTypeInt", 2, 32, 1)
FLOAT = instruction("OpTypeFloat", 3, 32)
GLSL = instruction("OpExtInstImport", 4, "GLSL.std.450")
