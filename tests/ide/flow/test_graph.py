"""Control flow as data, and what draws it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from spvls.ide.flow.dot import dot
from spvls.ide.flow.graph import FlowGraph, flow_graphs
from spvls.ide.flow.mermaid import mermaid
from spvls.ide.flow.svg import svg, svg_part
from spvls.ide.flow.text import flow_lines, text
from spvls.ide.source.source_module import SourceModule
from tests.ide.flows import NESTED, functions
from tests.strategies import texts

_SVG = "{http://www.w3.org/2000/svg}"


def graph_of(module: str) -> FlowGraph:
    (graph,) = flow_graphs(SourceModule(module))
    return graph


# The graph


def test_edges_say_when_they_are_taken() -> None:
    found = {(edge.source, edge.target): (edge.kind, edge.labels) for edge in graph_of(NESTED).edges}
    assert found["entry", "head"] == ("branch", ())
    assert found["head", "body"] == ("true", ("true",))
    assert found["head", "done"] == ("false", ("false",))
    assert found["body", "zero"] == ("case", ("0",))
    assert found["body", "one"] == ("case", ("1", "2"))
    assert found["body", "many"] == ("case", ("-5",))
    assert found["body", "other"] == ("default", ("default",))
    assert len(found) == len(graph_of(NESTED).edges) == 21


def test_both_ways_of_a_condition_to_one_block_are_one_edge() -> None:
    graph = graph_of("%f = OpFunction %v None %fn\n%a = OpLabel\nOpBranchConditional %c %b %b\n%b = OpLabel\nOpReturn\n")
    assert [(edge.kind, edge.labels) for edge in graph.edges] == [("branch", ("true", "false"))]


def test_blocks_name_what_they_load_store_and_call() -> None:
    graph = graph_of(
        "%g = OpVariable %p Private\n%h = OpVariable %p Private\n%f = OpFunction %v None %fn\n%a = OpLabel\n"
        "%at = OpAccessChain %q %g %i\n%x = OpLoad %t %at\n%y = OpLoad %t %h\n%z = OpLoad %t %g\nOpStore %h %x\n"
        "%r = OpFunctionCall %v %other %x\nOpReturn\n"
    )
    (block,) = graph.blocks
    assert block.accesses == ("loads %g, %h", "stores %h", "calls %other")
    assert "    loads %g, %h\n    stores %h\n    calls %other\n" in text(graph)
    assert '<text class="does"' in svg_part(graph)


def test_the_edges_that_close_loops_are_told() -> None:
    back = [(edge.source, edge.target) for edge in graph_of(NESTED).edges if edge.back]
    assert back == [("inner", "inner"), ("next", "head")]


def test_constructs_lie_in_one_another() -> None:
    graph = graph_of(NESTED)
    told = [(found.kind, found.header, found.merge, found.continues, found.control, found.parent) for found in graph.constructs]
    assert told == [
        ("loop", "head", "done", "next", "Unroll", None),
        ("switch", "body", "joined", None, "", 0),
        ("selection", "other", "after", None, "", 1),
        ("loop", "inner", "out", "inner", "", 0),
    ]
    assert graph.constructs[2].blocks == ("other", "yes", "no")
    assert graph.constructs[3].blocks == ("inner",)
    assert {block.id: block.construct for block in graph.blocks} == {
        **dict.fromkeys(("entry", "done", "never")),
        **dict.fromkeys(("head", "joined", "out", "next"), 0),
        **dict.fromkeys(("body", "zero", "one", "many", "after"), 1),
        **dict.fromkeys(("other", "yes", "no"), 2),
        "inner": 3,
    }


def test_blocks_say_how_they_end_and_how_much_is_in_them() -> None:
    blocks = {block.id: block for block in graph_of(NESTED).blocks}
    assert [blocks[name].exit for name in ("entry", "head", "body", "done")] == [
        "", "OpBranchConditional %c", "OpSwitch %i", "OpReturn",
    ]  # fmt: skip
    assert [blocks[name].instructions for name in ("entry", "head", "joined")] == [0, 0, 1]
    assert not blocks["never"].reachable


def test_blocks_have_dominators_along_branches_and_structural_ones() -> None:
    blocks = {block.id: block for block in graph_of(NESTED).blocks}
    after, never = blocks["after"], blocks["never"]
    assert (after.dominator, after.structural_dominator) == ("no", "other")
    assert (after.post_dominator, after.structural_post_dominator) == ("joined", "joined")
    assert never[-3:] == (None, None, None)
    assert never.dominator is None


# Drawings


def test_the_listing() -> None:
    lines = text(graph_of(NESTED)).splitlines()
    assert lines[0] == "%main · 16 blocks · 2 loops · 1 selection · 1 switch"
    assert lines[1:9] == [
        "%entry · entry",
        "    post-dominator %head",
        "    → %head",
        "┌ loop · Unroll · merge %done · continue %next",
        "│ %head · OpBranchConditional %c",
        "│     dominator %entry · post-dominator %done",
        "│     true  → %body",
        "│     false → %done",
    ]
    assert "│     true  ↩ %head (back)" in lines
    assert lines[-1] == "%never · OpUnreachable · unreachable"


def test_lines_of_the_listing_tell_of_blocks() -> None:
    told = Counter(line.block for line in flow_lines(graph_of(NESTED)))
    assert told["body"] == 7  # its frame, itself, its dominators, four edges
    assert told[None] == 5  # the title, and the ends of four frames


def _parts(picture: str, kind: str) -> list[ElementTree.Element]:
    return [group for group in ElementTree.fromstring(picture).iter(f"{_SVG}g") if kind in group.get("class", "").split()]


def test_the_picture_has_everything_once() -> None:
    graph = graph_of(NESTED)
    for picture in (svg([graph]), svg_part(graph)):
        blocks = [group.get("data-block") for group in _parts(picture, "block")]
        assert blocks == [block.id for block in graph.blocks]
        edges = [(group.get("data-source"), group.get("data-target")) for group in _parts(picture, "edge")]
        assert edges == [(edge.source, edge.target) for edge in graph.edges]
        assert len(_parts(picture, "construct")) == len(graph.constructs)
        assert [group.get("data-source") for group in _parts(picture, "back")] == ["inner", "next"]


def test_the_picture_says_what_dominates_a_block() -> None:
    titles = {group.get("data-block"): group.findtext(f"{_SVG}title") for group in _parts(svg_part(graph_of(NESTED)), "block")}
    assert titles["after"] == "dominator %no · post-dominator %joined · structural dominator %other"
    assert titles["never"] == "never"


def test_the_picture_writes_the_labels_of_edges() -> None:
    labels = [group.findtext(f"{_SVG}text") for group in _parts(svg_part(graph_of(NESTED)), "case")]
    assert labels == ["0", "1, 2", "-5"]


def test_pictures_of_several_functions_are_one_file() -> None:
    graphs = [*flow_graphs(SourceModule(NESTED)), *flow_graphs(SourceModule(NESTED.replace("%main", "%other_main")))]
    picture = svg(graphs)
    headings = [found.text for found in ElementTree.fromstring(picture).iter(f"{_SVG}text") if found.get("class") == "heading"]
    assert [str(heading).split()[0] for heading in headings] == ["%main", "%other_main"]
    assert len(_parts(picture, "block")) == 2 * len(graphs[0].blocks)


def test_graphviz() -> None:
    graph = graph_of(NESTED)
    lines = [line.strip() for line in dot([graph]).splitlines()]
    assert len([line for line in lines if re.match(r"f0b\d+ \[", line)]) == len(graph.blocks)
    assert len([line for line in lines if "->" in line and "arrowhead=none" not in line]) == len(graph.edges)
    assert len([line for line in lines if "->" in line and "arrowhead=none" in line]) == 6
    assert len([line for line in lines if line.startswith("subgraph cluster_f0c")]) == len(graph.constructs)
    assert 'f0b2 -> f0b4 [label="1, 2", color="#0969da"];' in lines
    assert dot([graph]).count("{") == dot([graph]).count("}")


def test_mermaid() -> None:
    graph = graph_of(NESTED)
    lines = [line.strip() for line in mermaid([graph]).splitlines()]
    assert lines[0] == "flowchart TD"
    assert len([line for line in lines if re.match(r"f0b\d+\[", line)]) == len(graph.blocks)
    assert len([line for line in lines if "-->" in line or "==>" in line]) == len(graph.edges)
    assert len([line for line in lines if "==>" in line]) == 2
    assert lines.count("end") == len([line for line in lines if line.startswith("subgraph ")]) == len(graph.constructs) + 1


def test_names_are_written_such_that_they_are_no_marks_of_the_language() -> None:
    named = 'OpName %main "a\\"b<c>&]|#"\n' + NESTED
    graph = graph_of(named)
    assert graph.name == '%main a"b<c>&]|#'
    assert 'label="%main a\\"b<c>&amp;]|&#35;"' in dot([graph])
    assert '["%main a#34;b#60;c#62;#38;#93;#124;#35;"]' in mermaid([graph])
    heading = ElementTree.fromstring(svg([graph])).find(f".//{_SVG}text[@class='heading']")
    assert heading is not None and str(heading.text).startswith(graph.name)


# Anything


@given(st.one_of(functions(), texts()))
def test_constructs_never_overlap_in_part(module: str) -> None:
    for graph in flow_graphs(SourceModule(module)):
        inside = [set(found.blocks) for found in graph.constructs]
        for at, found in enumerate(graph.constructs):
            assert found.header in inside[at]
            if found.parent is not None:
                assert found.parent < at and inside[at] <= inside[found.parent]
            for other in range(at):
                assert inside[at] <= inside[other] or inside[at].isdisjoint(inside[other])
        for block in graph.blocks:
            assert block.construct is None or block.id in inside[block.construct]


@given(st.one_of(functions(), texts()))
def test_anything_is_drawn_whole(module: str) -> None:
    graphs = list(flow_graphs(SourceModule(module)))
    for graph in graphs:
        picture = svg_part(graph)
        assert [group.get("data-block") for group in _parts(picture, "block")] == [block.id for block in graph.blocks]
        assert len(_parts(picture, "edge")) == len(graph.edges)
        assert {line.block for line in flow_lines(graph)} >= {block.id for block in graph.blocks}
    ElementTree.fromstring(svg(graphs))
    assert dot(graphs).count(" -> ") >= sum(len(graph.edges) for graph in graphs)
    assert mermaid(graphs).startswith("flowchart TD\n")
