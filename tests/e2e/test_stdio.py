"""The server as a process of its own, asked as editors ask it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

import spvls
from tests.corpus import FIXTURES, ROOT, text_of

_ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
_SERVE = [sys.executable, "-m", "spvls", "serve"]
_SHADER = FIXTURES / "shaders" / "lit.frag.spvasm"
_URI = _SHADER.as_uri()


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=_SERVE, server_env=_ENVIRONMENT),
    params=["neovim", "visual_studio_code"],
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient) -> AsyncGenerator[None]:
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_params: types.RegistrationParams) -> None:
        """Editors take note; there is nothing to note here."""

    capabilities = pytest_lsp.client_capabilities(request.param)
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities, root_uri=FIXTURES.as_uri(), process_id=os.getpid())
    )
    yield
    await lsp_client.shutdown_session()


def _open(client: LanguageClient, text: str) -> None:
    item = types.TextDocumentItem(uri=_URI, language_id="spirv", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


def _document() -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(_URI)


def _place(text: str, part: str) -> types.Position:
    """Just inside the first place of a part of a text."""
    before = text[: text.index(part) + 1]
    return types.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


async def _findings(client: LanguageClient) -> list[types.Diagnostic]:
    """What the server finds, by the way that the client knows."""
    assert client.capabilities is not None
    document = client.capabilities.text_document
    if document is not None and document.diagnostic is not None:
        report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(_document()))
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return list(report.items)
    await asyncio.wait_for(client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), 20)
    return list(client.diagnostics[_URI])


async def test_a_shader_is_opened_read_and_edited(client: LanguageClient) -> None:
    text = text_of(_SHADER)
    _open(client, text)
    assert await _findings(client) == []
    where = types.TextDocumentPositionParams(_document(), _place(text, "OpLoad"))
    hover = await client.text_document_hover_async(types.HoverParams(where.text_document, where.position))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "OpLoad" in hover.contents.value
    start = _place(text, "OpLoad")
    span = types.Range(start, types.Position(start.line, start.character + 5))
    change = types.TextDocumentContentChangePartial(text="pLaod", range=span)
    identifier = types.VersionedTextDocumentIdentifier(uri=_URI, version=2)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
    found = await _findings(client)
    assert "syntax/unknown-opcode" in [diagnostic.code for diagnostic in found]


async def test_the_features_of_the_protocol_are_served(client: LanguageClient) -> None:
    text = text_of(_SHADER)
    _open(client, text)
    await _findings(client)
    document = _document()
    main = _place(text, "%main")
    definitions = await client.text_document_definition_async(types.DefinitionParams(document, main))
    assert definitions
    context = types.ReferenceContext(include_declaration=True)
    references = await client.text_document_references_async(types.ReferenceParams(context, document, main))
    assert references is not None
    assert len(references) == len(re.findall(r"%main\b", text))
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert symbols
    assert any(symbol.name.startswith("%main") for symbol in symbols)
    renamed = await client.text_document_rename_async(types.RenameParams(document, main, "start"))
    assert renamed is not None
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    completion = await client.text_document_completion_async(types.CompletionParams(document, main))
    assert isinstance(completion, types.CompletionList)
    assert "%main" in [item.label for item in completion.items]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert tokens is not None
    assert len(tokens.data) % 5 == 0
    whole = types.Range(types.Position(0, 0), types.Position(10_000, 0))
    assert await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    formatted = await client.text_document_formatting_async(
        types.DocumentFormattingParams(document, types.FormattingOptions(tab_size=4, insert_spaces=True))
    )
    assert formatted is not None


async def test_the_words_beside_the_text(client: LanguageClient) -> None:
    text = text_of(_SHADER)
    _open(client, text)
    answer: Any = await client.protocol.send_request_async("spvls/binary", {"textDocument": {"uri": _URI}})
    words = b"".join(word.to_bytes(4, "little") for word in answer.words)
    assert words == spvls.assemble(text)


# The process


def _exchange(messages: list[dict[str, Any]], *, end: bool = True) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and answers of a server that is given some messages and then the end of its input."""
    stream = b""
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream += b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    with subprocess.Popen(_SERVE, env=_ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(stream)
        process.stdin.flush()
        if end:
            process.stdin.close()
        output = process.stdout.read()
        code = process.wait(30)
    answers = []
    while output:
        header, _, rest = output.partition(b"\r\n\r\n")
        length = int(header.rpartition(b":")[2])
        answers.append(json.loads(rest[:length]))
        output = rest[length:]
    return code, answers


_INITIALIZE: dict[str, Any] = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}


def test_shutdown_and_exit_end_the_process_well() -> None:
    messages: list[dict[str, Any]] = [_INITIALIZE, {"id": 2, "method": "shutdown"}, {"method": "exit"}]
    code, answers = _exchange(messages, end=False)
    assert code == 0
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[0]["result"]["serverInfo"] == {"name": "spvls", "version": spvls.__version__}
    assert answers[1]["result"] is None


@pytest.mark.parametrize("messages", [[], [_INITIALIZE], [_INITIALIZE, {"method": "exit"}]])
def test_an_end_without_shutdown_is_a_failure(messages: list[dict[str, Any]]) -> None:
    assert _exchange(messages)[0] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows the end of standard input has to do")
def test_the_server_ends_with_the_process_of_its_client() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor:
        params = {**_INITIALIZE["params"], "processId": editor.pid}
        body = json.dumps({"jsonrpc": "2.0", **_INITIALIZE, "params": params}).encode()
        with subprocess.Popen(_SERVE, env=_ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            process.stdin.flush()
            assert process.stdout.readline().startswith(b"Content-Length")
            assert process.poll() is None
            editor.communicate(b"\n")
            assert process.wait(30) == 1


def test_clients_over_tcp(tmp_path: Path) -> None:
    first, second = _listening("tcp", tmp_path / "log", _by_stream)
    assert first["id"] == second["id"] == 1


def test_clients_over_a_websocket(tmp_path: Path) -> None:
    pytest.importorskip("websockets", reason="the package websockets is not installed: pip install websockets")
    first, second = _listening("ws", tmp_path / "log", _by_socket)
    assert first["result"]["capabilities"] == second["result"]["capabilities"]
    assert first["result"]["serverInfo"]["name"] == "spvls"


def _listening(
    scheme: str, log: Path, ask: Callable[[int, str], Awaitable[dict[str, Any]]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a server that listens on a port of its choice answers to two clients, one after the other."""

    async def announced() -> tuple[int, str]:
        told = rf"{scheme}://127\.0\.0\.1:(\d+)(?:, token |/\?token=)([-\w]+)\n"
        while (match := re.search(told, log.read_text())) is None:
            await asyncio.sleep(0.02)
        return int(match[1]), match[2]

    async def both() -> tuple[dict[str, Any], dict[str, Any]]:
        port, token = await asyncio.wait_for(announced(), 30)
        return await ask(port, token), await ask(port, token)

    with log.open("wb") as errors, subprocess.Popen(
        [*_SERVE, f"--{scheme}", "127.0.0.1:0"], env=_ENVIRONMENT, stdin=subprocess.DEVNULL, stderr=errors
    ) as process:
        try:
            return asyncio.run(both())
        finally:
            process.terminate()


async def _by_socket(port: int, token: str) -> dict[str, Any]:
    from websockets.asyncio.client import connect

    async with connect(f"ws://127.0.0.1:{port}/?token={token}") as socket:
        await socket.send(json.dumps({"jsonrpc": "2.0", **_INITIALIZE}))
        answer: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 20))
    return answer


async def _by_stream(port: int, token: str) -> dict[str, Any]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    params = {**_INITIALIZE["params"], "initializationOptions": {"token": token}}
    body = json.dumps({"jsonrpc": "2.0", **_INITIALIZE, "params": params}).encode()
    writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    header = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    answer: dict[str, Any] = json.loads(await reader.readexactly(int(header.rpartition(b":")[2])))
    writer.close()
    await writer.wait_closed()
    return answer
