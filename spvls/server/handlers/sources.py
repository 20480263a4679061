"""Instructions and the lines of the source that they come from."""

from __future__ import annotations

from typing import Any

from spvls.diagnostic import SourceLine
from spvls.ide.source.source_lines import instructions_of_line, source_line_at
from spvls.server.convert import Json
from spvls.server.params import position_of, uri_of
from spvls.server.protocol import ContentModified, NoModule
from spvls.server.reach import address_of
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.server.source_documents import parsed, place_of_source
from spvls.server.time_slicing import StaleError, in_time_slices


async def source_location(server: SpirvServer, session: Session, line: SourceLine) -> Json | None:
    """Where the client finds a line of the source: in the text that the module carries, or else in a file beside it."""
    if line.text is not None and server.supports("workspace.text_document_content"):
        return place_of_source(session, line)
    uri = await _file(server, session, line.file)
    return _location(uri, line.line - 1, max(line.column - 1, 0)) if uri is not None else None


async def _file(server: SpirvServer, session: Session, name: str) -> str | None:
    """The address of the file of that name beside a module."""
    path = await server.disk.access(server.reach.beside, session.uri, name)
    return address_of(path) if path is not None else None


def register(server: SpirvServer) -> None:
    @server.feature("spvls/source")
    async def source(params: Any) -> Json | None:
        """The line of the source that the instruction at a position comes from, and all instructions that come from it. In a
        text of the source those that come from the line at the position; a file is one for the module of `document`."""
        uri, position = uri_of(params), position_of(params.get("position"))
        address, document = parsed(uri), params.get("document")
        target: Json | None = _location(uri, position.line, 0)
        if address is not None:
            session = _module(server, address.document, address.module)
            number, row = address.number, position.line
        elif isinstance(document, str):
            session = _module(server, document, 0)
            found = await _number_of(server, session, uri)
            if found is None:
                return None
            number, row = found, position.line
        else:
            session = server.session(uri, position)
            line = source_line_at(session.source_module, session.convert.position(position))
            if line is None:
                return None
            target = await source_location(server, session, line)
            number, row = line.number, line.row
        try:
            ranges = await in_time_slices(session.document, instructions_of_line(session.source_module, number, row))
        except StaleError:
            raise ContentModified from None
        to_range = session.convert.to_range
        return {
            "document": session.uri,
            "version": session.version,
            "source": target,
            "instructions": [to_range(span) for span in ranges if span is not None],
        }


def _module(server: SpirvServer, uri: str, index: int) -> Session:
    """A module of an open document, by its number. Raises NoModule."""
    document = server.documents.document(uri)
    if document is None or index >= len(document.modules):
        raise NoModule
    return document.modules[index]


async def _number_of(server: SpirvServer, session: Session, uri: str) -> int | None:
    """The number of the source of a module that is the file at an address."""
    for number, file in enumerate(session.source_module.module.source_files.files):
        if await _file(server, session, file.name.decode("utf-8", "replace")) == uri:
            return number
    return None


def _location(uri: str, line: int, column: int) -> Json:
    start = {"line": line, "character": column}
    return {"uri": uri, "range": {"start": start, "end": start}}
