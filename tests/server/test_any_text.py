"""Whatever the text, and however it came to be, every request is answered, and none with an internal error."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Position, Range
from spvls.server.handlers.views import CONTENTS, DRAWINGS
from tests.corpus import TEXTS, text_of
from tests.server.client import URI, Client, Json, RequestError, edit, place
from tests.strategies import edit_batches, positions, texts

_AT_POSITION = (
    "hover", "definition", "declaration", "typeDefinition", "implementation", "documentHighlight", "completion",
    "signatureHelp", "prepareRename", "linkedEditingRange", "prepareCallHierarchy", "prepareTypeHierarchy",
)  # fmt: skip
_OF_DOCUMENT = (
    "documentSymbol", "codeLens", "documentLink", "foldingRange", "semanticTokens/full", "diagnostic",
)  # fmt: skip
_OWN = ("spvls/binary", "spvls/summary", "spvls/cfg", "spvls/specialization", "spvls/environments")
_INTERNAL_ERROR = -32603
_DOCUMENT: Json = {"textDocument": {"uri": URI}}
_STYLE: Json = {"options": {"tabSize": 4, "insertSpaces": True}}

_FOLLOWING = {
    "textDocument/completion": ("completionItem/resolve",),
    "textDocument/codeAction": ("codeAction/resolve",),
    "textDocument/codeLens": ("codeLens/resolve",),
    "textDocument/prepareCallHierarchy": ("callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"),
    "textDocument/prepareTypeHierarchy": ("typeHierarchy/supertypes", "typeHierarchy/subtypes"),
}
"""What is asked next of what an answer holds."""

_ELSEWHERE = frozenset(
    {
        "initialize", "shutdown", "workspace/executeCommand", "workspace/diagnostic", "workspace/symbol",
        "spvls/disassemble", "spvls/writeBinary",
    }
)  # fmt: skip
"""Requests that are of no text, or write files."""

_MOST = 3


def _requests(position: Json) -> Iterator[tuple[str, Json]]:
    """Every request that is of a text, about a position."""
    here = {"start": position, "end": position}
    whole = {"start": place(0, 0), "end": place(1000, 0)}
    for name in _AT_POSITION:
        yield f"textDocument/{name}", {"position": position}
    for name in _OF_DOCUMENT:
        yield f"textDocument/{name}", {}
    for name in _OWN:
        yield name, {}
    for span in (here, whole):
        yield "textDocument/inlayHint", {"range": span}
        yield "textDocument/inlineValue", {"range": span, "context": {"frameId": 1, "stoppedLocation": span}}
        yield "textDocument/semanticTokens/range", {"range": span}
        yield "textDocument/rangeFormatting", {"range": span, **_STYLE}
        yield "textDocument/codeAction", {"range": span, "context": {"diagnostics": []}}
        yield "spvls/binary", {"range": span}
    yield "spvls/cfg", {"position": position}
    yield "spvls/example", {"position": position}
    yield "spvls/environments", {"position": position, "comment": "vulkan1.2"}
    yield "spvls/source", {"position": position}
    yield "spvls/specialization", {"position": position}
    yield "spvls/specialize", {"position": position, "values": {}, "full": True}
    for form in DRAWINGS:
        yield "spvls/cfg", {"format": form}
    for form in ("json", "text"):
        yield "spvls/summary", {"format": form}
    for scheme in CONTENTS:
        yield "workspace/textDocumentContent", {"uri": URI.replace("file", scheme, 1)}
    yield "textDocument/semanticTokens/full/delta", {"previousResultId": "1"}
    yield "textDocument/references", {"position": position, "context": {"includeDeclaration": True}}
    yield "textDocument/rename", {"position": position, "newName": "other"}
    yield "textDocument/selectionRange", {"positions": [position]}
    yield "textDocument/formatting", _STYLE
    yield "textDocument/onTypeFormatting", {"position": position, "ch": "\n", **_STYLE}


async def _ask(client: Client, method: str, params: Json) -> Any:
    try:
        return await client.request(method, params)
    except RequestError as error:
        assert error.code != _INTERNAL_ERROR, (method, str(error), error.data)
        return None


async def _ask_everything(client: Client, position: Json) -> None:
    for method, params in _requests(position):
        answer = await _ask(client, method, params if "uri" in params else {**_DOCUMENT, **params})
        items = answer.get("items") if isinstance(answer, dict) else answer
        for following in _FOLLOWING.get(method, ()):
            for item in (items or ())[:_MOST]:
                await _ask(client, following, {"item": item} if "Hierarchy" in following else item)


def test_every_request_is_among_those_that_are_asked() -> None:
    asked = {method for method, _ in _requests(place(0, 0))} | {name for names in _FOLLOWING.values() for name in names}
    client = Client()
    features = {name for name in client.server.protocol.fm.features if not name.startswith(("$/", "initialized"))}
    notified = {name for name in features if "/did" in name or name.endswith("Changed")}
    assert features - notified - _ELSEWHERE - asked == set()


@given(texts(), edit_batches(), positions())
def test_every_request_is_answered(text: str, batches: list[list[tuple[Range, str]]], position: Position) -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open(text)
        for version, batch in enumerate([[], *batches], 2):
            client.change([edit(tuple(where.start), tuple(where.end), new) for where, new in batch], version)
            await _ask_everything(client, place(*position))

    asyncio.run(run())


@given(st.sampled_from(TEXTS), st.data())
def test_every_request_is_answered_anywhere_in_a_fixture(path: Path, data: st.DataObject) -> None:
    """At a place of the text as it is, and with the line half-typed up to there, the rest of it gone or yet to come."""
    lines = text_of(path).split("\n")
    line = data.draw(st.integers(0, len(lines) - 1))
    column = data.draw(st.integers(0, len(lines[line])))
    end = len(lines[line])
    rest = data.draw(st.sampled_from([None, "", '"', "|", "%", "!"]))

    async def run() -> None:
        client = Client()
        await client.start()
        client.open("\n".join(lines))
        await _ask_everything(client, place(line, column))
        if rest is not None:
            client.change([edit((line, column), (line, end), rest)], 2)
            await _ask_everything(client, place(line, column + len(rest)))

    asyncio.run(run())
