"""Instructions that no document holds, in chunks."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction


def chunks_of(records: list[Instruction]) -> list[Chunk]:
    """The global instructions, then one chunk a function."""
    chunks = [Chunk(0, [])]
    for record in records:
        if record.opcode.value == spv.OpFunction:
            chunks.append(Chunk(0, []))
        chunks[-1].records.append(record)
    return chunks
