"""What of a module is known outside of it: entry points, functions, names for linking."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.ide.assembly import Assembly
from spvls.ide.id_card import type_text
from spvls.ide.symbols import Symbol, SymbolKind, called
from spvls.syntax.instruction import RESULT
from spvls.syntax.shape import enumerants


def exports(assembly: Assembly) -> Iterator[Symbol]:
    """The symbols to find a module by."""
    module = assembly.module
    chunks = list(assembly.document.chunks)
    for point in module.declarations.entry_points:
        line = assembly.document.line_of(point.record, chunks[0])
        model = enumerants("ExecutionModel", point.model)
        where = assembly.range_of(point.record, None, line)
        name = point.name.decode("utf-8", "replace")
        yield Symbol(name or "OpEntryPoint", model[0].name if model else "", SymbolKind.ENTRY_POINT, where, where)
    for chunk in chunks:
        for line, record in assembly.placed(chunk):
            if record.result is None or record.opcode.name not in ("OpFunction", "OpVariable"):
                continue
            linkage = module.decoration(record.result, "LinkageAttributes")
            if record.opcode.name == "OpVariable" and linkage is None:
                continue
            name = called(module, record.result)
            if linkage is not None and linkage.params and isinstance(linkage.params[0], bytes):
                name = linkage.params[0].decode("utf-8", "replace") or name
            kind = SymbolKind.FUNCTION if record.opcode.name == "OpFunction" else SymbolKind.VARIABLE
            whole = assembly.range_of(record, None, line)
            selection = assembly.range_of(record, record.span(RESULT), line)
            yield Symbol(name, type_text(module, record.result) or "", kind, whole, selection)


def matches(name: str, query: str) -> bool:
    """Whether the letters of a query stand in a name, in their order; case does not count."""
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower())
