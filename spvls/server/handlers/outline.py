"""The outline of documents and of the workspace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.encoder import encode_basestring_ascii as _quoted

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
_NUMBERS = {kind: shown.value for kind, shown in KINDS.items()}


def register(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> Raw:
        document = server.document(params.text_document.uri)
        nested = server.supports("text_document.document_symbol.hierarchical_document_symbol_support")

        def shown(symbol: Symbol, session: Session, container: str | None) -> str:
            if nested:
                return _symbol(symbol, session.convert)
            return ",".join(_flat(symbol, _quoted(session.uri), session.convert, container))

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


def _symbol(symbol: Symbol, convert: Converter) -> str:
    """A symbol as JSON: a long module has thousands."""
    children = ",".join([_symbol(child, convert) for child in symbol.children])
    return (
        f'{{"name":{_quoted(visible(symbol.name))},"detail":{_quoted(visible(symbol.detail))},"kind":{_NUMBERS[symbol.kind]},'
        f'"range":{convert.range_text(symbol.range)},"selectionRange":{convert.range_text(symbol.selection)},'
        f'"children":[{children}]}}'
    )


def _flat(symbol: Symbol, uri: str, convert: Converter, container: str | None) -> Iterator[str]:
    """A symbol and those in it as JSON, for clients that know no hierarchy; `uri` is JSON already."""
    within = "" if container is None else f',"containerName":{_quoted(visible(container))}'
    yield (
        f'{{"name":{_quoted(visible(symbol.name))},"kind":{_NUMBERS[symbol.kind]},'
        f'"location":{{"uri":{uri},"range":{convert.range_text(symbol.range)}}}{within}}}'
    )
    for child in symbol.children:
        yield from _flat(child, uri, convert, symbol.name)
