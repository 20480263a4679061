"""The word at a place of a text is the one that covers it, on whatever line that is."""

from __future__ import annotations

from hypothesis import given

from spvls.diagnostic import Position
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import word_at
from spvls.syntax.report import range_in
from tests.strategies import texts


@given(texts())
def test_the_word_at_a_place_covers_it(text: str) -> None:
    source = SourceModule(text)
    for line, content in enumerate(source.document.lines):
        for column in range(len(content.rstrip("\r\n")) + 1):
            position = Position(line, column)
            found = source.document.record_at(position)
            spans = found[1].words() if found is not None else []
            ranges = [range_in(found[1], found[0], *span) for span in spans] if found is not None else []
            covering = [at for at, where in enumerate(ranges) if where.start <= position < where.end]
            ending = [at for at, where in enumerate(ranges) if where.end == position]
            word = word_at(source, position)
            assert ([word.at] if word is not None else []) == (covering or ending)
