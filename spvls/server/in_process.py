"""A server in the process of its client, as in a web worker: no streams, no threads, messages by calls."""

from __future__ import annotations

from collections.abc import Callable

from spvls.server.log import start_log
from spvls.server.server import SpirvServer


class _Caller:
    """A function that takes messages, as the protocol writes to it."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        self._send(data.decode("ascii"))

    def close(self) -> None:
        """There is nothing to close."""


def connect(send: Callable[[str], object]) -> Callable[[str], None]:
    """Serve one client on the running loop.

    The client gives the JSON of each of its messages to the function that is returned, and gets those of the server from
    calls of `send`, during its own call or later.
    """
    start_log()
    server = SpirvServer()
    server.protocol.set_writer(_Caller(send), include_headers=False)
    return lambda message: server.protocol.receive(message.encode("utf-8", "surrogatepass"))
