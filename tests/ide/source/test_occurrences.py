"""References and highlights: every place of an id, and no other."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given

from spvls.diagnostic import Position, Range
from spvls.ide.source.occurrences import highlights, occurrences, references
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import check
from tests.strategies import texts


def _highlighted(source: SourceModule, position: Position) -> Iterator[tuple[str, Range]]:
    for place in highlights(source, position):
        yield "write" if place.defines else "read", place.range


def test_every_place_lights_up() -> None:
    check(
        """\
 OpName %a "%a"
;       ^^ read
 OpDecorate %a RelaxedPrecision ; %a
;           ^^ read
 %ab = OpTypeVoid
 %a = OpPhi %ab %a %x %ab %a
;^^ write
;               ^^ read   ^^ read
 OpStore %‸a %ab
;        ^^ read
""",
        _highlighted,
    )


def test_the_definition_is_written() -> None:
    source = SourceModule("%a = OpFAdd %f %a %a\n")
    assert [(place.defines, place.range.start.column) for place in occurrences(source, "a")] == [
        (True, 0),
        (False, 15),
        (False, 18),
    ]


def test_references_leave_the_definition_out_when_asked_to() -> None:
    source = SourceModule("%a = OpTypeVoid\n%f = OpTypeFunction %a\n")
    position = Position(1, 21)
    assert references(source, position, include_definition=False) == [Range(Position(1, 20), Position(1, 22))]
    assert len(references(source, position)) == 2


def test_instructions_over_several_lines() -> None:
    source = SourceModule("%a = OpTypeVoid\n%f =\n OpTypeFunction ; of %a\n  %a\n")
    assert [place.range.start for place in occurrences(source, "a")] == [Position(0, 0), Position(3, 2)]


def test_there_is_nothing_beside_ids() -> None:
    source = SourceModule("OpCapability Shader ; %a\n")
    assert references(source, Position(0, 3)) == []
    assert references(source, Position(0, 23)) == []
    assert references(source, Position(9, 9)) == []


@given(texts())
def test_occurrences_are_the_words_of_the_text(text: str) -> None:
    source = SourceModule(text)
    lines = source.document.lines
    for name in list(source.module.ids.names())[:20]:
        for place in occurrences(source, name):
            start, end = place.range
            assert start.line == end.line
            assert lines[start.line][start.column : end.column] == f"%{name}"
