"""Where ids come from: definitions, types, implementations."""

from __future__ import annotations

from spvls.diagnostic import Position, Range
from spvls.grammar import spv
from spvls.grammar.operand_walk import EXTENDED_INSTRUCTION
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.target import Target, target_at
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import RESULT, Instruction


class Definition(NamedTuple):
    """An instruction that defines something: all of it, and the id in it. `origin` is what the cursor was on."""

    range: Range
    selection: Range
    origin: Range


def definition(source: SourceModule, position: Position) -> list[Definition]:
    """The definitions of the id at a position; of the name of an extended instruction, the import of its set."""
    target = target_at(source, position)
    if target is None:
        return []
    name = target.id
    if name is None and target.decl is not None and target.decl.kind.name == EXTENDED_INSTRUCTION:
        operands = target.word.record.operands
        name = operands[0] if operands and isinstance(operands[0], str) else None
    if name is None:
        return []
    found = source.module.ids.definitions(name)
    return [_at(source, record, chunk, target) for chunk, record in found]


def type_definition(source: SourceModule, position: Position) -> list[Definition]:
    """The type of the value at a position; of a pointer, what it points to; of a pointer type, its pointee."""
    target = target_at(source, position)
    if target is None or target.id is None:
        return []
    module = source.module
    declared = module.type(target.id)
    type_: Type | None
    if declared is not None:
        type_ = declared.element
    else:
        type_ = module.type_of(target.id)
        if type_ is not None and type_.pointee is not None:
            type_ = type_.pointee
    return _of_id(source, type_.id, target) if type_ is not None else []


def implementation(source: SourceModule, position: Position) -> list[Definition]:
    """The functions of a function type; of anything else, its definition with a body."""
    target = target_at(source, position)
    if target is None or target.id is None:
        return []
    declared = source.module.type(target.id)
    if declared is None or declared.kind != spv.OpTypeFunction:
        return definition(source, position)
    return [
        _at(source, function.record, chunk, target)
        for chunk in source.document.chunks
        if chunk.is_function and (function := source.module.function(chunk)).type_id == target.id
    ]


def _of_id(source: SourceModule, name: str, target: Target) -> list[Definition]:
    """The first definition of an id."""
    record, chunk = source.module.ids.definition(name), source.module.ids.defining_chunk(name)
    return [_at(source, record, chunk, target)] if record is not None and chunk is not None else []


def _at(source: SourceModule, record: Instruction, chunk: Chunk, target: Target) -> Definition:
    line = source.document.line_of(record, chunk)
    return Definition(
        source.range_of(record, None, line), source.range_of(record, record.span(RESULT), line), target.range
    )
