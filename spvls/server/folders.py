"""The assembly texts in the folders of the workspace, open or not."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from spvls.host.patterns import SNIFF, is_assembly, is_sniffed, is_text_named
from spvls.record import NamedTuple
from spvls.server.host_document import HostDocument
from spvls.server.reach import address_of
from spvls.text.files import find_files, read_file, read_head
from spvls.text.ignored import Ignored

if TYPE_CHECKING:
    from spvls.server.server import SpirvServer

log = logging.getLogger(__name__)

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
        self._passed_over: set[str] = set()

    async def files(self) -> list[File]:
        """The texts in the folders, in order of their paths."""
        return await self._server.disk.access(self._find)

    async def read(self, file: File) -> HostDocument | None:
        """A document of a file that nobody has open; None where it cannot be read."""
        try:
            data = await self._server.disk.access(read_file, file.path, limit=LARGEST)
        except OSError as error:
            self._note(file.path, error.strerror or str(error))
            return None
        text = data.decode("utf-8", "surrogateescape")
        server = self._server
        return HostDocument(file.uri, text, None, None, server.documents.codec, server.settings, server.config_of(file.uri))

    def _find(self) -> list[File]:
        reach = self._server.reach
        return [file for file in find(reach.folders(), self._note) if reach.allows(file.path)]

    def _note(self, path: str, reason: str) -> None:
        """Say once in the log what of the workspace is not looked at."""
        if path not in self._passed_over:
            self._passed_over.add(path)
            log.warning("%s is passed over: %s", path, reason)


def find(folders: Iterable[str], refused: Callable[[str, str], None]) -> list[File]:
    """The assembly texts below some folders. `refused` hears of what is left out although its name is that of one, and why."""
    found: dict[str, File] = {}
    for path in _paths(folders, refused):
        try:
            state = os.stat(path)
        except OSError:
            continue
        if state.st_size > LARGEST:
            refused(path, f"this is larger than {LARGEST >> 20} MB")
            continue
        uri = address_of(path)
        if uri is None:
            refused(path, "its name is not UTF-8")
        else:
            found.setdefault(uri, File(uri, path, f"{state.st_mtime_ns}-{state.st_size}"))
        if len(found) >= MOST_FILES:
            break
    return sorted(found.values())


def _paths(folders: Iterable[str], refused: Callable[[str, str], None]) -> Iterator[str]:
    for top in folders:
        for path in find_files(top, _may_be_text, refused, passed_over=_PASSED_OVER, ignored=Ignored(top)):
            name = os.path.basename(path)
            if is_text_named(name) or is_assembly(read_head(path, SNIFF)):
                yield path


def _may_be_text(name: str) -> bool:
    return is_text_named(name) or is_sniffed(name)
