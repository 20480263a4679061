"""Going from one place of a module to another."""

from __future__ import annotations

import json
from collections.abc import Awaitable

from lsprotocol import types

from spvls.diagnostic import Position
from spvls.ide.features import definition as definitions
from spvls.ide.features.exports import linkage_at
from spvls.ide.source.occurrences import highlights, references
from spvls.ide.source.source_lines import source_line_at
from spvls.ide.source.target import target_at
from spvls.server.convert import Json
from spvls.server.handlers.sources import source_location
from spvls.server.protocol import Raw
from spvls.server.server import SpirvServer
from spvls.server.session import Session


def register(server: SpirvServer) -> None:
    _register_definitions(server)
    _register_references(server)


def _register_definitions(server: SpirvServer) -> None:
    def found(session: Session, places: list[definitions.Definition], links: bool) -> list[Json]:
        convert = session.convert
        if not links:
            return [{"uri": session.uri, "range": convert.to_range(place.selection)} for place in places]
        return [
            {
                "originSelectionRange": convert.to_range(place.origin),
                "targetUri": session.uri,
                "targetRange": convert.to_range(place.range),
                "targetSelectionRange": convert.to_range(place.selection),
            }
            for place in places
        ]

    async def linked_ends(session: Session, position: Position, *, imports: bool, links: bool) -> list[Json]:
        """The other ends of the linkage of the id at a position; none for an id without, or of the same side."""
        linkage = linkage_at(session.source_module, position)
        if linkage is None or linkage.is_import is imports:
            return []
        target = target_at(session.source_module, position)
        ends = await server.linked.others(session, linkage.name, imports=imports)
        if not links or target is None:
            return [{"uri": end.uri, "range": end.selection} for end in ends]
        origin = session.convert.to_range(target.range)
        return [
            {
                "originSelectionRange": origin,
                "targetUri": end.uri,
                "targetRange": end.range,
                "targetSelectionRange": end.selection,
            }
            for end in ends
        ]

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[Json] | Awaitable[list[Json]]:
        """Of what the module imports, the texts that export it; of another id, its definition; elsewhere, the source."""
        session = server.session(params.text_document.uri, params.position)
        position = session.convert.position(params.position)
        places = definitions.definition(session.source_module, position)
        links = server.supports("text_document.definition.link_support")
        if places and linkage_at(session.source_module, position) is None:
            return found(session, places, links)
        return elsewhere(session, position, places, links)

    async def elsewhere(session: Session, position: Position, places: list[definitions.Definition], links: bool) -> list[Json]:
        if not places:
            line = source_line_at(session.source_module, position)
            target = await source_location(server, session, line) if line is not None else None
            return [target] if target is not None else []
        return await linked_ends(session, position, imports=False, links=links) or found(session, places, links)

    @server.feature(types.TEXT_DOCUMENT_DECLARATION)
    async def declaration(params: types.DeclarationParams) -> list[Json]:
        """Of what the module exports, the texts that import it; of anything else, its definition."""
        session = server.session(params.text_document.uri, params.position)
        position = session.convert.position(params.position)
        places = definitions.definition(session.source_module, position)
        links = server.supports("text_document.declaration.link_support")
        return await linked_ends(session, position, imports=True, links=links) or found(session, places, links)

    @server.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    def type_definition(params: types.TypeDefinitionParams) -> list[Json]:
        session = server.session(params.text_document.uri, params.position)
        places = definitions.type_definition(session.source_module, session.convert.position(params.position))
        return found(session, places, server.supports("text_document.type_definition.link_support"))

    @server.feature(types.TEXT_DOCUMENT_IMPLEMENTATION)
    async def implementation(params: types.ImplementationParams) -> list[Json]:
        """Of what the module imports, the texts that export it; else the functions of a type, or the definition."""
        session = server.session(params.text_document.uri, params.position)
        position = session.convert.position(params.position)
        places = definitions.implementation(session.source_module, position)
        links = server.supports("text_document.implementation.link_support")
        return await linked_ends(session, position, imports=False, links=links) or found(session, places, links)


def _register_references(server: SpirvServer) -> None:
    async def linked_places(session: Session, position: Position, with_definition: bool) -> list[Json]:
        """The references in other texts to what the module imports or exports at a position."""
        linkage = linkage_at(session.source_module, position)
        if linkage is None:
            return []
        ends = await server.linked.others(session, linkage.name, imports=not linkage.is_import)
        return [
            {"uri": end.uri, "range": place}
            for end in ends
            for place in (*([end.selection] if with_definition else []), *end.uses)
        ]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references_of(params: types.ReferenceParams) -> Raw:
        """In the text, then in those that import what it exports, or export what it imports."""
        session = server.session(params.text_document.uri, params.position)
        position = session.convert.position(params.position)
        places = references(session.source_module, position, include_definition=params.context.include_declaration)
        uri, range_text = json.dumps(session.uri), session.convert.range_text
        found = [f'{{"uri":{uri},"range":{range_text(place)}}}' for place in places]
        elsewhere = await linked_places(session, position, params.context.include_declaration)
        return Raw(f"[{','.join([*found, *map(json.dumps, elsewhere)])}]")

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def document_highlight(params: types.DocumentHighlightParams) -> Raw:
        session = server.session(params.text_document.uri, params.position)
        write, read = types.DocumentHighlightKind.Write.value, types.DocumentHighlightKind.Read.value
        range_text = session.convert.range_text
        found = highlights(session.source_module, session.convert.position(params.position))
        marks = (f'{{"range":{range_text(place.range)},"kind":{write if place.defines else read}}}' for place in found)
        return Raw(f"[{','.join(marks)}]")

