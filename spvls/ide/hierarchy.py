"""Hierarchies: who calls whom, and what types are built of."""

from __future__ import annotations

from typing import NamedTuple

from spvls.diagnostic import Position, Range
from spvls.grammar import spv
from spvls.ide.assembly import Assembly
from spvls.ide.id_card import type_text
from spvls.ide.occurrences import id_at
from spvls.ide.symbols import called
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.shape import enumerants


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


def prepare_calls(assembly: Assembly, position: Position) -> Item | None:
    """The function that the id at a position names, else the function around the position."""
    found = id_at(assembly, position)
    if found is not None:
        item = function_item(assembly, found[0])
        if item is not None:
            return item
    chunk = assembly.document.chunk_at(assembly.clamp(position).line)
    name = chunk.records[0].result if chunk.is_function else None
    return function_item(assembly, name) if name is not None else None


def function_item(assembly: Assembly, name: str) -> Item | None:
    """The function of that id."""
    function = assembly.module.function_named(name)
    chunk = assembly.module.ids.defining_chunk(name)
    if function is None or chunk is None:
        return None
    line = assembly.document.line_of(function.record, chunk)
    end = function.end or chunk.records[-1]
    last = assembly.range_of(end, None, assembly.document.line_of(end, chunk)).end
    selection = assembly.range_of(function.record, function.record.span(RESULT), line)
    span = Range(assembly.range_of(function.record, None, line).start, last)
    return Item(name, called(assembly.module, name), type_text(assembly.module, name) or "", span, selection)


def incoming_calls(assembly: Assembly, name: str) -> list[Call]:
    """The functions that call a function, and the entry points that begin with it."""
    ranges: dict[str, list[Range]] = {}
    for chunk, record in dict.fromkeys(assembly.module.ids.uses(name)):
        caller = chunk.records[0].result if chunk.is_function else None
        if record.opcode.value == spv.OpFunctionCall and record.operands[:1] == (name,) and caller is not None:
            ranges.setdefault(caller, []).append(_operand_range(assembly, chunk, record, 0))
    found = [
        Call(item, tuple(sorted(places)))
        for caller, places in ranges.items()
        if (item := function_item(assembly, caller)) is not None
    ]
    return found + _entry_points(assembly, name)


def _entry_points(assembly: Assembly, name: str) -> list[Call]:
    found: list[Call] = []
    chunk = assembly.document.chunks[0]
    for point in assembly.module.declarations.entry_points:
        if point.function != name:
            continue
        line = assembly.document.line_of(point.record, chunk)
        model = enumerants("ExecutionModel", point.model)
        title = point.name.decode("utf-8", "replace")
        selection = assembly.range_of(point.record, point.record.span(2), line)
        item = Item(
            name, title, model[0].name if model else "", assembly.range_of(point.record, None, line), selection, True
        )
        found.append(Call(item, (assembly.range_of(point.record, point.record.span(1), line),)))
    return found


def outgoing_calls(assembly: Assembly, name: str) -> list[Call]:
    """The functions that a function calls."""
    function = assembly.module.function_named(name)
    chunk = assembly.module.ids.defining_chunk(name)
    if function is None or chunk is None:
        return []
    ranges: dict[str, list[Range]] = {}
    for record in function.calls():
        target = record.operands[0] if record.operands else None
        if isinstance(target, str):
            ranges.setdefault(target, []).append(_operand_range(assembly, chunk, record, 0))
    return [
        Call(item, tuple(places))
        for target, places in ranges.items()
        if (item := function_item(assembly, target)) is not None
    ]


def _operand_range(assembly: Assembly, chunk: Chunk, record: Instruction, at: int) -> Range:
    return assembly.range_of(record, record.span(at), assembly.document.line_of(record, chunk))


# Types


def prepare_types(assembly: Assembly, position: Position) -> Item | None:
    """The type that the id at a position declares, or the type of its value."""
    found = id_at(assembly, position)
    if found is None:
        return None
    type_ = assembly.module.type(found[0]) or assembly.module.type_of(found[0])
    return type_item(assembly, type_.id) if type_ is not None else None


def type_item(assembly: Assembly, name: str) -> Item | None:
    """The type of that id."""
    type_ = assembly.module.type(name)
    record = assembly.module.ids.definition(name)
    chunk = assembly.module.ids.defining_chunk(name)
    if type_ is None or record is None or chunk is None:
        return None
    line = assembly.document.line_of(record, chunk)
    span = assembly.range_of(record, None, line)
    selection = assembly.range_of(record, record.span(RESULT), line)
    return Item(name, called(assembly.module, name), assembly.module.spell(type_), span, selection)


def built_of(assembly: Assembly, name: str) -> list[Item]:
    """The types that a type is built of."""
    definition = assembly.module.ids.definition(name)
    parts = dict.fromkeys(definition.uses()) if definition is not None else {}
    return [item for part in parts if (item := type_item(assembly, part)) is not None]


def built_with(assembly: Assembly, name: str) -> list[Item]:
    """The types that are built of a type."""
    users = dict.fromkeys(
        record.result
        for _, record in assembly.module.ids.uses(name)
        if record.result is not None and record.opcode.is_type
    )
    found = [item for user in users if (item := type_item(assembly, user)) is not None]
    return sorted(found, key=lambda item: item.range)
