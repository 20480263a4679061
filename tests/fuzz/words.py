"""A binary module as instructions of words, which are changed in place, and what the grammar says of each word."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spvls.grammar import tables
from spvls.grammar.records import ExtendedSet, Opcode, Operand

MAGIC = 0x07230203
HEADER = 5
ID_KINDS = frozenset({"IdRef", "IdScope", "IdMemorySemantics"})

_CONSTANTS = frozenset({"OpConstant", "OpSpecConstant"})
_EXTENDED = frozenset({"OpExtInst", "OpExtInstWithForwardRefsKHR"})
_SWITCH_PAIR = (Operand("LiteralContextDependentNumber", "", ""), Operand("IdRef", "", ""))


class Slot(NamedTuple):
    """An operand: where in its instruction it begins, of how many words it is, its kind, and whether an instruction may lack
    it or have more of it: the quantifier of the grammar."""

    at: int
    width: int
    kind: str
    quantifier: str


Instruction = list[int]
"""All words of an instruction; the first one is set anew by `Words.data`."""


class Words:
    """`header` are the five words of the header, `code` the instructions, `ids` what is known of each result."""

    def __init__(self, header: list[int], code: list[Instruction]) -> None:
        self.header = header
        self.code = code
        self.survey()

    @classmethod
    def parse(cls, data: bytes) -> Words:
        """The module of bytes in little-endian order; ValueError where its word counts do not fit."""
        words = list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) & ~3]))
        if len(words) < HEADER or words[0] != MAGIC:
            raise ValueError("no module in little-endian order")
        code = []
        at = HEADER
        while at < len(words):
            count = words[at] >> 16
            if not count or at + count > len(words):
                raise ValueError(f"word {at} counts {count} words")
            code.append(words[at : at + count])
            at += count
        return cls(words[:HEADER], code)

    def data(self) -> bytes:
        for words in self.code:
            words[0] = words[0] & 0xFFFF | len(words) << 16
        every = [*self.header, *(word for words in self.code for word in words)]
        return struct.pack(f"<{len(every)}I", *every)

    def copy(self) -> Words:
        return Words(list(self.header), [list(words) for words in self.code])

    def survey(self) -> None:
        """Note what each id is: its maker's place, its type, what it is alike with, and which extended set it imports."""
        self.maker: dict[int, int] = {}
        self.type_of: dict[int, int] = {}
        self.numeric: dict[int, int] = {}
        self.sets: dict[int, ExtendedSet | None] = {}
        for place, words in enumerate(self.code):
            opcode = opcode_of(words)
            if opcode is None or not opcode.has_result or len(words) < 2 + opcode.has_type:
                continue
            result = words[1 + opcode.has_type]
            self.maker[result] = place
            if opcode.has_type:
                self.type_of[result] = words[1]
            if opcode.name in ("OpTypeInt", "OpTypeFloat") and len(words) > 2:
                self.numeric[result] = words[2]
            if opcode.name == "OpExtInstImport":
                name = struct.pack(f"<{len(words) - 2}I", *words[2:]).partition(b"\0")[0]
                self.sets[result] = tables.extended_set(name.decode("utf-8", "replace"))

    def sort(self, id_: int) -> tuple[str, int]:
        """What an id is alike with: the class of its maker, and its type, 0 where it has none."""
        opcode = opcode_of(self.code[self.maker[id_]]) if id_ in self.maker else None
        if opcode is None:
            return "", 0
        if opcode.has_type and opcode.name != "OpFunction":
            return "value", self.type_of[id_]
        return ("type" if opcode.name.startswith("OpType") else opcode.name), 0

    def fresh(self) -> int:
        """A new id."""
        self.header[3] += 1
        return self.header[3] - 1

    def places(self, *names: str) -> list[int]:
        """Where instructions with one of these opcodes are."""
        return [place for place, words in enumerate(self.code) if name_of(words) in names]

    def slots(self, words: Instruction) -> list[Slot]:
        """The operands of an instruction; ValueError where the grammar has no such instruction."""
        opcode = opcode_of(words)
        if opcode is None:
            raise ValueError(f"no opcode {words[0] & 0xFFFF}")
        return list(_Reader(self, words, opcode).read())


class _Reader:
    def __init__(self, module: Words, words: Instruction, opcode: Opcode) -> None:
        self._module, self._words, self._opcode = module, words, opcode
        self._at = 1
        self._set: ExtendedSet | None = None

    def read(self) -> Iterator[Slot]:
        yield from self._all(self._opcode.operands)
        if self._at != len(self._words):
            raise ValueError(f"{self._opcode.name} has {len(self._words)} words, and the grammar takes {self._at}")

    def _all(self, operands: Sequence[Operand]) -> Iterator[Slot]:
        for operand in operands:
            while self._at < len(self._words):
                yield from self._one(operand)
                if operand.quantifier != "*":
                    break
            else:
                if not operand.quantifier:
                    raise ValueError(f"{self._opcode.name} lacks {operand.kind}")

    def _one(self, operand: Operand) -> Iterator[Slot]:
        kind = self._set.kinds[operand.kind] if self._set and operand.kind in self._set.kinds else tables.kind(operand.kind)
        if kind.category == "composite":
            switch = kind.name == "PairLiteralIntegerIdRef" and self._opcode.name == "OpSwitch"
            yield from self._all(_SWITCH_PAIR if switch else [Operand(base, "", operand.quantifier and "?") for base in kind.bases])
            return
        at, word = self._at, self._words[self._at]
        self._at += self._width(operand.kind)
        if self._at > len(self._words):
            raise ValueError(f"{self._opcode.name} ends inside {operand.kind}")
        yield Slot(at, self._at - at, operand.kind, operand.quantifier)
        if operand.kind == "LiteralSpecConstantOpInteger":
            inner = tables.opcode_by_value(word)
            yield from self._all(inner.arguments if inner else ())
        elif operand.kind == "LiteralExtInstInteger":
            yield from self._instruction(at, word)
        elif kind.category in ("value", "mask"):
            bits = [word] if kind.category == "value" else [1 << at for at in range(32) if word >> at & 1]
            for enumerant in filter(None, map(kind.by_value, bits)):
                yield from self._all(enumerant.parameters)

    def _instruction(self, at: int, number: int) -> Iterator[Slot]:
        self._set = self._module.sets.get(self._words[at - 1])
        known = self._set.by_value(number) if self._set is not None and not self._set.numeric else None
        if known is not None:
            yield from self._all(known.operands)
        yield from self._all([Operand("IdRef", "", "*")])

    def _width(self, kind: str) -> int:
        if kind == "LiteralString":
            for at in range(self._at, len(self._words)):
                if any(not self._words[at] >> shift & 0xFF for shift in (0, 8, 16, 24)):
                    return at + 1 - self._at
            raise ValueError(f"{self._opcode.name} has a string without an end")
        if kind != "LiteralContextDependentNumber":
            return 1
        holder = self._words[1]
        if self._opcode.name not in _CONSTANTS:
            holder = self._module.type_of.get(holder, 0)
        return (self._module.numeric.get(holder, 32) + 31) // 32


def opcode_of(words: Instruction) -> Opcode | None:
    return tables.opcode_by_value(words[0] & 0xFFFF)


def name_of(words: Instruction) -> str:
    opcode = opcode_of(words)
    return opcode.name if opcode else f"Op{words[0] & 0xFFFF}"


def made(name: str, *operands: int) -> Instruction:
    """An instruction of that name."""
    opcode = tables.opcode(name)
    assert opcode is not None
    return [opcode.value, *operands]
