"""Declarations that stand in functions: constants, and misplaced types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from spvls.module.constants import CONSTANT_OPCODES
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import Instruction


class LocalDeclarations:
    """The declarations in all functions of a module; an index, kept under edits."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._of_chunk: dict[int, list[Instruction]] = {}
        for chunk in chunks:
            self._add(chunk)

    def update(self, changes: Iterable[Change]) -> None:
        """Follow an edit."""
        for chunk, _, _ in changes:
            self._of_chunk.pop(id(chunk), None)
            self._add(chunk)

    def _add(self, chunk: Chunk) -> None:
        found = [r for r in chunk.records if r.opcode.value in CONSTANT_OPCODES or r.opcode.class_ == "Type-Declaration"]
        if found and chunk.is_function:
            self._of_chunk[id(chunk)] = found

    def __iter__(self) -> Iterator[Instruction]:
        return chain.from_iterable(self._of_chunk.values())
