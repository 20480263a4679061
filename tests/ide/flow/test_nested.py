"""Layouts of graphs in groups: nothing overlaps, and edges keep clear of boxes."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from spvls.ide.flow.graph import FlowGraph, flow_graphs
from spvls.ide.flow.nested import Box, Drawing, Edge, Group, Node, draw
from spvls.ide.source.source_module import SourceModule
from tests.ide.flows import NESTED, functions

_SLACK = 0.01


def _drawn(graph: FlowGraph) -> Drawing:
    nodes = {block.id: Node(60.0 + 10 * (at % 4), 20.0 + 7 * (at % 3), 12.0, block.construct) for at, block in enumerate(graph.blocks)}
    groups = [Group(found.header, 50.0, found.parent) for found in graph.constructs]
    edges = [Edge(edge.source, edge.target, 20.0) for edge in graph.edges]
    hints = [(found.header, found.merge) for found in graph.constructs if found.merge in nodes]
    return draw(nodes, groups, edges, hints)


def _meet(a: Box, b: Box) -> bool:
    across = a.left < b.left + b.width - _SLACK and b.left < a.left + a.width - _SLACK
    return across and a.top < b.top + b.height - _SLACK and b.top < a.top + a.height - _SLACK


def _within(inner: Box, outer: Box) -> bool:
    across = outer.left - _SLACK <= inner.left and inner.left + inner.width <= outer.left + outer.width + _SLACK
    return across and outer.top - _SLACK <= inner.top and inner.top + inner.height <= outer.top + outer.height + _SLACK


def _check(graph: FlowGraph) -> None:
    drawing = _drawn(graph)
    whole = Box(0.0, 0.0, drawing.width, drawing.height)
    boxes = list(drawing.nodes.values())
    for at, box in enumerate(boxes):
        assert _within(box, whole)
        assert not any(_meet(box, other) for other in boxes[:at])
    for block in graph.blocks:
        for at, frame in enumerate(drawing.groups):
            inside = block.id in graph.constructs[at].blocks
            assert _within(drawing.nodes[block.id], frame) if inside else not _meet(drawing.nodes[block.id], frame)
    for at, frame in enumerate(drawing.groups):
        parent = graph.constructs[at].parent
        assert _within(frame, whole if parent is None else drawing.groups[parent])
    for edge, points in zip(graph.edges, drawing.edges, strict=True):
        source, target = drawing.nodes[edge.source], drawing.nodes[edge.target]
        assert abs(points[0][1] - source.top - source.height) < _SLACK
        assert abs(points[-1][1] - target.top) < _SLACK
        assert source.left <= points[0][0] <= source.left + source.width
        assert target.left <= points[-1][0] <= target.left + target.width
        for (x, y), (to_x, to_y) in pairwise(points):
            # A curve stays within the box of its ends.
            part = Box(min(x, to_x), min(y, to_y), abs(x - to_x), abs(y - to_y))
            assert _within(part, whole)
            if x == to_x or y == to_y:
                assert not any(_meet(part._replace(width=part.width + 2 * _SLACK), box) for box in boxes), (edge, part)


def test_a_function_is_laid_out() -> None:
    (graph,) = flow_graphs(SourceModule(NESTED))
    _check(graph)
    drawing = _drawn(graph)
    tops = {name: box.top for name, box in drawing.nodes.items()}
    assert tops["entry"] < tops["head"] < tops["body"] < tops["joined"] < tops["inner"] < tops["next"] < tops["done"]
    assert tops["zero"] == tops["one"] == tops["many"]


@given(functions())
def test_boxes_keep_apart_whatever_the_graph(module: str) -> None:
    for graph in flow_graphs(SourceModule(module)):
        _check(graph)


@given(st.integers(1, 300), st.booleans())
def test_a_deep_nest_is_laid_out(depth: int, around: bool) -> None:
    nodes = {f"n{at}": Node(40.0, 20.0, 0.0, at) for at in range(depth)} | {"end": Node(40.0, 20.0, 0.0, None)}
    groups = [Group(f"n{at}", 10.0, at - 1 if at else None) for at in range(depth)]
    edges = [Edge(f"n{at}", f"n{at + 1}", 10.0) for at in range(depth - 1)]
    edges.append(Edge(f"n{depth - 1}", "n0" if around else "end", 10.0))
    drawing = draw(nodes, groups, edges)
    assert len(drawing.nodes) == depth + 1


def test_edges_that_pass_by_very_many_rows_are_led_aside() -> None:
    count = 300
    names = [f"n{at}" for at in range(count)]
    nodes = {name: Node(60.0, 30.0, 0.0, None) for name in names}
    steps = [Edge(names[at], names[at + 1], 20.0) for at in range(count - 1)]
    jumps = [Edge("n0", name, 1.0) for name in names[2:]]
    drawing = draw(nodes, [], [*steps, *jumps])
    assert sum(map(len, drawing.edges)) < 30 * len(drawing.edges)  # each of the jumps passes by 150 rows on the average
    for edge, points in zip(jumps, drawing.edges[len(steps) :], strict=True):
        target = drawing.nodes[edge.target]
        x, y = points[-1]
        assert (target.left <= x <= target.left + target.width, y) == (True, target.top)
        assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in points)
