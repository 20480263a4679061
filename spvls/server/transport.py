"""Messages in and out: standard input and output, TCP, WebSocket."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any, BinaryIO, Protocol

MAX_HEADER = 8192
"""Bytes that the header part of a message has at most."""

CHUNK = 1 << 16


class Connection(Protocol):
    """What takes the messages of a client."""

    def receive(self, body: bytes) -> None:
        """Handle one message; never raises."""

    @property
    def is_over(self) -> bool:
        """Whether the client has asked to exit."""


async def serve_stream(reader: asyncio.StreamReader, connection: Connection) -> None:
    """Hand the messages of a stream to a connection, until the stream ends or the connection is over."""
    async for body in messages(reader):
        connection.receive(body)
        if connection.is_over:
            return


async def messages(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The bodies of the messages of a stream, by their Content-Length; headers without one are passed over."""
    while True:
        try:
            header = await reader.readuntil(b"\r\n\r\n")
            length = content_length(header)
            if length is not None:
                yield await reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return
        except asyncio.LimitOverrunError as error:
            await reader.readexactly(error.consumed)


def content_length(header: bytes) -> int | None:
    """What the header part of a message says of the length of its body."""
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return None


def read_in_thread(file: BinaryIO, loop: asyncio.AbstractEventLoop) -> asyncio.StreamReader:
    """A stream of what a blocking file gives. Its thread dies with the process, so that a read cannot hold that up."""
    reader = asyncio.StreamReader(limit=MAX_HEADER, loop=loop)

    def hand_over(take: Callable[..., None], *data: bytes) -> bool:
        try:
            loop.call_soon_threadsafe(take, *data)
        except RuntimeError:  # the loop is closed
            return False
        return True

    def run() -> None:
        descriptor = file.fileno()
        while True:
            try:
                data = os.read(descriptor, CHUNK)
            except OSError:
                data = b""
            if not data:
                hand_over(reader.feed_eof)
                return
            if not hand_over(reader.feed_data, data):
                return

    threading.Thread(target=run, name="stdin", daemon=True).start()
    return reader


class FileWriter:
    """A file as the protocol writes to it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def claim_standard_output() -> BinaryIO:
    """Standard output for messages alone: whatever else is printed goes to standard error."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


class SocketWriter:
    """A WebSocket as the protocol writes to it, one message at a time, in order."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()

    def write(self, data: bytes) -> None:
        self._queue.put_nowait(data)

    def close(self) -> None:
        """Nothing is to be done: the socket is closed by who opened it."""

    async def run(self) -> None:
        """Send what is written, until cancelled."""
        while True:
            await self._socket.send((await self._queue.get()).decode("utf-8"))
