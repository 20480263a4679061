"""The decoder: a binary module to instructions (SPIR-V 2.3).

Most words go through a *layout*: what instructions with a given first word, and given deciding words, were found to
hold before. What no layout takes is read operand by operand, and laid out for the next time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from spvls.binary.operand_reader import OperandReader, UnknownValueError, deciding_words
from spvls.binary.slots import ID_SLOT, RAW, Shape, Slots
from spvls.binary.words import HEADER_WORDS, DecodeError, Header, Words, read_words
from spvls.grammar import tables
from spvls.grammar.records import ExtendedSet, Opcode
from spvls.module.late import numeric_type
from spvls.syntax.instruction import Instruction, Operand
from spvls.syntax.number import NumericType

__all__ = ["Binary", "DecodeError", "Decoder", "decode"]


@dataclass(frozen=True, slots=True)
class Binary:
    """A decoded module.

    `header` has the words after the magic number and the byte order of the file. `offsets` counts in words from the
    start of the file: where each instruction begins. `shapes` says what the operands of each are.
    """

    header: Header
    instructions: list[Instruction]
    offsets: list[int]
    shapes: list[Shape]


def decode(data: bytes, *, keep_unknown: bool = False) -> Binary:
    """The module of a binary in either byte order, or of a dump of one in hexadecimal text.

    Ids are named by their number. With `keep_unknown`, an instruction with an opcode, enumerant or extended instruction
    that the grammar does not have becomes one whose operands are its words, and `raw`. Raises DecodeError.
    """
    words = read_words(data)
    decoder = Decoder(words, keep_unknown)
    decoder.run()
    return decoder.binary


class _IdNames(dict[int, str]):
    def __missing__(self, word: int) -> str:
        if word == 0:
            raise KeyError(word)
        name = self[word] = str(word)
        return name


class _Known(NamedTuple):
    """How to read the operands, each one word long, of a shape; None where all are ids."""

    readers: tuple[Callable[[int], Operand], ...] | None
    shape: Shape


class _Layout:
    """What is known of the instructions with one first word: opcode and word count."""

    __slots__ = ("count", "declares", "head", "known", "opcode", "pivot", "second_pivot")

    def __init__(self, opcode: Opcode, count: int, pivots: tuple[int, ...]) -> None:
        self.opcode = opcode
        self.count = count
        self.head = opcode.has_type + opcode.has_result
        within = all(pivot < count for pivot in pivots)
        self.pivot = pivots[0] if pivots and within else 0
        self.second_pivot = pivots[1] if len(pivots) > 1 and within else 0
        self.declares = opcode.has_result and not opcode.has_type and opcode.name.startswith(("OpType", "OpExtInstImport"))
        self.known: dict[int, _Known] = {}


class Decoder:
    """Decodes a module instruction by instruction; what a fault stops can go on behind it.

    `at` is the word where the next instruction begins. `binary` holds those that were read.
    """

    def __init__(self, words: Words, keep_unknown: bool = False) -> None:
        self.words = words.words
        self.at = HEADER_WORDS
        self.binary = Binary(words.header, [], [], [])
        self._keep_unknown = keep_unknown
        self._names = _IdNames()
        self._slots = Slots()
        self._reader = OperandReader(words.words, words.octets, self._slots, self)
        self._layouts: dict[int, _Layout] = {}
        #: The type of each result; a type is its own, and a result without one has 0.
        self._types: dict[int, int] = {}
        self._numeric: dict[int, NumericType | None] = {}
        self._sets: dict[int, ExtendedSet | None] = {}

    def run(self) -> None:
        """Decode from `at` to the end of the file. Raises DecodeError, with `at` where the faulty instruction begins."""
        words, end = self.words, len(self.words)
        layouts, types = self._layouts, self._types
        name_of = self._names.__getitem__
        _, instructions, offsets, shapes = (getattr(self.binary, field) for field in self.binary.__slots__)
        while self.at < end:
            at = self.at
            first = words[at]
            layout = layouts.get(first)
            if layout is None or at + layout.count > end:
                try:
                    layout = self._layout(first, at)
                except UnknownValueError as fault:
                    self._keep(first, at, fault)
                    continue
            stop = at + layout.count
            head = layout.head
            key = 0
            if layout.pivot:
                key = words[at + layout.pivot]
                if layout.second_pivot:
                    key = key << 32 | words[at + layout.second_pivot]
            known = layout.known.get(key)
            operands: tuple[Operand, ...] | None = None
            if known is not None:
                readers, shape = known
                tail = words[at + 1 + head : stop]
                try:
                    if readers is None:
                        operands = tuple(map(name_of, tail))
                    else:
                        operands = tuple([read(word) for read, word in zip(readers, tail)])  # noqa: B905
                except KeyError:
                    pass
            if operands is None:
                try:
                    values, shape = self._reader.read(layout.opcode, at, stop)
                except UnknownValueError as fault:
                    self._keep(first, at, fault)
                    continue
                operands = values[head:]
                if len(values) == layout.count - 1:
                    self._learn(layout, key, shape)
            type_: str | None = None
            result: str | None = None
            if head:
                word = words[at + head]
                if word in types:
                    raise DecodeError(f"id {word} is the result of an earlier instruction already", at + head)
                try:
                    result = name_of(word)
                    if head == 2:
                        type_ = name_of(words[at + 1])
                except KeyError:
                    self._reader.read(layout.opcode, at, stop)  # says which id is 0
                types[word] = words[at + 1] if head == 2 else word if layout.declares else 0
            record = Instruction(layout.opcode, type_, result, operands)
            if layout.declares:
                self._declare(record, words[at + 1], at + 2)
            instructions.append(record)
            offsets.append(at)
            shapes.append(shape)
            self.at = stop

    def _layout(self, first: int, at: int) -> _Layout:
        opcode = tables.opcode_by_value(first & 0xFFFF)
        count = first >> 16
        left = len(self.words) - at
        if count == 0:
            raise DecodeError("an instruction has at least one word, and the word count here is 0", at)
        if count > left:
            raise DecodeError(f"the instruction that begins here has {count} words, and the module ends after {left}", at)
        if opcode is None:
            raise UnknownValueError(f"there is no opcode {first & 0xFFFF}", at)
        layout = self._layouts[first] = _Layout(opcode, count, deciding_words(opcode, self._slots))
        return layout

    def _learn(self, layout: _Layout, key: int, shape: Shape) -> None:
        """Lay out the instruction that was just read, where its deciding words are those that its opcode has."""
        pivots = {layout.pivot, layout.second_pivot}
        if not self._reader.decisive <= pivots:
            return
        if shape.slots is None:
            layout.known[key] = _Known(None, shape)
            return
        readers = [self._names.__getitem__ if slot is ID_SLOT else slot.read for slot in shape.slots]
        for pivot in pivots & self._reader.decisive:
            place = pivot - 1 - layout.head
            if place >= 0 and shape.slots[place] is not ID_SLOT:
                readers[place] = int
        layout.known[key] = _Known(tuple(readers), shape)

    def _keep(self, first: int, at: int, fault: UnknownValueError) -> None:
        """Take an instruction with unknown words as these words, where that is wanted."""
        if not self._keep_unknown:
            raise fault
        stop = at + (first >> 16)
        opcode = tables.opcode_by_value(first & 0xFFFF) or Opcode("OpUnknown", first & 0xFFFF, "", ())
        self.binary.instructions.append(Instruction(opcode, None, None, tuple(self.words[at + 1 : stop]), raw=True))
        self.binary.offsets.append(at)
        self.binary.shapes.append(RAW)
        self.at = stop

    def _declare(self, record: Instruction, result: int, at: int) -> None:
        if record.opcode.name != "OpExtInstImport":
            self._numeric[result] = numeric_type(record)
            return
        (name,) = record.operands
        assert isinstance(name, bytes)
        import_name = name.decode("utf-8", "replace")
        set_ = tables.extended_set(import_name)
        if set_ is None and not import_name.startswith("NonSemantic."):
            del self._types[result]
            raise DecodeError(f"there is no extended instruction set `{import_name}`", at)
        self._sets[result] = set_

    # What instructions say of ids, for the reader

    def name(self, word: int) -> str:
        return self._names[word]

    def literal_type(self, word: int, at: int) -> NumericType:
        type_ = self._numeric.get(word)
        if type_ is None:
            what = "a type that is no number" if word in self._numeric else "no type"
            raise DecodeError(f"a literal is of an integer or a float type, and id {word} is {what} declared before", at)
        return type_

    def selector_type(self, word: int, at: int) -> NumericType:
        holder = self._types.get(word, 0)
        type_ = self._numeric.get(holder) if holder != word else None
        if type_ is None or type_.kind == "float":
            raise DecodeError(f"a switch selects by the value of an integer, and id {word} is none known before", at)
        return type_

    def imported(self, word: int, at: int) -> ExtendedSet | None:
        if word not in self._sets:
            raise DecodeError(f"id {word} imports no extended instruction set before this", at)
        return self._sets[word]
