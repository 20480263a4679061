"""The server in the process of its client, as in a web worker."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spvls
from spvls.server import disk
from spvls.server.in_process import connect

FAULTY = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%f = OpTypeFloat 32\n%c = OpConstant %g 1\n"


class Client:
    """Messages of a client, and those that it gets."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self._send = connect(lambda message: self.received.append(json.loads(message)))

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self._send(json.dumps(message if number is None else {**message, "id": number}))

    async def get(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        async with asyncio.timeout(30):
            while not (found := next(filter(wanted, self.received), None)):
                await asyncio.sleep(0.01)
        return found

    async def answer(self, method: str, params: Any, number: int) -> Any:
        self.send(method, params, number)
        answer = await self.get(lambda message: message.get("id") == number)
        return answer.get("result", answer.get("error"))

    async def open(self, uri: str, text: str) -> None:
        await self.answer("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
        self.send("initialized", {})
        document = {"uri": uri, "languageId": "spirv", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": document})


async def test_messages_go_in_and_out_by_calls() -> None:
    client = Client()
    await client.open("file:///é.spvasm", FAULTY)
    found = await client.get(lambda message: message.get("method") == "textDocument/publishDiagnostics")
    assert {"line": 3, "character": 16} in [finding["range"]["start"] for finding in found["params"]["diagnostics"]]
    place = {"textDocument": {"uri": "file:///é.spvasm"}, "position": {"line": 2, "character": 8}}
    assert "OpTypeFloat" in (await client.answer("textDocument/hover", place, 2))["contents"]["value"]


async def test_no_thread_is_started_where_there_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "HAS_THREADS", False)

    def refuse(_thread: threading.Thread) -> None:
        raise AssertionError("a thread is started")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    binary = tmp_path / "a.spv"
    binary.write_bytes(spvls.assemble("OpCapability Shader\nOpMemoryModel Logical GLSL450\n"))
    client = Client()
    await client.open((tmp_path / "a.spvasm").as_uri(), FAULTY)
    listing = await client.answer("spvls/disassemble", {"uri": binary.as_uri()}, 2)
    assert "OpMemoryModel Logical GLSL450" in listing["text"]
    missing = await client.answer("spvls/disassemble", {"uri": binary.with_name("b.spv").as_uri()}, 3)
    assert "cannot be read" in missing["message"]
