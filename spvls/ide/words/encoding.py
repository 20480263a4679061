"""The words of an open text, kept up to date by chunks: what an edit did not touch is not encoded again."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, count

from spvls.binary.encode import GENERATOR, Encoder
from spvls.binary.numbering import Numbering
from spvls.binary.preserved_ids import NOTHING_PRESERVED, read_preserved
from spvls.binary.text_context import TextContext
from spvls.binary.words import HEADER_WORDS, MAGIC
from spvls.grammar.records import Version
from spvls.ide.source.source_module import SourceModule
from spvls.ide.words.encoded_chunk import EncodedChunk
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction


class Header(NamedTuple):
    """The five words that a module begins with (SPIR-V 2.3)."""

    magic: int
    version: Version
    generator: int
    bound: int
    schema: int

    def words(self) -> list[int]:
        major, minor = self.version
        return [self.magic, major << 16 | minor << 8, self.generator, self.bound, self.schema]


class PlacedChunk:
    """An encoded chunk in its place: its first line, the lines it was read from, its first word in the module."""

    __slots__ = ("chunk", "encoded", "first_line", "first_word", "lines", "numbers", "words")

    def __init__(self, chunk: Chunk, lines: list[str], encoded: EncodedChunk) -> None:
        self.chunk = chunk
        self.lines = lines
        self.encoded = encoded
        self.first_line = chunk.first
        self.first_word = 0
        self.numbers: list[int] = []
        self.words: array[int] = array("I")

    def placed(self, source: SourceModule) -> Iterator[tuple[int, int, Instruction]]:
        """Its instructions: position, line, record."""
        return ((at, line, record) for at, (line, record) in enumerate(source.placed(self.chunk)))


class LiveEncoding:
    """The words of an assembly text. Ask `refresh`, or run through `steps`, after an edit and before anything else.

    A text that keeps the header of the binary that it was made of, in a comment at its top, keeps the numbers of ids too.
    """

    def __init__(self, source: SourceModule) -> None:
        self._source = source
        self._preserved = NOTHING_PRESERVED
        self._bound = 1
        self._known: dict[int, PlacedChunk] = {}
        self._version = source.environment.version
        self._encoder = Encoder(self._version)
        self._names: list[Sequence[str]] = []
        self._places: dict[int, int] | None = None
        self.parts: list[PlacedChunk] = []
        self.numbering: dict[str, int] = {}

    def refresh(self) -> None:
        """Follow the text."""
        for _ in self.steps():
            pass

    def steps(self) -> Iterator[None]:
        """Follow the text, a chunk a step. A run that is given up leaves what it did for the next one."""
        document = self._source.document
        version = self._source.environment.version
        if version != self._version:
            self._known.clear()
            self._version = version
            self._encoder = Encoder(version)
        chunks = document.chunks
        ends = [following.first + 1 for following in chunks[1:]] + [len(document.lines)]
        outer = TextContext()
        parts: list[PlacedChunk] = []
        for chunk, end in zip(chunks, ends, strict=True):
            lines = document.lines[chunk.first : end]
            part = self._known.get(id(chunk))
            if part is None or not self._still_holds(part, chunk, lines, outer):
                encoded = part.encoded if part is not None else None
                if encoded is None or encoded.records != chunk.records or not encoded.context.holds(outer):
                    encoded = EncodedChunk(chunk.records, self._encoder, outer)
                part = self._known[id(chunk)] = PlacedChunk(chunk, lines, encoded)
                yield
            part.encoded.context.join(outer)
            parts.append(part)
        if len(self._known) > 2 * len(parts) + 16:
            self._known = {id(part.chunk): part for part in parts}
        self._settle(parts)

    def _still_holds(self, part: PlacedChunk, chunk: Chunk, lines: list[str], outer: TextContext) -> bool:
        return (
            part.chunk is chunk
            and part.encoded.records == chunk.records
            and part.lines == lines
            and part.encoded.context.holds(outer)
        )

    def _settle(self, parts: list[PlacedChunk]) -> None:
        """Number the ids, and put the words of all parts together."""
        names: list[Sequence[str]] = [part.encoded.names for part in parts]
        preserved = read_preserved(self._source.document.lines)
        if names != self._names or preserved != self._preserved:
            self._names, self._preserved = names, preserved
            in_order = dict.fromkeys(chain.from_iterable(names))
            if not preserved.numbers_stay:
                self.numbering = dict(zip(in_order, count(1), strict=False))
                self._bound = len(self.numbering) + 1
            else:
                numbering = Numbering(in_order, preserved.ids)
                self.numbering = {name: numbering[name] for name in in_order}
                self._bound = max(numbering.bound, preserved.bound or 0)
        number = self.numbering.__getitem__
        word = HEADER_WORDS
        for part in parts:
            part.first_line = part.chunk.first
            part.first_word = word
            numbers = list(map(number, part.encoded.names))
            if numbers != part.numbers or not part.words:
                part.numbers = numbers
                part.words = part.encoded.words(numbers)
            word += len(part.words)
        self.parts = parts
        self._places = None

    # What is in the words

    @property
    def header(self) -> Header:
        preserved = self._preserved
        generator = GENERATOR if preserved.generator is None else preserved.generator
        return Header(MAGIC, self._source.environment.version, generator, self._bound, preserved.schema or 0)

    def all_words(self) -> array[int]:
        """The whole module, header first."""
        words = array("I", self.header.words())
        for part in self.parts:
            words.extend(part.words)
        return words

    @property
    def is_whole(self) -> bool:
        """Whether every instruction has words."""
        return not any(part.encoded.errors for part in self.parts)

    def number(self, name: str) -> int | None:
        """The number of an id."""
        return self.numbering.get(name)

    def words(self, record: Instruction) -> Sequence[int]:
        """The words of an instruction that defines an id; none where it has no encoding."""
        chunk = self._source.module.ids.defining_chunk(record.result or "")
        part = self._known.get(id(chunk))
        if part is None or record not in part.encoded.records:
            return ()
        at = part.encoded.records.index(record)
        return part.words[part.encoded.offsets[at] : part.encoded.offsets[at + 1]]

    def offset(self, record: Instruction) -> int | None:
        """The first word of an instruction, counted from the start of the module; None where it has no encoding."""
        if self._places is None:
            self._places = {
                id(other): part.first_word + part.encoded.offsets[at]
                for part in self.parts
                for at, other in enumerate(part.encoded.records)
                if part.encoded.offsets[at] < part.encoded.offsets[at + 1]
            }
        return self._places.get(id(record))
