"""A module under edits: its chunks of instructions, its ids, and what they declare."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.grammar.environments import Environment
from spvls.module.ids import SymbolTable
from spvls.module.late import Reading, numeric_type, read
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import Instruction
from spvls.syntax.number import NumericType


class Module:
    """What stands in the chunks of a text or of a binary, by id.

    `chunks` is the live list of a document, or a list made once; after an edit, `update` must be told of its changes.
    """

    def __init__(self, chunks: list[Chunk], environment: Environment) -> None:
        self.chunks = chunks
        self.environment = environment
        self.ids = SymbolTable(chunks)

    def update(self, changes: Iterable[Change]) -> None:
        """Follow an edit of the document that the chunks are of."""
        self.ids.update(changes)

    # What late operands are read by

    def numeric_type(self, name: str) -> NumericType | None:
        declaration = self.ids.definition(name)
        return numeric_type(declaration) if declaration is not None else None

    def value_type(self, name: str) -> str | None:
        definition = self.ids.definition(name)
        return definition.type if definition is not None else None

    def import_name(self, name: str) -> str | None:
        definition = self.ids.definition(name)
        if definition is None or definition.opcode.name != "OpExtInstImport" or not definition.operands:
            return None
        named = definition.operands[0]
        return named.decode("utf-8", "replace") if isinstance(named, bytes) else None

    def reading(self, record: Instruction) -> Reading:
        """The operands of an instruction with all late ones read."""
        return read(record, self)
