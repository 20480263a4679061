"""Going from one place of a module to another."""

from __future__ import annotations

import os.path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from spvls.ide import definition as definitions
from spvls.ide.occurrences import highlights, references
from spvls.server.convert import Json
from spvls.server.server import SpirvServer
from spvls.server.session import Session


def register(server: SpirvServer) -> None:
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

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[Json]:
        session = server.session(params.text_document.uri)
        position = session.convert.position(params.position)
        places = definitions.definition(session.assembly, position)
        if not places:
            return _source(session, definitions.source_line(session.assembly, position))
        return found(session, places, server.supports("text_document.definition.link_support"))

    @server.feature(types.TEXT_DOCUMENT_DECLARATION)
    def declaration(params: types.DeclarationParams) -> list[Json]:
        session = server.session(params.text_document.uri)
        places = definitions.definition(session.assembly, session.convert.position(params.position))
        return found(session, places, server.supports("text_document.declaration.link_support"))

    @server.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    def type_definition(params: types.TypeDefinitionParams) -> list[Json]:
        session = server.session(params.text_document.uri)
        places = definitions.type_definition(session.assembly, session.convert.position(params.position))
        return found(session, places, server.supports("text_document.type_definition.link_support"))

    @server.feature(types.TEXT_DOCUMENT_IMPLEMENTATION)
    def implementation(params: types.ImplementationParams) -> list[Json]:
        session = server.session(params.text_document.uri)
        places = definitions.implementation(session.assembly, session.convert.position(params.position))
        return found(session, places, server.supports("text_document.implementation.link_support"))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references_of(params: types.ReferenceParams) -> list[Json]:
        session = server.session(params.text_document.uri)
        position = session.convert.position(params.position)
        places = references(session.assembly, position, include_definition=params.context.include_declaration)
        return [{"uri": session.uri, "range": session.convert.to_range(place)} for place in places]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def document_highlight(params: types.DocumentHighlightParams) -> list[Json]:
        session = server.session(params.text_document.uri)
        kinds = {True: types.DocumentHighlightKind.Write.value, False: types.DocumentHighlightKind.Read.value}
        return [
            {"range": session.convert.to_range(place.range), "kind": kinds[place.defines]}
            for place in highlights(session.assembly, session.convert.position(params.position))
        ]


def _source(session: Session, place: definitions.SourceLine | None) -> list[Json]:
    """The place in the source that an OpLine names, where that file is beside the document or has a whole path."""
    if place is None:
        return []
    here = to_fs_path(session.uri) if session.uri.startswith("file:") else None
    path = os.path.join(os.path.dirname(here), place.file) if here is not None else place.file
    if not os.path.isabs(path) or not os.path.isfile(path):
        return []
    start = {"line": place.position.line, "character": place.position.column}
    return [{"uri": from_fs_path(path), "range": {"start": start, "end": start}}]
