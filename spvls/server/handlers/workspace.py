"""What is asked of all texts of the workspace: symbols, findings."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import count

from lsprotocol import types

from spvls.ide.features.exports import exports, matches
from spvls.record import NamedTuple
from spvls.server.convert import Json
from spvls.server.folders import File
from spvls.server.handlers.outline import KINDS
from spvls.server.host_document import HostDocument
from spvls.server.publisher import with_links
from spvls.server.server import SpirvServer
from spvls.server.time_slicing import Clock, StaleError
from spvls.text.escaping import visible

WAIT = 5.0
"""Seconds between two looks at the files, while a client waits for findings to change."""

GONE = "gone"
"""The result of a file that is there no more."""

MOST_SYMBOLS = 500
"""Symbols that one answer has at most."""


class _Known(NamedTuple):
    """What was made of a file in one state, under some settings; `serial` names it."""

    state: tuple[str, object]
    found: list[Json]
    serial: int = 0


def register(server: SpirvServer) -> None:
    findings = _Findings(server)
    symbols = _Symbols(server)

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbol(params: types.WorkspaceSymbolParams) -> list[Json]:
        return [symbol for symbol in await symbols.all() if matches(symbol["name"], params.query)][:MOST_SYMBOLS]

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> Json:
        """Answer when there is something that the client does not know, as the protocol requires."""
        before = {known.uri: known.value for known in params.previous_result_ids}
        token = params.work_done_token
        while True:
            reports = await findings.reports(token)
            known = {report["uri"] for report in reports}
            reports += [_full(uri, None, GONE, []) for uri in before if uri not in known]
            news = {report["uri"] for report in reports if before.get(report["uri"]) != report["resultId"]}
            if news or not before:
                return {"items": [report if report["uri"] in news else _unchanged(report) for report in reports]}
            token = None
            await asyncio.sleep(WAIT)


class _Symbols:
    """The exported symbols of all texts; those of a file are kept while it stays as it is."""

    def __init__(self, server: SpirvServer) -> None:
        self._server = server
        self._known: dict[str, _Known] = {}

    async def all(self) -> list[Json]:
        clock = Clock()
        found: list[Json] = []
        for file in await self._server.folders.files():
            if self._server.documents.document(file.uri) is None:
                found += await self._of_file(file)
                await clock.pause()
        for document in self._server.documents.all_documents():
            found += _symbols(document)
            await clock.pause()
        return found

    async def _of_file(self, file: File) -> list[Json]:
        state = (file.state, None)
        known = self._known.get(file.uri)
        if known is None or known.state != state:
            known = self._known[file.uri] = _Known(state, _symbols(await self._server.folders.read(file)))
        return known.found


class _Findings:
    """The findings in all texts; those of a file are kept while it and the settings stay as they are."""

    def __init__(self, server: SpirvServer) -> None:
        self._server = server
        self._known: dict[str, _Known] = {}
        self._serials = count(1)

    async def reports(self, token: types.ProgressToken | None) -> list[Json]:
        """A report for each text; the progress is shown where there is a token for it."""
        files = await self._server.folders.files() if self._server.settings.workspace_diagnostics else []
        progress = self._server.work_done_progress
        if token is not None:
            progress.begin(token, types.WorkDoneProgressBegin("Checking SPIR-V", percentage=0))
        try:
            reports = await self._of_files(files, token)
        finally:
            if token is not None:
                progress.end(token, types.WorkDoneProgressEnd())
        listed = {file.uri for file in files}
        for document in self._server.documents.all_documents():
            if document.uri not in listed:
                reports.append(await self._open_report(document))
        return reports

    async def _of_files(self, files: list[File], token: types.ProgressToken | None) -> list[Json]:
        reports: list[Json] = []
        links = await self._server.linked.findings() if self._server.settings.link_diagnostics else {}
        for at, file in enumerate(files):
            report = await self._report(file)
            if report is not None:
                is_open = self._server.documents.document(file.uri) is not None
                reports.append(report if is_open else _with_links(report, links.get(file.uri, [])))
            if token is not None and at % 20 == 0:
                done = types.WorkDoneProgressReport(percentage=100 * at // len(files))
                self._server.work_done_progress.report(token, done)
        return reports

    async def _open_report(self, document: HostDocument) -> Json:
        """The findings in an open text; checked again where it changes meanwhile."""
        while True:
            with suppress(StaleError):
                await document.check()
                links = await self._server.diagnostics.link_items(document)
                result = with_links(f"open-{document.result_id}", links)
                return _full(document.uri, document.version, result, [*await self._server.diagnostics.items(document), *links])

    async def _report(self, file: File) -> Json | None:
        document = self._server.documents.document(file.uri)
        if document is not None:
            return await self._open_report(document)
        state = (file.state, self._server.settings)
        known = self._known.get(file.uri)
        if known is None or known.state != state:
            read = await self._server.folders.read(file)
            if read is None:
                return None
            await read.check()
            known = self._known[file.uri] = _Known(state, await self._server.diagnostics.items(read), next(self._serials))
        return _full(file.uri, None, f"file-{known.serial}", known.found)


def _with_links(report: Json, links: list[Json]) -> Json:
    if not links:
        return report
    return {**report, "resultId": with_links(report["resultId"], links), "items": [*report["items"], *links]}


def _symbols(document: HostDocument | None) -> list[Json]:
    if document is None:
        return []
    container = document.uri.rpartition("/")[2]
    return [
        {
            "name": visible(symbol.name),
            "kind": KINDS[symbol.kind].value,
            "containerName": visible(container),
            "location": {"uri": document.uri, "range": session.convert.to_range(symbol.selection)},
        }
        for session in document.modules
        for symbol in exports(session.source_module)
    ]


def _full(uri: str, version: int | None, result: str, items: list[Json]) -> Json:
    return {"kind": "full", "uri": uri, "version": version, "resultId": result, "items": items}


def _unchanged(report: Json) -> Json:
    return {"kind": "unchanged", "uri": report["uri"], "version": report["version"], "resultId": report["resultId"]}
