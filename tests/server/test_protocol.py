"""The server outlives whatever it is sent, and answers every request."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.server import binary_files, disk, transport
from spvls.server import server as servers
from spvls.server import session as sessions
from spvls.server.transport import content_length, messages
from tests.server.client import URI, Client, RequestError, edit

_SERVED = "textDocument/hover"
_ASK = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 1}}


async def _alive(client: Client) -> None:
    """The server answers as if nothing had been."""
    assert await client.request(_SERVED, _ASK) is not None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[]", -32600),
        (b"17", -32600),
        (b'{"id": 7, "method": "textDocument/hover"}', -32600),
        (b'{"jsonrpc": "2.0", "id": [7], "method": "textDocument/hover"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 7, "method": ["textDocument/hover"]}', -32600),
        (b"[" * 200_000, -32700),
        (b'{"jsonrpc": "2.0", "method": "x", "params": ' + b'{"a":' * 200_000 + b"1" + b"}" * 200_001, -32700),
        (b"9" * 5000, -32700),
    ],
)
def test_what_is_no_message_is_refused(body: bytes, code: int) -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n")
        client.server.protocol.receive(body)
        with pytest.raises(RequestError) as refused:
            await client.answer(None)  # type: ignore[arg-type]
        assert refused.value.code == code
        await _alive(client)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("textDocument/hover", {"textDocument": {"uri": URI}}, -32602),
        ("textDocument/hover", [], -32602),
        ("textDocument/hover", {"textDocument": {"uri": "file:///other"}, "position": {"line": 0, "character": 0}}, -32803),
        ("textDocument/nonesuch", {}, -32601),
        ("spvls/nonesuch", {}, -32601),
        ("spvls/binary", {}, -32602),
        ("spvls/binary", None, -32602),
        ("spvls/binary", {"textDocument": {"uri": URI}, "range": 5}, -32602),
        ("spvls/disassemble", {"uri": "https://example.org/a.spv"}, -32803),
        ("spvls/disassemble", {"uri": "file:///there/is/no/such.spv"}, -32803),
        ("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, -32600),
        ("workspace/executeCommand", {"command": "nonesuch"}, -32602),
    ],
)  # fmt: skip
def test_bad_requests_are_answered_with_an_error(method: str, params: Any, code: int) -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n")
        with pytest.raises(RequestError) as refused:
            await client.answer(client.send(method, params))
        assert refused.value.code == code
        await _alive(client)

    asyncio.run(run())


def test_an_exception_in_a_feature_is_an_error_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n")
        with monkeypatch.context() as patch:
            patch.setattr(sessions, "report_steps", lambda *_: 1 / 0)
            with pytest.raises(RequestError) as refused:
                await client.pull()
            assert refused.value.code == -32603
        assert (await client.pull())["kind"] == "full"
        await _alive(client)

    asyncio.run(run())


def test_nothing_is_served_before_the_start_and_after_the_end() -> None:
    async def run() -> list[int]:
        client = Client()
        codes = []
        with pytest.raises(RequestError) as refused:
            await client.request(_SERVED, _ASK)
        codes.append(refused.value.code)
        await client.start()
        await client.request("shutdown", None)
        with pytest.raises(RequestError) as refused:
            await client.request(_SERVED, _ASK)
        codes.append(refused.value.code)
        client.notify("exit", None)
        assert client.server.protocol.is_over
        assert client.server.protocol.exit_code == 0
        return codes

    assert asyncio.run(run()) == [-32002, -32600]


def test_an_exit_without_shutdown_is_a_failure() -> None:
    async def run() -> int:
        client = Client()
        await client.start()
        client.notify("exit", None)
        return client.server.protocol.exit_code

    assert asyncio.run(run()) == 1


def test_a_request_can_be_cancelled() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n" * 20000)
        request = client.send("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        client.notify("$/cancelRequest", {"id": request})
        with pytest.raises(RequestError) as refused:
            await client.answer(request)
        assert refused.value.code == -32800
        await _alive(client)

    asyncio.run(run())


def test_an_edit_meanwhile_makes_the_client_ask_again() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("%f = OpFunction %v None %t\nOpFunctionEnd\n" * 3000)
        pull = client.send("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        words = client.send("spvls/binary", {"textDocument": {"uri": URI}})
        await asyncio.sleep(0)
        client.change([edit((0, 0), (0, 0), "OpNop\n")], 2)
        with pytest.raises(RequestError) as refused:
            await client.answer(pull)
        assert (refused.value.code, refused.value.data) == (-32802, {"retriggerRequest": True})
        with pytest.raises(RequestError) as refused:
            await client.answer(words)
        assert refused.value.code == -32801
        assert (await client.request("spvls/binary", {"textDocument": {"uri": URI}}))["version"] == 2

    asyncio.run(run())


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1), st.sampled_from(["OpNop\n%a = OpTypeVoid", "", "é\U0001f600\n"]))
def test_positions_that_do_not_exist_are_the_nearest_ones(line: int, character: int, text: str) -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open(text)
        for method in ("hover", "definition", "documentHighlight", "prepareRename", "completion", "signatureHelp"):
            await client.at(f"textDocument/{method}", line, character)
        client.change([edit((line, character), (line, character), "x")], 2)
        assert len(client.server.document(URI).source) == len(text) + 1

    asyncio.run(run())


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        ((-1, -1), (-1, -1), "xOpNop\nOpNop\n"),
        ((0, 2**31), (0, 2**40), "OpNopx\nOpNop\n"),
        ((2**63, 0), (2**70, 0), "OpNop\nOpNop\nx"),
        ((0, 0), (2**31, -5), "x"),
        ((1, 1e300), (1, 1e300), "OpNop\nOpNopx\n"),
        ((1, 0), (0, 0), "xOpNop\n"),
    ],
)
def test_an_edit_out_of_range_is_one_at_the_nearest_place(start: Any, end: Any, text: str) -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\nOpNop\n")
        client.change([edit(start, end, "x")], 2)
        assert client.server.document(URI).source == text

    asyncio.run(run())


@pytest.mark.parametrize("changes", [[{"range": "x", "text": "y"}], {"text": ""}])
def test_an_edit_that_cannot_be_read_is_told_of(changes: Any) -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n")
        client.change(changes, 2)
        shown = await client.heard("window/showMessage")
        assert (shown["type"], URI in shown["message"]) == (1, True)
        await _alive(client)

    asyncio.run(run())


def test_what_is_done_is_not_kept() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n")
        for version in range(2, 50):
            client.change([edit((0, 0), (0, 0), ";")], version)
            await client.pull()
        await asyncio.sleep(0)
        assert not client.server.protocol._request_futures

    asyncio.run(run())


# The stream


@pytest.mark.parametrize(
    ("header", "length"),
    [
        (b"Content-Length: 12\r\n\r\n", 12),
        (b"content-length:12\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n", 12),
        (b"Content-Type: x\r\n\r\n", None),
        (b"Content-Length: x\r\n\r\n", None),
        (b"Content-Length: -1\r\n\r\n", None),
        (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", None),
    ],
)
def test_the_header_of_a_message(header: bytes, length: int | None) -> None:
    assert content_length(header) == length


@given(st.lists(st.binary(max_size=40), max_size=5), st.integers(1, 30))
def test_messages_come_whole_however_they_are_cut(bodies: list[bytes], size: int) -> None:
    stream = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)

    async def run() -> list[bytes]:
        reader = asyncio.StreamReader()
        for at in range(0, len(stream), size):
            reader.feed_data(stream[at : at + size])
        reader.feed_eof()
        return [body async for body in messages(reader)]

    assert asyncio.run(run()) == bodies


def test_rubbish_between_messages_is_passed_over() -> None:
    message = json.dumps({"jsonrpc": "2.0"}).encode()
    stream = b"rubbish\r\n\r\n" + b"x" * 200_000 + b"\r\n\r\nContent-Length: %d\r\n\r\n%b" % (len(message), message)

    async def run() -> list[bytes]:
        reader = asyncio.StreamReader()
        reader.feed_data(stream)
        reader.feed_eof()
        return [body async for body in messages(reader)]

    assert asyncio.run(run()) == [message]


def test_a_message_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MAX_MESSAGE", 50)
    long, short = b"x" * 200_000, b"{}"
    stream = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in (long, short))

    async def run() -> list[bytes]:
        reader = asyncio.StreamReader()
        reader.feed_data(stream)
        reader.feed_eof()
        return [body async for body in messages(reader)]

    assert asyncio.run(run()) == [short]


# Files that do not answer


def test_a_file_system_that_does_not_answer_holds_up_one_request_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "LIMIT", 0.05)
    asked, answered = threading.Event(), threading.Event()

    def hang(*_: object, **_more: object) -> bytes:
        asked.set()
        answered.wait(20)
        return b""

    monkeypatch.setattr(binary_files, "read_file", hang)
    file = tmp_path / "a.spv"
    file.write_bytes(b"")

    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n")
        request = client.send("spvls/disassemble", {"uri": file.as_uri()})
        while not asked.is_set():
            await asyncio.sleep(0)
        await _alive(client)
        with pytest.raises(RequestError, match="has not answered"):
            await client.answer(request)

    asyncio.run(run())
    answered.set()


def test_settings_of_a_project_that_cannot_be_had_are_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "PROMPT", 0.05)
    answered = threading.Event()
    monkeypatch.setattr(servers, "config_for", lambda _path, _allows: answered.wait(20))

    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n")
        await _alive(client)

    asyncio.run(run())
    answered.set()
