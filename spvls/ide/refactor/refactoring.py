"""Refactorings as data, and the edits that several of them are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spvls.diagnostic import Edit, Position, Range
from spvls.ide.source.source_module import SourceModule
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction

EXTRACT = "refactor.extract"
INLINE = "refactor.inline"
REWRITE = "refactor.rewrite"
ORGANIZE = "source.organizeImports"
STRIP = "source.strip"
SPECIALIZE = "source.specialize"

Edits = Callable[[], list[Edit]]


class Refactoring(NamedTuple):
    """`edits` makes the edits when they are wanted; `key` names the refactoring. `whole` ones go through the whole text.

    `refused` says why a refactoring is not possible where a user may look for it; it then has no edits.
    """

    key: str
    title: str
    kind: str
    edits: Edits
    whole: bool = False
    refused: str = ""


def refusal(key: str, title: str, kind: str, reason: str) -> Refactoring:
    """A refactoring that is not possible, with the reason."""
    return Refactoring(key, title, kind, list, refused=reason)


def removal(source: SourceModule, doomed: Iterable[Instruction]) -> list[Edit]:
    """The edits that take instructions away, with their lines where they have these to themselves."""
    edits = []
    for record in doomed:
        line = source.document.line_of(record)
        whole = source.range_of(record, None, line)
        alone = not record.text[: record.start].strip() and not record.text[record.end :].strip()
        if alone and len(source.document.records_on(line)) == 1 and whole.end.line + 1 < len(source.document.lines):
            whole = Range(Position(line, 0), Position(whole.end.line + 1, 0))
        edits.append(Edit(whole, ""))
    return sorted(edits)


def line_after(source: SourceModule, line: int, record: Instruction, text: str) -> Edit:
    """The edit that puts an instruction on a line of its own after another one, which starts on `line`."""
    end = source.range_of(record, None, line).end
    return Edit(Range(end, end), f"\n{indent(record)}{text}")


def indent(record: Instruction) -> str:
    """The white space before an instruction; none where something else stands there."""
    before = record.text[: record.start].rpartition("\n")[2]
    return before if not before.strip() else ""
