"""Where modules come from: files, folders, the standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from spvls.cli.failure import Failure, reason

STDIN = "-"

_MAGIC = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_MODULE_NAME = re.compile(r".+\.(?:spv|spvasm(?:\.\w+)?)").fullmatch


def shown(path: str) -> str:
    """A path as messages name it."""
    return "<stdin>" if path == STDIN else path


def read(path: str) -> bytes:
    """What a file, or for `-` the standard input, holds. Raises Failure."""
    try:
        if path == STDIN:
            if sys.stdin is None:
                raise Failure("the standard input is closed")
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Failure(f"{shown(path)}: {reason(error)}") from error


def is_binary(data: bytes) -> bool:
    """Whether these octets are a binary module: its magic number, in either byte order (SPIR-V 3.1)."""
    return data.startswith(_MAGIC)


def text_of(data: bytes, path: str) -> str:
    """Assembly text as it stands in a file; octets that are not UTF-8 become lone surrogates. Raises Failure."""
    if data.startswith(_UTF16_MARKS):
        raise Failure(f"{shown(path)}: this is UTF-16; save it as UTF-8")
    return data.decode("utf-8", "surrogateescape")


def modules_at(path: str) -> list[str]:
    """The files that a path stands for: a folder for the `.spvasm`, `.spvasm.*` and `.spv` files under it.

    Raises Failure for a folder that has none.
    """
    if path == STDIN or not os.path.isdir(path):
        return [path]
    found = list(_modules_under(path))
    if not found:
        raise Failure(f"{path}: there is no .spvasm or .spv file in this folder")
    return found


def _modules_under(folder: str) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if _MODULE_NAME(name):
                yield os.path.normpath(os.path.join(parent, name))
