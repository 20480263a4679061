"""Which files a client can have read and written: the one gate for all requests that name a path or an address."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pygls.uris import from_fs_path, to_fs_path

from spvls.server.binary_files import beside
from spvls.server.protocol import RequestFailed

if TYPE_CHECKING:
    from spvls.server.server import SpirvServer


class Reach:
    """The files that the requests of one client reach.

    Without `roots` the client is the user's own editor, and every file that it names is within reach. With them a file must
    lie in one of these folders, and also in a folder of the client's workspace, or be an open document or its binary.
    Symbolic links are resolved before a path is judged.
    """

    def __init__(self, server: SpirvServer, roots: Iterable[str] = ()) -> None:
        self._server = server
        self._roots = tuple(os.path.realpath(root) for root in roots)

    @property
    def is_limited(self) -> bool:
        """Whether there are files out of reach."""
        return bool(self._roots)

    def path(self, uri: str) -> str:
        """The path of the file at an address. Raises RequestFailed where there is none, or it is out of reach.

        Where there are limits it is the path without links, so that a link made later leads nowhere else.
        """
        path = local_path(uri)
        if not self.allows(path):
            raise RequestFailed(f"{path} is outside of the folders and documents of this session")
        return os.path.realpath(path) if self._roots else path

    def allows(self, path: str) -> bool:
        """Whether a file is within reach."""
        if not self._roots:
            return True
        real = _resolved(path)
        if real is None or not any(_lies_in(real, root) for root in self._roots):
            return False
        return any(_lies_in(real, folder) for folder in self.folders()) or real in self._open_files()

    def beside(self, uri: str, name: str) -> str | None:
        """The path of a file that a module names, from the folder of its document; None where it is not there.

        A name on another machine is not looked for: on Windows that would send the user's credentials there.
        """
        if "\0" in name or name.startswith(("//", "\\\\")):
            return None
        here = path_of(uri) if uri.startswith("file:") else None
        path = os.path.join(os.path.dirname(here), name) if here is not None else name
        return path if os.path.isabs(path) and self.allows(path) and os.path.isfile(path) else None

    def folders(self) -> list[str]:
        """The folders of the client's workspace that are within reach, links resolved."""
        documents = self._server.documents
        uris = [folder.uri for folder in documents.folders.values()] or [documents.root_uri]
        paths = (path_of(uri) for uri in uris if uri is not None and uri.startswith("file:"))
        found = [real for path in paths if path is not None and (real := _resolved(path)) is not None]
        if not self._roots:
            return found
        return [folder for folder in found if any(_lies_in(folder, root) for root in self._roots)]

    def _open_files(self) -> Iterator[str]:
        """The files of the open documents, and their binaries."""
        for session in self._server.documents.all_documents():
            path = path_of(session.uri) if session.uri.startswith("file:") else None
            for name in (path, beside(path)) if path is not None else ():
                real = _resolved(name)
                if real is not None:
                    yield real


def path_of(uri: str) -> str | None:
    """The path that an address names, whatever its scheme; None where it cannot be that of a file."""
    try:
        path = to_fs_path("file:" + uri.partition(":")[2])
    except ValueError:  # such as brackets around what is not an address of a machine
        return None
    return path if path and "\0" not in path else None


def address_of(path: str) -> str | None:
    """The address of a file; None where its name is not UTF-8, which no address can say."""
    try:
        uri: str | None = from_fs_path(path)
    except ValueError:
        return None
    return uri


def local_path(uri: str) -> str:
    """The path of a file on this machine. Raises RequestFailed."""
    path = path_of(uri) if uri.startswith("file:") else None
    if path is None:
        raise RequestFailed(f"{uri} is not the address of a file on this machine")
    return path


def _resolved(path: str) -> str | None:
    """A path without symbolic links; None for one that no file can have."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return None


def _lies_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies below it; both are resolved."""
    try:
        return os.path.commonpath((path, folder)) == folder
    except ValueError:  # on another drive
        return False
