"""Edits of a whole text, by instruction: which go, and what stands in the place of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from spvls.diagnostic import Edit, Position, Range
from spvls.ide.refactor.refactoring import indent
from spvls.ide.source.source_module import SourceModule
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.syntax.report import range_in


class Rewritten(NamedTuple):
    """What an instruction becomes: `text`, or nothing where it is None. `before` are instructions on lines of their own that
    are inserted before it."""

    text: str | None = None
    before: tuple[str, ...] = ()


GONE = Rewritten()


def rewriting(source: SourceModule, wanted: Mapping[int, Rewritten]) -> list[Edit]:
    """The edits that rewrite instructions, which are named by their `id()`.

    Comments and white space stay. A line goes with its instruction if nothing else stands on it.
    """
    edits: list[Edit] = []
    for chunk in source.document.chunks if wanted else ():
        for line, record in source.placed(chunk):
            new = wanted.get(id(record))
            if new is None:
                continue
            place = range_in(record, line, record.start, record.end)
            if new.text is None:
                edits.append(Edit(_with_its_lines(source, record, place), ""))
            else:
                edits.append(Edit(place, "".join(_above(record, new.before)) + new.text))
    return edits


def removing(source: SourceModule, gone: Iterable[Instruction]) -> list[Edit]:
    """The edits that remove instructions."""
    return rewriting(source, {id(record): GONE for record in gone})


def _with_its_lines(source: SourceModule, record: Instruction, place: Range) -> Range:
    first, last = place.start.line, place.end.line
    lines = source.document.lines
    if record.text[: record.start].strip() or record.text[record.end :].strip() or last + 1 >= len(lines):
        return place
    if any(source.document.records_on(line) != ((record,) if line == first else ()) for line in range(first, last + 1)):
        return place
    return Range(Position(first, 0), Position(last + 1, 0))


def _above(record: Instruction, texts: Iterable[str]) -> Iterable[str]:
    """Instructions for the lines above another one, with their equals signs above its own."""
    column = record.text[record.start :].partition("=")[0]
    for text in texts:
        result, equals, rest = text.partition("=")
        white = indent(record)
        if white.endswith("\t") or not equals:
            yield f"{text}\n{white}"
        else:
            shift = len(column) - len(result)
            lead = " " * shift if shift > 0 else ""
            yield f"{lead}{result}={rest}\n{white}"
