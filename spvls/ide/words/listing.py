"""The words of a text as lines: where they begin in the file, the words, and the instruction that they were made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spvls.ide.documentation.id_markdown import shown
from spvls.ide.source.source_module import SourceModule
from spvls.ide.words.encoding import LiveEncoding
from spvls.text.escaping import visible

WORDS_A_LINE = 4
_WIDTH = 9 * WORDS_A_LINE - 1
_LONGEST = 200
_HEADER = ("magic number", "version", "generator", "bound", "schema")


def words_lines(source: SourceModule, encoding: LiveEncoding) -> Iterator[str]:
    """Offsets in bytes, in hexadecimal, and words; an instruction that has none stands with the reason."""
    header = encoding.header.words()
    for at, (word, note) in enumerate(zip(header, _HEADER, strict=True)):
        yield _line(4 * at, [word], note)
    for part in encoding.parts:
        errors = dict(part.encoded.errors)
        for at, _, record in part.placed(source):
            if at in errors:
                yield f"--------  {shown(record)[:_LONGEST]}: {visible(errors[at].message)}"
                continue
            begin, end = part.encoded.offsets[at], part.encoded.offsets[at + 1]
            for first in range(begin, end, WORDS_A_LINE):
                note = shown(record)[:_LONGEST] if first == begin else ""
                yield _line(4 * (part.first_word + first), part.words[first : min(first + WORDS_A_LINE, end)], note)


def _line(offset: int, words: Sequence[int], note: str) -> str:
    written = " ".join(f"{word:08x}" for word in words)
    return f"{offset:08x}  {written:<{_WIDTH}}  {note}".rstrip()
