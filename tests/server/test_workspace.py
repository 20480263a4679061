"""What is asked of the whole workspace: symbols and findings of open documents and of files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from spvls.ide.features.exports import matches
from spvls.server.folders import find
from spvls.server.handlers import workspace
from tests.server.client import CAPABILITIES, Client, Json, edit, place, span

_LIBRARY = """\
OpCapability Linkage
OpDecorate %f LinkageAttributes "library_call" Export
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
OpFunctionEnd
"""
_FAULTY = "OpCapability Shadre\n"


def _fill(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "library.spvasm").write_text(_LIBRARY)
    (folder / "faulty.spvasm.frag").write_text(_FAULTY)
    (folder / "other.txt").write_text("OpNop")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "a.spvasm").write_text(_FAULTY)


async def _started(folder: Path, capabilities: Json | None = None, **settings: Any) -> Client:
    client = Client()
    params = {
        "processId": None,
        "rootUri": None,
        "capabilities": CAPABILITIES if capabilities is None else capabilities,
        "workspaceFolders": [{"uri": folder.as_uri(), "name": "x"}],
        "initializationOptions": settings,
    }
    capable = (await client.request("initialize", params))["capabilities"]
    assert capable["diagnosticProvider"]["workspaceDiagnostics"] is True
    client.notify("initialized", {})
    return client


def test_texts_are_found_below_the_folders(tmp_path: Path) -> None:
    _fill(tmp_path)
    (tmp_path / "link.spvasm").symlink_to("/dev/zero")
    heard: list[str] = []

    def _heard(path: str, _reason: str) -> None:
        heard.append(Path(path).name)

    names = [Path(file.path).name for file in find([str(tmp_path), str(tmp_path / "deep"), str(tmp_path / "none")], _heard)]
    assert names == ["library.spvasm", "faulty.spvasm.frag"]
    assert heard == ["link.spvasm", "none"]


@pytest.mark.parametrize(
    ("name", "query", "fits"),
    [("library_call", "", True), ("library_call", "LC", True), ("library_call", "z", False), ("a", "ab", False)],
)
def test_queries_are_letters_in_order(name: str, query: str, fits: bool) -> None:
    assert matches(name, query) is fits


def test_symbols_of_files_and_of_open_documents(tmp_path: Path) -> None:
    _fill(tmp_path)
    library = (tmp_path / "deep" / "library.spvasm").as_uri()

    async def run() -> None:
        client = await _started(tmp_path)
        (symbol,) = await client.request("workspace/symbol", {"query": "libcall"})
        assert (symbol["name"], symbol["containerName"]) == ("library_call", "library.spvasm")
        assert symbol["location"]["uri"] == library
        client.open(_LIBRARY.replace("library_call", "opened_call"), uri=library)
        assert await client.request("workspace/symbol", {"query": "libcall"}) == []
        (symbol,) = await client.request("workspace/symbol", {"query": "opened"})
        assert symbol["location"]["range"]["start"]["line"] == 4

    asyncio.run(run())


async def _pull(client: Client, before: Json | None = None, **more: Any) -> dict[str, Json]:
    previous = [{"uri": uri, "value": report["resultId"]} for uri, report in (before or {}).items()]
    answer = await client.request("workspace/diagnostic", {"previousResultIds": previous, **more})
    return {report["uri"]: report for report in answer["items"]}


def test_findings_of_files_and_of_open_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(tmp_path)
    monkeypatch.setattr(workspace, "WAIT", 0.01)
    library, faulty = (tmp_path / "deep" / "library.spvasm"), (tmp_path / "faulty.spvasm.frag")

    async def run() -> None:
        client = await _started(tmp_path)
        reports = await _pull(client, workDoneToken="work")
        assert set(reports) == {library.as_uri(), faulty.as_uri()}
        assert "syntax/unknown-enumerant" in [item["code"] for item in reports[faulty.as_uri()]["items"]]
        kinds = [message["params"]["value"]["kind"] for message in client.said if message["method"] == "$/progress"]
        assert kinds == ["begin", "report", "end"]
        client.open(_LIBRARY, uri=library.as_uri())
        reports = await _pull(client, reports)
        assert {uri: report["kind"] for uri, report in reports.items()} == {
            library.as_uri(): "full",
            faulty.as_uri(): "unchanged",
        }
        waiting = asyncio.ensure_future(_pull(client, reports))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        client.change([edit((0, 0), (0, 0), "OpNonesuch\n")], 2, uri=library.as_uri())
        reports = await waiting
        assert reports[library.as_uri()]["kind"] == "full"
        faulty.unlink()
        gone = (await _pull(client, reports))[faulty.as_uri()]
        assert (gone["kind"], gone["items"]) == ("full", [])

    asyncio.run(run())


def test_files_are_left_alone_when_that_is_wanted(tmp_path: Path) -> None:
    _fill(tmp_path)

    async def run() -> None:
        client = await _started(tmp_path, workspaceDiagnostics=False)
        assert await _pull(client) == {}

    asyncio.run(run())


_USER = """\
OpCapability Linkage
OpDecorate %imported LinkageAttributes "library_call" Import
OpDecorate %lonely LinkageAttributes "nobody_has_it" Import
OpDecorate %shared LinkageAttributes "shared" Import
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 0
%ptr = OpTypePointer CrossWorkgroup %int
%shared = OpVariable %ptr CrossWorkgroup
%imported = OpFunction %void None %fn
OpFunctionEnd
%lonely = OpFunction %void None %fn
OpFunctionEnd
%f = OpFunction %void None %fn
%entry = OpLabel
%call = OpFunctionCall %void %imported
OpReturn
OpFunctionEnd
"""
_SHARED = """\
OpCapability Linkage
OpDecorate %v LinkageAttributes "shared" Export
%int = OpTypeInt 32 0
%ptr = OpTypePointer CrossWorkgroup %int
%v = OpVariable %ptr CrossWorkgroup
"""


def test_an_imported_function_is_implemented_where_another_text_exports_it(tmp_path: Path) -> None:
    _fill(tmp_path)
    library, user, shared = (tmp_path / "deep" / "library.spvasm"), (tmp_path / "user.spvasm"), (tmp_path / "s.spvasm")
    user.write_text(_USER)

    async def run() -> None:
        client = await _started(tmp_path)
        client.open(_USER, uri=user.as_uri())

        async def ask(what: str, uri: str, line: int, character: int) -> Any:
            where = {"textDocument": {"uri": uri}, "position": place(line, character)}
            return await client.request(f"textDocument/{what}", where)

        call = 15, _USER.split("\n")[15].index("%imported") + 1
        exported = {"uri": library.as_uri(), "range": span(4, 0, 2)}
        assert await ask("implementation", user.as_uri(), *call) == [exported]
        assert await ask("implementation", user.as_uri(), 9, 1) == [exported]
        (defined,) = await ask("definition", user.as_uri(), *call)
        assert (defined["targetUri"], defined["targetSelectionRange"]) == (library.as_uri(), span(4, 0, 2))
        (own,) = await ask("definition", user.as_uri(), 11, 1)
        assert (own["targetUri"], own["targetSelectionRange"]) == (user.as_uri(), span(11, 0, 7))
        assert await ask("declaration", user.as_uri(), *call) == [{"uri": user.as_uri(), "range": span(9, 0, 9)}]
        assert await ask("implementation", user.as_uri(), 11, 1) == [{"uri": user.as_uri(), "range": span(11, 0, 7)}]
        assert await ask("implementation", user.as_uri(), 8, 1) == [{"uri": user.as_uri(), "range": span(8, 0, 7)}]
        client.open(_SHARED, uri=shared.as_uri())  # which is on no disk
        assert await ask("implementation", user.as_uri(), 8, 1) == [{"uri": shared.as_uri(), "range": span(4, 0, 2)}]
        client.open(f"; one line more\n{_LIBRARY}", uri=library.as_uri())
        assert await ask("implementation", user.as_uri(), *call) == [{"uri": library.as_uri(), "range": span(5, 0, 2)}]
        assert await ask("declaration", library.as_uri(), 5, 1) == [{"uri": user.as_uri(), "range": span(9, 0, 9)}]
        assert await ask("implementation", library.as_uri(), 5, 1) == [{"uri": library.as_uri(), "range": span(5, 0, 2)}]

    asyncio.run(run())


def test_references_are_found_in_texts_that_import_what_a_text_exports(tmp_path: Path) -> None:
    _fill(tmp_path)
    library, user = (tmp_path / "deep" / "library.spvasm"), (tmp_path / "user.spvasm")
    user.write_text(_USER)

    async def run() -> None:
        client = await _started(tmp_path)
        client.open(_LIBRARY, uri=library.as_uri())

        async def ask(uri: str, line: int, character: int, declared: bool) -> Any:
            where = {"textDocument": {"uri": uri}, "position": place(line, character), "context": {"includeDeclaration": declared}}
            found = await client.request("textDocument/references", where)
            return [(one["uri"] == user.as_uri(), one["range"]["start"]["line"]) for one in found]

        assert [one for one in await ask(library.as_uri(), 4, 1, True) if one[0]] == [(True, 9), (True, 1), (True, 15)]
        assert [one for one in await ask(library.as_uri(), 4, 1, False) if one[0]] == [(True, 1), (True, 15)]
        client.open(_USER, uri=user.as_uri())
        assert (False, 4) in await ask(user.as_uri(), 15, _USER.split("\n")[15].index("%imported") + 1, True)

    asyncio.run(run())


def test_the_way_to_another_text_is_a_link_where_the_client_takes_one(tmp_path: Path) -> None:
    _fill(tmp_path)
    user = tmp_path / "user.spvasm"

    async def run() -> Any:
        capable = {**CAPABILITIES["textDocument"], "implementation": {"linkSupport": True}}
        client = await _started(tmp_path, capabilities={**CAPABILITIES, "textDocument": capable})
        client.open(_USER, uri=user.as_uri())
        where = {"textDocument": {"uri": user.as_uri()}, "position": place(9, 1)}
        return await client.request("textDocument/implementation", where)

    (link,) = asyncio.run(run())
    assert link == {
        "originSelectionRange": span(9, 0, 9),
        "targetUri": (tmp_path / "deep" / "library.spvasm").as_uri(),
        "targetRange": span(4, 0, 30),
        "targetSelectionRange": span(4, 0, 2),
    }


_OTHER_TYPE = _SHARED.replace("OpTypeInt 32 0", "OpTypeFloat 32")


def _links(items: list[Json]) -> list[tuple[str, int, str]]:
    return sorted(
        (item["code"].removeprefix("link/"), item["range"]["start"]["line"], item["message"])
        for item in items
        if item["code"].startswith("link/")
    )


_LONELY = ("import-is-exported", 2, '"nobody_has_it" is imported by %lonely, and no module exports it')


def test_what_keeps_texts_from_being_linked_is_found_where_that_is_wanted(tmp_path: Path) -> None:
    _fill(tmp_path)
    user, shared = tmp_path / "user.spvasm", tmp_path / "s.spvasm"
    user.write_text(_USER)
    unresolved = ("import-is-exported", 3, '"shared" is imported by %shared, and no module exports it')
    other = '"shared" is imported as ptr<CrossWorkgroup, u32>, but exported as ptr<CrossWorkgroup, f32> by s.spvasm:2'

    async def run() -> None:
        client = await _started(tmp_path)
        client.open(_USER, uri=user.as_uri())
        assert _links((await client.pull(user.as_uri()))["items"]) == []
        client = await _started(tmp_path, linkDiagnostics=True)
        closed = (await _pull(client))[user.as_uri()]
        assert _links(closed["items"]) == [_LONELY, unresolved]
        client.open(_USER, uri=user.as_uri())
        first = await client.pull(user.as_uri())
        assert _links(first["items"]) == [_LONELY, unresolved]
        assert all("codeDescription" in item for item in first["items"] if item["code"].startswith("link/"))
        assert (await client.pull(user.as_uri(), first["resultId"]))["kind"] == "unchanged"
        client.open(_OTHER_TYPE, uri=shared.as_uri())  # which is on no disk
        assert _links((await client.pull(shared.as_uri()))["items"]) == []
        second = await client.pull(user.as_uri(), first["resultId"])
        assert _links(second["items"]) == [_LONELY, ("types-match", 3, other)]
        client.change([edit((2, 0), (2, 18), "%int = OpTypeInt 32 0 ;")], 2, uri=shared.as_uri())
        third = await client.pull(user.as_uri(), second["resultId"])
        assert _links(third["items"]) == [_LONELY]
        reports = await _pull(client)
        assert _links(reports[user.as_uri()]["items"]) == [_LONELY]
        client.open(_SHARED, uri=(tmp_path / "t.spvasm").as_uri())
        twice = await client.pull((tmp_path / "t.spvasm").as_uri())
        assert _links(twice["items"]) == [("export-is-unique", 1, '"shared" is already exported by s.spvasm:2')]
        client.notify("textDocument/didClose", {"textDocument": {"uri": shared.as_uri()}})
        assert _links((await client.pull((tmp_path / "t.spvasm").as_uri(), twice["resultId"]))["items"]) == []

    asyncio.run(run())


def test_a_change_of_what_a_text_exports_has_all_findings_pulled_again(tmp_path: Path) -> None:
    user, shared = tmp_path / "user.spvasm", tmp_path / "s.spvasm"

    async def run() -> None:
        client = await _started(tmp_path, linkDiagnostics=True)
        client.open(_USER, uri=user.as_uri())
        client.open(_SHARED, uri=shared.as_uri())

        async def refreshed(text: str, version: int) -> int:
            before = sum(message["method"] == "workspace/diagnostic/refresh" for message in client.said)
            client.change([edit((1, 0), (2, 0), f"{text}\n")], version, uri=shared.as_uri())
            await client.pull(shared.as_uri())
            return sum(message["method"] == "workspace/diagnostic/refresh" for message in client.said) - before

        assert await refreshed('OpDecorate %v LinkageAttributes "other" Export', 2) == 1
        assert await refreshed('OpDecorate %v LinkageAttributes "other" Export ; the same', 3) == 0
        assert await refreshed("", 4) == 1

    asyncio.run(run())


def test_a_change_of_what_a_text_exports_has_findings_pushed_to_those_that_import_it(tmp_path: Path) -> None:
    user, shared = tmp_path / "user.spvasm", tmp_path / "s.spvasm"

    async def run() -> None:
        capable = {key: value for key, value in CAPABILITIES["textDocument"].items() if key != "diagnostic"}
        client = Client()
        await client.start({**CAPABILITIES, "textDocument": capable}, {"linkDiagnostics": True})

        async def lines_of_user() -> list[int]:
            while True:
                pushed = await client.heard("textDocument/publishDiagnostics")
                if pushed["uri"] == user.as_uri():
                    return [line for _, line, _ in _links(pushed["diagnostics"])]

        client.open(_USER, uri=user.as_uri())
        while await lines_of_user() != [1, 2, 3]:
            pass
        client.open(_SHARED, uri=shared.as_uri())
        while await lines_of_user() != [1, 2]:
            pass
        client.change([edit((1, 0), (2, 0), "\n")], 2, uri=shared.as_uri())
        while await lines_of_user() != [1, 2, 3]:
            pass

    asyncio.run(run())
