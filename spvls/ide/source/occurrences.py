"""Where ids occur in the text: definitions, references, highlights."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from string import ascii_letters, digits

from spvls.diagnostic import Position, Range
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.target import target_at
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Span
from spvls.syntax.report import range_in


class Occurrence(NamedTuple):
    """A place where an id stands; `defines` where it is the result of the instruction."""

    range: Range
    defines: bool
    record: Instruction
    line: int


def occurrences(source: SourceModule, name: str) -> list[Occurrence]:
    """All places of an id, in the order of the text."""
    ids, line_of = source.module.ids, source.document.line_of
    records = {id(record): (chunk, record) for chunk, record in (*ids.definitions(name), *ids.uses(name))}
    found: list[Occurrence] = []
    for chunk, record in records.values():
        line = line_of(record, chunk)
        for span in spans_of(record, name):
            defines = span.start == record.start and record.result == name
            found.append(Occurrence(range_in(record, line, *span), defines, record, line))
    found.sort(key=itemgetter(0))
    return found


def spans_of(record: Instruction, name: str) -> Iterator[Span]:
    """Where in the text of an instruction an id stands."""
    text, word = record.text, f"%{name}"
    if '"' in text or ";" in text:
        for span in record.words():
            if text[span.start : span.end] == word:
                yield span
        return
    length = len(word)
    at = text.find(word, record.start, record.end)
    while at >= 0:
        end = at + length
        if end == record.end or text[end] not in _LETTERS:
            yield Span(at, end)
        at = text.find(word, end, record.end)


_LETTERS = frozenset(f"{ascii_letters}{digits}_")


def id_at(source: SourceModule, position: Position) -> tuple[str, Range] | None:
    """The id at a position, and where it stands."""
    target = target_at(source, position)
    return (target.id, target.range) if target is not None and target.id is not None else None


def references(source: SourceModule, position: Position, *, include_definition: bool = True) -> list[Range]:
    """The uses of the id at a position."""
    found = id_at(source, position)
    if found is None:
        return []
    return [place.range for place in occurrences(source, found[0]) if include_definition or not place.defines]


def highlights(source: SourceModule, position: Position) -> list[Occurrence]:
    """The places to light up with the id at a position."""
    found = id_at(source, position)
    return occurrences(source, found[0]) if found is not None else []
