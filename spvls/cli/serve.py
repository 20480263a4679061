"""`spvls serve`: the language server, on the standard streams unless an address to listen on is given."""

from __future__ import annotations

import gc
import os

from spvls.cli.arguments import ArgumentParser, Namespace, unfit
from spvls.cli.failure import Failure

LOOPBACK = "127.0.0.1"

_OFTEN = 700, 10, 10
"""When Python looks for garbage unless it is told otherwise."""

_EPILOG = """\
With --tcp or --ws each client has a process of its own, and reads and writes
only files of its workspace, or of documents that it has open, below --root.

A client must know a token: the one in --token-file, or in the environment
variable SPVLS_TOKEN, or else a new one, which is printed with the address.
  TCP        "initializationOptions": {"token": "..."} in the request initialize
  WebSocket  ws://127.0.0.1:7000/?token=... or the header
             Authorization: Bearer ...

Web pages are refused unless --allow-origin names their origin. The connection
is not encrypted: on another address than 127.0.0.1 everyone on the network can
read the token.
"""


def arguments(parser: ArgumentParser) -> None:
    parser.epilog = _EPILOG
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--stdio", action="store_true", help="speak over the standard streams, which is the default")
    address = "[HOST:]PORT"
    where.add_argument("--tcp", metavar=address, type=_address, help=f"listen on a TCP port (HOST: {LOOPBACK})")
    where.add_argument("--ws", metavar=address, type=_address, help=f"listen for WebSockets on a port (HOST: {LOOPBACK})")
    parser.add_argument("--token-file", metavar="FILE", help="take the token that clients must know from a file")
    parser.add_argument(
        "--allow-origin", metavar="ORIGIN", action="append", default=[],
        help="let pages of an origin such as https://example.org connect to --ws; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--root", metavar="FOLDER", action="append", default=[],
        help="limit clients to files below a folder; can be repeated (with --tcp and --ws: the current folder)",
    )  # fmt: skip


def run(options: Namespace) -> int:
    for root in options.root:
        if not os.path.isdir(root):
            raise Failure(f"--root: {root} is not a folder")
    try:
        if options.tcp is None and options.ws is None:
            from spvls.server.main import serve

            _loaded()
            return serve(options.root)
        return _listen(options)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("spvls"):
            raise
        package = error.name.partition(".")[0]
        raise Failure(f"this needs the package {package}, which is not installed: pip install {package}") from error


def _loaded() -> None:
    """What is loaded by now lives to the end; from now on a look for garbage must be short, and so there are many."""
    gc.freeze()
    gc.set_threshold(*_OFTEN)


def _listen(options: Namespace) -> int:
    from spvls.server.access import read_token
    from spvls.server.listener import Terms
    from spvls.server.main import listen

    _loaded()
    try:
        token = read_token(options.token_file)
    except (OSError, ValueError) as error:
        raise Failure(f"the token cannot be used: {error}") from error
    terms = Terms(token, options.allow_origin, [os.path.realpath(root) for root in options.root or [os.curdir]])
    scheme = "tcp" if options.tcp is not None else "ws"
    host, port = options.tcp or options.ws
    return listen(scheme, host, port, terms)


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not (host or not colon) or not (port.isascii() and port.isdecimal()) or not 0 <= int(port) <= 65535:
        raise unfit(f"{text!r} is not of the form [HOST:]PORT, such as 7000 or 127.0.0.1:7000")
    return host.strip("[]") or LOOPBACK, int(port)
