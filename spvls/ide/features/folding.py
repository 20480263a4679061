"""Folding: sections, functions, blocks and constructs, runs of comments, strings over many lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from spvls.ide.source.sections import sections
from spvls.ide.source.source_module import SourceModule
from spvls.module.functions import Block
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction
from spvls.syntax.report import range_in


class FoldKind(Enum):
    """What is folded."""

    REGION = "region"
    COMMENT = "comment"
    IMPORTS = "imports"


class Fold(NamedTuple):
    """Lines `first` to `last` that can be shown as the first alone."""

    first: int
    last: int
    kind: FoldKind


_HEADER = frozenset({"Capabilities", "Extensions", "Imports"})


def once(found: Iterable[Fold]) -> list[Fold]:
    """Folds in order, each pair of lines once, without those of one line."""
    known: dict[tuple[int, int], Fold] = {}
    for fold in found:
        if fold.last > fold.first:
            known.setdefault((fold.first, fold.last), fold)
    return sorted(known.values(), key=lambda fold: (fold.first, -fold.last))


def fold_steps(source: SourceModule) -> Iterator[Fold]:
    """What can be folded, as it is found; see `once`."""
    chunks = source.document.chunks
    for title, placed in sections(source.placed(chunks[0])):
        kind = FoldKind.IMPORTS if title in _HEADER else FoldKind.REGION
        line, record = placed[-1]
        yield Fold(placed[0][0], _last_line(record, line), kind)
    for chunk in list(chunks):
        placed = list(source.placed(chunk))
        for line, record in placed:
            last = _last_line(record, line)
            if last > line:
                yield Fold(line, last, FoldKind.REGION)
        if chunk.is_function:
            yield from _function(source, chunk, {id(record): line for line, record in placed})
    yield from _comments(source.document.lines)


def _function(source: SourceModule, chunk: Chunk, lines: dict[int, int]) -> Iterator[Fold]:
    function = source.module.function(chunk)
    end = function.end or chunk.records[-1]
    yield Fold(lines[id(function.record)], lines[id(end)], FoldKind.REGION)
    for block in function.blocks.values():
        first = lines[id(block.label)]
        yield Fold(first, _end(block, lines), FoldKind.REGION)
        if block.merge is None:
            continue
        merge = block.merge.operands[0] if block.merge.operands else None
        target = function.blocks.get(merge) if isinstance(merge, str) else None
        if target is not None:
            # The construct goes on to the line before its merge block.
            yield Fold(lines[id(block.merge)], lines[id(target.label)] - 1, FoldKind.REGION)


def _end(block: Block, lines: dict[int, int]) -> int:
    last = block.records[-1]
    return _last_line(last, lines[id(last)])


def _last_line(record: Instruction, line: int) -> int:
    """The line that an instruction ends on."""
    text, end = record.text, record.end
    if text.find("\n", 0, end) < 0 and text.find("\r", 0, end) < 0:
        return line
    return range_in(record, line, record.start, end).end.line


def _comments(lines: list[str]) -> Iterator[Fold]:
    """Runs of lines that hold a comment alone."""
    first: int | None = None
    for number, line in enumerate(lines):
        if line.lstrip(" \t").startswith(";"):
            first = number if first is None else first
        elif first is not None:
            yield Fold(first, number - 1, FoldKind.COMMENT)
            first = None
    if first is not None:
        yield Fold(first, len(lines) - 1, FoldKind.COMMENT)
