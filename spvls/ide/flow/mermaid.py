"""Control flow graphs in the language of Mermaid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spvls.ide.flow.graph import FlowGraph
from spvls.ide.flow.wording import construct_title, edge_label, instruction_count, roles, walk
from spvls.text.escaping import mermaid_string


def mermaid(graphs: Iterable[FlowGraph]) -> str:
    """Functions as one flowchart. What a merge instruction declares is dotted, and the edges that close loops are thick."""
    out = ["flowchart TD"]
    for at, graph in enumerate(graphs):
        out.append(f"  subgraph f{at}[{mermaid_string(graph.name)}]")
        out.extend(f"    {line}" for line in _function(graph, f"f{at}"))
        out.append("  end")
    return "\n".join(out) + "\n"


def _function(graph: FlowGraph, prefix: str) -> Iterator[str]:
    ids = {block.id: f"{prefix}b{at}" for at, block in enumerate(graph.blocks)}
    parts = roles(graph)
    for depth, member in walk(graph):
        indent = "  " * depth
        if member is None:
            yield indent + "end"
        elif isinstance(member, int):
            yield f"{indent}subgraph {prefix}c{member}[{mermaid_string(construct_title(graph.constructs[member]))}]"
        else:
            lines = [member.name, instruction_count(member), member.exit, *parts[member.id]]
            yield f"{indent}{ids[member.id]}[{mermaid_string(*filter(None, lines))}]"
    for edge in graph.edges:
        arrow = "==>" if edge.back else "-->"
        label = f"|{mermaid_string(edge_label(edge.labels))}|" if edge.labels else ""
        yield f"{ids[edge.source]} {arrow}{label} {ids[edge.target]}"
    for block in graph.blocks:
        for role, target in (("merge", block.merge), ("continue", block.continues)):
            if target in ids:
                yield f"{ids[block.id]} -.-|{role}| {ids[target]}"
