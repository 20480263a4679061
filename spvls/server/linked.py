"""The other ends of linkage: which texts of the workspace export what another one imports, and the other way round."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from spvls.diagnostic import Diagnostic, Position, Range, Severity
from spvls.grammar.enumerants import Decoration
from spvls.host.findings import in_host
from spvls.ide.documentation.rule_page import page_of_rule
from spvls.ide.features.exports import linkages
from spvls.ide.source.occurrences import occurrences
from spvls.record import NamedTuple
from spvls.server.convert import Json
from spvls.server.findings import placed_json
from spvls.server.host_document import HostDocument
from spvls.server.reach import path_of
from spvls.server.session import Session
from spvls.server.time_slicing import Clock
from spvls.validate.link import LinkEnd, LinkInput, link_ends, link_findings

if TYPE_CHECKING:
    from spvls.server.server import SpirvServer


_TOP = Range(Position(0, 0), Position(0, 0))


class End(NamedTuple):
    """A function or variable of some text, in the client's units: its instruction, its id, and where else the text has the id."""

    uri: str
    name: bytes
    is_import: bool
    range: Json
    selection: Json
    uses: tuple[Json, ...]


class _Text(NamedTuple):
    """What a text exports and imports: as places to go to, and as modules to link, whose places are `ranges` of the client."""

    ends: tuple[End, ...] = ()
    inputs: tuple[LinkInput, ...] = ()
    ranges: Mapping[Range | None, Json] = {}

    @property
    def identity(self) -> object:
        """What others must be compared with again when it changes."""
        return [(end.name, end.linkage, end.identity, end.spelled) for module in self.inputs for end in module.ends]


class LinkedTexts:
    """Finds ends by the names that they are linked by, in open documents and in files."""

    def __init__(self, server: SpirvServer) -> None:
        self._server = server
        self._known: dict[str, tuple[object, _Text]] = {}
        server.when_closed.append(self._closed)

    def _closed(self, uri: str) -> None:
        self._known.pop(uri, None)

    async def others(self, session: Session, name: bytes, *, imports: bool) -> list[End]:
        """What other texts than that of `session` import, or export, under a name."""
        texts = await self._texts(but=session.uri)
        return [end for text in texts.values() for end in text.ends if end.name == name and end.is_import is imports]

    def of_document(self, document: HostDocument) -> _Text:
        """What an open document exports and imports now."""
        state = id(document), document.generation
        known = self._known.get(document.uri)
        if known is None or known[0] != state:
            known = self._known[document.uri] = state, _text_of(document)
        return known[1]

    async def findings(self) -> dict[str, list[Json]]:
        """What keeps the modules of the workspace from being linked with each other, by text."""
        texts = dict(sorted((await self._texts()).items()))
        modules = [(text, uri, module) for uri, text in texts.items() for module in text.inputs]
        found: dict[str, list[Json]] = {}
        for (text, uri, _), said in zip(modules, link_findings([module for _, _, module in modules]), strict=True):
            for diagnostic in said:
                item = placed_json(diagnostic, text.ranges[diagnostic.range])
                page = page_of_rule(diagnostic.rule)
                if page is not None:
                    item["codeDescription"] = {"href": page}
                found.setdefault(uri, []).append(item)
        return found

    async def _texts(self, but: str | None = None) -> dict[str, _Text]:
        """What each text exports and imports, by its address."""
        clock = Clock()
        documents, folders = self._server.documents, self._server.folders
        found: dict[str, _Text] = {}
        for file in await folders.files():
            if documents.document(file.uri) is not None or file.uri == but:
                continue
            known = self._known.get(file.uri)
            if known is None or known[0] != file.state:
                read = await folders.read(file)
                known = self._known[file.uri] = file.state, _text_of(read) if read is not None else _Text()
            found[file.uri] = known[1]
            await clock.pause()
        for document in documents.all_documents():
            if document.uri != but:
                found[document.uri] = self.of_document(document)
                await clock.pause()
        return found


def is_linked(document: HostDocument) -> bool:
    """Whether a document exports or imports anything."""
    return any(session.source_module.module.uses_decoration(Decoration.LinkageAttributes) for session in document.modules)


def _text_of(document: HostDocument) -> _Text:
    if not is_linked(document):
        return _Text()
    path = path_of(document.uri)
    name = os.path.basename(path) if path is not None else document.uri
    inputs = tuple(LinkInput(name, tuple(_placed(session))) for session in document.modules)
    places = {end.range for module in inputs for end in module.ends}
    ranges = {place: document.convert.to_range(place or _TOP) for place in places}
    return _Text(tuple(_ends(document)), inputs, ranges)


def _placed(session: Session) -> Iterator[LinkEnd]:
    """What a module exports and imports, at its places in the document."""
    source, span, host = session.source_module, session.span, session.document.host
    for end in link_ends(source.module, source.document):
        there = in_host([Diagnostic("", Severity.ERROR, "", end.range)], host, span, source.document.text) if span.is_closed else []
        if there:
            yield end._replace(range=there[0].range)


def _ends(document: HostDocument) -> Iterator[End]:
    for session in document.modules:
        for linkage in linkages(session.source_module):
            uses = (found.range for found in occurrences(session.source_module, linkage.id) if not found.defines)
            yield End(
                session.uri,
                linkage.name,
                linkage.is_import,
                session.convert.to_range(linkage.range),
                session.convert.to_range(linkage.selection),
                tuple(map(session.convert.to_range, uses)),
            )
