"""A client in the same process: messages go in as bytes and come out as JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter

from spvls.server.server import SpirvServer

Json = dict[str, Any]

URI = "file:///module.spvasm"

CAPABILITIES: Json = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "diagnostic": {},
        "definition": {"linkSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "rename": {"prepareSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor"]}}},
        "completion": {"completionItem": {"snippetSupport": True}},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}, "diagnostics": {"refreshSupport": True}},
}

_CONVERTER = default_converter()


class RequestError(Exception):
    """The server answered with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.data: Any = error.get("data")


class Client:
    """Talks to a server of its own. `said` are the server's notifications and requests, in order."""

    def __init__(self, server: SpirvServer | None = None) -> None:
        self.server = server or SpirvServer()
        self.server.protocol.set_writer(self, include_headers=False)
        self.said: list[Json] = []
        self.settings: Any = None
        self._answers: dict[int, Json] = {}
        self._arrived = asyncio.Event()
        self._last = 0

    # What the server writes to

    def write(self, data: bytes) -> None:
        message = json.loads(data)
        if "method" not in message:
            self._answers[message["id"]] = message
        else:
            _CONVERTER.structure(message, types.METHOD_TO_TYPES.get(message["method"], (dict,))[0])
            self.said.append(message)
            if "id" in message:
                self._answer(message)
        self._arrived.set()

    def close(self) -> None:
        """Nothing is open."""

    def _answer(self, message: Json) -> None:
        result: Any = None
        if message["method"] == types.WORKSPACE_CONFIGURATION:
            choose: Callable[[Any], Any] = self.settings if callable(self.settings) else lambda _item: self.settings
            result = [choose(item) for item in message["params"]["items"]]
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        asyncio.get_running_loop().call_soon(self.receive, answer)

    # What it sends

    def receive(self, message: Json) -> None:
        self.server.protocol.receive(json.dumps(message).encode())

    def notify(self, method: str, params: Any) -> None:
        self.receive({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method: str, params: Any) -> int:
        """Send a request; its id."""
        self._last += 1
        self.receive({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return self._last

    async def answer(self, request: int) -> Any:
        """The result of a request; its shape is checked against the specification."""
        while request not in self._answers:
            self._arrived.clear()
            await asyncio.wait_for(self._arrived.wait(), 20)
        message = self._answers.pop(request)
        if "error" in message:
            raise RequestError(message["error"])
        return message["result"]

    async def request(self, method: str, params: Any) -> Any:
        result = await self.answer(self.send(method, params))
        known = types.METHOD_TO_TYPES.get(method)
        if known is not None and known[1] is not None:
            _CONVERTER.structure({"jsonrpc": "2.0", "id": 1, "result": result}, known[1])
        return result

    async def heard(self, method: str) -> Any:
        """The parameters of the next notification or request of that name."""
        while True:
            for at, message in enumerate(self.said):
                if message["method"] == method:
                    del self.said[at]
                    return message.get("params")
            self._arrived.clear()
            await asyncio.wait_for(self._arrived.wait(), 20)

    # Common exchanges

    async def start(self, capabilities: Json | None = None, options: Any = None) -> Json:
        """Initialize; what the server can do."""
        params = {
            "processId": None,
            "rootUri": None,
            "capabilities": CAPABILITIES if capabilities is None else capabilities,
            "initializationOptions": options,
        }
        result: Json = await self.request("initialize", params)
        self.notify("initialized", {})
        capable: Json = result["capabilities"]
        return capable

    def open(self, text: str, uri: str = URI, version: int = 1, language_id: str = "spirv") -> None:
        document = {"uri": uri, "languageId": language_id, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, changes: list[Json], version: int, uri: str = URI) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    async def pull(self, uri: str = URI, previous: str | None = None) -> Json:
        params: Json = {"textDocument": {"uri": uri}}
        if previous is not None:
            params["previousResultId"] = previous
        result: Json = await self.request("textDocument/diagnostic", params)
        return result

    async def at(self, method: str, line: int, character: int, **more: Any) -> Any:
        """Ask something about a position."""
        position = {"line": line, "character": character}
        return await self.request(method, {"textDocument": {"uri": URI}, "position": position, **more})


def place(line: int, character: int) -> Json:
    return {"line": line, "character": character}


def span(line: int, start: int, end: int) -> Json:
    """A range on one line."""
    return {"start": place(line, start), "end": place(line, end)}


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> Json:
    """A change of a notification."""
    return {"range": {"start": place(*start), "end": place(*end)}, "text": text}
