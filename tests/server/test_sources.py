"""Lines of the source that instructions come from: definitions, hovers, findings, documents with the text, linked cursors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from spvls.server.source_documents import SourceAddress, parsed
from tests.corpus import FIXTURES
from tests.server.client import CAPABILITIES, URI, Client, Json, RequestError, place

_CONTENT: Json = {**CAPABILITIES, "workspace": {**CAPABILITIES["workspace"], "textDocumentContent": {}}}
_DEBUG = (FIXTURES / "sources" / "debug.comp.spvasm").read_text()
_KERNEL = (FIXTURES / "sources" / "kernel.cl.spvasm").read_text()


def _where(text: str, word: str) -> Json:
    number, line = next((number, line) for number, line in enumerate(text.split("\n")) if word in line)
    return place(number, line.index(word))


def ask(do: Callable[[Client], Awaitable[Any]], text: str = _DEBUG, capabilities: Json = _CONTENT, uri: str = URI) -> Any:
    async def run() -> Any:
        client = Client()
        await client.start(capabilities)
        client.open(text, uri)
        return await do(client)

    return asyncio.run(run())


def _source(client: Client, position: Json, uri: str = URI, **more: str) -> Awaitable[Any]:
    return client.request("spvls/source", {"textDocument": {"uri": uri}, "position": position, **more})


def test_the_definition_of_an_instruction_is_its_line() -> None:
    async def run(client: Client) -> Any:
        document = {"textDocument": {"uri": URI}}
        (found,) = await client.request("textDocument/definition", {**document, "position": _where(_DEBUG, "OpIAdd %uint %u1")})
        content = await client.request("workspace/textDocumentContent", {"uri": found["uri"]})
        of_id = await client.request("textDocument/definition", {**document, "position": _where(_DEBUG, "%u1 %u2")})
        return found, content["text"].split("\n"), of_id

    found, lines, of_id = ask(run)
    assert found["uri"].startswith("spvls-source:///add.hlsl?")
    assert found["range"] == {"start": place(2, 11), "end": place(2, 16)}
    assert lines == ["[numthreads(1, 1, 1)]", "void main() {", "  uint n = 1 + 2;", "}", ""]
    assert of_id[0]["targetSelectionRange"]["start"] == _where(_DEBUG, "%u1 = OpConstant")


def test_without_documents_of_the_server_the_file_is_the_definition(tmp_path: Path) -> None:
    uri = (tmp_path / "a.spvasm").as_uri()
    (tmp_path / "add.hlsl").write_text("other")
    where = {"textDocument": {"uri": uri}, "position": _where(_DEBUG, "OpIAdd %uint %u1")}
    (found,) = ask(lambda client: client.request("textDocument/definition", where), capabilities=CAPABILITIES, uri=uri)
    assert found == {"uri": (tmp_path / "add.hlsl").as_uri(), "range": {"start": place(2, 11), "end": place(2, 11)}}


def test_the_hover_of_an_opcode_names_the_line() -> None:
    found = ask(lambda client: client.at("textDocument/hover", *_at("OpIAdd %uint %u1")))
    assert "Compiled from `add.hlsl:3:12`:\n\n```\nuint n = 1 + 2;\n```" in found["contents"]["value"]
    elsewhere = ask(lambda client: client.at("textDocument/hover", *_at("OpIAdd %uint %n")))
    assert "Compiled from" not in elsewhere["contents"]["value"]


def test_the_hover_of_a_result_names_the_line_of_its_instruction() -> None:
    found = ask(lambda client: client.at("textDocument/hover", *_at("%n = OpIAdd")))
    assert "Compiled from `add.hlsl:3:12`" in found["contents"]["value"]
    used = ask(lambda client: client.at("textDocument/hover", *_at("%u1 %u2")))
    assert "Compiled from" not in used["contents"]["value"]


def _at(word: str) -> tuple[int, int]:
    found = _where(_DEBUG, word)
    return found["line"], found["character"]


@pytest.mark.parametrize("capabilities", [_CONTENT, CAPABILITIES], ids=["contents", "none"])
def test_a_finding_leads_to_the_line(capabilities: Json) -> None:
    text = _DEBUG.replace("%n = OpIAdd", "%n = OpFAdd")
    report = ask(lambda client: client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}}), text, capabilities)
    (related,) = (other for item in report["items"] for other in item.get("relatedInformation", ()) if "compiled" in other["message"])
    assert related["message"] == "compiled from add.hlsl:3:12: uint n = 1 + 2;"
    scheme = related["location"]["uri"].partition(":")[0]
    assert scheme == ("spvls-source" if capabilities is _CONTENT else "file")


def test_cursors_lead_to_each_other() -> None:
    async def run(client: Client) -> Any:
        there = await _source(client, _where(_KERNEL, "%b = OpIAdd"))
        back = await _source(client, place(1, 5), there["source"]["uri"])
        nowhere = await _source(client, place(0, 0), there["source"]["uri"])
        return there, back, nowhere, await _source(client, _where(_KERNEL, "%void ="))

    there, back, nowhere, without = ask(run, _KERNEL)
    assert there["source"]["range"]["start"] == place(1, 13)
    first, last = _where(_KERNEL, "OpLine %file"), _where(_KERNEL, "OpReturn")
    assert there["instructions"] == [{"start": first, "end": place(last["line"], last["character"] + 8)}]
    assert (back["document"], back["instructions"]) == (URI, there["instructions"])
    assert nowhere["instructions"] == [] and without is None


def test_cursors_of_a_file_lead_to_the_module(tmp_path: Path) -> None:
    text = (FIXTURES / "sources" / "named.cl.spvasm").read_text()
    uri, file = (tmp_path / "a.spvasm").as_uri(), tmp_path / "copy.cl"
    file.write_text("a\nb\nc\n")

    async def run(client: Client) -> Any:
        there = await _source(client, _where(text, "OpReturn"), uri)
        return there, await _source(client, place(2, 0), file.as_uri(), document=uri)

    there, back = ask(run, text, uri=uri)
    assert there["source"] == {"uri": file.as_uri(), "range": {"start": place(2, 0), "end": place(2, 0)}}
    assert back["instructions"] == there["instructions"] != []


def test_a_source_of_a_module_in_a_host_follows_edits() -> None:
    text = f"SHADER compute a SPIRV-ASM\n{_DEBUG}END\nSHADER compute b SPIRV-ASM\n{_DEBUG.replace('add.hlsl', 'sub.hlsl')}END\n"
    uri = URI.replace(".spvasm", ".amber")

    async def run(client: Client) -> Any:
        at = [number for number, line in enumerate(text.split("\n")) if "%n = OpIAdd" in line][1]
        found = await _source(client, place(at, 14), uri)
        return at, found, await client.request("workspace/textDocumentContent", {"uri": found["source"]["uri"]})

    at, found, content = ask(run, text, uri=uri)
    address = parsed(found["source"]["uri"])
    assert address == SourceAddress(uri, 1, 0) and "uint n" in content["text"]
    assert found["instructions"][0]["end"]["line"] == at


def test_a_closed_module_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.spvasm").write_text(_KERNEL)
    uri = f"spvls-source:///sum.cl?{'0.0.'}{(tmp_path / 'a.spvasm').as_uri()}"
    content = ask(lambda client: client.request("workspace/textDocumentContent", {"uri": uri}))
    assert content["text"].startswith("kernel void sum")


@pytest.mark.parametrize("rest", ["", "?", "?0.0", "?x.y.file:///a", "?0.9.file:///module.spvasm", "?7.0.file:///module.spvasm"])
def test_an_address_of_nothing_is_refused(rest: str) -> None:
    with pytest.raises(RequestError):
        ask(lambda client: client.request("workspace/textDocumentContent", {"uri": f"spvls-source:///a{rest}"}))


@pytest.mark.parametrize("name", ["../../a\\x", "", "…", "a b?c#d", "\x1b[31m", "x" * 300])
def test_addresses_survive_editors(name: str) -> None:
    escaped = name.replace("\\", "\\\\").replace("\x1b", "")
    text = _KERNEL.replace("/build/sum.cl", escaped)
    found = ask(lambda client: _source(client, _where(text, "%b = OpIAdd")), text)
    path, _, query = found["source"]["uri"].partition("?")
    assert parsed(f"{path}?{query}") == parsed(f"{path}?{unquote(query)}") == SourceAddress(URI, 0, 0)
    assert ".." not in path and path.isascii() and query.isascii()
