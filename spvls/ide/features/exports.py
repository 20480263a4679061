"""What of a module is known outside of it: entry points, functions, names for linking (SPIR-V 2.13)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Position, Range
from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration, LinkageType
from spvls.ide.documentation.id_markdown import type_text
from spvls.ide.features.symbols import Symbol, SymbolKind, called
from spvls.ide.source.occurrences import id_at
from spvls.ide.source.source_module import SourceModule
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.operand_decls import enumerants


class Linkage(NamedTuple):
    """A function or variable that modules know each other by, under `name`; what is not imported is there for others.

    `id` is what its module calls it, `range` the instruction, `selection` its id.
    """

    name: bytes
    is_import: bool
    id: str
    range: Range
    selection: Range


def exports(source: SourceModule) -> Iterator[Symbol]:
    """The symbols to find a module by."""
    module = source.module
    chunks = list(source.document.chunks)
    for point in module.declarations.entry_points:
        line = source.document.line_of(point.record, chunks[0])
        model = enumerants("ExecutionModel", point.model)
        where = source.range_of(point.record, None, line)
        name = point.name.decode("utf-8", "replace")
        yield Symbol(name or "OpEntryPoint", model[0].name if model else "", SymbolKind.ENTRY_POINT, where, where)
    for chunk in chunks:
        for line, record in source.placed(chunk):
            if record.result is None or record.opcode.value not in (spv.OpFunction, spv.OpVariable):
                continue
            linkage = _linkage(module, record.result)
            if record.opcode.value == spv.OpVariable and linkage is None:
                continue
            name = called(module, record.result)
            if linkage is not None:
                name = linkage[0].decode("utf-8", "replace") or name
            kind = SymbolKind.FUNCTION if record.opcode.value == spv.OpFunction else SymbolKind.VARIABLE
            whole = source.range_of(record, None, line)
            selection = source.range_of(record, record.span(RESULT), line)
            yield Symbol(name, type_text(module, record.result) or "", kind, whole, selection)


def linkages(source: SourceModule) -> Iterator[Linkage]:
    """All that the module exports or imports."""
    named = (record.operands[0] for record in _decorated(source))
    for name in dict.fromkeys(name for name in named if isinstance(name, str)):
        found = _of_id(source, name)
        if found is not None:
            yield found


def linkage_at(source: SourceModule, position: Position) -> Linkage | None:
    """The linkage of the id at a position."""
    if not source.module.uses_decoration(_ATTRIBUTES):
        return None
    found = id_at(source, position)
    return _of_id(source, found[0]) if found is not None else None


def _of_id(source: SourceModule, name: str) -> Linkage | None:
    linkage = _linkage(source.module, name)
    record, chunk = source.module.ids.definition(name), source.module.ids.defining_chunk(name)
    if linkage is None or record is None or chunk is None or record.opcode.value not in _LINKED:
        return None
    line = source.document.line_of(record, chunk)
    return Linkage(*linkage, name, source.range_of(record, None, line), source.range_of(record, record.span(RESULT), line))


_LINKED = frozenset({spv.OpFunction, spv.OpVariable, spv.OpUntypedVariableKHR})


def _decorated(source: SourceModule) -> Iterator[Instruction]:
    """The instructions that decorate with LinkageAttributes."""
    for record in source.document.chunks[0].records:
        if record.opcode.value == spv.OpDecorate and _ATTRIBUTES in record.operands[1:2] and not record.faults:
            yield record


_ATTRIBUTES = Decoration.LinkageAttributes
_IMPORT = LinkageType.Import


def _linkage(module: Module, name: str) -> tuple[bytes, bool] | None:
    """The name that an id is linked by, and whether it is imported."""
    decoration = module.decoration(name, Decoration.LinkageAttributes)
    params = decoration.params if decoration is not None else ()
    if len(params) < 2 or not isinstance(params[0], bytes):
        return None
    return params[0], params[1] == _IMPORT


def matches(name: str, query: str) -> bool:
    """Whether the letters of a query stand in a name, in their order; case does not count."""
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower())
