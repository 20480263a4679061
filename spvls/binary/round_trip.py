"""Which instructions of a binary module text cannot express: their lines would assemble to other words.

Lines of one codec differ only in values. So one of each codec is read back by the assembler, and of the others no more
than those values are looked at that text may not be able to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from spvls.binary.decode import Binary
from spvls.binary.listing import UNWRITABLE, Listing
from spvls.binary.operand_codecs import INSTRUCTION, STRING, InstructionCodec
from spvls.binary.string_padding import unpadded_operands
from spvls.binary.words import Words
from spvls.grammar import spv
from spvls.module.context_dependent import CONSTANTS, EXTENDED, numeric_type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.syntax.number import misfit
from spvls.text.lines import split_lines

Loss = tuple[int, str]
"""An instruction that text cannot say, by its position, and why."""

_Key = tuple[InstructionCodec, str]
"""A codec, and the name of the instruction within the instruction where there is one, which decides with it."""


class _Look(NamedTuple):
    """What to look at in each instruction of a codec: the operands that are not always exact; whether there are strings;
    whether it declares a float type."""

    inexact: tuple[int, ...]
    strings: bool
    float_type: bool


class RoundTrip:
    """`relying` has the instructions that are read by what an id declares, by that id."""

    def __init__(self, binary: Binary, words: Words) -> None:
        self._binary = binary
        self._words = words
        instructions, codecs = binary.instructions, binary.codecs
        first: dict[InstructionCodec, int] = dict(zip(reversed(codecs), range(len(codecs) - 1, -1, -1), strict=True))
        self._first = first
        self._inner = {codec: place for codec in first if (place := _inner_instruction(codec)) is not None}
        self._looks = {codec: look for codec, at in first.items() if (look := _look(codec, instructions[at])) is not None}
        self._value_types: dict[str | None, str] | None = None
        self.relying: dict[str, list[int]] = {}
        readers = {codec for codec, at in first.items() if instructions[at].opcode.value in READ_BY_OTHERS}
        for at in [at for at, codec in enumerate(codecs) if codec in readers] if readers else ():
            for name in self._read_by(instructions[at]):
                self.relying.setdefault(name, []).append(at)

    def _read_by(self, record: Instruction) -> tuple[str, ...]:
        """The ids whose declarations decide how an instruction is read."""
        opcode = record.opcode.value
        if record.raw:
            return ()
        if record.opcode.value in CONSTANTS:
            return (record.type,) if record.type is not None else ()
        if opcode not in READ_BY_OTHERS:
            return ()
        name = record.operands[0]
        assert isinstance(name, str)
        if record.opcode.value in EXTENDED:
            return (name,)
        if self._value_types is None:
            self._value_types = {r.result: r.type for r in self._binary.instructions if r.type is not None}
        return (name, self._value_types[name]) if name in self._value_types else (name,)

    def by_value(self) -> Iterator[Loss]:
        """What is lost in the values of single operands."""
        yield from self.in_declarations()
        yield from self.in_literals()

    def in_declarations(self) -> Iterator[Loss]:
        """What is lost in ids, and in types whose literals could not be read."""
        instructions, codecs, looks = self._binary.instructions, self._binary.codecs, self._looks
        if int(UNWRITABLE) in self._words.words:
            for at, record in enumerate(instructions):
                if UNWRITABLE in (record.type, record.result) or UNWRITABLE in record.operands:
                    yield at, f"an id is less than the bound, which no bound is for {UNWRITABLE}"
        floats = {codec for codec, look in looks.items() if look.float_type}
        for at in [at for at, codec in enumerate(codecs) if codec in floats] if floats else ():
            type_ = numeric_type(instructions[at])
            width = misfit(type_) if type_ is not None else None
            if type_ is not None and width is not None:
                yield at, f"the encoding {type_.encoding} has {width} bits, and this type has {type_.width}"

    def in_literals(self) -> Iterator[Loss]:
        """What is lost in numbers and strings."""
        codecs = self._binary.codecs
        looks = {codec: look for codec, look in self._looks.items() if look.inexact or look.strings}
        for at in [at for at, codec in enumerate(codecs) if codec in looks] if looks else ():
            reason = self._inexact(at, looks[codecs[at]])
            if reason is not None:
                yield at, reason

    def _inexact(self, at: int, look: _Look) -> str | None:
        record, operands = self._binary.instructions[at], self._binary.codecs[at].operands
        assert operands is not None
        for place in look.inexact:
            exact = operands[place].exact
            if exact is not None and not exact(record.operands[place]):
                return "as text, no literal stands for the words that are here"
        if look.strings and any(True for _ in unpadded_operands(record, self._binary.offsets[at], self._words.data)):
            return "as text, the bytes after the end of a string are 0, and here they are not"
        return None

    def with_readers(self, losses: Iterable[Loss]) -> dict[int, str]:
        """Losses, and with them the instructions that are read by what a lost one declares."""
        lost: dict[int, str] = {}
        pending = list(losses)
        while pending:
            at, reason = pending.pop()
            if at in lost:
                continue
            lost[at] = reason
            name = self._binary.instructions[at].result
            if name is not None and name in self.relying:
                message = f"as text, this is read by what %{name} declares, which is shown as words"
                pending += [(reader, message) for reader in self.relying[name]]
        return lost

    def by_codec(self, listing: Listing, gone: Collection[int]) -> Iterator[Loss]:
        """What is lost whatever the values; `gone` are the instructions that have no lines, or are lost by their values."""
        from spvls.binary.encode import encode  # most listings are made without reading text
        from spvls.syntax.scanner import scan

        samples = self._samples(gone)
        chosen = sorted(self._with_declarations(samples.values(), gone))
        lines = split_lines("\n".join([listing.line(at) for at in chosen]))
        version = (1, min(self._words.header.version >> 8 & 0xFF, 6))
        encoding = encode([record for _, record in scan(lines)], version, preserve_numeric_ids=True)
        reasons = {at: fault.message for at, fault in encoding.faults if fault.rule == "syntax/unavailable-opcode"}
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
        rest: set[InstructionCodec] = set()
        for codec, at in self._first.items():
            if codec in self._inner or at in gone:
                rest.add(codec)
            else:
                samples[codec, ""] = at
        if rest:
            for at, codec in enumerate(self._binary.codecs):
                if codec in rest and at not in gone:
                    samples.setdefault(self._key(at), at)
        return samples

    def _key(self, at: int) -> _Key:
        codec = self._binary.codecs[at]
        place = self._inner.get(codec)
        if place is None or codec.operands is None:
            return codec, ""
        name = codec.operands[place].write(self._binary.instructions[at].operands[place])
        return codec, "0" if name.isdigit() else name

    def _with_declarations(self, samples: Collection[int], gone: Collection[int]) -> set[int]:
        """Instructions with those whose declarations decide how they are read."""
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


READ_BY_OTHERS = CONSTANTS | EXTENDED | {spv.OpSwitch}


def _inner_instruction(codec: InstructionCodec) -> int | None:
    """Where the number of an instruction within the instruction stands."""
    for place, operand in enumerate(codec.operands or ()):
        if operand.role == INSTRUCTION:
            return place
    return None


def _look(codec: InstructionCodec, record: Instruction) -> _Look | None:
    operands = codec.operands or ()
    inexact = tuple([place for place, operand in enumerate(operands) if operand.exact is not None])
    look = _Look(inexact, any(operand.role == STRING for operand in operands), record.opcode.value == spv.OpTypeFloat)
    return look if any(look) else None
