"""Inline values: what the constants on a line are worth."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Range
from spvls.ide.documentation.value_text import plain_constant
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import id_of, texts
from spvls.record import NamedTuple
from spvls.syntax.report import range_in


class InlineValue(NamedTuple):
    """`text` says what stands in `range`."""

    range: Range
    text: str


def inline_values(source: SourceModule, span: Range) -> Iterator[InlineValue]:
    """The constants that the instructions of a range use, specialization constants evaluated."""
    module = source.module
    last = min(span.end.line, len(source.document.lines) - 1)
    for line in range(max(span.start.line, 0), last + 1):
        for record in source.document.records_on(line):
            spans = record.words()
            for place, word in zip(spans, texts(record, spans), strict=True):
                name = id_of(word)
                constant = module.constant(name) if name is not None else None
                if constant is not None and constant.value is not None:
                    yield InlineValue(range_in(record, line, *place), f"%{name} = {plain_constant(constant)}")
