"""`spvls serve`."""

from __future__ import annotations

import asyncio
import logging
import sys
from importlib import import_module
from typing import Any

from spvls.server.server import SpirvServer
from spvls.server.transport import (
    FileWriter,
    SocketWriter,
    claim_standard_output,
    read_in_thread,
    serve_stream,
)

log = logging.getLogger(__name__)


def serve(tcp: tuple[str, int] | None = None, ws: tuple[str, int] | None = None) -> int:
    """Serve clients until they are done; the exit code.

    `tcp` and `ws` are the address to listen at, for TCP and for WebSockets, each client with a server of its own until the
    process is interrupted. With neither, one client talks over standard input and output. Raises OSError for an address
    that cannot be had, and ModuleNotFoundError where WebSockets are wanted and the package `websockets` is missing.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        if tcp is not None:
            asyncio.run(_serve_tcp(*tcp))
        elif ws is not None:
            asyncio.run(_serve_websocket(*ws))
        else:
            return asyncio.run(_serve_standard_streams())
    except KeyboardInterrupt:
        pass
    return 0


async def _serve_standard_streams() -> int:
    server = SpirvServer()
    server.protocol.set_writer(FileWriter(claim_standard_output()))
    await serve_stream(read_in_thread(sys.stdin.buffer, asyncio.get_running_loop()), server.protocol)
    return server.protocol.exit_code


async def _serve_tcp(host: str, port: int) -> None:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = SpirvServer()
        server.protocol.set_writer(writer)
        try:
            await serve_stream(reader, server.protocol)
        except ConnectionError as error:
            log.warning("the client is gone: %s", error)
        finally:
            writer.close()

    listener = await asyncio.start_server(connected, host, port)
    _announce("tcp", listener.sockets[0].getsockname())
    async with listener:
        await listener.serve_forever()


async def _serve_websocket(host: str, port: int) -> None:
    listen = import_module("websockets.asyncio.server").serve

    async def connected(socket: Any) -> None:
        server = SpirvServer()
        writer = SocketWriter(socket)
        server.protocol.set_writer(writer, include_headers=False)
        sending = asyncio.ensure_future(writer.run())
        try:
            async for message in socket:
                server.protocol.receive(message.encode() if isinstance(message, str) else message)
                if server.protocol.is_over:
                    return
        finally:
            sending.cancel()

    async with listen(connected, host, port) as listener:
        _announce("ws", next(iter(listener.sockets)).getsockname())
        await listener.serve_forever()


def _announce(scheme: str, address: tuple[str, int]) -> None:
    """Say where the server listens, for whoever asked for port 0."""
    print(f"spvls listens at {scheme}://{address[0]}:{address[1]}", file=sys.stderr, flush=True)
