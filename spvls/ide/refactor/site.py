"""What refactorings are offered for: the cursor, or the instructions that are selected."""

from __future__ import annotations

from spvls.diagnostic import Position
from spvls.grammar import spv
from spvls.grammar.traits import MERGES, TERMINATORS, VARIABLES
from spvls.ide.source.occurrences import id_at
from spvls.ide.source.source_module import SourceModule
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.record import NamedTuple, cached_property
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import UNKNOWN, Instruction


class Run(NamedTuple):
    """Instructions of a block that follow each other, and have the lines from `first` to `last` to themselves."""

    function: Function
    block: Block
    records: list[Instruction]
    first: int
    last: int


class Site:
    """The cursor at `start`, or the selection from `start` to `end`."""

    def __init__(self, source: SourceModule, start: Position, end: Position | None = None) -> None:
        self.source = source
        self.start = source.clamp(start)
        self.end = self.start if end is None else source.clamp(end)

    @property
    def is_of_one_line(self) -> bool:
        """Whether no more than a line is selected."""
        return self.end <= Position(self.start.line + 1, 0)

    @property
    def module(self) -> Module:
        return self.source.module

    @cached_property
    def record(self) -> Instruction | None:
        """The instruction at the cursor, if it could be read."""
        found = self.source.document.record_at(self.start)
        return found[1] if found is not None and not found[1].faults and found[1].opcode is not UNKNOWN else None

    @cached_property
    def name(self) -> str | None:
        """The id at the cursor."""
        found = id_at(self.source, self.start)
        return found[0] if found is not None else None

    @cached_property
    def chunk(self) -> Chunk:
        """What the cursor is in: the global part, or a function."""
        return self.source.document.chunk_at(self.start.line)

    @property
    def is_global(self) -> bool:
        return self.chunk is self.module.chunks[0]

    @cached_property
    def function(self) -> Function | None:
        """The function that the cursor is in, where all of it could be read."""
        return sound_function(self.module, self.chunk)

    @cached_property
    def block(self) -> Block | None:
        """The block that the instruction at the cursor is in, where it is closed."""
        if self.record is None or self.function is None:
            return None
        block = self.function.block_of.get(id(self.record))
        return block if block is not None and block.terminator is not None else None

    @cached_property
    def selected(self) -> list[tuple[int, Instruction]]:
        """The selected instructions of one function with their lines; empty where nothing, or something else too, is selected."""
        if self.start == self.end or self.function is None:
            return []
        document = self.source.document
        last = self.end.line if self.end.column else self.end.line - 1
        found: list[tuple[int, Instruction]] = []
        for line in range(self.start.line, last + 1):
            records = document.records_on(line)
            if len(records) > 1:
                return []
            found += [(line, record) for record in records]
        if not found or any(id(record) not in self.function.order for _, record in found):
            return []
        return found

    @cached_property
    def run(self) -> Run | None:
        """The selected instructions, where they are some of one block, and none that shapes it."""
        function, selected = self.function, self.selected
        if function is None or not selected:
            return None
        block = function.block_of.get(id(selected[0][1]))
        if block is None or block.terminator is None:
            return None
        records = [record for _, record in selected]
        at = block.records.index(records[0])
        if block.records[at : at + len(records)] != records or any(record.opcode.value in _SHAPING for record in records):
            return None
        line, record = selected[-1]
        return Run(function, block, records, selected[0][0], self.source.range_of(record, None, line).end.line)



_SHAPING = TERMINATORS | MERGES | VARIABLES | {spv.OpLabel, spv.OpPhi, spv.OpFunctionParameter}


def sound_function(module: Module, chunk: Chunk) -> Function | None:
    """The function of a chunk, where all of it could be read and its blocks are closed."""
    if not chunk.is_function:
        return None
    function = module.function(chunk)
    return function if function.is_sound else None
