"""Requests of clients that go wrong: unknown data, missing arguments, what was given up; and answers after odd edits."""

from __future__ import annotations

import asyncio
import gc
import os
from pathlib import Path
from typing import Any

import pytest

from spvls.server.server import SpirvServer
from spvls.server.workspace import SessionWorkspace
from tests.server.client import URI, Client, Json, RequestError, edit

INVALID_PARAMS = -32602
DOCUMENT: Json = {"textDocument": {"uri": URI}}


async def started(text: str = "OpCapability Shader\n") -> Client:
    client = Client()
    await client.start()
    client.open(text)
    return client


async def refusal(client: Client, method: str, params: Any) -> int:
    with pytest.raises(RequestError) as caught:
        await client.request(method, params)
    return caught.value.code


@pytest.mark.parametrize(
    ("method", "item", "data"),
    [
        ("completionItem/resolve", {"label": "x"}, {"key": 5}),
        ("codeAction/resolve", {"title": "x"}, {"version": 1, "key": "add-opname", "place": [1, "x"]}),
        ("codeAction/resolve", {"title": "x"}, {"version": 1, "place": [0, 0]}),
        ("codeLens/resolve", {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}}, {"kind": "x"}),
    ],
)
async def test_data_of_other_answers_is_refused(method: str, item: Json, data: Json) -> None:
    client = await started()
    assert await refusal(client, method, {**item, "data": {"uri": URI, "module": 0, **data}}) == INVALID_PARAMS


async def test_a_place_that_is_gone_is_the_nearest_one() -> None:
    client = await started()
    data = {"uri": URI, "module": 0, "version": 1, "key": "none", "place": [10**9, -5], "end": [-1, 10**9]}
    assert (await client.request("codeAction/resolve", {"title": "x", "data": data}))["title"] == "x"


async def test_kinds_of_actions_that_are_none_have_no_action() -> None:
    client = await started()
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}
    context: Json = {"diagnostics": [], "only": [7]}
    assert await client.request("textDocument/codeAction", {**DOCUMENT, "range": span, "context": context}) == []


async def test_a_lens_of_a_module_that_is_gone_stays_as_it_is() -> None:
    client = await started()
    lens = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "data": {"uri": "file:///gone"}}
    assert await client.request("codeLens/resolve", lens) == lens


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("assemble", []),
        ("assemble", None),
        ("assemble", [URI, 7]),
        ("explain", []),
        ("explain", ["a", "b"]),
    ],
)
async def test_commands_without_their_arguments_are_refused(command: str, arguments: list[Any] | None) -> None:
    client = await started()
    params = {"command": f"spvls.server.{command}", **({"arguments": arguments} if arguments is not None else {})}
    assert await refusal(client, "workspace/executeCommand", params) == INVALID_PARAMS


async def test_what_was_given_up_fails_in_silence() -> None:
    client = await started()
    reported: list[Json] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context))
    request = client.send("workspace/executeCommand", {"command": "spvls.server.assemble", "arguments": ["file:///gone"]})
    client.notify("$/cancelRequest", {"id": request})
    await asyncio.sleep(0.01)
    gc.collect()
    assert reported == []


async def test_progress_without_a_token_is_not_cancelled(caplog: pytest.LogCaptureFixture) -> None:
    client = await started()
    client.notify("window/workDoneProgress/cancel", {"token": {"line": 0}})
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_there_are_no_notebooks(caplog: pytest.LogCaptureFixture) -> None:
    client = await started()
    cell = {"uri": "file:///cell", "languageId": "spirv", "version": 1, "text": "OpNop"}
    notebook = {"uri": "file:///a.ipynb", "notebookType": "x", "version": 1, "cells": []}
    client.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": [cell]})
    client.notify("notebookDocument/didChange", {"notebookDocument": {"uri": "file:///other", "version": 2}, "change": {}})
    assert client.server.documents.document("file:///cell") is None
    assert [record for record in caplog.records if record.exc_info] == []


async def test_names_that_are_not_utf_8_are_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    try:
        (tmp_path / "a\udcff.spvasm").write_text("OpNop")
    except OSError:
        pytest.skip("names of files are restricted here")
    (tmp_path / "b.spvasm").write_text('OpEntryPoint GLCompute %main "main"\n')
    client = Client()
    await client.request("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}})
    found = await client.request("workspace/symbol", {"query": ""})
    assert {symbol["location"]["uri"] for symbol in found} <= {(tmp_path / "b.spvasm").as_uri()}
    assert "not UTF-8" in caplog.text


async def test_folders_whose_address_is_none_are_passed_over() -> None:
    client = Client()
    folder = {"uri": "file://[x", "name": "x"}
    await client.request("initialize", {"processId": None, "rootUri": None, "workspaceFolders": [folder], "capabilities": {}})
    assert await client.request("workspace/symbol", {"query": ""}) == []


@pytest.mark.parametrize("again", [False, True])
async def test_settings_of_a_project_out_of_reach_are_not_read(tmp_path: Path, again: bool) -> None:
    """Not when a document is opened, nor when settings change."""
    (tmp_path / "spvls.toml").write_text('target-env = "vulkan1.1"\n')
    client = Client(SpirvServer([os.fspath(tmp_path)]))
    await client.start()
    uri = (tmp_path / "a.spvasm").as_uri()
    client.open("OpNop\n", uri)
    if again:
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"codeLens": False}}})
    assert isinstance(client.server.workspace, SessionWorkspace)
    assert client.server.document(uri).config.target_env is None


# Answers after edits


async def test_a_line_before_the_first_is_the_beginning() -> None:
    client = await started("OpNop\n")
    client.change([edit((-1, 3), (-1, 9), "x")], 2)
    assert client.server.document(URI).source == "xOpNop\n"


async def test_findings_change_when_a_block_is_no_longer_closed() -> None:
    client = Client()
    await client.start()
    client.open("```spirv\nOpNop\n```\n", language_id="markdown")
    first = await client.pull()
    client.change([edit((2, 0), (2, 3), "")], 2)
    second = await client.pull(previous=first["resultId"])
    assert [item["code"] for item in second["items"]] == ["host/unclosed-block"]
    client.change([edit((0, 8), (0, 8), " x")], 3)
    third = await client.pull(previous=second["resultId"])
    assert third["items"][0]["range"]["end"]["character"] == 10


MODULES = "; SPIR-V\n; one\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n%f = OpTypeFloat 32\n%c = OpConstant %{} 1\n"


async def test_findings_move_when_only_comments_of_a_module_change() -> None:
    client = await started(f"{MODULES.format('f')}; a\n; b\n{MODULES.format('gone')}")
    await client.pull()
    client.change([edit((7, 0), (7, 3), "%b = OpTypeBool")], 2)
    items = (await client.pull())["items"]
    other = await started(client.server.document(URI).source)
    assert items == (await other.pull())["items"]


async def test_decorations_are_shown_in_the_order_of_the_text() -> None:
    text = "OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 1\n%t = OpTypeFloat 32\n%p = OpTypePointer Uniform %t\n%v = OpVariable %p Uniform\n"
    client = await started(text)
    await client.request("textDocument/documentSymbol", DOCUMENT)
    client.change([edit((0, 29), (0, 29), " ")], 2)
    assert "set 0, binding 1" in str(await client.request("textDocument/documentSymbol", DOCUMENT))


async def test_callers_are_told_in_the_order_of_the_text() -> None:
    functions = "".join(f"%{name} = OpFunction %v None %t\n%l{name} = OpLabel\n%c{name} = OpFunctionCall %v %f\nOpReturn\nOpFunctionEnd\n" for name in "abc")
    client = await started(f"%f = OpFunction %v None %t\nOpFunctionEnd\n{functions}")
    client.change([edit((2, 1), (2, 2), "z")], 2)
    client.change([edit((2, 1), (2, 2), "a"), edit((4, 20), (4, 20), " ")], 3)
    (item,) = await client.request("textDocument/prepareCallHierarchy", {**DOCUMENT, "position": {"line": 0, "character": 1}})
    calls = await client.request("callHierarchy/incomingCalls", {"item": item})
    assert [call["from"]["name"] for call in calls] == ["%a", "%b", "%c"]
