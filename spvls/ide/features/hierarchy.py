"""Hierarchies: who calls whom, and what types are built of."""

from __future__ import annotations

from spvls.diagnostic import Position, Range
from spvls.grammar import spv
from spvls.ide.documentation.id_markdown import type_text
from spvls.ide.features.symbols import called
from spvls.ide.source.occurrences import id_at
from spvls.ide.source.source_module import SourceModule
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.operand_decls import enumerants


class Item(NamedTuple):
    """A function, an entry point or a type. `id` is how it is found again; entry points have that of their string."""

    id: str
    name: str
    detail: str
    range: Range
    selection: Range
    is_entry_point: bool = False


class Call(NamedTuple):
    """The other end of calls, and where in the caller they stand."""

    item: Item
    ranges: tuple[Range, ...]


# Calls


def prepare_calls(source: SourceModule, position: Position) -> Item | None:
    """The function that the id at a position names, else the function around the position."""
    found = id_at(source, position)
    if found is not None:
        item = function_item(source, found[0])
        if item is not None:
            return item
    chunk = source.document.chunk_at(source.clamp(position).line)
    name = chunk.records[0].result if chunk.is_function else None
    return function_item(source, name) if name is not None else None


def function_item(source: SourceModule, name: str) -> Item | None:
    """The function of that id."""
    function = source.module.function_named(name)
    chunk = source.module.ids.defining_chunk(name)
    if function is None or chunk is None:
        return None
    line = source.document.line_of(function.record, chunk)
    end = function.end or chunk.records[-1]
    last = source.range_of(end, None, source.document.line_of(end, chunk)).end
    selection = source.range_of(function.record, function.record.span(RESULT), line)
    span = Range(source.range_of(function.record, None, line).start, last)
    return Item(name, called(source.module, name), type_text(source.module, name) or "", span, selection)


def incoming_calls(source: SourceModule, name: str) -> list[Call]:
    """The functions that call a function, and the entry points that begin with it."""
    ranges: dict[str, list[Range]] = {}
    for chunk, record in dict.fromkeys(source.module.ids.uses(name)):
        caller = chunk.records[0].result if chunk.is_function else None
        if record.opcode.value == spv.OpFunctionCall and record.operands[:1] == (name,) and caller is not None:
            ranges.setdefault(caller, []).append(_operand_range(source, chunk, record, 0))
    found = [
        Call(item, tuple(sorted(places)))
        for caller, places in ranges.items()
        if (item := function_item(source, caller)) is not None
    ]
    return sorted(found, key=lambda call: call.item.range) + _entry_points(source, name)


def _entry_points(source: SourceModule, name: str) -> list[Call]:
    found: list[Call] = []
    chunk = source.document.chunks[0]
    for point in source.module.declarations.entry_points:
        if point.function != name:
            continue
        line = source.document.line_of(point.record, chunk)
        model = enumerants("ExecutionModel", point.model)
        title = point.name.decode("utf-8", "replace")
        selection = source.range_of(point.record, point.record.span(point.place + 2), line)
        item = Item(
            name, title, model[0].name if model else "", source.range_of(point.record, None, line), selection, True
        )
        found.append(Call(item, (source.range_of(point.record, point.record.span(point.place + 1), line),)))
    return found


def outgoing_calls(source: SourceModule, name: str) -> list[Call]:
    """The functions that a function calls."""
    function = source.module.function_named(name)
    chunk = source.module.ids.defining_chunk(name)
    if function is None or chunk is None:
        return []
    ranges: dict[str, list[Range]] = {}
    for record in function.calls():
        target = record.operands[0] if record.operands else None
        if isinstance(target, str):
            ranges.setdefault(target, []).append(_operand_range(source, chunk, record, 0))
    return [
        Call(item, tuple(places))
        for target, places in ranges.items()
        if (item := function_item(source, target)) is not None
    ]


def _operand_range(source: SourceModule, chunk: Chunk, record: Instruction, at: int) -> Range:
    return source.range_of(record, record.span(at), source.document.line_of(record, chunk))


# Types


def prepare_types(source: SourceModule, position: Position) -> Item | None:
    """The type that the id at a position declares, or the type of its value."""
    found = id_at(source, position)
    if found is None:
        return None
    type_ = source.module.type(found[0]) or source.module.type_of(found[0])
    return type_item(source, type_.id) if type_ is not None else None


def type_item(source: SourceModule, name: str) -> Item | None:
    """The type of that id."""
    type_ = source.module.type(name)
    record = source.module.ids.definition(name)
    chunk = source.module.ids.defining_chunk(name)
    if type_ is None or record is None or chunk is None:
        return None
    line = source.document.line_of(record, chunk)
    span = source.range_of(record, None, line)
    selection = source.range_of(record, record.span(RESULT), line)
    return Item(name, called(source.module, name), source.module.spell(type_), span, selection)


def built_of(source: SourceModule, name: str) -> list[Item]:
    """The types that a type is built of."""
    definition = source.module.ids.definition(name)
    parts = dict.fromkeys(definition.uses()) if definition is not None else {}
    return [item for part in parts if (item := type_item(source, part)) is not None]


def built_with(source: SourceModule, name: str) -> list[Item]:
    """The types that are built of a type."""
    users = dict.fromkeys(
        record.result
        for _, record in source.module.ids.uses(name)
        if record.result is not None and record.opcode.is_type
    )
    found = [item for user in users if (item := type_item(source, user)) is not None]
    return sorted(found, key=lambda item: item.range)
