"""`spvls serve`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress

from spvls.server.listener import Terms, serve_tcp, serve_websocket
from spvls.server.log import start_log
from spvls.server.server import SpirvServer
from spvls.server.transport import FileWriter, claim_standard_output, read_in_thread, serve_stream


def serve(roots: Sequence[str] = ()) -> int:
    """Serve one client over standard input and output; the exit code. `roots` are the folders that it is limited to."""
    start_log()
    try:
        return asyncio.run(_serve(roots))
    except KeyboardInterrupt:
        return 0


def listen(scheme: str, host: str, port: int, terms: Terms) -> int:
    """Serve clients on a port until interrupted, over "tcp" or "ws"; the exit code.

    Raises OSError for an address that cannot be had, and ModuleNotFoundError where WebSockets are wanted and the package
    `websockets` is missing.
    """
    start_log()
    with suppress(KeyboardInterrupt):
        asyncio.run((serve_tcp if scheme == "tcp" else serve_websocket)(host, port, terms))
    return 0


async def _serve(roots: Sequence[str]) -> int:
    server = SpirvServer(roots)
    server.protocol.set_writer(FileWriter(claim_standard_output()))
    loop = asyncio.get_running_loop()
    reader = read_in_thread(sys.stdin.buffer, loop)
    server.client_gone = lambda: loop.call_soon_threadsafe(reader.feed_eof)
    await serve_stream(reader, server.protocol)
    return server.protocol.exit_code
