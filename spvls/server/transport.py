"""Messages in and out of a stream, such as standard input and output."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from typing import BinaryIO, Protocol

log = logging.getLogger(__name__)

MAX_MESSAGE = 1 << 28
"""Bytes that the body of a message has at most: a text of the largest size that is read, with all of it escaped."""

_DIGITS = 15
"""Digits of a length at most; no message is so long that its length has more."""

MAX_HEADER = 8192
"""Bytes that the header part of a message has at most."""

CHUNK = 1 << 16


class Connection(Protocol):
    """What takes the messages of a client."""

    async def take(self, body: bytes) -> None:
        """Handle one message, in slices where that takes long; never raises."""

    @property
    def is_over(self) -> bool:
        """Whether the client has asked to exit."""


async def serve_stream(reader: asyncio.StreamReader, connection: Connection) -> None:
    """Hand the messages of a stream to a connection, until the stream ends or the connection is over. None is kept while the next
    one is waited for."""
    async for body in messages(reader):
        await connection.take(body)
        if connection.is_over:
            return
        del body


async def messages(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The bodies of the messages of a stream, by their Content-Length; headers without one are passed over."""
    while True:
        try:
            length = content_length(await reader.readuntil(b"\r\n\r\n"))
            if length is None:
                continue
            if length <= MAX_MESSAGE:
                yield await reader.readexactly(length)
            else:
                log.error("a message of %d bytes is passed over: more than %d", length, MAX_MESSAGE)
                await _skip(reader, length)
        except asyncio.IncompleteReadError:
            return
        except asyncio.LimitOverrunError as error:
            await reader.readexactly(error.consumed)


async def _skip(reader: asyncio.StreamReader, length: int) -> None:
    """Read so many bytes, and keep none of them."""
    while length:
        length -= len(await reader.readexactly(min(length, CHUNK)))


def content_length(header: bytes) -> int | None:
    """What the header part of a message says of the length of its body."""
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        digits = value.strip()
        if name.strip().lower() == b"content-length" and digits.isdigit() and len(digits) <= _DIGITS:
            return int(digits)
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
            del data

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
