"""The binary beside the text: its words as the text is edited."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from lsprotocol import types

from spvls.ide.words.encoding import LiveEncoding
from spvls.server.convert import Json
from spvls.server.garbage import give_back
from spvls.server.host_document import HostDocument
from spvls.server.protocol import RequestFailed
from spvls.server.publisher import start
from spvls.server.session import Session
from spvls.server.time_slicing import StaleError, in_time_slices
from spvls.server.word_map import WordMap

if TYPE_CHECKING:
    from spvls.server.server import SpirvServer

DELAY = 0.03
"""Seconds between an edit and the notification that the words are others."""

SMALL = 5000
"""Lines of a document whose words are made at once when a hover asks for them."""


class Binaries:
    """The words of the documents that somebody asked for."""

    def __init__(self, server: SpirvServer) -> None:
        self._server = server
        self._maps: dict[str, tuple[WordMap, int]] = {}
        self._encodings: dict[str, tuple[Session, LiveEncoding, int]] = {}
        self._watched: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._preparing: dict[str, asyncio.Task[None]] = {}
        self._contents: dict[str, set[str]] = {}

    def show(self, document: HostDocument, content: str) -> None:
        """From now on the client is asked to request that content again when the document changes."""
        self._watched.add(document.uri)
        self._contents.setdefault(document.uri, set()).add(content)

    def encoding(self, session: Session) -> LiveEncoding | None:
        """The words of a document as they are now; None where making them takes long, which is begun then."""
        live, generation = self._encoding(session)
        if generation != session.generation:
            if not live.parts and len(session.lines) > SMALL:
                under_way = self._preparing.get(session.uri)
                if under_way is None or under_way.done():
                    self._preparing[session.uri] = start(self._prepare(session))
                return None
            live.refresh()
            self._encodings[session.uri] = session, live, session.generation
        return live

    async def words(self, session: Session) -> LiveEncoding:
        """The words of a document as they are now. Raises StaleError when it changes meanwhile."""
        live, generation = self._encoding(session)
        if generation != session.generation:
            await in_time_slices(session, live.steps())
            self._encodings[session.uri] = session, live, session.generation
        return live

    async def word_map(self, session: Session) -> WordMap:
        """The words and their map. From now on the client is notified when they change. Raises StaleError as `words` does, and
        RequestFailed for a module whose lines are not lines of the document."""
        if session.span.quoted:
            raise RequestFailed("this module is joined from string literals, whose words are not shown beside them")
        self._watched.add(session.uri)
        live, _ = self._encoding(session)
        known = self._maps.get(session.uri)
        if known is None or known[0].encoding is not live or known[0].moves != session.moves:
            known = WordMap(session.source_module, session.convert, live, session.moves), -1
        made, generation = known
        if generation != session.generation:
            await in_time_slices(session, made.steps())
            self._encodings[session.uri] = session, live, session.generation
        self._maps[session.uri] = made, session.generation
        return made

    def changed(self, document: HostDocument) -> None:
        """The document was edited, or is taken for another environment."""
        if document.uri not in self._watched:
            return
        running = self._tasks.get(document.uri)
        if running is not None:
            running.cancel()
        self._tasks[document.uri] = start(self._tell(document))

    def closed(self, uri: str) -> None:
        """The document was closed."""
        self._watched.discard(uri)
        self._maps.pop(uri, None)
        self._encodings.pop(uri, None)
        self._contents.pop(uri, None)
        for tasks in (self._tasks, self._preparing):
            task = tasks.pop(uri, None)
            if task is not None:
                task.cancel()
        give_back(self._watched, self._maps, self._encodings, self._contents, self._tasks, self._preparing)

    def _encoding(self, session: Session) -> tuple[LiveEncoding, int]:
        known = self._encodings.get(session.uri)
        if known is None or known[0] is not session:
            known = session, LiveEncoding(session.source_module), -1
            self._encodings[session.uri] = known
        return known[1], known[2]

    async def _prepare(self, session: Session) -> None:
        with suppress(StaleError):
            await self.words(session)

    async def _tell(self, document: HostDocument) -> None:
        await asyncio.sleep(DELAY)
        self._server.protocol.send_notification("spvls/binaryChanged", {"uri": document.uri, "version": document.version})
        for content in sorted(self._contents.get(document.uri, ())):
            self._server.workspace_text_document_content_refresh(types.TextDocumentContentRefreshParams(content))


def gaps_reason(gaps: list[Json]) -> str:
    """Why a text with gaps is not a whole module."""
    first = gaps[0]
    where = f"line {first['range']['start']['line'] + 1}: {first['message']}"
    if len(gaps) == 1:
        return f"one instruction does not assemble, {where}"
    return f"{len(gaps)} instructions do not assemble, the first on {where}"
