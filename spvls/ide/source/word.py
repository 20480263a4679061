"""The words of an instruction as the text has them, and the one at a position."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.diagnostic import Position, Range
from spvls.ide.source.source_module import SourceModule
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Span
from spvls.syntax.peg import pattern
from spvls.syntax.report import range_in

_ID = pattern("id").fullmatch


class Word(NamedTuple):
    """The word `at` of an instruction that starts on `line`; `words` are all of them."""

    record: Instruction
    line: int
    at: int
    spans: Sequence[Span]
    words: Sequence[str]

    @property
    def text(self) -> str:
        return self.words[self.at]

    @property
    def span(self) -> Span:
        return self.spans[self.at]

    @property
    def range(self) -> Range:
        return range_in(self.record, self.line, *self.span)


def texts(record: Instruction, spans: Sequence[Span]) -> list[str]:
    """The words that stand in `spans` of an instruction."""
    text = record.text
    return [text[start:end] for start, end in spans]


def opcode_index(words: Sequence[str]) -> int | None:
    """Which of the words of an instruction is its opcode; None in a statement that has none."""
    if words and words[0].startswith("Op"):
        return 0
    return 2 if len(words) > 2 and words[1] == "=" else None


def id_of(word: str) -> str | None:
    """The name of the id that a word is."""
    return word[1:] if _ID(word) is not None else None


def word_at(source: SourceModule, position: Position) -> Word | None:
    """The word that covers a position; else the one that ends there."""
    position = source.clamp(position)
    found = source.document.record_at(position)
    if found is None:
        return None
    line, record = found
    spans = record.words()
    offset = position.column + sum(map(len, source.document.lines[line : position.line]))
    ending: int | None = None
    for index, (start, end) in enumerate(spans):
        if start <= offset < end:
            return Word(record, line, index, spans, texts(record, spans))
        if end == offset:
            ending = index
    return Word(record, line, ending, spans, texts(record, spans)) if ending is not None else None
