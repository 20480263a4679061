"""Views beside the text: control flow, summaries, documents that are made of others."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ElementTree
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import spvls
from spvls.ide.source.source_module import SourceModule
from spvls.ide.words.encoding import LiveEncoding
from spvls.ide.words.listing import words_lines
from tests.ide.modules import SHADER
from tests.server.client import CAPABILITIES, URI, Client, Json, RequestError, edit, place
from tests.strategies import texts

_DOCUMENT: Json = {"textDocument": {"uri": URI}}
_CONTENT: Json = {**CAPABILITIES, "workspace": {**CAPABILITIES["workspace"], "textDocumentContent": {}}}


def ask(do: Callable[[Client], Awaitable[Any]], text: str = SHADER, capabilities: Json | None = None) -> Any:
    async def run() -> Any:
        client = Client()
        await client.start(capabilities)
        client.open(text)
        return await do(client)

    return asyncio.run(run())


@pytest.mark.parametrize("form", ["svg", "text", "dot", "mermaid"])
def test_the_flow_of_a_function_as_it_is_asked_for(form: str) -> None:
    answer = ask(lambda client: client.request("spvls/cfg", {**_DOCUMENT, "position": place(26, 0), "format": form}))
    (function,) = answer["functions"]
    assert answer["version"] == 1
    assert function["range"] == {"start": place(24, 0), "end": place(31, 13)}
    assert {form} == function.keys() & {"svg", "text", "dot", "mermaid"}
    if form == "svg":
        assert ElementTree.fromstring(function["svg"]).get("class") == "cfg"
    elif form == "text":
        assert function["text"][1] == {"text": "%entry · 4 instructions · OpReturn · entry", "block": "entry"}
    else:
        assert "%entry" in function[form]


def test_a_flow_in_no_known_form_is_refused() -> None:
    with pytest.raises(RequestError, match="none of svg, text, dot, mermaid"):
        ask(lambda client: client.request("spvls/cfg", {**_DOCUMENT, "format": "png"}))


def test_environments_are_described_and_say_what_keeps_the_module_from_them() -> None:
    answer = ask(lambda client: client.request("spvls/environments", _DOCUMENT))
    named = {one["name"]: one for one in answer["environments"]}
    assert (answer["current"], answer["decidedBy"], answer["takesComment"]) == ("spv1.3", "module", True)
    assert named["vulkan1.1spv1.4"]["title"] == "Vulkan 1.1 with SPIR-V 1.4"
    assert [one["group"] for one in answer["environments"]] == sorted(
        (one["group"] for one in answer["environments"]), key=["Vulkan", "SPIR-V alone", "OpenCL", "OpenGL"].index
    )
    assert named["vulkan1.3"]["obstacle"] is None
    assert named["opencl2.1"]["obstacle"] == "OpenCL 2.1 does not support the capability Shader"


def test_a_comment_names_the_environment_of_a_file_alone() -> None:
    async def write(client: Client, *names: str) -> list[tuple[str, str, str]]:
        found = []
        for version, name in enumerate(names, 2):
            answer = await client.request("spvls/environments", {**_DOCUMENT, "comment": name})
            (change,) = answer["edits"]
            client.change([{"range": change["range"], "text": change["newText"]}], version)
            now = await client.request("spvls/environments", _DOCUMENT)
            text = client.server.document(URI).source
            found.append((now["current"], now["decidedBy"], text.partition("OpCapability")[0]))
        return found

    header = SHADER.partition("OpCapability")[0]
    assert header.startswith(";")
    assert ask(lambda client: write(client, "vulkan1.2", "opengl4.5", "")) == [
        ("vulkan1.2", "comment", header + "; spvls: target-env=vulkan1.2\n"),
        ("opengl4.5", "comment", header + "; spvls: target-env=opengl4.5\n"),
        ("spv1.3", "module", header),
    ]


def test_the_example_of_what_the_cursor_is_at() -> None:
    line = next(at for at, text in enumerate(SHADER.split("\n")) if "OpLoad" in text)
    answer = ask(lambda client: client.request("spvls/example", {**_DOCUMENT, "position": place(line, 0)}))
    assert answer["key"] == "OpLoad"
    assert spvls.assemble(answer["text"])
    assert ask(lambda client: client.request("spvls/example", {**_DOCUMENT, "position": place(10000, 0)})) is None


def test_a_summary_with_all_that_there_is() -> None:
    answer = ask(lambda client: client.request("spvls/summary", {**_DOCUMENT, "format": "json"}))
    details = answer["details"]
    (point,) = details["entryPoints"]
    assert (point["name"], point["model"], point["modes"]) == ("main", "Fragment", ["OriginUpperLeft"])
    assert [(found["id"], found["storage"], found["location"], found["type"]) for found in point["interface"]] == [
        ("in", "Input", 3, "vec4<f32>"),
        ("colour", "Output", 0, "vec4<f32>"),
    ]
    assert point["range"] == {"start": place(5, 0), "end": place(5, 46)}
    assert details["bound"] == 19
    assert details["sizes"] == {
        "instructions": 30,
        "words": len(spvls.assemble(SHADER)) // 4,
        "functions": 1,
        "declarations": 0,
        "blocks": 1,
    }


def test_a_summary_follows_edits() -> None:
    async def run(client: Client) -> list[Any]:
        found = []
        for version, word in enumerate(("3", "7", "x"), 1):
            if version > 1:
                client.change([edit((10, 24), (10, 25), word)], version)
            answer = await client.request("spvls/summary", {**_DOCUMENT, "format": "text"})
            found.append((answer["documentVersion"], [line for line in answer["lines"] if "%in" in line["text"]]))
        return found

    first, second, third = ask(run)
    where = {"start": place(19, 0), "end": place(19, 27)}
    assert first == (1, [{"text": "  Input   location 3  %in                 vec4<f32>", "range": where}])
    assert second == (2, [{"text": "  Input   location 7  %in                 vec4<f32>", "range": where}])
    assert third == (3, [{"text": "  Input               %in                 vec4<f32>", "range": where}])


# Documents that are made of others


def _text(client: Client, scheme: str, path: str) -> Awaitable[Any]:
    return client.request("workspace/textDocumentContent", {"uri": f"{scheme}:{path}"})


def test_the_content_of_documents_is_offered_to_who_knows_of_it() -> None:
    async def run() -> tuple[Json, Json]:
        return await Client().start(), await Client().start(_CONTENT)

    without, within = asyncio.run(run())
    assert "textDocumentContent" not in without["workspace"]
    schemes = within["workspace"]["textDocumentContent"]["schemes"]
    assert schemes == ["spvls-listing", "spvls-words", "spvls-summary", "spvls-cfg", "spvls-source"]
    assert within["workspace"]["workspaceFolders"]["supported"]


@pytest.mark.parametrize(
    ("scheme", "line"),
    [
        ("spvls-listing", "OpMemoryModel Logical GLSL450"),
        ("spvls-words", "00000014  00020011 00000001                    OpCapability Shader"),
        ("spvls-summary", "Memory model: Logical GLSL450"),
        ("spvls-cfg", "%main · 1 block"),
    ],
)
def test_the_content_of_a_document_made_of_an_open_one(scheme: str, line: str) -> None:
    answer = ask(lambda client: _text(client, scheme, URI.removeprefix("file:")), capabilities=_CONTENT)
    assert line in answer["text"].splitlines()


def test_who_shows_content_is_told_to_ask_anew() -> None:
    async def run(client: Client) -> tuple[str, Any, str]:
        path = URI.removeprefix("file:")
        first = await _text(client, "spvls-words", path)
        client.change([edit((21, 27), (21, 30), "2.0")], 2)
        told = await client.heard("workspace/textDocumentContent/refresh")
        return first["text"], told, (await _text(client, "spvls-words", path))["text"]

    first, told, second = ask(run, capabilities=_CONTENT)
    assert told == {"uri": f"spvls-words:{URI.removeprefix('file:')}"}
    changed = [line for line in second.splitlines() if line not in first.splitlines()]
    assert [line.split()[4] for line in changed] == ["40000000"]


def test_the_listing_of_a_binary(tmp_path: Path) -> None:
    binary = tmp_path / "a b.spv"
    binary.write_bytes(spvls.assemble(SHADER))
    path = binary.as_uri().removeprefix("file:")
    answer = ask(lambda client: _text(client, "spvls-listing", path), capabilities=_CONTENT)
    assert spvls.assemble(answer["text"]) == binary.read_bytes()


@pytest.mark.parametrize("address", ["spvls-listing:///nowhere/a.spv", "spvls-words:///nowhere/a.spvasm", "mailto:a@b.c"])
def test_content_that_is_not_there_is_refused(address: str) -> None:
    with pytest.raises(RequestError) as refused:
        ask(lambda client: client.request("workspace/textDocumentContent", {"uri": address}), capabilities=_CONTENT)
    assert refused.value.code == -32803


@given(texts())
def test_words_as_text_are_all_words(text: str) -> None:
    source = SourceModule(text)
    encoding = LiveEncoding(source)
    encoding.refresh()
    words = [
        int(word, 16)
        for line in words_lines(source, encoding)
        if not line.startswith("--------")
        for word in line[10:45].split()
    ]
    assert words == list(encoding.all_words())
