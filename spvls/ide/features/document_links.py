"""Links in strings: specifications of imports and extensions, source files."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Range
from spvls.grammar import spv, tables
from spvls.ide.documentation import links
from spvls.ide.source.source_module import SourceModule
from spvls.record import NamedTuple
from spvls.syntax.instruction import Span


class Link(NamedTuple):
    """What stands between two quotes leads to an address, or to a file as the text names it."""

    range: Range
    address: str | None
    file: str | None


def document_links(source: SourceModule) -> Iterator[Link]:
    """All links of the module."""
    chunk = source.document.chunks[0]
    lines = source.document.lines_of(chunk)
    for record in chunk.records:
        if record.opcode.value not in _LINKED or not record.operands:
            continue
        operand = record.operands[0]
        if not isinstance(operand, bytes):
            continue
        text = operand.decode("utf-8", "replace")
        span = record.span(0)
        where = source.range_of(record, Span(span.start + 1, span.end - 1), lines[id(record)])
        if record.opcode.value == spv.OpString:
            if text and "\n" not in text:
                yield Link(where, None, text)
            continue
        if record.opcode.value == spv.OpExtension:
            address = links.of_extension(text)
        else:
            address = links.of_set(tables.extended_set(text), text)
        if address is not None:
            yield Link(where, address, None)


_LINKED = frozenset({spv.OpExtension, spv.OpExtInstImport, spv.OpString})
