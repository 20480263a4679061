"""Where ids occur in the text: definitions, references, highlights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from spvls.diagnostic import Position, Range
from spvls.ide.assembly import Assembly
from spvls.ide.target import target_at
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction, Span
from spvls.syntax.report import range_in


class Occurrence(NamedTuple):
    """A place where an id stands; `defines` where it is the result of the instruction."""

    range: Range
    defines: bool
    record: Instruction
    line: int


def occurrences(assembly: Assembly, name: str) -> list[Occurrence]:
    """All places of an id, in the order of the text."""
    ids = assembly.module.ids
    records: dict[int, tuple[Chunk, Instruction]] = {}
    for chunk, record in (*ids.definitions(name), *ids.uses(name)):
        records[id(record)] = chunk, record
    found = [
        place
        for chunk, record in records.values()
        for place in _in_record(record, assembly.document.line_of(record, chunk), name)
    ]
    found.sort(key=lambda place: place.range)
    return found


def _in_record(record: Instruction, line: int, name: str) -> Iterator[Occurrence]:
    spans = list(spans_of(record, name))
    for at, span in enumerate(spans):
        defines = at == 0 and record.result == name and span.start == record.start
        yield Occurrence(range_in(record, line, *span), defines, record, line)


def spans_of(record: Instruction, name: str) -> Iterator[Span]:
    """Where in the text of an instruction an id stands."""
    text, word = record.text, f"%{name}"
    if '"' in text or ";" in text:
        for span in record.words():
            if text[span.start : span.end] == word:
                yield span
        return
    for match in re.finditer(f"{word}(?![A-Za-z0-9_])", text[record.start : record.end]):
        yield Span(record.start + match.start(), record.start + match.end())


def id_at(assembly: Assembly, position: Position) -> tuple[str, Range] | None:
    """The id at a position, and where it stands."""
    target = target_at(assembly, position)
    return (target.id, target.range) if target is not None and target.id is not None else None


def references(assembly: Assembly, position: Position, *, include_definition: bool = True) -> list[Range]:
    """The uses of the id at a position."""
    found = id_at(assembly, position)
    if found is None:
        return []
    return [place.range for place in occurrences(assembly, found[0]) if include_definition or not place.defines]


def highlights(assembly: Assembly, position: Position) -> list[Occurrence]:
    """The places to light up with the id at a position."""
    found = id_at(assembly, position)
    return occurrences(assembly, found[0]) if found is not None else []
