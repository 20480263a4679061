"""The outline of documents and of the workspace."""

from __future__ import annotations

import json
from collections.abc import Sequence

from lsprotocol import types

from spvls.ide.symbols import Symbol, SymbolKind, document_symbols
from spvls.server.convert import Converter, Json
from spvls.server.protocol import ContentModified, Raw
from spvls.server.server import SpirvServer
from spvls.server.slices import StaleError, in_slices
from spvls.text.escaping import visible

KINDS = {
    SymbolKind.SECTION: types.SymbolKind.Namespace,
    SymbolKind.CAPABILITY: types.SymbolKind.EnumMember,
    SymbolKind.EXTENSION: types.SymbolKind.Package,
    SymbolKind.IMPORT: types.SymbolKind.Module,
    SymbolKind.ENTRY_POINT: types.SymbolKind.Event,
    SymbolKind.TYPE: types.SymbolKind.Class,
    SymbolKind.STRUCT: types.SymbolKind.Struct,
    SymbolKind.CONSTANT: types.SymbolKind.Constant,
    SymbolKind.SPEC_CONSTANT: types.SymbolKind.Constant,
    SymbolKind.VARIABLE: types.SymbolKind.Variable,
    SymbolKind.FUNCTION: types.SymbolKind.Function,
    SymbolKind.BLOCK: types.SymbolKind.Key,
}


def register(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> Raw:
        session = server.session(params.text_document.uri)
        nested = server.supports("text_document.document_symbol.hierarchical_document_symbol_support")

        def shown(symbol: Symbol) -> str:
            entries = [_symbol(symbol, session.convert)] if nested else _flat([symbol], session.uri, session.convert, None)
            return json.dumps(entries, separators=(",", ":"))[1:-1]

        try:
            found = await in_slices(session, map(shown, document_symbols(session.source_module)))
        except StaleError:
            raise ContentModified from None
        return Raw(f"[{','.join(found)}]")


def _symbol(symbol: Symbol, convert: Converter) -> Json:
    return {
        "name": visible(symbol.name),
        "detail": visible(symbol.detail),
        "kind": KINDS[symbol.kind].value,
        "range": convert.to_range(symbol.range),
        "selectionRange": convert.to_range(symbol.selection),
        "children": [_symbol(child, convert) for child in symbol.children],
    }


def _flat(symbols: Sequence[Symbol], uri: str, convert: Converter, container: str | None) -> list[Json]:
    """Symbols for clients that know no hierarchy."""
    found: list[Json] = []
    for symbol in symbols:
        entry: Json = {
            "name": visible(symbol.name),
            "kind": KINDS[symbol.kind].value,
            "location": {"uri": uri, "range": convert.to_range(symbol.range)},
        }
        if container is not None:
            entry["containerName"] = visible(container)
        found.append(entry)
        found.extend(_flat(symbol.children, uri, convert, symbol.name))
    return found
