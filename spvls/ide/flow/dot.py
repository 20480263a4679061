"""Control flow graphs in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spvls.ide.flow.graph import FlowEdge, FlowGraph
from spvls.ide.flow.wording import construct_title, edge_label, instruction_count, roles, walk
from spvls.text.escaping import dot_string

_COLOURS = {"true": "#1a7f37", "false": "#cf222e", "case": "#0969da"}
_FRAMES = {"loop": "#9a6700", "selection": "#0969da", "switch": "#8250df"}


def dot(graphs: Iterable[FlowGraph]) -> str:
    """Functions as one directed graph. What a merge instruction declares is dotted, and the edges that close loops are dashed."""
    out = [
        "digraph module {",
        '  node [shape=box, fontname="monospace", fontsize=10, style=rounded];',
        '  edge [fontname="monospace", fontsize=9];',
        "  compound=true;",
    ]
    for at, graph in enumerate(graphs):
        out.append(f"  subgraph cluster_f{at} {{")
        out.append(f"    label={dot_string(graph.name)}; labeljust=l; color=none; fontname=monospace;")
        out.extend(f"    {line}" for line in _function(graph, f"f{at}"))
        out.append("  }")
    out.append("}")
    return "\n".join(out) + "\n"


def _function(graph: FlowGraph, prefix: str) -> Iterator[str]:
    ids = {block.id: f"{prefix}b{at}" for at, block in enumerate(graph.blocks)}
    parts = roles(graph)
    for depth, member in walk(graph):
        indent = "  " * depth
        if member is None:
            yield indent + "}"
        elif isinstance(member, int):
            construct = graph.constructs[member]
            yield f"{indent}subgraph cluster_{prefix}c{member} {{"
            yield f'{indent}  label={dot_string(construct_title(construct))}; color="{_FRAMES[construct.kind]}"; style=rounded;'
        else:
            lines = [member.name, instruction_count(member), member.exit, *parts[member.id]]
            style = "" if member.reachable else ', style="rounded,dashed"'
            yield f"{indent}{ids[member.id]} [label={dot_string(*filter(None, lines))}{style}];"
    for edge in graph.edges:
        yield f"{ids[edge.source]} -> {ids[edge.target]}{_attributes(edge)};"
    for block in graph.blocks:
        for role, target in (("merge", block.merge), ("continue", block.continues)):
            if target in ids:
                declared = f'style=dotted, arrowhead=none, constraint=false, label="{role}"'
                yield f"{ids[block.id]} -> {ids[target]} [{declared}];"


def _attributes(edge: FlowEdge) -> str:
    found = []
    if edge.labels:
        found.append(f"label={dot_string(edge_label(edge.labels))}")
    if edge.kind in _COLOURS:
        found.append(f'color="{_COLOURS[edge.kind]}"')
    if edge.back:
        found.append("style=dashed, constraint=false")
    return f" [{', '.join(found)}]" if found else ""
