"""Files in which several binary modules follow each other."""

from __future__ import annotations

import struct

_MAGIC = 0x07230203
_NEWEST_MINOR = 9
_HEADER_BYTES = 20


def binaries_in(data: bytes) -> list[bytes]:
    """The modules in a file, each from its header on (SPIR-V 2.3). A header counts at a word boundary alone, with its magic
    number in the byte order of the first module, a version 1.x and a schema of 0; what comes first is always a module."""
    order = "<" if data.startswith(struct.pack("<I", _MAGIC)) else ">"
    magic = struct.pack(order + "I", _MAGIC)
    starts = [0]
    at = data.find(magic, 4)
    while at >= 0:
        if at % 4 == 0 and _is_header(data[at : at + _HEADER_BYTES], order):
            starts.append(at)
        at = data.find(magic, at + 1)
    return [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]


def _is_header(invalid_bytes: bytes, order: str) -> bool:
    if len(invalid_bytes) < _HEADER_BYTES:
        return False
    words: tuple[int, ...] = struct.unpack(order + "5I", invalid_bytes)
    _, version, _, bound, schema = words
    return (version & 0xFFFF00FF, bound > 0, schema) == (0x10000, True, 0) and version >> 8 & 0xFF <= _NEWEST_MINOR
