"""What the server says that it can do is what is in the table of features, and each of these does something for a long shader."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spvls.ide.features.tokens import MODIFIERS, TYPES
from spvls.server.handlers.views import CONTENTS
from tests.bench.modules import module_text
from tests.server.client import CAPABILITIES, Client, Json, edit, place

FEATURES: dict[str, dict[str, Any]] = {
    "incremental sync": {"textDocumentSync.openClose": True, "textDocumentSync.change": 2, "textDocumentSync.save": False},
    "diagnostics": {
        "diagnosticProvider.identifier": "spvls",
        "diagnosticProvider.interFileDependencies": False,
    },
    "workspace diagnostics": {"diagnosticProvider.workspaceDiagnostics": True},
    "hover": {"hoverProvider": True},
    "completion and resolve": {
        "completionProvider.triggerCharacters": ["%", "|", " ", '"'],
        "completionProvider.resolveProvider": True,
    },
    "signature help": {
        "signatureHelpProvider.triggerCharacters": [" "],
        "signatureHelpProvider.retriggerCharacters": [" ", "|"],
    },
    "definition": {"definitionProvider": True},
    "declaration": {"declarationProvider": True},
    "type definition": {"typeDefinitionProvider": True},
    "implementation": {"implementationProvider": True},
    "references": {"referencesProvider": True},
    "highlight": {"documentHighlightProvider": True},
    "document symbols": {"documentSymbolProvider": True},
    "workspace symbols": {"workspaceSymbolProvider.resolveProvider": False},
    "code actions": {
        "codeActionProvider.codeActionKinds": [
            "quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite", "source.organizeImports", "source.fixAll",
            "source.strip", "source.specialize",
            "explain",
        ],
        "codeActionProvider.resolveProvider": True,
    },
    "code lens": {"codeLensProvider.resolveProvider": True},
    "document links": {"documentLinkProvider.resolveProvider": False},
    "inlay hints": {"inlayHintProvider.resolveProvider": False},
    "inline values": {"inlineValueProvider": True},
    "semantic tokens": {
        "semanticTokensProvider.legend.tokenTypes": list(TYPES),
        "semanticTokensProvider.legend.tokenModifiers": list(MODIFIERS),
        "semanticTokensProvider.range": True,
        "semanticTokensProvider.full.delta": True,
    },
    "folding": {"foldingRangeProvider": True},
    "selection ranges": {"selectionRangeProvider": True},
    "rename and prepare": {"renameProvider.prepareProvider": True},
    "linked editing": {"linkedEditingRangeProvider": True},
    "call hierarchy": {"callHierarchyProvider": True},
    "type hierarchy": {"typeHierarchyProvider": True},
    "formatting": {"documentFormattingProvider": True},
    "range formatting": {"documentRangeFormattingProvider": True},
    "formatting on type": {"documentOnTypeFormattingProvider.firstTriggerCharacter": "\n"},
    "commands": {
        "executeCommandProvider.commands": [
            "spvls.server.assemble", "spvls.server.explain", "spvls.server.previewSpecialization", "spvls.server.specialize",
        ]
    },
    "virtual documents": {"workspace.textDocumentContent.schemes": [*CONTENTS, "spvls-source"]},
    "position encodings": {"positionEncoding": "utf-16"},
    "workspace folders": {
        "workspace.workspaceFolders.supported": True,
        "workspace.workspaceFolders.changeNotifications": True,
    },
}  # fmt: skip
"""Each feature and what of the answer to `initialize` promises it, by its path there."""


_CAPABILITIES: Json = {**CAPABILITIES, "workspace": {**CAPABILITIES["workspace"], "textDocumentContent": {}}}


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values within objects within objects, by their path; lists of commands in any order."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else name)
    else:
        yield path, sorted(value) if path.endswith(".commands") else value


def test_what_is_promised_is_what_is_in_the_table() -> None:
    async def run() -> Json:
        return await Client().start(_CAPABILITIES)

    promised = dict(_leaves(asyncio.run(run())))
    assert promised == {path: value for paths in FEATURES.values() for path, value in paths.items()}


# A long shader, and what is asked of it

_SOURCE = '%file = OpString "shade.frag"\nOpSource GLSL 450 %file\n'
_TEXT = "; spvls: target-env=vulkan1.1\n" + module_text(lines=1400).replace("OpSource GLSL 450\n", _SOURCE)
LINES = _TEXT.split("\n")

_OTHER = """\
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %f LinkageAttributes "elsewhere" Export
OpNpo
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%e = OpLabel
OpReturn
OpFunctionEnd
"""


class Asker:
    """A client with a file of the shader open, and where in it things stand."""

    def __init__(self, client: Client, path: Path) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.document: Json = {"textDocument": {"uri": self.uri}}

    def line(self, begin: str) -> int:
        return next(at for at, text in enumerate(LINES) if text.startswith(begin))

    def at(self, begin: str, word: str) -> Json:
        """Just inside the last place of a word on the line that begins so."""
        line = self.line(begin)
        return place(line, LINES[line].rindex(word) + 1)

    async def ask(self, method: str, **params: Any) -> Any:
        return await self.client.request(f"textDocument/{method}", {**self.document, **params})

    async def there(self, method: str, begin: str, word: str, **params: Any) -> Any:
        return await self.ask(method, position=self.at(begin, word), **params)

    def screen(self, begin: str) -> Json:
        line = self.line(begin)
        return {"start": place(line, 0), "end": place(line + 50, 0)}

    def type(self, line: int, text: str) -> None:
        """Put a line of its own in front of a line."""
        self.client.change([edit((line, 0), (line, 0), f"{text}\n")], 2, uri=self.uri)


Check = Callable[[Asker], Awaitable[None]]
CHECKS: dict[str, Check] = {}


def check(feature: str) -> Callable[[Check], Check]:
    def add(function: Check) -> Check:
        CHECKS[feature] = function
        return function

    return add


@check("incremental sync")
async def _sync(asker: Asker) -> None:
    changes = [edit((line, 0), (line, 0), " ") for line in range(1000)]
    asker.client.change(changes, 2, uri=asker.uri)
    lines = asker.client.server.document(asker.uri).source.split("\n")
    assert lines == [f" {line}" if at < 1000 else line for at, line in enumerate(LINES)]


@check("diagnostics")
async def _diagnostics(asker: Asker) -> None:
    assert (await asker.client.pull(asker.uri))["items"] == []
    line = asker.line("%scaled_3 =")
    asker.type(line, "%twice_3 = OpFMul %v4float %old_3 %count_3")
    items = (await asker.client.pull(asker.uri))["items"]
    assert [item["range"]["start"]["line"] for item in items] == [line, line]
    assert {item["severity"] for item in items} == {1, 4}
    assert all(item["codeDescription"]["href"].startswith("https://") for item in items)


@check("workspace diagnostics")
async def _workspace_diagnostics(asker: Asker) -> None:
    answer = await asker.client.request("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": "t"})
    assert {report["uri"].rpartition("/")[2] for report in answer["items"]} == {"long.spvasm", "other.spvasm"}
    assert [item["code"] for report in answer["items"] for item in report["items"]] == ["syntax/unknown-opcode"]
    assert any(message["method"] == "$/progress" for message in asker.client.said)


@check("hover")
async def _hover(asker: Asker) -> None:
    found = await asker.there("hover", "%root_5", "Sqrt")
    assert "Instruction 31 of `GLSL.std.450`" in found["contents"]["value"]


@check("completion and resolve")
async def _completion(asker: Asker) -> None:
    line = asker.line("OpStore %kept_2 %either_2")
    asker.type(line, "OpStore %kept_2 ")
    found = await asker.ask("completion", position=place(line, 16))
    best = min(found["items"], key=lambda item: item["sortText"])
    resolved = await asker.client.request("completionItem/resolve", best)
    assert "Type `vec4<f32>`" in resolved["documentation"]["value"]


@check("signature help")
async def _signature(asker: Asker) -> None:
    found = await asker.there("signatureHelp", "%scaled_1 =", "%tint_1")
    assert found["signatures"][0]["label"] == "%result = OpFMul %Result_Type %Operand_1 %Operand_2"
    assert found["activeParameter"] == 2


async def _goes_to(asker: Asker, method: str, begin: str, word: str, target: str) -> None:
    (found,) = await asker.there(method, begin, word)
    where = found["targetSelectionRange"] if "targetUri" in found else found["range"]
    assert LINES[where["start"]["line"]].startswith(target)


@check("definition")
async def _definition(asker: Asker) -> None:
    await _goes_to(asker, "definition", "%total_9 =", "%either_9", "%either_9 = ")
    await _goes_to(asker, "definition", "%root_5", "Sqrt", "%glsl = ")


@check("declaration")
async def _declaration(asker: Asker) -> None:
    await _goes_to(asker, "declaration", "%call_4 =", "%shade_4", "%shade_4 = ")


@check("type definition")
async def _type_definition(asker: Asker) -> None:
    await _goes_to(asker, "typeDefinition", "%total_9 =", "%either_9", "%v4float = ")
    await _goes_to(asker, "typeDefinition", "%tint_1 =", "%tint_at_1", "%v4float = ")


@check("implementation")
async def _implementation(asker: Asker) -> None:
    found = await asker.there("implementation", "%fn_shade =", "%fn_shade")
    assert len(found) == sum(" = OpFunction %v4float " in line for line in LINES) > 20


@check("references")
async def _references(asker: Asker) -> None:
    found = await asker.there("references", "%int_1 =", "%int_1", context={"includeDeclaration": True})
    assert len(found) == sum("%int_1" in line.split() for line in LINES)


@check("highlight")
async def _highlight(asker: Asker) -> None:
    found = await asker.there("documentHighlight", "%next_7 =", "%next_7")
    assert sorted(mark["kind"] for mark in found) == [2, 3]


@check("document symbols")
async def _symbols(asker: Asker) -> None:
    found = await asker.ask("documentSymbol")
    functions = [symbol for symbol in found if symbol["kind"] == 12]
    assert functions[-1]["name"] == "%main"
    assert [block["name"] for block in functions[0]["children"]][:2] == ["%entry_0", "%head_0"]


@check("workspace symbols")
async def _workspace_symbols(asker: Asker) -> None:
    found = await asker.client.request("workspace/symbol", {"query": "shade_1"})
    assert "%shade_1" in [symbol["name"] for symbol in found]


@check("code actions")
async def _actions(asker: Asker) -> None:
    line = asker.line("%scaled_3 =")
    asker.type(line, "%twice_3 = OpFMull %v4float %old_3 %tint_3")
    span = {"start": place(line, 12), "end": place(line, 12)}
    found = await asker.ask("codeAction", range=span, context={"diagnostics": []})
    assert {"Change to OpFMul", "Explain syntax/unknown-opcode", "Number ids as in the binary"} <= {
        action["title"] for action in found
    }


@check("code lens")
async def _lens(asker: Asker) -> None:
    lenses = await asker.ask("codeLens")
    last = await asker.client.request("codeLens/resolve", lenses[-1])
    assert last["command"]["title"] == "Fragment entry point, interface of 3"


@check("document links")
async def _links(asker: Asker) -> None:
    targets = [link["target"] for link in await asker.ask("documentLink")]
    assert [target.rpartition("/")[2] for target in targets] == ["GLSL.std.450.html", "shade.frag"]


@check("inlay hints")
async def _hints(asker: Asker) -> None:
    found = await asker.ask("inlayHint", range=asker.screen("%shade_6 ="))
    labels = [hint["label"] for hint in found]
    assert {": ptr<Uniform, vec4<f32>>", "= {1, 1, 1, 0}"} <= set(labels)
    assert len(labels) > 5


@check("inline values")
async def _values(asker: Asker) -> None:
    screen = asker.screen("%shade_6 =")
    found = await asker.ask("inlineValue", range=screen, context={"frameId": 1, "stoppedLocation": screen})
    assert "%int_1 = 1" in [value["text"] for value in found]


@check("semantic tokens")
async def _tokens(asker: Asker) -> None:
    full = await asker.ask("semanticTokens/full")
    assert len(full["data"]) > 5 * len(LINES)
    some = await asker.ask("semanticTokens/range", range=asker.screen("%shade_6 ="))
    assert 0 < len(some["data"]) < len(full["data"])
    asker.type(asker.line("%scaled_3 ="), "OpNop")
    delta = await asker.ask("semanticTokens/full/delta", previousResultId=full["resultId"])
    assert 0 < sum(len(change.get("data", ())) for change in delta["edits"]) < 50


@check("folding")
async def _folding(asker: Asker) -> None:
    found = {(fold["startLine"], fold["endLine"]) for fold in await asker.ask("foldingRange")}
    first = asker.line("%shade_6 =")
    assert (first, first + LINES[first:].index("OpFunctionEnd")) in found


@check("selection ranges")
async def _selection(asker: Asker) -> None:
    (found,) = await asker.ask("selectionRange", positions=[asker.at("%raised_2 =", "%grey")])
    depth = 1
    while "parent" in found:
        found, depth = found["parent"], depth + 1
    assert depth == 8  # id, operands, instruction, block, selection, loop, function, text
    assert found["range"]["start"] == place(0, 0)


@check("rename and prepare")
async def _rename(asker: Asker) -> None:
    prepared = await asker.there("prepareRename", "%call_4 =", "%shade_4")
    assert prepared["placeholder"] == "%shade_4"
    renamed = await asker.there("rename", "%call_4 =", "%shade_4", newName="%shine")
    (change,) = renamed["documentChanges"]
    assert [item["newText"] for item in change["edits"]].count("%shine") == 3
    assert "shine" in [item["newText"] for item in change["edits"]]  # what OpName says


@check("linked editing")
async def _linked(asker: Asker) -> None:
    found = await asker.there("linkedEditingRange", "%total_9 =", "%either_9")
    assert len(found["ranges"]) == 3


@check("call hierarchy")
async def _calls(asker: Asker) -> None:
    (item,) = await asker.there("prepareCallHierarchy", "%shade_3 =", "%shade_3")
    (incoming,) = await asker.client.request("callHierarchy/incomingCalls", {"item": item})
    assert incoming["from"]["name"] == "%main"
    outgoing = await asker.client.request("callHierarchy/outgoingCalls", {"item": incoming["from"]})
    assert len(outgoing) == sum(" = OpFunctionCall " in line for line in LINES)


@check("type hierarchy")
async def _types(asker: Asker) -> None:
    (item,) = await asker.there("prepareTypeHierarchy", "%v4float =", "%v4float")
    above = await asker.client.request("typeHierarchy/supertypes", {"item": item})
    below = await asker.client.request("typeHierarchy/subtypes", {"item": item})
    assert [other["name"] for other in above] == ["%float"]
    assert {"%Block", "%ptr_tint", "%fn_shade"} <= {other["name"] for other in below}


_STYLE = {"options": {"tabSize": 4, "insertSpaces": True}}


@check("formatting")
async def _formatting(asker: Asker) -> None:
    assert len(await asker.ask("formatting", **_STYLE)) > 1000


@check("range formatting")
async def _range_formatting(asker: Asker) -> None:
    found = await asker.ask("rangeFormatting", range=asker.screen("%shade_6 ="), **_STYLE)
    assert 20 < len(found) <= 51


@check("formatting on type")
async def _on_type(asker: Asker) -> None:
    line = asker.line("%scaled_3 =")
    found = await asker.ask("onTypeFormatting", position=place(line, 0), ch="\n", **_STYLE)
    assert len(found) == 1


@check("commands")
async def _commands(asker: Asker) -> None:
    command = {"command": "spvls.server.assemble", "arguments": [asker.uri]}
    answer = await asker.client.request("workspace/executeCommand", command)
    assert answer["written"] is True
    assert answer["bytes"] > 4 * len(LINES)
    command = {"command": "spvls.server.explain", "arguments": ["id/is-defined-before-use"]}
    assert "defined" in await asker.client.request("workspace/executeCommand", command)


@check("virtual documents")
async def _virtual(asker: Asker) -> None:
    for scheme in CONTENTS:
        uri = asker.uri.replace("file", scheme, 1)
        found = await asker.client.request("workspace/textDocumentContent", {"uri": uri})
        assert len(found["text"].split("\n")) > 10, scheme


@check("position encodings")
async def _encodings(asker: Asker) -> None:
    for encoding, column in {"utf-8": 20, "utf-16": 18, "utf-32": 17}.items():
        client = Client()
        await client.start({"general": {"positionEncodings": [encoding]}})
        client.open('OpName %a "𝔘" OpName %missing "b"\n', uri=asker.uri)
        where = {"textDocument": {"uri": asker.uri}, "position": place(0, column + 5)}
        found = await client.request("textDocument/hover", where)
        assert found["range"]["start"] == place(0, column + 4), encoding


@check("workspace folders")
async def _folders(asker: Asker) -> None:
    folder = {"uri": asker.uri.rpartition("/")[0], "name": "x"}
    event = {"event": {"added": [], "removed": [folder]}}
    asker.client.notify("workspace/didChangeWorkspaceFolders", event)
    found = await asker.client.request("workspace/symbol", {"query": "elsewhere"})
    assert found == []
    event = {"event": {"added": [folder], "removed": []}}
    asker.client.notify("workspace/didChangeWorkspaceFolders", event)
    (symbol,) = await asker.client.request("workspace/symbol", {"query": "elsewhere"})
    assert symbol["location"]["uri"].endswith("/other.spvasm")


def test_each_feature_is_asked_for() -> None:
    assert len(LINES) > 1000
    assert set(CHECKS) == set(FEATURES)


@pytest.mark.parametrize("feature", FEATURES)
def test_each_feature_answers_for_a_long_shader(feature: str, tmp_path: Path) -> None:
    path = tmp_path / "long.spvasm"
    path.write_text(_TEXT)
    (tmp_path / "shade.frag").write_text("void main() {}\n")
    (tmp_path / "other.spvasm").write_text(_OTHER)

    async def run() -> None:
        client = Client()
        params = {
            "processId": None,
            "rootUri": None,
            "capabilities": _CAPABILITIES,
            "workspaceFolders": [{"uri": tmp_path.as_uri(), "name": "x"}],
        }
        await client.request("initialize", params)
        client.notify("initialized", {})
        client.open(_TEXT, uri=path.as_uri())
        await CHECKS[feature](Asker(client, path))

    asyncio.run(run())
