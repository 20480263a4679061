"""The control flow graph of functions, for whoever draws it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from spvls.diagnostic import Position, Range
from spvls.ide.assembly import Assembly
from spvls.ide.symbols import called
from spvls.module.functions import MERGES, declared_targets
from spvls.syntax.document import Chunk


class FlowBlock(NamedTuple):
    """A block: all of it, the blocks it branches to, and what its merge instruction declares."""

    id: str
    name: str
    range: Range
    successors: tuple[str, ...]
    merge: str | None
    continues: str | None
    terminator: str
    reachable: bool
    dominator: str | None


class FlowGraph(NamedTuple):
    """A function and its blocks in the order of the text, the entry block first."""

    id: str
    name: str
    blocks: tuple[FlowBlock, ...]


def flow_graphs(assembly: Assembly, position: Position | None = None) -> Iterator[FlowGraph]:
    """The graphs of all functions, or of the one around a position."""
    here = assembly.document.chunk_at(assembly.clamp(position).line) if position is not None else None
    for chunk in assembly.document.chunks:
        if chunk.is_function and (here is None or chunk is here):
            yield _graph(assembly, chunk)


def _graph(assembly: Assembly, chunk: Chunk) -> FlowGraph:
    module = assembly.module
    function = module.function(chunk)
    lines = {id(record): line for line, record in assembly.placed(chunk)}
    blocks: list[FlowBlock] = []
    for block in function.blocks.values():
        last = block.records[-1]
        start = assembly.range_of(block.label, None, lines[id(block.label)]).start
        end = assembly.range_of(last, None, lines[id(last)]).end
        targets = declared_targets(block) if block.merge is not None and block.merge.opcode.name in MERGES else ()
        blocks.append(
            FlowBlock(
                block.name,
                called(module, block.name),
                Range(start, end),
                block.successors,
                targets[0] if targets else None,
                targets[1] if len(targets) > 1 else None,
                block.terminator.opcode.name if block.terminator is not None else "",
                function.dominators.reaches(block.name),
                function.dominators.immediate.get(block.name),
            )
        )
    return FlowGraph(function.name, called(module, function.name), tuple(blocks))
