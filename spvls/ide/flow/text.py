"""A control flow graph as lines of text: blocks with the edges that leave them, framed by their constructs."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.ide.flow.graph import FlowConstruct, FlowEdge, FlowGraph
from spvls.ide.flow.wording import construct_title, dominance, edge_label, graph_summary, instruction_count, roles, shortened, walk
from spvls.record import NamedTuple
from spvls.text.escaping import visible

_LONGEST = 100


class FlowLine(NamedTuple):
    """`block` is the one that the line shows."""

    text: str
    block: str | None


def flow_lines(graph: FlowGraph) -> list[FlowLine]:
    """The listing of a function; inner constructs stand where their headers do."""
    lines = [FlowLine(f"{graph.name} · {graph_summary(graph)}", None)]
    parts = roles(graph)
    onward: dict[str, list[FlowEdge]] = {}
    for edge in graph.edges:
        onward.setdefault(edge.source, []).append(edge)
    for depth, member in walk(graph):
        frame = "│ " * depth
        if member is None:
            lines.append(FlowLine(frame + "└", None))
        elif isinstance(member, int):
            construct = graph.constructs[member]
            lines.append(FlowLine(f"{frame}┌ {_title(construct)}", construct.header))
        else:
            parts_of_line = [member.name, instruction_count(member), member.exit, *parts[member.id]]
            lines.append(FlowLine(frame + " · ".join(filter(None, parts_of_line)), member.id))
            above = dominance(member)
            lines.extend([FlowLine(f"{frame}    {above}", member.id)] if above else [])
            lines.extend(FlowLine(f"{frame}    {shortened(text, _LONGEST)}", member.id) for text in member.accesses)
            lines.extend(FlowLine(frame + text, member.id) for text in _edges(onward.get(member.id, [])))
    return [line._replace(text=visible(line.text)) for line in lines]


def _title(construct: FlowConstruct) -> str:
    parts = [construct_title(construct), f"merge %{construct.merge}"]
    if construct.continues is not None:
        parts.append(f"continue %{construct.continues}")
    return " · ".join(parts)


def text(graph: FlowGraph) -> str:
    """The listing as one text."""
    return "".join(f"{line.text}\n" for line in flow_lines(graph))


def _edges(found: list[FlowEdge]) -> Iterator[str]:
    width = max((len(edge_label(edge.labels)) for edge in found), default=0)
    for edge in found:
        label = f"{edge_label(edge.labels):<{width}} " if width else ""
        yield f"    {label}{'↩' if edge.back else '→'} %{edge.target}{' (back)' if edge.back else ''}"
