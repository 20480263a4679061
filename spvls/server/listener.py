"""Clients on a port, over TCP or WebSocket: each is let in or refused, and then has a session of its own."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from http import HTTPStatus
from importlib import import_module
from typing import Any

from spvls.record import NamedTuple
from spvls.server.access import Opening, Token, read_opening, socket_token
from spvls.server.log import announce
from spvls.server.relay import framed, relay
from spvls.server.transport import MAX_HEADER, MAX_MESSAGE, content_length, messages

log = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds that a client has for its first message."""

MAX_OPENING = 1 << 20
"""Bytes of the first message over TCP, which is read before the client has shown its token."""

_FIRST = b"content-"
"""What the first header of a message begins with. A request of HTTP begins with another word."""

_POLICY = 1008
"""The code of a WebSocket that is closed as the client has not kept to the rules (RFC 6455, 7.4.1)."""


class Terms(NamedTuple):
    """On what terms clients are let in. `origins` are those of the pages that may connect; `roots` limit the sessions."""

    token: Token
    origins: Sequence[str]
    roots: Sequence[str]


class RefusedError(Exception):
    """A client is not let in; the message is the reason."""


async def serve_tcp(host: str, port: int, terms: Terms) -> None:
    """Listen for clients whose `initialize` has the token in its options, until canceled. Raises OSError."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def send(body: bytes) -> None:
            writer.write(framed(body))
            await writer.drain()

        try:
            opening = await asyncio.wait_for(_opening(reader), PATIENCE)
            if not terms.token.matches(opening.token):
                await send(_refusal(opening.body))
                raise RefusedError("its initializationOptions do not have the token")
            await relay(_after(opening.body, messages(reader)), send, terms.roots)
        except RefusedError as refused:
            log.warning("a client was refused: %s", refused)
        except TimeoutError:
            log.warning("a client was refused: it has not sent a message")
        except (OSError, asyncio.IncompleteReadError) as error:
            log.warning("a client is gone: %s", error)
        finally:
            writer.close()

    listener = await asyncio.start_server(connected, host, port, limit=MAX_HEADER)
    address = listener.sockets[0].getsockname()
    _announce(f"tcp://{_shown(address)}", f"token {terms.token.value}" if terms.token.is_new else "")
    async with listener:
        await _until_ended(listener.serve_forever())


async def serve_websocket(host: str, port: int, terms: Terms) -> None:
    """Listen for WebSockets with the token in their address, until canceled.

    Raises OSError, and ModuleNotFoundError where the package `websockets` is missing.
    """
    listen = import_module("websockets.asyncio.server").serve

    def judge(connection: Any, request: Any) -> Any:
        if not terms.token.matches(socket_token(request.path, request.headers)):
            log.warning("a client was refused: its address does not have the token")
            return connection.respond(HTTPStatus.UNAUTHORIZED, "the token is missing or wrong\n")
        return None

    async def connected(socket: Any) -> None:
        async def send(body: bytes) -> None:
            await socket.send(body.decode())

        incoming = _bodies(socket)
        try:
            opening = read_opening(await asyncio.wait_for(anext(incoming), PATIENCE))
        except (TimeoutError, StopAsyncIteration):
            opening = None
        if opening is None:
            await socket.close(_POLICY, "the first message must be initialize")
            return
        await relay(_after(opening.body, incoming), send, terms.roots)

    async with listen(
        connected,
        host,
        port,
        origins=[None, *terms.origins],
        process_request=judge,
        max_size=MAX_MESSAGE,
        compression=None,
        server_header=None,
    ) as listener:
        address = next(iter(listener.sockets)).getsockname()
        _announce(f"ws://{_shown(address)}" + (f"/?token={terms.token.value}" if terms.token.is_new else ""), "")
        await _until_ended(listener.serve_forever())


async def _opening(reader: asyncio.StreamReader) -> Opening:
    """The first message over TCP. Raises RefusedError at the first byte that is not of one."""
    start = b""
    while len(start) < len(_FIRST):
        byte = await reader.readexactly(1)
        start += byte
        if not _FIRST.startswith(start.lower()):
            raise RefusedError("what it sends is not a message of the Language Server Protocol")
    try:
        length = content_length(start + await reader.readuntil(b"\r\n\r\n"))
    except asyncio.LimitOverrunError:
        length = None
    if length is None or length > MAX_OPENING:
        raise RefusedError("its first message is too long, or does not say how long it is")
    opening = read_opening(await reader.readexactly(length))
    if opening is None:
        raise RefusedError("its first message is not initialize")
    return opening


def _refusal(opening: bytes) -> bytes:
    """The answer to an `initialize` without the token."""
    message = "initializationOptions.token is missing or wrong: spvls prints the token when it starts to listen"
    error = {"code": -32803, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": json.loads(opening)["id"], "error": error}).encode()


async def _bodies(socket: Any) -> AsyncIterator[bytes]:
    """The messages of a WebSocket."""
    async for message in socket:
        yield message.encode() if isinstance(message, str) else message


async def _after(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for body in rest:
        yield body


async def _until_ended(serving: Any) -> None:
    """Serve until the process is asked to end, and then end the sessions too."""
    task = asyncio.ensure_future(serving)
    with suppress(NotImplementedError):  # on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


def _shown(address: tuple[Any, ...]) -> str:
    host, port = address[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _announce(where: str, more: str) -> None:
    """Say where the server listens, and the token if it is a new one."""
    announce(", ".join(filter(None, (f"spvls listens at {where}", more))))
