"""The assembly texts in the folders of the workspace, open or not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from pygls.uris import from_fs_path, to_fs_path

from spvls.server.session import Session

if TYPE_CHECKING:
    from spvls.server.server import SpirvServer

MOST_FILES = 2000
"""Files that are looked at; a workspace with more is looked at in part."""

LARGEST = 8 << 20
"""Octets of a file that is looked at."""

_PASSED_OVER = frozenset({"node_modules", "__pycache__", "build", "dist", "venv"})


class File(NamedTuple):
    """A file, and its state on the disk: when that changes, so may the file."""

    uri: str
    path: str
    state: str


class Folders:
    """Finds and reads files."""

    def __init__(self, server: SpirvServer) -> None:
        self._server = server
        self._disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spvls-folders")

    async def files(self) -> list[File]:
        """The texts in the folders, in order of their paths."""
        folders = [path for folder in self._server.documents.folders.values() if (path := to_fs_path(folder.uri)) is not None]
        root = self._server.documents.root_path
        if not folders and root is not None:
            folders = [root]
        return await asyncio.get_running_loop().run_in_executor(self._disk, find, folders)

    async def read(self, file: File) -> Session | None:
        """A document of a file that nobody has open; None where it cannot be read."""
        text = await asyncio.get_running_loop().run_in_executor(self._disk, _text, file.path)
        if text is None:
            return None
        return Session(file.uri, text, None, None, self._server.documents.codec, self._server.settings)


def find(folders: Iterable[str]) -> list[File]:
    """The assembly texts below some folders."""
    found: dict[str, File] = {}
    for path in _paths(folders):
        try:
            state = os.stat(path)
        except OSError:
            continue
        if state.st_size <= LARGEST:
            uri = from_fs_path(path)
            if uri is not None:
                found.setdefault(uri, File(uri, path, f"{state.st_mtime_ns}-{state.st_size}"))
        if len(found) >= MOST_FILES:
            break
    return sorted(found.values())


def _paths(folders: Iterable[str]) -> Iterator[str]:
    for top in folders:
        for folder, inner, names in os.walk(top):
            inner[:] = sorted(name for name in inner if not name.startswith(".") and name not in _PASSED_OVER)
            for name in sorted(names):
                if name.endswith(".spvasm") or ".spvasm." in name:
                    yield os.path.join(folder, name)


def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except OSError:
        return None
