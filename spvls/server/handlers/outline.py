"""The outline of documents and of the workspace."""

from __future__ import annotations

import json
from collections.abc import Sequence

from lsprotocol import types

from spvls.diagnostic import Position, Range
from spvls.host.languages import SPIRV
from spvls.ide.features.symbols import Symbol, SymbolKind, document_symbols
from spvls.server.convert import Converter, Json
from spvls.server.protocol import ContentModified, Raw
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.server.time_slicing import StaleError, in_time_slices
from spvls.text.escaping import visible
from spvls.text.lines import content_length

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
    SymbolKind.LOOP_HEADER: types.SymbolKind.Array,
    SymbolKind.SELECTION_HEADER: types.SymbolKind.Operator,
    SymbolKind.MERGE_BLOCK: types.SymbolKind.Interface,
    SymbolKind.CONTINUE_TARGET: types.SymbolKind.Object,
    SymbolKind.KERNEL: types.SymbolKind.Method,
    SymbolKind.ARGUMENT: types.SymbolKind.Field,
}


def register(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> Raw:
        document = server.document(params.text_document.uri)
        nested = server.supports("text_document.document_symbol.hierarchical_document_symbol_support")

        def shown(symbol: Symbol, session: Session, container: str | None) -> str:
            convert = session.convert
            entries = [_symbol(symbol, convert)] if nested else _flat([symbol], session.uri, convert, container)
            return json.dumps(entries, separators=(",", ":"))[1:-1]

        answer: list[str] = []
        is_alone = len(document.modules) == 1 and document.host.language.name == SPIRV
        try:
            for session in document.modules:
                name = None if is_alone else _module_name(session)
                steps = (shown(symbol, session, name) for symbol in document_symbols(session.source_module))
                found = await in_time_slices(document, steps)
                answer += found if is_alone else [_module(session, str(name), found, nested)]
        except StaleError:
            raise ContentModified from None
        return Raw(f"[{','.join(answer)}]")


def _module_name(session: Session) -> str:
    points = [visible(point.name.decode("utf-8", "replace")) for point in session.source_module.module.declarations.entry_points]
    name = visible(session.span.name) or ", ".join(points)
    return f"module {session.index + 1}{f': {name}' if name else ''}"


def _module(session: Session, name: str, inner: list[str], nested: bool) -> str:
    """The node of a module among several, with those in it, which are JSON already."""
    lines = session.lines
    whole = session.convert.to_range(Range(Position(0, 0), Position(len(lines) - 1, len(lines[-1]))))
    first = session.convert.to_range(Range(Position(0, 0), Position(0, content_length(lines[0]))))
    if not nested:
        entry: Json = {"name": name, "kind": types.SymbolKind.Module.value, "location": {"uri": session.uri, "range": whole}}
        return ",".join([json.dumps(entry, separators=(",", ":")), *inner])
    entry = {"name": name, "detail": "", "kind": types.SymbolKind.Module.value, "range": whole, "selectionRange": first}
    return f'{json.dumps(entry, separators=(",", ":"))[:-1]},"children":[{",".join(inner)}]}}'


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
