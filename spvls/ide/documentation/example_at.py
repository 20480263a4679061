"""The example of what the cursor is at, as a module of its own."""

from __future__ import annotations

from spvls.diagnostic import Position
from spvls.grammar import docs
from spvls.ide.documentation.docs_markdown import key_of
from spvls.ide.documentation.example import complete
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.target import target_at
from spvls.record import NamedTuple


class ExampleModule(NamedTuple):
    """A module that shows the entry of a key, see `spvls.grammar.keys`."""

    key: str
    text: str


def example_at(source: SourceModule, position: Position) -> ExampleModule | None:
    """A module that uses what stands at a position, or the instruction there; None where neither has an example."""
    target = target_at(source, position)
    if target is None:
        return None
    known = target.decl.set if target.decl is not None else None
    keys = [key_of(target.entity, known)] if target.entity is not None else []
    for key in (*keys, target.word.record.opcode.name):
        entry = docs.lookup(key)
        if entry is not None and entry.example is not None and entry.example.language == "spirv":
            return ExampleModule(key, complete(entry.example))
    return None
