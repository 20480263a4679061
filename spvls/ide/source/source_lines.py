"""Instructions and the lines of the source that they come from, by positions of the text."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Position, Range, SourceLine
from spvls.ide.source.source_module import SourceModule
from spvls.module.source_place import Covers, source_line
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction


def source_line_at(source: SourceModule, position: Position) -> SourceLine | None:
    """The line of the source that the instruction at a position, or the first one on its line, comes from."""
    if not source.module.source_files.has_names:
        return None
    found = source.document.record_at(position)
    if found is not None:
        return source_line_of(source, found[1])
    return next((source_line_of(source, record) for record in source.document.records_on(source.clamp(position).line)), None)


def source_line_of(source: SourceModule, record: Instruction, chunk: Chunk | None = None) -> SourceLine | None:
    """The line of the source that an instruction comes from; `chunk` is the one that it is in, where that is known."""
    module = source.module
    if not module.source_files.has_names:
        return None
    for home in module.chunks if chunk is None else (chunk,):
        for at, other in enumerate(home.records):
            if other is record:
                return source_line(module, Covers(module).of(home, at))
    return None


def source_text(source: SourceModule, number: int) -> str | None:
    """The text of source `number`, from 0; None where the module does not carry it."""
    files = source.module.source_files.files
    text = files[number].text if 0 <= number < len(files) else None
    return text.decode("utf-8", "replace") if text is not None else None


def instructions_of_line(source: SourceModule, number: int, row: int) -> Iterator[Range | None]:
    """The instructions that come from row `row`, from 0, of source `number`, those one after the other as one range; and None
    between chunks."""
    module = source.module
    files = module.source_files.files
    if not module.source_files.has_names or number >= len(files):
        return
    file, covers = files[number], Covers(module)
    for chunk in module.chunks:
        yield None
        #: What the line information of one instruction was found to say.
        known: dict[object, bool] = {}
        span: Range | None = None
        for (line, record), cover in zip(source.placed(chunk), covers.of_chunk(chunk), strict=True):
            is_meant = known.get(cover)
            if is_meant is None:
                found = source_line(module, cover)
                is_meant = found is not None and found.number == files.index(file) and found.row == row
                known[cover] = is_meant
            if is_meant:
                whole = source.range_of(record, None, line)
                span = Range(span.start, whole.end) if span is not None else whole
            elif span is not None:
                yield span
                span = None
        if span is not None:
            yield span
