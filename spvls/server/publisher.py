"""Findings for the client: pulled where it can, pushed where it cannot, never both."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from spvls.diagnostic import Diagnostic, Severity
from spvls.ide.features.grouping import MANY, grouped
from spvls.server.convert import Json
from spvls.server.findings import config_json, host_json, to_json
from spvls.server.garbage import give_back
from spvls.server.host_document import HostDocument
from spvls.server.linked import is_linked
from spvls.server.protocol import ServerCancelled
from spvls.server.reach import address_of
from spvls.server.session import Session
from spvls.server.time_slicing import StaleError, in_time_slices
from spvls.steps import Steps
from spvls.text.lines import split_lines
from spvls.validate.config import Config

if TYPE_CHECKING:
    from spvls.server.server import SpirvServer

QUICK = 0.03
"""Seconds: findings that take no longer are pushed at once, others when the typing pauses."""

LONGEST_DELAY = 0.3
"""Seconds that a push waits at most for the next edit."""


MOST_SHOWN = 2000
"""Findings of a document that clients are given: editors show fewer, and making and reading more would hold all else up."""


MORE = "report/more-findings"
"""The code of the finding that others are not shown."""


def _gravest(found: list[Diagnostic], most: int) -> list[Diagnostic]:
    """So many of the findings, the gravest first; all of them, in their order, where they are no more."""
    if len(found) <= most:
        return found
    shown: list[Diagnostic] = []
    for severity in Severity:
        if len(shown) < most:
            shown += [finding for finding in found if finding.severity is severity][: most - len(shown)]
    return shown


def with_links(result: str, links: list[Json]) -> str:
    """The name of a result to which findings on linkage are added."""
    return f"{result}-{zlib.crc32(repr(links).encode()):08x}" if links else result


class Publisher:
    """Gives the client the findings of its documents."""

    def __init__(self, server: SpirvServer) -> None:
        self._server = server
        self._pushes = False
        self._related = self._tags = self._contents = False
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._cost: dict[str, float] = {}
        self._shown: dict[str, list[Json]] = {}
        self._configs: dict[str, tuple[Diagnostic, ...]] = {}
        self._ends: dict[str, object] = {}

    def start(self) -> None:
        """Serve pulls, or else push, as the client wants it."""
        supports = self._server.supports
        self._pushes = not supports("text_document.diagnostic")
        kind = "publish_diagnostics" if self._pushes else "diagnostic"
        self._related = supports(f"text_document.{kind}.related_information") or not self._pushes
        self._tags = supports(f"text_document.{kind}.tag_support") or not self._pushes
        self._contents = supports("workspace.text_document_content")
        if not self._pushes:
            self._serve_pulls()

    def _serve_pulls(self) -> None:
        options = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False, identifier="spvls")

        @self._server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
        async def pull(params: types.DocumentDiagnosticParams) -> Json:
            return await self.pull(params)

    async def items(self, document: HostDocument) -> list[Json]:
        """The findings of a document as plain JSON. Raises StaleError when the document changes meanwhile."""
        return [item for item in await in_time_slices(document, self._item_steps(document)) if item is not None]

    async def link_items(self, document: HostDocument) -> list[Json]:
        """What keeps an open document from being linked with others, where the settings ask for that, as plain JSON."""
        linked = self._server.linked
        if not self._server.settings.link_diagnostics or not (is_linked(document) or document.uri in self._ends):
            return []
        ends, before = linked.of_document(document).identity, self._ends.get(document.uri)
        self._ends[document.uri] = ends
        if ends != before:
            self._refresh_linked(document)
        return (await linked.findings()).get(document.uri, [])

    def _refresh_linked(self, changed: HostDocument) -> None:
        """What a document exports or imports has changed: others may fit to it, or no more."""
        if not self._pushes:
            if self._server.supports("workspace.diagnostics.refresh_support"):
                self._server.workspace_diagnostic_refresh(None)
            return
        for document in self._server.documents.all_documents():
            if document is not changed and is_linked(document):
                self._schedule(document)

    def _item_steps(self, document: HostDocument) -> Iterator[Json | None]:
        """The findings as plain JSON; None is a pause."""
        room, left = MOST_SHOWN, 0
        for session in document.modules:
            found = yield from self._grouped(session)
            yield None
            shown = _gravest(found, room)
            yield None
            yield from to_json(shown, session, related=self._related, tags=self._tags, contents=self._contents)
            room -= len(shown)
            left += len(found) - len(shown)
        for one in document.unclosed():
            yield host_json(one, document.convert)
        if left:
            of_which = "" if len(document.modules) == 1 else " of the first modules"
            message = f"this file has {left} more findings; those shown are the gravest{of_which}"
            yield host_json(Diagnostic(MORE, Severity.INFORMATION, message), document.convert)

    def _grouped(self, session: Session) -> Steps[list[Diagnostic]]:
        """The findings of a module, grouped as the settings say, if the client shows the other places of a finding."""
        found, grouping = session.findings(), session.settings.group_findings
        if grouping == "off" or not self._related or len(found) <= MANY:
            return found
        functions = [chunk.first for chunk in session.source_module.document.chunks if chunk.is_function]
        return (yield from grouped(found, functions, errors=grouping == "all"))

    async def pull(self, params: types.DocumentDiagnosticParams) -> Json:
        """Answer `textDocument/diagnostic`."""
        document = self._server.documents.document(params.text_document.uri)
        if document is None:
            return {"kind": "full", "items": []}
        try:
            await document.check()
            links = await self.link_items(document)
            result = with_links(document.result_id, links)
            if params.previous_result_id == result:
                return {"kind": "unchanged", "resultId": result}
            return {"kind": "full", "resultId": result, "items": [*await self.items(document), *links]}
        except StaleError:
            raise ServerCancelled from None

    # Events

    def changed(self, document: HostDocument) -> None:
        """The document was opened or edited."""
        if self._pushes:
            self._schedule(document)

    def settings_changed(self, documents: list[HostDocument]) -> None:
        """Documents may have other findings than before, without an edit."""
        if self._pushes:
            for document in documents:
                self._schedule(document)
        elif documents and self._server.supports("workspace.diagnostics.refresh_support"):
            self._server.workspace_diagnostic_refresh(None)
        if documents and self._server.supports("workspace.inlay_hint.refresh_support"):
            self._server.workspace_inlay_hint_refresh(None)
        if documents and self._server.supports("workspace.code_lens.refresh_support"):
            self._server.workspace_code_lens_refresh(None)

    def closed(self, uri: str) -> None:
        """The document was closed: its findings are shown no more."""
        task = self._tasks.pop(uri, None)
        if task is not None:
            task.cancel()
        self._cost.pop(uri, None)
        self._ends.pop(uri, None)
        give_back(self._tasks, self._cost, self._ends)
        if self._shown.pop(uri, []):
            self._server.protocol.send_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": []})

    def configured(self, config: Config) -> None:
        """A configuration counts for some document: what is wrong with it is shown in its own file."""
        uri = address_of(config.path) if config.path is not None else None
        if uri is None or self._configs.get(uri, ()) == config.problems:
            return
        self._configs[uri] = config.problems
        lines = split_lines(config.text)
        items = [config_json(problem, lines, self._server.documents.codec) for problem in config.problems]
        self._server.protocol.send_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": items})

    # Pushing

    def _schedule(self, document: HostDocument) -> None:
        running = self._tasks.get(document.uri)
        if running is not None:
            running.cancel()
        cost = self._cost.get(document.uri, 0.0)
        delay = 0.0 if cost < QUICK else min(4 * cost, LONGEST_DELAY)
        self._tasks[document.uri] = start(self._push(document, delay))

    async def _push(self, document: HostDocument, delay: float) -> None:
        await asyncio.sleep(delay)
        began = time.perf_counter()
        try:
            await document.check()
            items = [*await self.items(document), *await self.link_items(document)]
        except StaleError:
            return  # whoever changed the document has scheduled the next push
        if document.uri in self._shown:  # the first time, all was new
            self._cost[document.uri] = time.perf_counter() - began
        message: Json = {"uri": document.uri, "diagnostics": items}
        if document.version is not None:
            message["version"] = document.version
        self._shown[document.uri] = items
        self._server.protocol.send_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, message)


_running: set[asyncio.Task[Any]] = set()


def start(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run something on the loop; it is kept alive until it is done, and its failure is reported by the loop."""
    task = asyncio.ensure_future(work)
    _running.add(task)
    task.add_done_callback(_running.discard)
    return task
