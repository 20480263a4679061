"""Selection ranges: from what is under the cursor outwards."""

from __future__ import annotations

from spvls.diagnostic import Position, Range
from spvls.ide.source.sections import sections
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.target import target_at
from spvls.ide.source.word import opcode_index, word_at
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction
from spvls.syntax.report import range_in


def selection_ranges(source: SourceModule, position: Position) -> list[Range]:
    """Ranges around a position, each within the next: part of a mask, word, operands, instruction, block, construct,
    function or section, text."""
    position = source.clamp(position)
    ranges: list[Range] = []
    target = target_at(source, position)
    word = word_at(source, position)
    if target is not None and word is not None:
        ranges += [target.range, word.range]
        at = opcode_index(word.words)
        if at is not None and word.at > at:
            operands = range_in(word.record, word.line, word.spans[at + 1].start, word.spans[-1].end)
            ranges.append(operands)
    found = source.document.record_at(position)
    if found is not None:
        line, record = found
        ranges.append(range_in(record, line, record.start, record.end))
        chunk = source.document.chunk_at(position.line)
        if record in chunk.records:
            ranges += _around(source, chunk, record)
    lines = source.document.lines
    ranges.append(Range(Position(0, 0), Position(len(lines) - 1, len(lines[-1]))))
    return _nested(ranges)


def _around(source: SourceModule, chunk: Chunk, record: Instruction) -> list[Range]:
    placed = list(source.placed(chunk))
    if not chunk.is_function:
        for _, members in sections(placed):
            if any(member is record for _, member in members):
                return [_span(members)]
        return []
    function = source.module.function(chunk)
    lines = {id(member): line for line, member in placed}
    ranges: list[Range] = []
    block = function.block_of.get(id(record))
    if block is not None:
        ranges.append(_span([(lines[id(member)], member) for member in block.records]))
    ranges.extend(_constructs(source, chunk, record, lines))
    end = function.end or placed[-1][1]
    ranges.append(_span([placed[0], (lines[id(end)], end)]))
    return ranges


def _constructs(source: SourceModule, chunk: Chunk, record: Instruction, lines: dict[int, int]) -> list[Range]:
    """The constructs around an instruction, the inner ones first: from a header's label to before its merge block."""
    function = source.module.function(chunk)
    here = lines[id(record)]
    found: list[Range] = []
    for block in function.blocks.values():
        if block.merge is None or not block.merge.operands:
            continue
        name = block.merge.operands[0]
        target = function.blocks.get(name) if isinstance(name, str) else None
        if target is None:
            continue
        first, last = lines[id(block.label)], lines[id(target.label)]
        if first <= here < last:
            members = [m for m in function.records if id(m) in lines and first <= lines[id(m)] < last]
            found.append(_span([(lines[id(member)], member) for member in members]))
    return sorted(found, key=lambda span: span.end.line - span.start.line)


def _span(placed: list[tuple[int, Instruction]]) -> Range:
    (first_line, first), (last_line, last) = placed[0], placed[-1]
    start = range_in(first, first_line, first.start, first.end).start
    return Range(start, range_in(last, last_line, last.start, last.end).end)


def _nested(ranges: list[Range]) -> list[Range]:
    """Those ranges that hold all before them, and more."""
    found: list[Range] = []
    for span in ranges:
        if not found or (span != found[-1] and span.start <= found[-1].start and found[-1].end <= span.end):
            found.append(span)
    return found
