"""Every feature in the protocol's terms; what it finds is tested with the feature itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from spvls.ide.features import formatting
from spvls.ide.features.tokens import TYPES
from tests.ide.modules import SHADER
from tests.server.client import CAPABILITIES, URI, Client, Json, RequestError, edit, place, span

_LINES = SHADER.split("\n")
_DOCUMENT = {"textDocument": {"uri": URI}}


def _where(line: str, word: str) -> tuple[int, int]:
    """Just inside the last place of `word` on the line that begins with `line`."""
    number = next(at for at, text in enumerate(_LINES) if text.startswith(line))
    return number, _LINES[number].rindex(word) + 1


def ask(run: Callable[[Client], Awaitable[Any]], text: str = SHADER, capabilities: Json | None = None) -> Any:
    """What a client with the shader open gets to know."""

    async def start() -> Any:
        client = Client()
        await client.start(capabilities)
        client.open(text)
        return await run(client)

    return asyncio.run(start())


def test_what_the_server_says_it_can_do() -> None:
    async def run() -> Json:
        return await Client().start()

    capable = asyncio.run(run())
    for name in (
        "hover", "definition", "declaration", "typeDefinition", "implementation", "references", "documentHighlight",
        "documentSymbol", "workspaceSymbol", "codeAction", "codeLens", "documentLink", "inlayHint", "inlineValue",
        "semanticTokens", "foldingRange", "selectionRange", "rename", "linkedEditingRange", "callHierarchy", "typeHierarchy",
        "documentFormatting", "documentRangeFormatting", "documentOnTypeFormatting", "completion", "signatureHelp",
        "diagnostic",
    ):  # fmt: skip
        assert capable[f"{name}Provider"], name
    assert capable["textDocumentSync"]["change"] == 2
    assert capable["renameProvider"] == {"prepareProvider": True}


def test_hover() -> None:
    found = ask(lambda client: client.at("textDocument/hover", *_where("%b", "Sqrt")))
    assert found["contents"]["kind"] == "markdown"
    assert found["range"] == span(27, 25, 29)


def test_hover_shows_the_number_of_an_id_on_demand() -> None:
    async def run(client: Client) -> Any:
        usual = await client.at("textDocument/hover", *_where("%half", "%half"))
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"hoverDetails": True}}})
        return usual, await client.at("textDocument/hover", *_where("%half", "%half"))

    usual, detailed = (found["contents"]["value"] for found in ask(run))
    assert "in the binary" not in usual
    assert "in the binary" in detailed


def test_places_as_links_and_as_plain_places() -> None:
    async def run(client: Client) -> Any:
        return [
            await client.at(f"textDocument/{name}", *_where("OpStore", "%colour"))
            for name in ("definition", "declaration", "typeDefinition", "implementation")
        ]

    definition, declaration, type_, implementation = ask(run)
    (link,) = definition
    assert link["targetUri"] == URI
    assert link["targetRange"] == span(20, 0, 33)
    assert link["targetSelectionRange"] == span(20, 0, 7)
    assert link["originSelectionRange"] == span(29, 8, 15)
    assert declaration[0]["range"] == implementation[0]["range"] == span(20, 0, 7)
    assert type_[0]["range"]["start"]["line"] == 16


def test_a_line_of_the_source_is_a_definition(tmp_path: Path) -> None:
    (tmp_path / "lit.frag").write_text("void main() {}\n")
    uri = (tmp_path / "a.spvasm").as_uri()

    async def run() -> Any:
        client = Client()
        await client.start()
        client.open('%file = OpString "lit.frag"\nOpLine %file 7 3\n', uri)
        return await client.request("textDocument/definition", {"textDocument": {"uri": uri}, "position": place(1, 2)})

    (found,) = asyncio.run(run())
    assert found == {"uri": (tmp_path / "lit.frag").as_uri(), "range": span(6, 2, 2)}


def test_highlights_and_references() -> None:
    async def run(client: Client) -> Any:
        where = _where("OpStore", "%b")
        lit = await client.at("textDocument/documentHighlight", *where)
        return lit, await client.at("textDocument/references", *where, context={"includeDeclaration": False})

    lit, references = ask(run)
    assert [mark["kind"] for mark in lit] == [3, 2]
    assert [place["range"]["start"]["line"] for place in references] == [29]


def test_symbols_nested_and_flat() -> None:
    nested = ask(lambda client: client.request("textDocument/documentSymbol", _DOCUMENT))
    assert nested[-1]["name"] == "%main"
    assert nested[-1]["children"][0]["name"] == "%entry"
    flat = ask(lambda client: client.request("textDocument/documentSymbol", _DOCUMENT), capabilities={})
    assert [(symbol["name"], symbol["containerName"]) for symbol in flat if "containerName" in symbol][-1] == (
        "%entry",
        "%main",
    )


def test_completion_and_what_is_told_of_an_item() -> None:
    async def run(client: Client) -> Any:
        client.change([edit((30, 0), (30, 0), "OpGroup\n")], 2)
        found = await client.at("textDocument/completion", 30, 7)
        item = next(item for item in found["items"] if item["label"] == "OpGroupNonUniformElect")
        return item, await client.request("completionItem/resolve", item)

    item, resolved = ask(run)
    assert item["textEdit"]["range"] == span(30, 0, 7)
    assert item["textEdit"]["newText"].startswith("%$1 = OpGroupNonUniformElect ")
    assert item["insertTextFormat"] == 2
    assert "OpGroupNonUniformElect" in resolved["documentation"]["value"]
    assert resolved["additionalTextEdits"][0]["newText"] == "\nOpCapability GroupNonUniform"


def test_clients_without_snippets_get_none() -> None:
    async def run(client: Client) -> Any:
        return await client.at("textDocument/completion", 30, 0)

    items = ask(run, capabilities={})["items"]
    assert all("$" not in item["textEdit"]["newText"] for item in items)


def test_clients_with_defaults_for_all_items_get_the_range_once() -> None:
    async def run(client: Client) -> Any:
        client.change([edit((30, 0), (30, 0), "Op\n")], 2)
        found = await client.at("textDocument/completion", 30, 2)
        offered = {item["label"]: item for item in found["items"]}
        described = await client.request("completionItem/resolve", found["itemDefaults"] | offered["OpGroupNonUniformElect"])
        return found["itemDefaults"], offered, described

    defaults = {"completionItem": {"snippetSupport": True}, "completionList": {"itemDefaults": ["editRange", "data"]}}
    shared, offered, described = ask(run, capabilities={"textDocument": {"completion": defaults}})
    assert shared == {"editRange": span(30, 0, 2), "data": {"uri": URI, "module": 0}}
    assert not any("textEdit" in item for item in offered.values())
    assert offered["OpGroupNonUniformElect"]["textEditText"].startswith("%$1 = OpGroupNonUniformElect ")
    assert "data" not in offered["OpGroupNonUniformElect"]
    assert offered["OpStore"]["data"] == {**shared["data"], "continues": True}
    assert "OpGroupNonUniformElect" in described["documentation"]["value"]


def test_a_space_in_front_of_a_line_completes_nothing() -> None:
    async def run(client: Client) -> Any:
        client.change([edit((30, 0), (30, 0), " ")], 2)
        context = {"triggerKind": 2, "triggerCharacter": " "}
        return await client.at("textDocument/completion", 30, 1, context=context)

    assert ask(run) is None


def test_signature_help() -> None:
    async def run(client: Client) -> Any:
        client.change([edit((30, 0), (30, 0), "OpStore %colour \n")], 2)
        return await client.at("textDocument/signatureHelp", 30, 16)

    found = ask(run)
    (signature,) = found["signatures"]
    start, end = signature["parameters"][found["activeParameter"]]["label"]
    assert signature["label"][start:end] == "%Object"


def test_rename_and_its_refusal() -> None:
    async def run(client: Client) -> Any:
        where = _where("OpStore", "%b")
        prepared = await client.at("textDocument/prepareRename", *where)
        renamed = await client.at("textDocument/rename", *where, newName="%root")
        try:
            await client.at("textDocument/rename", *where, newName="%a")
        except RequestError as error:
            return prepared, renamed, error
        raise AssertionError("a name that is taken was accepted")

    prepared, renamed, error = ask(run)
    assert prepared == {"range": span(29, 16, 18), "placeholder": "%b"}
    (change,) = renamed["documentChanges"]
    assert change["textDocument"]["version"] == 1
    assert [item["newText"] for item in change["edits"]] == ["%root", "%root"]
    assert "already" in str(error)


def test_changes_without_versions_for_clients_that_know_none() -> None:
    found = ask(lambda client: client.at("textDocument/rename", *_where("OpStore", "%b"), newName="x"), capabilities={})
    assert list(found["changes"]) == [URI]


def test_semantic_tokens_whole_changed_and_of_a_range() -> None:
    async def run(client: Client) -> Any:
        full = await client.request("textDocument/semanticTokens/full", _DOCUMENT)
        client.change([edit((30, 0), (30, 0), "OpNop\n")], 2)
        delta = await client.request(
            "textDocument/semanticTokens/full/delta", {**_DOCUMENT, "previousResultId": full["resultId"]}
        )
        again = await client.request("textDocument/semanticTokens/full", _DOCUMENT)
        lost = await client.request("textDocument/semanticTokens/full/delta", {**_DOCUMENT, "previousResultId": "?"})
        some = await client.request("textDocument/semanticTokens/range", {**_DOCUMENT, "range": span(30, 0, 2)})
        return full, delta, again, lost, some

    full, delta, again, lost, some = ask(run)
    data = list(full["data"])
    for change in delta["edits"]:
        data[change["start"] : change["start"] + change["deleteCount"]] = change.get("data", [])
    assert data == again["data"] == lost["data"]
    assert len(data) == len(full["data"]) + 5
    assert some["data"] == [30, 0, 5, TYPES.index("keyword"), 0]


def test_hints_values_lenses_and_links() -> None:
    async def run(client: Client) -> Any:
        whole = {**_DOCUMENT, "range": {"start": place(0, 0), "end": place(99, 0)}}
        hints = await client.request("textDocument/inlayHint", whole)
        stopped = {"frameId": 1, "stoppedLocation": whole["range"]}
        values = await client.request("textDocument/inlineValue", {**whole, "context": stopped})
        lenses = await client.request("textDocument/codeLens", _DOCUMENT)
        lens = await client.request("codeLens/resolve", lenses[-1])
        return hints, values, lens, await client.request("textDocument/documentLink", _DOCUMENT)

    hints, values, lens, links = ask(run)
    assert {"position": place(26, 2), "label": ": vec4<f32>", "kind": 1, "paddingLeft": False, "paddingRight": False} in hints
    assert {"range": span(28, 16, 22), "text": "%scope = 1"} in values
    assert lens["command"]["title"] == "Fragment entry point, interface of 2"
    assert links[0]["target"].endswith("GLSL.std.450.html")


def test_offsets_are_shown_when_they_are_wanted() -> None:
    async def run() -> Any:
        client = Client()
        await client.start(options={"inlayHints": {"offsets": True, "types": False, "values": False}})
        client.open(SHADER)
        return await client.request("textDocument/inlayHint", {**_DOCUMENT, "range": span(2, 0, 1)})

    (hint,) = asyncio.run(run())
    assert (hint["label"], hint["position"]) == ("0x14", place(2, 0))


def test_folding_selection_and_linked_editing() -> None:
    async def run(client: Client) -> Any:
        folds = await client.request("textDocument/foldingRange", _DOCUMENT)
        where = place(*_where("OpStore", "%b"))
        (selection,) = await client.request("textDocument/selectionRange", {**_DOCUMENT, "positions": [where]})
        return folds, selection, await client.at("textDocument/linkedEditingRange", *_where("OpStore", "%b"))

    folds, selection, linked = ask(run)
    assert {"startLine": 24, "endLine": 31, "kind": "region"} in folds
    assert selection["range"] == span(29, 16, 18)
    assert selection["parent"]["range"] == span(29, 8, 18)
    assert linked["ranges"] == [span(27, 0, 2), span(29, 16, 18)]


def test_formatting() -> None:
    async def run(client: Client) -> Any:
        options = {"options": {"tabSize": 4, "insertSpaces": True}}
        whole = await client.request("textDocument/formatting", {**_DOCUMENT, **options})
        part = await client.request("textDocument/rangeFormatting", {**_DOCUMENT, **options, "range": span(2, 0, 1)})
        typed = {**_DOCUMENT, **options, "position": place(3, 0), "ch": "\n"}
        return whole, part, await client.request("textDocument/onTypeFormatting", typed)

    whole, part, typed = ask(run)
    assert len(whole) > len(part) == len(typed) == 1
    assert part[0]["newText"].isspace()


def test_refactorings_eager_and_lazy() -> None:
    request = {**_DOCUMENT, "range": span(19, 1, 1), "context": {"diagnostics": [], "only": ["refactor"]}}

    async def eager(client: Client) -> Any:
        return await client.request("textDocument/codeAction", request)

    async def lazy(client: Client) -> Any:
        actions = await client.request("textDocument/codeAction", request)
        return actions, [await client.request("codeAction/resolve", action) for action in actions]

    found = ask(eager)
    assert found
    assert all(action["kind"].startswith("refactor") and action["edit"] for action in found)
    resolving = {**CAPABILITIES["textDocument"], "codeAction": {"resolveSupport": {"properties": ["edit"]}}}
    actions, resolved = ask(lazy, capabilities={**CAPABILITIES, "textDocument": resolving})
    assert all("edit" not in action for action in actions)
    assert [action["edit"] for action in resolved] == [action["edit"] for action in found]


def test_a_refused_refactoring_has_its_reason_where_the_client_shows_it() -> None:
    text = SHADER.replace("OpCapability Shader", "OpCapability Geometry").replace("Fragment", "Geometry")
    line = next(number for number, line in enumerate(text.split("\n")) if line.startswith("OpEntryPoint"))

    async def run(client: Client) -> Any:
        request = {**_DOCUMENT, "range": span(line, 1, 1), "context": {"diagnostics": [], "only": ["refactor"]}}
        return await client.request("textDocument/codeAction", request)

    showing = {**CAPABILITIES["textDocument"], "codeAction": {"disabledSupport": True}}
    found = ask(run, text, capabilities={**CAPABILITIES, "textDocument": showing})
    (refused,) = [action for action in found if "disabled" in action]
    assert refused["title"].startswith("Add an input variable") and "edit" not in refused
    assert "no execution mode that names its input primitive" in refused["disabled"]["reason"]
    assert [action for action in found if action is not refused] == ask(run, text)


def test_calls_and_types() -> None:
    text = SHADER.replace("OpReturn\n", "%c = OpFunctionCall %void %main\nOpReturn\n")

    async def run(client: Client) -> Any:
        (function,) = await client.at("textDocument/prepareCallHierarchy", *_where("%main", "%main"))
        incoming = await client.request("callHierarchy/incomingCalls", {"item": function})
        outgoing = await client.request("callHierarchy/outgoingCalls", {"item": function})
        entry = next(call["from"] for call in incoming if call["from"]["name"] == "main")
        nobody = await client.request("callHierarchy/incomingCalls", {"item": entry})
        (vector,) = await client.at("textDocument/prepareTypeHierarchy", *_where("%v4", "%v4"))
        above = await client.request("typeHierarchy/supertypes", {"item": vector})
        below = await client.request("typeHierarchy/subtypes", {"item": vector})
        return incoming, outgoing, nobody, above, below

    incoming, outgoing, nobody, above, below = ask(run, text)
    assert [call["from"]["name"] for call in incoming] == ["%main", "main"]
    assert [call["to"]["name"] for call in outgoing] == ["%main"]
    assert nobody == []
    assert [item["name"] for item in above] == ["%float"]
    assert [item["name"] for item in below] == ["%pin", "%pout"]


def test_the_flow_and_a_summary() -> None:
    async def run(client: Client) -> Any:
        flow = await client.request("spvls/cfg", {**_DOCUMENT, "position": place(26, 0)})
        return flow, await client.request("spvls/summary", _DOCUMENT)

    flow, summary = ask(run)
    (function,) = flow["functions"]
    (block,) = function["blocks"]
    assert (function["id"], block["id"], block["terminator"], block["successors"]) == ("main", "entry", "OpReturn", [])
    assert block["range"] == {"start": place(25, 0), "end": place(30, 8)}
    assert summary == {
        "documentVersion": 1,
        "version": "1.3",
        "targetEnv": "spv1.3",
        "decidedBy": "module",
        "capabilities": ["Shader"],
        "extensions": [],
        "entryPoints": ["main"],
        "instructions": 30,
        "functions": 1,
        "range": {"start": place(0, 0), "end": place(33, 0)},
    }
def test_formatting_that_would_change_words_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "_words", lambda *_: "OpNopp")
    style = {"options": {"tabSize": 4, "insertSpaces": True}}
    asked: dict[str, Json] = {
        "formatting": {},
        "rangeFormatting": {"range": span(0, 0, 5)},
        "onTypeFormatting": {"position": place(1, 0), "ch": "\n"},
    }

    async def run(client: Client) -> None:
        for method, params in asked.items():
            with pytest.raises(RequestError, match="would change the words"):
                await client.request(f"textDocument/{method}", {**_DOCUMENT, **style, **params})

    ask(run, "OpNop\nOpNop\n")


def test_the_first_letter_of_a_module_is_completed() -> None:
    async def run() -> list[str]:
        client = Client()
        await client.start()
        client.open("")
        client.change([edit((0, 0), (0, 0), "f")], 2)
        found = await client.at("textDocument/completion", 0, 1)
        return [item["label"] for item in found["items"]]

    assert "fragment shader" in asyncio.run(run())
