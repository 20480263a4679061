"""Whatever the text, and however it came to be, every request is answered, and none with an internal error."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given

from spvls.diagnostic import Position, Range
from tests.server.client import URI, Client, Json, RequestError, edit, place
from tests.strategies import edit_batches, positions, texts

_AT_POSITION = (
    "hover", "definition", "declaration", "typeDefinition", "implementation", "documentHighlight", "completion",
    "signatureHelp", "prepareRename", "linkedEditingRange", "prepareCallHierarchy", "prepareTypeHierarchy",
)  # fmt: skip
_OF_DOCUMENT = (
    "documentSymbol", "codeLens", "documentLink", "foldingRange", "semanticTokens/full", "diagnostic",
)  # fmt: skip
_OF_RANGE = ("inlayHint", "semanticTokens/range")
_INTERNAL_ERROR = -32603


async def _ask(client: Client, method: str, params: Json) -> Any:
    try:
        return await client.request(method, params)
    except RequestError as error:
        assert error.code != _INTERNAL_ERROR, (method, str(error), error.data)
        return None


async def _ask_everything(client: Client, position: Json) -> None:
    document: Json = {"textDocument": {"uri": URI}}
    whole = {"start": place(0, 0), "end": place(1000, 0)}
    for name in _AT_POSITION:
        await _ask(client, f"textDocument/{name}", {**document, "position": position})
    for name in _OF_DOCUMENT:
        await _ask(client, f"textDocument/{name}", document)
    for name in _OF_RANGE:
        await _ask(client, f"textDocument/{name}", {**document, "range": whole})
    for name in ("spvls/binary", "spvls/summary", "spvls/cfg"):
        await _ask(client, name, document)
    await _ask(client, "textDocument/references", {**document, "position": position, "context": {"includeDeclaration": True}})
    await _ask(client, "textDocument/rename", {**document, "position": position, "newName": "other"})
    await _ask(client, "textDocument/selectionRange", {**document, "positions": [position]})
    here = {"start": position, "end": position}
    await _ask(client, "textDocument/codeAction", {**document, "range": here, "context": {"diagnostics": []}})
    options = {"options": {"tabSize": 4, "insertSpaces": True}}
    await _ask(client, "textDocument/formatting", {**document, **options})
    await _ask(client, "spvls/binary", {**document, "range": here})


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
