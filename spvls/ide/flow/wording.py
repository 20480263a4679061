"""What pictures and listings of control flow have in common: words, and the order of blocks within their constructs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spvls.ide.flow.graph import FlowBlock, FlowConstruct, FlowGraph


def counted(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def graph_summary(graph: FlowGraph) -> str:
    """How much there is of a function."""
    parts = [counted(len(graph.blocks), "block")]
    for kind, plural in (("loop", "loops"), ("selection", "selections"), ("switch", "switches")):
        number = sum(construct.kind == kind for construct in graph.constructs)
        if number:
            parts.append(f"{number:,} {kind if number == 1 else plural}")
    return " · ".join(parts)


def construct_title(construct: FlowConstruct) -> str:
    """The kind of a construct, and what it asks of the compiler."""
    return " · ".join(filter(None, (construct.kind, construct.control if construct.control != "None" else "")))


def instruction_count(block: FlowBlock) -> str:
    """How many instructions stand between the label of a block and its terminator."""
    return counted(block.instructions, "instruction") if block.instructions else ""


def dominance(block: FlowBlock) -> str:
    """The immediate dominators of a block, where it has any; the structural ones where they differ from those along branches."""
    parts = [("dominator", block.dominator), ("post-dominator", block.post_dominator)]
    parts = [(word, name) for word, name in parts if name is not None]
    if block.structural_dominator != block.dominator:
        parts.append(("structural dominator", block.structural_dominator))
    if block.structural_post_dominator != block.post_dominator:
        parts.append(("structural post-dominator", block.structural_post_dominator))
    return " · ".join(f"{word} {'none' if name is None else f'%{name}'}" for word, name in parts)


def roles(graph: FlowGraph) -> dict[str, list[str]]:
    """What each block is to others: where the function begins, merge block, continue target, not reachable."""
    found: dict[str, list[str]] = {block.id: [] for block in graph.blocks}
    for at, block in enumerate(graph.blocks):
        if at == 0:
            found[block.id].append("entry")
        if not block.reachable:
            found[block.id].append("unreachable")
        if block.merge in found:
            found[block.merge].append(f"merge of %{block.id}")
        if block.continues in found:
            found[block.continues].append(f"continue of %{block.id}")
    return found


def shortened(text: str, longest: int) -> str:
    """A text, cut off where it is too long."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def edge_label(labels: Iterable[str], longest: int = 1000) -> str:
    """When an edge is taken, as one text."""
    return shortened(", ".join(labels), longest)


def walk(graph: FlowGraph) -> Iterator[tuple[int, FlowBlock | int | None]]:
    """Blocks within their constructs, each with the number of constructs around it.

    A construct begins with its place among those of the graph, where its header stands in the text, and ends with None.
    """
    order = {block.id: at for at, block in enumerate(graph.blocks)}
    inside: dict[int | None, list[tuple[int, FlowBlock | int]]] = {}
    for block in graph.blocks:
        inside.setdefault(block.construct, []).append((order[block.id], block))
    for at, construct in enumerate(graph.constructs):
        inside.setdefault(construct.parent, []).append((order[construct.header], at))
    waiting: list[tuple[int, FlowBlock | int | None]] = []

    def enter(construct: int | None, depth: int) -> None:
        members = sorted(inside.get(construct, []), key=lambda member: member[0])
        waiting.extend((depth, member) for _, member in reversed(members))

    enter(None, 0)
    while waiting:
        depth, member = waiting.pop()
        yield depth, member
        if isinstance(member, int):
            waiting.append((depth, None))
            enter(member, depth + 1)
