"""`spvls serve`: the language server, on the standard streams unless told where to listen."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from spvls.cli.failure import Failure


def arguments(parser: ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--stdio", action="store_true", help="speak over the standard streams, which is the default")
    where.add_argument("--tcp", metavar="HOST:PORT", type=_address, help="listen for a client on a TCP port")
    where.add_argument("--ws", metavar="HOST:PORT", type=_address, help="listen for a client on a WebSocket")


def run(options: Namespace) -> int:
    from spvls.server.main import serve

    try:
        return serve(options.tcp, options.ws)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("spvls"):
            raise
        package = error.name.partition(".")[0]
        raise Failure(f"this needs the package {package}, which is not installed: pip install {package}") from error


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise ArgumentTypeError(f"{text!r} is not of the form HOST:PORT, such as 127.0.0.1:7000")
    return host.strip("[]"), int(port)
