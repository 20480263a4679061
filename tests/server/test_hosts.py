"""Documents with several modules, and documents of other languages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from spvls.diagnostic import Range
from spvls.host.host_text import HostText
from spvls.host.languages import LANGUAGES
from spvls.server.convert import Json
from spvls.server.findings import host_json, to_json
from spvls.server.host_document import HostDocument
from spvls.server.settings import Settings
from spvls.text.encoding import ColumnCodec
from tests.corpus import FIXTURES
from tests.host.test_host_text import host_edits, host_texts
from tests.server.client import URI, Client, edit

HOSTS = FIXTURES / "hosts"


def document_of(text: str, language: str, encoding: str = "utf-16") -> HostDocument:
    identifier = LANGUAGES[language].ids[0]
    return HostDocument("file:///a", text, 1, identifier, ColumnCodec(encoding), Settings())


def change_of(document: HostDocument, span: Range, text: str) -> types.TextDocumentContentChangePartial:
    start, end = (types.Position(place.line, place.column) for place in span)
    return types.TextDocumentContentChangePartial(types.Range(start, end), text)


def items(document: HostDocument) -> list[Json]:
    asyncio.run(document.check())
    found = [item for session in document.modules for item in to_json(session.findings(), session, related=True, tags=True)]
    return found + [host_json(one, document.convert) for one in document.unclosed()]


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=host_texts(), batches=st.lists(st.lists(host_edits(), max_size=3), max_size=3), checks=st.lists(st.booleans(), max_size=3))
def test_edited_is_as_opened_afresh(
    language: str, text: str, batches: list[list[tuple[Range, str]]], checks: list[bool]
) -> None:
    """Texts, environments and findings of all modules, whether they are checked between the edits or not."""
    document = document_of(text, language)
    for at, batch in enumerate(batches):
        document.apply([change_of(document, *one) for one in batch], at + 2)
        if at < len(checks) and checks[at]:
            items(document)
        fresh = document_of(document.source, language)
        assert [session.span for session in document.modules] == list(document.host.spans) == list(fresh.host.spans)
        assert [session.index for session in document.modules] == list(range(len(document.modules)))
        assert [session.source_module.text for session in document.modules] == [
            document.host.module_text(span) for span in document.host.spans
        ]
        assert [session.source_module.environment for session in document.modules] == [
            session.source_module.environment for session in fresh.modules
        ]
    assert items(document) == items(document_of(document.source, language))


def test_a_whole_new_text() -> None:
    document = document_of((HOSTS / "embedded.cpp").read_text(), "cpp")
    document.apply([types.TextDocumentContentChangeWholeDocument("int x;\n")], 2)
    assert document.modules == [] and document.source == "int x;\n"


@pytest.mark.parametrize("name", ["embedded.cpp", "clear.amber", "modules_and_warnings.txt"])
def test_typing_in_one_module_asks_nothing_of_the_others(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = document_of((HOSTS / name).read_text(), {"cpp": "cpp", "amber": "amber", "txt": "spirv"}[name.rpartition(".")[2]])
    before = list(document.modules)
    items(document)
    cuts = []
    monkeypatch.setattr(HostText, "_cut", lambda host: cuts.append(host) or host.spans)
    line = next(at for at, text in enumerate(document.lines) if "OpTypeVoid" in text and "%void" in text)
    changes = [session.serial for session in before]
    revisions = [session.source_module.revision for session in before]
    column = document.lines[line].index("%void")
    span = Range(*(types.Position(line, column + 1),) * 2)  # type: ignore[arg-type]
    document.apply([types.TextDocumentContentChangePartial(span, "x")], 2)  # type: ignore[arg-type]
    assert cuts == [] and document.modules == before
    assert sum(one.source_module.revision != was for one, was in zip(before, revisions, strict=True)) == 1
    items(document)
    assert sum(one.serial != was for one, was in zip(before, changes, strict=True)) == 1


async def opened(name: str, language: str) -> Client:
    client = Client()
    await client.start({"general": {"positionEncodings": ["utf-16"]}, "textDocument": {"diagnostic": {}}})
    client.open((HOSTS / name).read_text(), language_id=language)
    return client


def place(client: Client, word: str, number: int = 1) -> tuple[int, int]:
    """Where a word stands for the number-th time."""
    found = [
        (line, column)
        for line, text in enumerate(text_of(client).split("\n"))
        for column in range(len(text))
        if text.startswith(word, column)
    ]
    return found[number - 1]


def text_of(client: Client) -> str:
    return client.server.document(URI).source


def run(name: str, language: str, body: Callable[[Client], Any]) -> Any:
    async def all_of_it() -> Any:
        client = await opened(name, language)
        return await body(client)

    return asyncio.run(all_of_it())


def test_outside_of_modules_nothing_is_answered() -> None:
    async def body(client: Client) -> None:
        for method in ("hover", "completion", "definition", "signatureHelp", "references", "documentHighlight", "prepareRename"):
            more = {"context": {"includeDeclaration": True}} if method == "references" else {}
            assert await client.at(f"textDocument/{method}", 1, 3, **more) is None, method

    run("embedded.cpp", "cpp", body)


def test_each_feature_stays_in_the_module_of_the_cursor() -> None:
    async def body(client: Client) -> None:
        raw, quoted = place(client, "%main = ", 1), place(client, "%main = ", 2)
        hover = await client.at("textDocument/hover", quoted[0], quoted[1] + 1)
        assert "OpFunction" in hover["contents"]["value"]
        assert hover["range"]["start"] == {"line": quoted[0], "character": quoted[1]}
        for line, column in (raw, quoted):
            answer = await client.at("textDocument/rename", line, column + 1, newName="renamed")
            (edits,) = answer["changes"].values()
            assert [one["newText"] for one in edits] == ["%renamed"] * 3
            lines = text_of(client).split("\n")
            for one in edits:
                start, end = one["range"]["start"], one["range"]["end"]
                assert start["line"] == end["line"] and lines[start["line"]][start["character"] : end["character"]] == "%main"
                assert 0 <= line - start["line"] < 5
        places = await client.at("textDocument/references", quoted[0], quoted[1] + 1, context={"includeDeclaration": True})
        assert [one["range"]["start"]["line"] - quoted[0] for one in places] == [-4, -3, 0]

    run("embedded.cpp", "cpp", body)


def test_findings_are_at_their_places_in_the_host() -> None:
    async def body(client: Client) -> None:
        def found(answer: Json) -> list[tuple[int, int]]:
            return [tuple(item["range"]["start"].values()) for item in answer["items"] if item["severity"] == 1]

        first = await client.pull()
        expected = [place(client, "%missing", 1), place(client, "%missing", 2), place(client, "OpTypeFlaot")]
        assert found(first) == expected
        client.change([edit((0, 0), (0, 0), "// é\n")], 2)
        assert found(await client.pull()) == [(line + 1, column) for line, column in expected]
        client.change([edit((1, 0), (1, 8), "#INCLUDE")], 3)
        assert found(await client.pull()) == [(line + 1, column) for line, column in expected]

    run("embedded.cpp", "cpp", body)


def test_the_outline_has_a_node_for_each_module() -> None:
    async def body(client: Client) -> None:
        answer = await client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        names = [symbol["name"] for symbol in answer if symbol.get("containerName") is None]
        assert names == ["module 1: first", "module 2: second"]

    run("clear.amber", "amber", body)


def test_tokens_are_those_of_all_modules() -> None:
    """Each token is a word of its line, in the module and in the host."""

    async def body(client: Client) -> None:
        lines = text_of(client).split("\n")
        for method, more in (("full", {}), ("range", {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}})):
            answer = await client.request(f"textDocument/semanticTokens/{method}", {"textDocument": {"uri": URI}, **more})
            data, line, column, words = answer["data"], 0, 0, []
            for at in range(0, len(data), 5):
                column = data[at + 1] + (0 if data[at] else column)
                line += data[at]
                words.append(lines[line][column : column + data[at + 2]])
            assert words.count("OpCapability") == 2 and words.count("%missing") == 2 and words.count("OpTypeFlaot") == 1
            assert words.count("OpReturn") == 2 and '\\"main\\"' in words and all(word.strip() == word != "" for word in words)

    run("embedded.cpp", "cpp", body)


def test_folding_lenses_hints_and_formatting() -> None:
    async def body(client: Client) -> None:
        document = {"textDocument": {"uri": URI}}
        folds = await client.request("textDocument/foldingRange", document)
        starts = [place(client, "%main = OpFunction", number)[0] for number in (1, 2)]
        assert {fold["startLine"] for fold in folds} >= set(starts)
        assert await client.request("textDocument/formatting", {**document, "options": {"tabSize": 2, "insertSpaces": True}}) == []
        span = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        hints = await client.request("textDocument/inlayHint", {**document, "range": span})
        assert isinstance(hints, list)
        lenses = await client.request("textDocument/codeLens", document)
        for lens in lenses:
            assert (await client.request("codeLens/resolve", lens))["command"]["title"]
        assert (await client.request("spvls/summary", {**document, "position": {"line": starts[1], "character": 9}}))["functions"] == 1
        binary = await client.request("spvls/binary", {**document, "position": {"line": starts[1], "character": 9}})
        assert min(entry["range"]["start"]["line"] for entry in binary["map"]) > starts[0]

    run("clear.amber", "amber", body)


def test_fixes_of_quoted_lines_are_written_as_the_host_writes_them() -> None:
    async def body(client: Client) -> None:
        line, column = place(client, "OpCapability", 2)
        where = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column}}
        client.change([edit((line, column), (line, column + 12), "OpCapabilty")], 2)
        actions = await client.request(
            "textDocument/codeAction",
            {"textDocument": {"uri": URI}, "range": where, "context": {"diagnostics": [], "only": ["quickfix"]}},
        )
        (change,) = actions[0]["edit"]["changes"][URI]
        assert change["newText"] == "OpCapability"
        assert change["range"]["start"] == {"line": line, "character": column}

    run("embedded.cpp", "cpp", body)


def test_a_position_is_any_object_with_line_and_character() -> None:
    document = document_of((HOSTS / "clear.amber").read_text(), "amber")
    assert document.module_at(SimpleNamespace(line=12, character=0)) is document.modules[0]
    assert document.module_at(SimpleNamespace(line=0, character=0)) is None


async def test_words_of_a_module_are_its_own_after_those_of_another_one() -> None:
    client = Client()
    await client.start()
    one = "; SPIR-V\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n"
    text = one + one + "%fn = OpTypeFunction %void\n"
    client.open(text)
    document = {"textDocument": {"uri": URI}}
    await client.request("spvls/binary", document)
    await client.request("spvls/summary", {**document, "position": {"line": 5, "character": 0}, "format": "json"})
    client.change([edit((3, 0), (3, 0), "%bool = OpTypeBool\n")], 2)
    await client.request("spvls/binary", document)
    summary = await client.request("spvls/summary", {**document, "format": "json"})
    assert summary["details"]["bound"] == 3


def test_views_are_those_of_the_module_at_the_cursor_or_before_it() -> None:
    async def body(client: Client) -> None:
        document = {"textDocument": {"uri": URI}}
        first, second = place(client, "OpCapability", 1)[0], place(client, "OpCapability", 2)[0]
        modules = {0: first, first + 2: first, second + 1: second, len(text_of(client).split("\n")) - 1: second}
        for line, expected in modules.items():
            at = {**document, "position": {"line": line, "character": 0}}
            words = await client.request("spvls/binary", at)
            assert words["map"][0]["range"]["start"]["line"] == expected
            summary = await client.request("spvls/summary", at)
            assert summary["range"]["start"]["line"] <= expected < summary["range"]["end"]["line"]
            functions = (await client.request("spvls/cfg", {**at, "all": True}))["functions"]
            assert [one["range"]["start"]["line"] - expected for one in functions] == [6]

    run("clear.amber", "amber", body)


def test_words_that_changed_since_are_those_of_one_module() -> None:
    """The version of an answer about one module says nothing about another one."""

    async def body(client: Client) -> None:
        lines = [place(client, "OpCapability", number)[0] for number in (1, 2)]
        params = [{"textDocument": {"uri": URI}, "position": {"line": line, "character": 0}} for line in lines]
        version = (await client.request("spvls/binary", params[0]))["version"]
        for at in (1, 0, 1):
            assert "since" not in await client.request("spvls/binary", {**params[at], "since": version})
        assert (await client.request("spvls/binary", {**params[1], "since": version}))["since"] == version

    run("clear.amber", "amber", body)


def test_a_text_without_a_module_has_no_views() -> None:
    async def body(client: Client) -> None:
        client.change([edit((0, 0), (1000, 0), "int main() {}\n")], 2)
        for method in ("spvls/binary", "spvls/summary", "spvls/cfg"):
            assert await client.request(method, {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}) is None

    run("embedded.cpp", "cpp", body)
