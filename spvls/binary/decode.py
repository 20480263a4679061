"""The decoder: a binary module to instructions (SPIR-V 2.3).

Most words go through a *layout*: the codecs that the walk over the operands found for an earlier instruction with the same
first word and the same deciding words. What has no layout is read operand by operand, and gets one for the next time.
"""

from __future__ import annotations

from collections.abc import Callable

from spvls.binary.gc_pause import paused_gc
from spvls.binary.operand_codecs import ID_CODEC, INTEGER, RAW, TEXT, CodecTable, InstructionCodec
from spvls.binary.operand_reader import OperandReader, UnknownValueError, deciding_words, lacking, null_id
from spvls.binary.words import HEADER_WORDS, DecodeError, Header, Words, read_words
from spvls.grammar import spv, tables
from spvls.grammar.operand_walk import decls_of
from spvls.grammar.records import ExtendedSet, Opcode
from spvls.module.context_dependent import numeric_type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Operand
from spvls.syntax.number import NumericType

__all__ = ["Binary", "DecodeError", "Decoder", "decode"]


class Binary(NamedTuple):
    """A decoded module.

    `header` has the words after the magic number and the byte order of the file. `offsets` counts in words from the
    start of the file: where each instruction begins. `codecs` says how the operands of each are read and written.
    """

    header: Header
    instructions: list[Instruction]
    offsets: list[int]
    codecs: list[InstructionCodec]


def decode(data: bytes, *, keep_unknown: bool = False) -> Binary:
    """The module of a binary in either byte order, or of a dump of one in hexadecimal text.

    Ids are named by their number. With `keep_unknown`, an instruction with an opcode, enumerant or extended instruction
    that the grammar does not have becomes one whose operands are its words, and `raw`. Raises DecodeError.
    """
    with paused_gc():
        decoder = Decoder(read_words(data), keep_unknown)
        decoder.run()
        return decoder.binary


class _IdNames(dict[int, str]):
    def __missing__(self, word: int) -> str:
        if word == 0:
            raise KeyError(word)
        name = self[word] = str(word)
        return name


class _Known(NamedTuple):
    """How to read the operands of a codec, each one word long; None where all are ids. A string may follow them."""

    readers: tuple[Callable[[int], Operand], ...] | None
    codec: InstructionCodec


class _Layout:
    """What is known of the instructions with one first word: opcode and word count."""

    __slots__ = ("count", "declares", "head", "known", "opcode", "pivot", "second_pivot", "text")

    def __init__(self, opcode: Opcode, count: int, pivots: tuple[int, ...]) -> None:
        self.opcode = opcode
        self.count = count
        self.head = opcode.has_type + opcode.has_result
        within = all(pivot < count for pivot in pivots)
        self.pivot = pivots[0] if pivots and within else 0
        self.second_pivot = pivots[1] if len(pivots) > 1 and within else 0
        self.declares = opcode.has_result and (opcode.is_type or opcode.value == spv.OpExtInstImport)
        self.known: dict[int, _Known] = {}
        self.text: _Known | None = None


class Decoder:
    """Decodes a module instruction by instruction.

    `at` is the word where the next instruction begins. `binary` holds those that were read. `around` is called for a faulty
    instruction with the word where it begins, what is wrong, and the word at fault; it returns the word to continue at. With
    `redefines`, an id may be the result of several instructions; the first of them counts for what follows.
    """

    def __init__(
        self,
        words: Words,
        keep_unknown: bool = False,
        around: Callable[[int, str, int], int] | None = None,
        redefines: bool = False,
    ) -> None:
        self.words = words.words
        self._data = words.data
        self.at = HEADER_WORDS
        self.binary = Binary(words.header, [], [], [])
        self._keep_unknown = keep_unknown
        self._around = around
        self._redefines = redefines
        #: First words that no instruction has, with what is wrong with each.
        self._refused: dict[int, _Refusal] = {}
        self._unknown: dict[int, Opcode] = {}
        self._names = _IdNames()
        self._table = CodecTable()
        self._reader = OperandReader(words.words, words.data, self._table, self)
        self._layouts: dict[int, _Layout] = {}
        #: The type of each result; a type is its own, and a result without one has 0.
        self._types: dict[int, int] = {}
        self._numeric: dict[int, NumericType | None] = {}
        self._sets: dict[int, ExtendedSet | None] = {}

    def run(self, end: int | None = None) -> None:  # noqa: C901 one loop, as a call for each instruction would cost a tenth of the time
        """Decode from `at` to the end of the file, or up to the first instruction that begins at word `end` or after it.

        Raises DecodeError at a faulty instruction where there is no `around`; `at` is where the instruction begins.
        """
        words, size = self.words, len(self.words)
        stop_at = size if end is None else end
        layouts, types = self._layouts, self._types
        name_of = self._names.__getitem__
        binary = self.binary
        instructions, offsets, codecs = binary.instructions, binary.offsets, binary.codecs
        while self.at < stop_at:
            at = self.at
            first = words[at]
            layout = layouts.get(first)
            if layout is None or at + layout.count > size:
                layout = self._layout(first, at)
                if layout is None:
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
                readers, codec = known
                tail = words[at + 1 + head : stop]
                try:
                    if readers is None:
                        operands = tuple(map(name_of, tail))
                    else:
                        operands = tuple([read(word) for read, word in zip(readers, tail)])  # noqa: B905
                except KeyError:
                    pass
            elif layout.text is not None:
                codec = layout.text.codec
                operands = self._with_text(layout.text, at + 1 + head, stop)
            if operands is None:
                try:
                    values, codec = self._reader.read(layout.opcode, at, stop)
                except DecodeError as fault:
                    self._stop(at, fault.message, fault.word, unknown=isinstance(fault, UnknownValueError))
                    continue
                operands = values[head:]
                if len(values) == layout.count - 1 or values[-1].__class__ is bytes:
                    self._learn(layout, key, codec)
            type_: str | None = None
            result: str | None = None
            is_new = True
            if head:
                word = words[at + head]
                if word in types and not self._redefines:
                    self._stop(at, f"id {word} is the result of an earlier instruction already", at + head)
                    continue
                try:
                    result = name_of(word)
                    if head == 2:
                        type_ = name_of(words[at + 1])
                except KeyError:
                    null = at + 1 if head == 2 and not words[at + 1] else at + head
                    self._stop(at, null_id(layout.opcode, layout.opcode.operands[null - at - 1]), null)
                    continue
                is_new = word not in types
                if is_new:
                    types[word] = words[at + 1] if head == 2 else word if layout.declares else 0
            record = Instruction(layout.opcode, type_, result, operands)
            if layout.declares and is_new and not self._declare(record, words[at + 1], at):
                continue
            instructions.append(record)
            offsets.append(at)
            codecs.append(codec)
            self.at = stop

    def _with_text(self, known: _Known, at: int, stop: int) -> tuple[Operand, ...] | None:
        """Operands of a codec that ends in a string; None where the words before `stop` do not fit it."""
        readers = known.readers or ()
        place = at + len(readers)
        start = 4 * place
        end = self._data.find(b"\0", start, 4 * stop)
        if end < 0 or place + (end - start) // 4 + 1 != stop:
            return None
        text = self._data[start:end]
        if not readers:
            return (text,)
        try:
            return (*[read(word) for read, word in zip(readers, self.words[at:place])], text)  # noqa: B905
        except KeyError:
            return None

    def _layout(self, first: int, at: int) -> _Layout | None:
        """The layout of the instruction that begins at a word; None where none does, which the decoder has then passed."""
        refusal = self._refused.get(first)
        if refusal is not None:
            self._stop(at, *refusal)
            return None
        count = first >> 16
        left = len(self.words) - at
        if count > left:
            self._stop(at, f"the instruction that begins here has {count} words, but the module ends after {left} of them")
            return None
        opcode = tables.opcode_by_value(first & 0xFFFF)
        refusal = _refusal(first, opcode)
        if refusal is not None:
            self._refused[first] = refusal
            self._stop(at, *refusal)
            return None
        assert opcode is not None
        layout = self._layouts[first] = _Layout(opcode, count, deciding_words(opcode))
        return layout

    def _stop(self, at: int, message: str, word: int | None = None, unknown: bool = False) -> None:
        """Skip the faulty instruction at a word, or keep one with `unknown` words; raise where neither is wanted."""
        word = at if word is None else word
        if unknown and self._keep_unknown:
            self._keep(at)
        elif self._around is not None:
            self.at = self._around(at, message, word)
        elif unknown:
            raise UnknownValueError(message, word)
        else:
            raise DecodeError(message, word)

    def _learn(self, layout: _Layout, key: int, codec: InstructionCodec) -> None:
        """Keep a layout of the instruction that was just read, if only the deciding words of its opcode decided it."""
        pivots = {layout.pivot, layout.second_pivot}
        if not self._reader.decisive <= pivots:
            return
        if codec.operands is None:
            layout.known[key] = _Known(None, codec)
            return
        if codec.operands[-1] is TEXT:
            before = codec.operands[:-1]
            if all(operand is ID_CODEC or operand is INTEGER for operand in before):
                readers = [self._names.__getitem__ if operand is ID_CODEC else operand.read for operand in before]
                layout.text = _Known(tuple(readers), codec)
            return
        readers = [self._names.__getitem__ if operand is ID_CODEC else operand.read for operand in codec.operands]
        for pivot in pivots & self._reader.decisive:
            place = pivot - 1 - layout.head
            if place >= 0 and codec.operands[place] is not ID_CODEC:
                readers[place] = int
        layout.known[key] = _Known(tuple(readers), codec)

    def _keep(self, at: int) -> None:
        """Keep an instruction with unknown words as its words."""
        first = self.words[at]
        stop = at + (first >> 16)
        opcode = self._unknown.get(first & 0xFFFF)
        if opcode is None:
            value = first & 0xFFFF
            opcode = self._unknown[value] = tables.opcode_by_value(value) or Opcode("OpUnknown", value, "", ())
        self.binary.instructions.append(Instruction(opcode, None, None, tuple(self.words[at + 1 : stop]), raw=True))
        self.binary.offsets.append(at)
        self.binary.codecs.append(RAW)
        self.at = stop

    def _declare(self, record: Instruction, result: int, at: int) -> bool:
        """Take note of a declaration; whether it is valid."""
        if record.opcode.value != spv.OpExtInstImport:
            self._numeric[result] = numeric_type(record)
            return True
        (name,) = record.operands
        assert isinstance(name, bytes)
        import_name = name.decode("utf-8", "replace")
        set_ = tables.extended_set(import_name)
        if set_ is None and not import_name.startswith("NonSemantic."):
            del self._types[result]
            self._stop(at, f'there is no extended instruction set "{import_name}"', at + 2)
            return False
        self._sets[result] = set_
        return True

    def has_result(self, word: int) -> bool:
        """Whether an instruction that was read has that id as its result."""
        return word in self._types

    # What instructions declare about ids, for the reader

    def name(self, word: int) -> str:
        return self._names[word]

    def literal_type(self, word: int, at: int) -> NumericType:
        type_ = self._numeric.get(word)
        if type_ is None:
            found = f"the type with id {word} is neither" if word in self._numeric else f"no type before it has the id {word}"
            raise DecodeError(f"a literal requires an integer or float type, but {found}", at)
        return type_

    def selector_type(self, word: int, at: int) -> NumericType:
        holder = self._types.get(word, 0)
        type_ = self._numeric.get(holder) if holder != word else None
        if type_ is None or type_.kind == "float":
            raise DecodeError(f"the selector of OpSwitch must be an integer defined before the OpSwitch; id {word} is not", at)
        return type_

    def imported(self, word: int, at: int) -> ExtendedSet | None:
        if word not in self._sets:
            raise DecodeError(f"id {word} is not the result of an earlier OpExtInstImport", at)
        return self._sets[word]


class _Refusal(NamedTuple):
    """What is wrong with a first word, at the word itself; `unknown` if a newer grammar may have the opcode."""

    message: str
    word: None = None
    unknown: bool = False


def _refusal(first: int, opcode: Opcode | None) -> _Refusal | None:
    """Why no instruction begins with this word, where the word alone says it."""
    count = first >> 16
    if count == 0:
        return _Refusal("an instruction has at least one word, but the word count here is 0")
    if opcode is None:
        return _Refusal(f"there is no opcode {first & 0xFFFF}", unknown=True)
    needed = [decl.declared for decl in decls_of(opcode) if decl.required]
    if count <= len(needed):
        return _Refusal(lacking(opcode, count, needed[count - 1]))
    return None
