"""Modules of SPIR-V in folders, whatever their files are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LARGEST = 400_000
"""Files with more bytes are passed over."""

_MAGIC = b"\x03\x02\x23\x07"
_LINES = (re.compile(rb"(?m)^\s*OpCapability\s+\w+\s*(?:;.*)?\r?$"), re.compile(rb"(?m)^\s*OpMemoryModel\s+\w+\s+\w+"))
_FIRST_LINE = re.compile(rb"(?m)^(?=; SPIR-V\s*$)")


def modules_below(folders: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """The modules in files, by the names of these and in the order of their paths: binaries in little-endian order, and
    texts with a memory model. Those of a file that has several listings are `PATH`, `PATH#2` and so on."""
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.is_file() and path.stat().st_size <= LARGEST:
                data = path.read_bytes()
                parts = [data] if is_binary(data) else list(filter(_is_text, _FIRST_LINE.split(data)))
                for number, part in enumerate(parts, 1):
                    yield str(path) if number == 1 else f"{path}#{number}", part


def is_binary(data: bytes) -> bool:
    return data.startswith(_MAGIC)


def _is_text(data: bytes) -> bool:
    return all(line.search(data) for line in _LINES)
