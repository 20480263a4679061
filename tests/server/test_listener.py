"""Clients on a port: who is let in, what they reach, and that none holds up another."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from spvls.server.access import read_opening, read_token, socket_token
from tests.corpus import ROOT

pytest.importorskip("websockets", reason="the package websockets is not installed: pip install websockets")

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

Json = dict[str, Any]

_TOKEN = "a token that is long enough".replace(" ", "-")
_PAGE = "http://localhost:8000"


def initialize(token: str | None = None, folder: Path | None = None) -> Json:
    params: Json = {"processId": 1, "rootUri": folder.as_uri() if folder is not None else None, "capabilities": {}}
    if token is not None:
        params["initializationOptions"] = {"token": token}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


@contextmanager
def listening(folder: Path, scheme: str, *more: str, token: str = _TOKEN) -> Iterator[tuple[int, Path]]:
    """A server that listens on a port of its choice: the port, and the file that it logs to."""
    log = folder / "log"
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "SPVLS_TOKEN": token}
    command = [sys.executable, "-m", "spvls", "serve", f"--{scheme}", "0", *more]
    with log.open("wb") as errors, subprocess.Popen(
        command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stderr=errors
    ) as process:
        try:
            while (match := re.search(rf"{scheme}://127\.0\.0\.1:(\d+)", log.read_text())) is None:
                assert process.poll() is None, log.read_text()
            yield int(match[1]), log
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))  # type: ignore[arg-type]


# TCP


class Stream:
    """A client over TCP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    @asynccontextmanager
    async def open(cls, port: int) -> AsyncIterator[Stream]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            yield cls(reader, writer)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def send(self, message: Json) -> None:
        body = json.dumps(message).encode()
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def receive(self) -> Json:
        header = await self.reader.readuntil(b"\r\n\r\n")
        answer: Json = json.loads(await self.reader.readexactly(int(header.rpartition(b":")[2])))
        return answer


@pytest.mark.parametrize("token", [None, "", "another token that is long enough", _TOKEN + "x"])
def test_a_client_over_tcp_without_the_token_is_told_so_and_sent_away(tmp_path: Path, token: str | None) -> None:
    async def work() -> None:
        with listening(tmp_path, "tcp") as (port, _):
            async with Stream.open(port) as client:
                client.send(initialize(token))
                answer = await client.receive()
                assert "initializationOptions.token" in answer["error"]["message"]
                assert _TOKEN not in json.dumps(answer)
                assert await client.reader.read() == b""

    run(work)


@pytest.mark.parametrize(
    "sent",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}",
        b"G",
        b"rubbish",
        b"Content-Type: x\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
        b"Content-Length: " + b"9" * 20_000,
        b"Content-Length: 2\r\n\r\n{}",
        b"Content-Length: 4\r\n\r\n[[[[",
    ],
)
def test_what_does_not_begin_a_session_ends_the_connection_without_an_answer(tmp_path: Path, sent: bytes) -> None:
    async def work() -> None:
        with listening(tmp_path, "tcp") as (port, log):
            async with Stream.open(port) as client:
                client.writer.write(sent)
                with suppress(ConnectionResetError):  # as there were bytes that nobody has read
                    assert await client.reader.read() == b""
            assert "a client was refused" in log.read_text()

    run(work)


def test_a_client_that_hangs_does_not_hold_up_another(tmp_path: Path) -> None:
    async def work() -> None:
        with listening(tmp_path, "tcp") as (port, _):
            async with Stream.open(port), Stream.open(port) as halfway, Stream.open(port) as deaf, Stream.open(port) as other:
                halfway.writer.write(b"Content-Length: 500\r\n\r\n{")
                deaf.send(initialize(_TOKEN))
                assert "result" in await deaf.receive()
                for at in range(2, 3000):  # it reads none of the answers
                    deaf.send({"jsonrpc": "2.0", "id": at, "method": "textDocument/nonesuch" + "x" * 500, "params": {}})
                other.send(initialize(_TOKEN))
                assert "result" in await asyncio.wait_for(other.receive(), 30)

    run(work)


# WebSocket


async def _ask(socket: ClientConnection, message: Json) -> Json:
    await socket.send(json.dumps(message))
    while True:
        answer: Json = json.loads(await asyncio.wait_for(socket.recv(), 30))
        if answer.get("id") == message["id"]:
            return answer


async def _status(address: str, **more: Any) -> int:
    with pytest.raises(InvalidStatus) as refused:
        await connect(address, **more)
    return refused.value.response.status_code


def test_a_websocket_needs_the_token_and_pages_an_origin_that_is_allowed(tmp_path: Path) -> None:
    async def work() -> None:
        with listening(tmp_path, "ws", "--allow-origin", _PAGE) as (port, log):
            plain, address = f"ws://127.0.0.1:{port}/", f"ws://127.0.0.1:{port}/?token={_TOKEN}"
            assert await _status(plain) == 401
            assert await _status(f"{plain}?token=wrong") == 401
            assert await _status(plain, origin=_PAGE) == 401
            assert await _status(address, origin="http://localhost:8001") == 403
            assert await _status(address, origin="null") == 403
            for target, more in (
                (address, {}),
                (address, {"origin": _PAGE}),
                (plain, {"additional_headers": {"Authorization": f"Bearer {_TOKEN}"}}),
            ):
                async with connect(target, **more) as socket:  # type: ignore[arg-type]
                    assert "capabilities" in (await _ask(socket, initialize()))["result"]
            assert _TOKEN not in log.read_text()

    run(work)


def test_a_session_on_a_port_reaches_its_root_and_takes_long_messages(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.spvasm").write_text("OpCapability Secret\n")
    (root / "own.spvasm").write_text("OpCapability Shader\n")

    async def work() -> None:
        with listening(tmp_path, "ws", "--root", str(root)) as (port, _):
            async with connect(f"ws://127.0.0.1:{port}/?token={_TOKEN}", max_size=None) as socket:
                await _ask(socket, initialize(folder=tmp_path))

                def content(path: Path, request: int) -> Json:
                    uri = path.as_uri().replace("file:", "spvls-listing:")
                    return {"jsonrpc": "2.0", "id": request, "method": "workspace/textDocumentContent", "params": {"uri": uri}}

                for at, path in enumerate((Path("/etc/passwd"), tmp_path / "secret.spvasm", root / "own.spvasm"), 2):
                    assert "outside" in (await _ask(socket, content(path, at)))["error"]["message"]
                await _ask(socket, {"jsonrpc": "2.0", "id": 9, "method": "shutdown"})
            async with connect(f"ws://127.0.0.1:{port}/?token={_TOKEN}", max_size=None) as socket:
                await _ask(socket, initialize(folder=root))
                assert (await _ask(socket, content(root / "own.spvasm", 2)))["result"]["text"] == "OpCapability Shader\n"
                text = "; " + "x" * (3 << 20) + "\nOpCapability Shader\n"
                document = {"uri": "untitled:x", "languageId": "spirv", "version": 1, "text": text}
                opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}
                await socket.send(json.dumps(opened))
                summary = {"jsonrpc": "2.0", "id": 3, "method": "spvls/summary", "params": {"textDocument": {"uri": "untitled:x"}}}
                assert (await _ask(socket, summary))["result"]["instructions"] == 1

    run(work)


def test_the_first_message_of_a_websocket_begins_a_session(tmp_path: Path) -> None:
    async def work() -> None:
        with listening(tmp_path, "ws") as (port, _):
            async with connect(f"ws://127.0.0.1:{port}/?token={_TOKEN}") as socket:
                await socket.send('{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}')
                with pytest.raises(ConnectionClosed) as closed:
                    await asyncio.wait_for(socket.recv(), 30)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1008

    run(work)


# The token


def test_a_token_is_that_of_the_file_else_of_the_environment_else_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPVLS_TOKEN", raising=False)
    first, second = read_token(None), read_token(None)
    assert first.is_new
    assert len(first.value) > 40
    assert first.value != second.value
    monkeypatch.setenv("SPVLS_TOKEN", _TOKEN)
    assert read_token(None) == (_TOKEN, False)
    file = tmp_path / "token"
    file.write_text("another-token-in-a-file\n")
    assert read_token(str(file)) == ("another-token-in-a-file", False)
    for bad in ("", "short", "a token with spaces in it", "é" * 20):
        file.write_text(bad)
        with pytest.raises(ValueError, match="must have 16 visible"):
            read_token(str(file))


@pytest.mark.parametrize("given", [None, 5, "", _TOKEN[:-1], _TOKEN + "x", "\ud800" * 20, [_TOKEN]])
def test_only_the_token_itself_matches(given: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPVLS_TOKEN", _TOKEN)
    assert read_token(None).matches(_TOKEN)
    assert not read_token(None).matches(given)


def test_where_a_websocket_has_its_token() -> None:
    assert socket_token("/?token=a%2Bb", {}) == "a+b"
    assert socket_token("/", {"Authorization": "bearer x"}) == "x"
    for target in ("/", "/?token=a&token=b", "/?Token=a"):
        assert socket_token(target, {"Authorization": "Basic x"}) is None


def test_the_token_goes_no_further() -> None:
    opening = read_opening(json.dumps(initialize(_TOKEN)).encode())
    assert opening is not None
    assert opening.token == _TOKEN
    assert _TOKEN.encode() not in opening.body
    assert json.loads(opening.body)["params"]["processId"] != 1
    for body in (b"[" * 100_000, b"{", b"[]", b'{"method": "initialize", "id": 1, "params": []}', b'{"method": "exit"}'):
        assert read_opening(body) is None
