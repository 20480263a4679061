"""All requests, and all that the server says by itself, on a module and settings made to do harm: nothing of it is more than text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import spvls
from spvls.server.handlers.views import CONTENTS
from spvls.text.lines import split_lines
from tests.hostile import CONFIGURATION, HARM, MARK, WORD, faulty_module, hidden, live_markdown, sound_module, strings
from tests.server.client import URI, Client, Json, RequestError, place
from tests.server.test_any_text import _ELSEWHERE, _FOLLOWING, _requests, test_every_request_is_among_those_that_are_asked

__all__ = ["test_every_request_is_among_those_that_are_asked"]

EXACT = frozenset({"newText", "uri", "targetUri", "data", "placeholder", "textEdit", "filterText", "sortText", "insertText", "changes"})
"""Fields whose strings are put into texts, or handed back; nobody reads them."""

LISTING = "spvls-listing"


def problems(answer: Any) -> list[str]:
    """What in an answer acts on those who read it."""
    found = [repr(text) for text in strings(answer, EXACT) if hidden(text)]
    for markdown in _markdown(answer):
        found += live_markdown(markdown)
    return found


def _markdown(answer: Any) -> list[str]:
    if isinstance(answer, list):
        return [text for part in answer for text in _markdown(part)]
    if not isinstance(answer, dict):
        return []
    own = [answer["value"]] if answer.get("kind") == "markdown" else []
    return own + [text for part in answer.values() for text in _markdown(part)]


async def ask(client: Client, method: str, params: Json) -> Any:
    """The answer, or the message of the error, as an editor shows it."""
    try:
        return await client.request(method, params)
    except RequestError as error:
        return str(error)


async def wrong_answers(client: Client, position: Json, *, whole: bool) -> list[str]:
    """What is wrong with the answers to all requests about a position, or with `whole` to those about the document too."""
    document = {"textDocument": {"uri": URI}}
    wrong: list[str] = []
    for method, params in _requests(position):
        about_position = "position" in params or params.get("range", {}).get("start") == position
        if (not whole and not about_position) or params.get("uri", "").startswith(LISTING):
            continue
        answer = await ask(client, method, params if "uri" in params else {**document, **params})
        wrong += [f"{method}: {problem}" for problem in problems(answer)]
        items = answer.get("items") if isinstance(answer, dict) else answer
        for following in _FOLLOWING.get(method, ()):
            for item in [item for item in items or () if method != "textDocument/completion" or "%" in item["label"]]:
                next_answer = await ask(client, following, {"item": item} if "Hierarchy" in following else item)
                wrong += [f"{following}: {problem}" for problem in problems(next_answer)]
    return wrong


@pytest.mark.parametrize(
    ("text", "first"), [(sound_module(), 0), (faulty_module(), len(split_lines(sound_module())))], ids=["sound", "faulty"]
)
async def test_no_answer_acts_on_its_reader(text: str, first: int) -> None:
    """Asked about each word from line `first` on."""
    client = Client()
    await client.start()
    client.open(text)
    assert any(MARK in value for value in strings(await ask(client, "textDocument/documentSymbol", {"textDocument": {"uri": URI}})))
    wrong = await wrong_answers(client, place(0, 0), whole=True)
    for number, line in list(enumerate(split_lines(text)))[first:]:
        for column in dict.fromkeys([*(found.start() for found in re.finditer(r"(?<=\s)\S", line)), 0]):
            wrong += await wrong_answers(client, place(number, column), whole=False)
    assert wrong == []
    assert [problem for message in client.said for problem in problems(message)] == []


async def test_hovers_speak_of_what_is_hostile() -> None:
    """The names of an id, of its entry point, of an extension and of an import are shown, and as code."""
    client = Client()
    await client.start()
    text = sound_module()
    client.open(text)
    lines = split_lines(text)
    shown = []
    for start, column in (("%main = OpFunction", 1), ("OpExtension", 14), ("%set = OpExtInstImport", 26)):
        number = next(at for at, line in enumerate(lines) if line.startswith(start))
        answer = await ask(client, "textDocument/hover", {"textDocument": {"uri": URI}, "position": place(number, column)})
        shown.append(answer["contents"]["value"])
    assert all("![i](http" in markdown for markdown in shown)
    assert "Named " in shown[0] and "Entry point " in shown[0]
    assert [problem for markdown in shown for problem in live_markdown(markdown)] == []


async def test_requests_that_are_of_no_open_text(tmp_path: Path) -> None:
    assert {"workspace/executeCommand", "workspace/symbol", "workspace/diagnostic", "spvls/disassemble", "spvls/writeBinary"} < _ELSEWHERE
    (tmp_path / "a.spvasm").write_text(faulty_module(), newline="")
    (tmp_path / "spvls.toml").write_text(CONFIGURATION, newline="")
    (tmp_path / "a.spv").write_bytes(spvls.assemble(sound_module()))
    client = Client()
    await client.request(
        "initialize",
        {
            "processId": None,
            "rootUri": tmp_path.as_uri(),
            "workspaceFolders": [{"uri": tmp_path.as_uri(), "name": "a"}],
            "capabilities": {"workspace": {"diagnostics": {"refreshSupport": True}}},
            "initializationOptions": {
                "targetEnv": HARM,
                HARM: HARM,
                "rules": {HARM: HARM},
                "validation": {HARM: HARM},
                "device": {HARM: HARM},
                "inlayHints": {HARM: HARM},
                "khronosGrammar": HARM,
                "workspaceDiagnostics": True,
            },
        },
    )
    client.notify("initialized", {})
    uri = (tmp_path / "b.spvasm").as_uri()
    client.open(faulty_module(), uri)
    answers = [
        await ask(client, "workspace/symbol", {"query": ""}),
        await ask(client, "workspace/diagnostic", {"previousResultIds": []}),
        await ask(client, "spvls/disassemble", {"uri": f"file:///{HARM}"}),
        await ask(client, "spvls/writeBinary", {"textDocument": {"uri": uri}, "target": f"file:///no/{HARM}"}),
        await ask(client, "spvls/writeBinary", {"textDocument": {"uri": HARM}, "target": HARM}),
        await ask(client, "workspace/executeCommand", {"command": HARM, "arguments": [HARM]}),
        await ask(client, "workspace/executeCommand", {"command": "spvls.server.assemble", "arguments": [uri]}),
        await ask(client, "workspace/executeCommand", {"command": "spvls.server.assemble", "arguments": [HARM]}),
        await ask(client, "workspace/executeCommand", {"command": "spvls.server.explain", "arguments": [HARM]}),
        await ask(client, "textDocument/hover", {"textDocument": {"uri": HARM}, "position": place(0, 0)}),
        await ask(client, "workspace/textDocumentContent", {"uri": HARM}),
        await ask(client, f"spvls/{WORD}", {}),
        await ask(client, "textDocument/hover", {HARM: HARM}),
    ]
    assert [problem for answer in answers for problem in problems(answer)] == []
    assert [problem for message in client.said for problem in problems(message)] == []
    told = [message["params"]["message"] for message in client.said if message["method"] == "window/showMessage"]
    assert any(MARK in message for message in told)
    assert not [message for message in told if "](" in message]


async def test_documents_that_are_texts_again_are_exact() -> None:
    client = Client()
    await client.start()
    text = sound_module()
    client.open(text)
    assert LISTING in CONTENTS
    answer = await client.request("workspace/textDocumentContent", {"uri": URI.replace("file", LISTING, 1)})
    assert answer["text"] == text
