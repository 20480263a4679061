"""Which instructions of a binary module the text syntax cannot say: their lines would assemble to other words.

Lines of one shape differ only in values. So one of each shape is read back by the assembler, and of the others no more
than those values are looked at that text may not be able to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from spvls.binary.decode import Binary
from spvls.binary.encode import encode
from spvls.binary.listing import Listing
from spvls.binary.slots import INSTRUCTION, STRING, Shape
from spvls.binary.words import Words
from spvls.module.context_dependent import CONSTANTS, EXTENDED, numeric_type
from spvls.syntax.instruction import Instruction
from spvls.syntax.number import misfit
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines

#: The id that would need a bound of 33 bits.
_BEYOND = 0xFFFFFFFF

Loss = tuple[int, str]
"""An instruction that text cannot say, by its position, and why."""

_Key = tuple[Shape, str]
"""A shape, and the name of the instruction within the instruction where there is one, which decides with it."""


class _Look(NamedTuple):
    """What to look at in each instruction of a shape: the operands that are not always exact; whether there are strings;
    whether it declares a float type."""

    inexact: tuple[int, ...]
    strings: bool
    float_type: bool


class RoundTrip:
    """`relying` has the instructions that are read by what an id declares, by that id."""

    def __init__(self, binary: Binary, words: Words) -> None:
        self._binary = binary
        self._words = words
        instructions, shapes = binary.instructions, binary.shapes
        first: dict[Shape, int] = dict(zip(reversed(shapes), range(len(shapes) - 1, -1, -1), strict=True))
        self._first = first
        self._inner = {shape: place for shape in first if (place := _inner_instruction(shape)) is not None}
        self._looks = {shape: look for shape, at in first.items() if (look := _look(shape, instructions[at])) is not None}
        self._value_types: dict[str | None, str] | None = None
        self.relying: dict[str, list[int]] = {}
        readers = {shape for shape, at in first.items() if instructions[at].opcode.name in _READ_BY_OTHERS}
        for at in [at for at, shape in enumerate(shapes) if shape in readers] if readers else ():
            for name in self._read_by(instructions[at]):
                self.relying.setdefault(name, []).append(at)

    def _read_by(self, record: Instruction) -> tuple[str, ...]:
        """The ids whose declarations tell how an instruction is to be read."""
        opcode = record.opcode.name
        if opcode in CONSTANTS:
            return (record.type,) if record.type is not None else ()
        if opcode not in _READ_BY_OTHERS:
            return ()
        name = record.operands[0]
        assert isinstance(name, str)
        if opcode in EXTENDED:
            return (name,)
        if self._value_types is None:
            self._value_types = {r.result: r.type for r in self._binary.instructions if r.type is not None}
        return (name, self._value_types[name]) if name in self._value_types else (name,)

    def by_value(self) -> Iterator[Loss]:
        """What is lost in the values of single operands."""
        instructions, shapes, looks = self._binary.instructions, self._binary.shapes, self._looks
        if _BEYOND in self._words.words:
            beyond = str(_BEYOND)
            for at, record in enumerate(instructions):
                if beyond in (record.type, record.result) or beyond in record.operands:
                    yield at, f"an id is less than the bound, which no bound is for {_BEYOND}"
        for at in [at for at, shape in enumerate(shapes) if shape in looks] if looks else ():
            reason = self._inexact(at, looks[shapes[at]])
            if reason is not None:
                yield at, reason

    def _inexact(self, at: int, look: _Look) -> str | None:
        record, slots = self._binary.instructions[at], self._binary.shapes[at].slots
        assert slots is not None
        for place in look.inexact:
            exact = slots[place].exact
            if exact is not None and not exact(record.operands[place]):
                return "as text, no literal stands for the words that are here"
        if look.strings and not self._is_padded(at):
            return "as text, octets behind the end of a string are 0, and here they are not"
        type_ = numeric_type(record) if look.float_type else None
        width = misfit(type_) if type_ is not None else None
        if type_ is not None and width is not None:
            return f"the encoding {type_.encoding} has {width} bits, and this type has {type_.width}"
        return None

    def _is_padded(self, at: int) -> bool:
        """Whether the octets behind the strings of an instruction are 0."""
        record, octets = self._binary.instructions[at], self._words.octets
        end = 4 * (self._binary.offsets[at] + 1 + record.opcode.has_type + record.opcode.has_result)
        for operand in record.operands:
            if isinstance(operand, bytes):
                begin, end = end + len(operand), end + len(operand) // 4 * 4 + 4
                if any(octets[begin:end]):
                    return False
            else:
                end += 4 * len(operand) if isinstance(operand, tuple) else 4
        return True

    def by_shape(self, listing: Listing, gone: Collection[int]) -> Iterator[Loss]:
        """What is lost whatever the values; `gone` are the instructions that have no lines, or are lost by their values."""
        samples = self._samples(gone)
        chosen = sorted(self._with_declarations(samples.values(), gone))
        lines = split_lines("\n".join([listing.line(at) for at in chosen]))
        version = (1, min(self._words.header.version >> 8 & 0xFF, 6))
        encoding = encode([record for _, record in scan(lines)], version, preserve_numeric_ids=True)
        reasons = {at: fault.message for at, fault in encoding.faults if fault.rule == "version/opcode"}
        words, offsets = self._words.words, self._binary.offsets
        lost: dict[int, str] = {}
        for index, at in enumerate(chosen):
            made = encoding.words[encoding.offsets[index] : encoding.offsets[index + 1]].tolist()
            begin = offsets[at]
            if made != words[begin : begin + (words[begin] >> 16)]:
                lost[at] = reasons.get(index, "as text, this instruction assembles to other words")
        bad = {key: lost[at] for key, at in samples.items() if at in lost}
        if bad:
            for at in range(len(offsets)):
                reason = bad.get(self._key(at))
                if reason is not None:
                    yield at, reason

    def _samples(self, gone: Collection[int]) -> dict[_Key, int]:
        """One instruction of each sort."""
        samples: dict[_Key, int] = {}
        rest: set[Shape] = set()
        for shape, at in self._first.items():
            if shape in self._inner or at in gone:
                rest.add(shape)
            else:
                samples[shape, ""] = at
        if rest:
            for at, shape in enumerate(self._binary.shapes):
                if shape in rest and at not in gone:
                    samples.setdefault(self._key(at), at)
        return samples

    def _key(self, at: int) -> _Key:
        shape = self._binary.shapes[at]
        place = self._inner.get(shape)
        if place is None or shape.slots is None:
            return shape, ""
        name = shape.slots[place].write(self._binary.instructions[at].operands[place])
        return shape, "0" if name.isdigit() else name

    def _with_declarations(self, samples: Collection[int], gone: Collection[int]) -> set[int]:
        """Instructions with those whose declarations tell how to read them."""
        instructions = self._binary.instructions
        declared = {record.result: at for at, record in enumerate(instructions) if record.result in self.relying}
        chosen = set(samples)
        pending = list(samples)
        while pending:
            for name in self._read_by(instructions[pending.pop()]):
                at = declared.get(name)
                if at is not None and at not in chosen and at not in gone:
                    chosen.add(at)
                    pending.append(at)
        return chosen


_READ_BY_OTHERS = CONSTANTS | EXTENDED | {"OpSwitch"}


def _inner_instruction(shape: Shape) -> int | None:
    """Where the number of an instruction within the instruction stands."""
    for place, slot in enumerate(shape.slots or ()):
        if slot.role == INSTRUCTION:
            return place
    return None


def _look(shape: Shape, record: Instruction) -> _Look | None:
    slots = shape.slots or ()
    inexact = tuple([place for place, slot in enumerate(slots) if slot.exact is not None])
    look = _Look(inexact, any(slot.role == STRING for slot in slots), record.opcode.name == "OpTypeFloat")
    return look if any(look) else None
