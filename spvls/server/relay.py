"""A session of a client on a port: a server in a process of its own, and messages handed on in both directions.

A process for each session, so that a client whose module takes long, or takes all memory, holds up no other one.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from spvls.server.transport import CHUNK, messages

log = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds that a server has to end when its client is gone."""

Send = Callable[[bytes], Awaitable[None]]


async def relay(incoming: AsyncIterator[bytes], send: Send, roots: Sequence[str]) -> None:
    """Hand the bodies of messages to a server of its own, and those of its messages to `send`, until either side ends."""
    async with _server(roots) as (to_server, from_server):
        forth = asyncio.ensure_future(_hand_on(incoming, to_server))
        back = asyncio.ensure_future(_hand_back(from_server, send))
        try:
            await asyncio.wait({forth, back}, return_when=asyncio.FIRST_COMPLETED)
            if forth.done():  # what the client asked last is still answered
                to_server.close()
                await asyncio.wait({back}, timeout=GRACE)
        finally:
            forth.cancel()
            back.cancel()
            for result in await asyncio.gather(forth, back, return_exceptions=True):
                if isinstance(result, Exception):
                    log.warning("a session has ended: %s", result)


async def _hand_on(incoming: AsyncIterator[bytes], to_server: asyncio.StreamWriter) -> None:
    async for body in incoming:
        to_server.write(framed(body))
        await to_server.drain()


async def _hand_back(from_server: asyncio.StreamReader, send: Send) -> None:
    async for body in messages(from_server):
        await send(body)


def framed(body: bytes) -> bytes:
    """A message as it goes through a stream."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@asynccontextmanager
async def _server(roots: Sequence[str]) -> AsyncIterator[tuple[asyncio.StreamWriter, asyncio.StreamReader]]:
    """A server that is limited to some folders: its standard input and output. It is ended at the end."""
    limits = [part for root in roots for part in ("--root", root)]
    # -P: nothing of the folder that it is started in is imported.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "spvls", "serve", "--stdio", *limits),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdin, process.stdout
    finally:
        process.stdin.close()
        # What it still says is read, as it may wait for that, and asyncio waits for the end of its output.
        rest = asyncio.ensure_future(_discard(process.stdout))
        try:
            await asyncio.wait_for(process.wait(), GRACE)
        except (TimeoutError, asyncio.CancelledError):
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        await rest


async def _discard(stream: asyncio.StreamReader) -> None:
    while await stream.read(CHUNK):
        pass
