"""Modules of SPIR-V in folders, whatever their files are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LARGEST = 400_000
"""Files with more bytes are passed over."""

_MAGIC = b"\x03\x02\x23\x07"
_LINES = (re.compile(rb"(?m)^\s*OpCapability\s+\w+\s*(?:;.*)?\r?$"), re.compile(rb"(?m)^\s*OpMemoryModel\s+\w+\s+\w+"))


def modules_below(folders: Iterable[Path]) -> Iterator[tuple[Path, bytes]]:
    """The files that are a binary in little-endian order, or a text with a memory model; in the order of their paths."""
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.is_file() and path.stat().st_size <= LARGEST:
                octets = path.read_bytes()
                if is_binary(octets) or all(line.search(octets) for line in _LINES):
                    yield path, octets


def is_binary(octets: bytes) -> bool:
    return octets.startswith(_MAGIC)
