"""Where modules come from: files, folders, the standard input."""

from __future__ import annotations

import sys

from spvls.cli.arguments import ArgumentParser, unfit
from spvls.cli.failure import Failure, reason
from spvls.text.files import MAX_FILE_SIZE, read_descriptor, read_file

STDIN = "-"

_MAGIC = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_DESCRIPTORS = ("/dev/fd", "/proc/self/fd")
_MEGABYTE = 1 << 20


def size_argument(parser: ArgumentParser) -> None:
    """Add `--max-file-size` to a parser; it gives bytes."""
    parser.add_argument(
        "--max-file-size",
        metavar="MB",
        type=_megabytes,
        default=MAX_FILE_SIZE,
        help=f"refuse inputs larger than this (default: {MAX_FILE_SIZE // _MEGABYTE})",
    )


def shown(path: str) -> str:
    """A path as messages name it."""
    return "<stdin>" if path == STDIN else path


def read(path: str, limit: int = MAX_FILE_SIZE) -> bytes:
    """What a regular file, or for `-` the standard input, holds, up to `limit` bytes. Raises Failure.

    A path such as `/dev/fd/63`, which shells put in the place of a command, stands for a descriptor that is open already.
    """
    try:
        descriptor = _descriptor(path)
        if descriptor is not None:
            return read_descriptor(descriptor, path, limit=limit)
        if path != STDIN:
            return read_file(path, limit=limit)
        if sys.stdin is None:
            raise Failure("the standard input is closed")
        data = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        raise Failure(f"{shown(path)}: {reason(error)}") from error
    if len(data) > limit:
        raise Failure(f"{shown(path)}: this is larger than {limit // _MEGABYTE} MB")
    return data


def is_stream(path: str) -> bool:
    """Whether what a path names can be read only once."""
    return path == STDIN or _descriptor(path) is not None


def _descriptor(path: str) -> int | None:
    """The number of the open descriptor that a path names."""
    if path == "/dev/stdin":
        return 0
    folder, _, number = path.rpartition("/")
    is_number = number.isascii() and number.isdecimal() and len(number) < 10
    return int(number) if is_number and folder in _DESCRIPTORS else None


def is_binary(data: bytes) -> bool:
    """Whether these bytes are a binary module: its magic number, in either byte order (SPIR-V 3.1)."""
    return data.startswith(_MAGIC)


def text_of(data: bytes, path: str) -> str:
    """Assembly text as it stands in a file; bytes that are not UTF-8 become lone surrogates. Raises Failure."""
    if data.startswith(_UTF16_MARKS):
        raise Failure(f"{shown(path)}: this is UTF-16; save it as UTF-8")
    return data.decode("utf-8", "surrogateescape")


def stdin_argument(parser: ArgumentParser) -> None:
    """Add `--stdin-filename` to a parser."""
    parser.add_argument(
        "--stdin-filename",
        metavar="PATH",
        default=STDIN,
        help="the file that the standard input stands for: its name says what language it is in, and its folder has the settings",
    )


def _megabytes(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 8 and int(text)):
        raise unfit(f"{text!r} is not a number of megabytes")
    return int(text) * _MEGABYTE
