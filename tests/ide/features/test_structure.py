"""Folding, selection, lenses, flow: what follows from how a module is built."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given

from spvls.diagnostic import Position, Range
from spvls.ide.features.folding import Fold, FoldKind, fold_steps, once
from spvls.ide.features.lens import lenses, title
from spvls.ide.features.selection import selection_ranges
from spvls.ide.flow.graph import flow_graphs
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import marked
from tests.strategies import positions, texts

_MODULE = """\
; one
; two
OpCapability Shader
OpCapability Matrix
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %out
%s = OpString "a
b"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%out = OpVariable %pout Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
%r = OpFunctionCall %void %main
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"""


def test_what_can_be_folded() -> None:
    region = FoldKind.REGION
    assert once(fold_steps(SourceModule(_MODULE))) == [
        Fold(0, 1, FoldKind.COMMENT),
        Fold(2, 3, FoldKind.IMPORTS),
        Fold(6, 7, region),
        Fold(8, 10, region),
        Fold(11, 20, region),
        Fold(12, 14, region),
        Fold(13, 17, region),
        Fold(15, 17, region),
        Fold(18, 19, region),
    ]


def test_selection_grows_from_the_word_to_the_text() -> None:
    source, cursor, _ = marked(_MODULE.replace("%main\nOpBranch", "%ma‸in\nOpBranch"))
    lines = [(span.start.line, span.end.line) for span in selection_ranges(source, cursor)]
    assert lines == [(16, 16), (16, 16), (16, 16), (15, 17), (12, 17), (11, 20), (0, 21)]


def test_selection_starts_with_a_part_of_a_mask() -> None:
    source, cursor, _ = marked("OpStore %a %b Volatile|Al‸igned 4\n")
    ranges = selection_ranges(source, cursor)[:4]
    line = source.document.lines[0]
    assert [line[span.start.column : span.end.column] for span in ranges] == ["Aligned", "Volatile|Aligned", "%a %b Volatile|Aligned 4", "OpStore %a %b Volatile|Aligned 4"]


@given(texts(), positions())
def test_selections_lie_within_each_other(text: str, position: Position) -> None:
    source = SourceModule(text)
    ranges = selection_ranges(source, position)
    assert ranges
    here = source.clamp(position)
    for inner, outer in pairwise(ranges):
        assert outer.start <= inner.start <= here <= inner.end <= outer.end
        assert inner != outer


@given(texts())
def test_folds_are_lines_of_the_text(text: str) -> None:
    source = SourceModule(text)
    for fold in once(fold_steps(source)):
        assert 0 <= fold.first < fold.last < len(source.document.lines)


def _titles(source: SourceModule) -> Iterator[tuple[int, str]]:
    for lens in lenses(source):
        yield lens.range.start.line, title(source, lens.kind, lens.name)


def test_lenses() -> None:
    assert list(_titles(SourceModule(_MODULE))) == [
        (10, "1 use"),
        (11, "Vertex entry point, interface of 1 · 1 call"),
        (18, "from %entry, %then"),
    ]
    assert list(_titles(SourceModule("%f = OpFunction %v None %t\nOpFunctionEnd\n"))) == [(0, "no calls")]


def test_the_flow_of_a_function() -> None:
    (graph,) = flow_graphs(SourceModule(_MODULE), Position(13, 0))
    assert graph.id == "main"
    assert [(block.id, block.successors, block.merge, block.dominator) for block in graph.blocks] == [
        ("entry", ("then", "end"), "end", None),
        ("then", ("end",), None, "entry"),
        ("end", (), None, "entry"),
    ]
    assert graph.blocks[1].range == Range(Position(15, 0), Position(17, 13))
    assert list(flow_graphs(SourceModule(_MODULE), Position(3, 0))) == []
    assert len(list(flow_graphs(SourceModule(_MODULE)))) == 1


@given(texts())
def test_lenses_and_flow_take_any_text(text: str) -> None:
    source = SourceModule(text)
    list(_titles(source))
    list(flow_graphs(source))
