"""Binary modules as files: what stands in the way of writing one, and putting it in the place of another."""

from __future__ import annotations

import os
import re
import stat
import struct

from spvls.binary.words import HEADER_WORDS, MAGIC
from spvls.record import NamedTuple
from spvls.text.files import read_file, require_regular
from spvls.text.saving import save_file

_HEADER = 4 * HEADER_WORDS


class FileState(NamedTuple):
    """What differs between two states of a file."""

    modified: int
    size: int
    inode: int


class Obstacle(NamedTuple):
    """Why a file is not written. With `is_conflict` it is no longer what the client has read, and the user is to decide."""

    reason: str
    is_conflict: bool = False


class BinaryFiles:
    """The files that the client has read or written as modules, each in the state that the client knows."""

    def __init__(self) -> None:
        self._known: dict[str, FileState] = {}

    def read(self, path: str) -> bytes:
        """The bytes of a module; from now on its file has a state that the client knows. Raises OSError."""
        state = state_of(path)  # before it is read: a change in between must be noticed
        data = read_file(path)
        self._note(path, state)
        return data

    def write(self, path: str, data: bytes, *, force: bool, modules_only: bool) -> Obstacle | None:
        """Put a module in the place of a file, or make one; else what stands in the way.

        With `force` neither a change of the file nor that it holds something else is in the way; with `modules_only` the
        latter is all the same. Raises OSError.
        """
        found = self._obstacle(path, force=force, modules_only=modules_only)
        if found is None:
            save_file(path, data, force=force, sync=True)
            self._note(path, state_of(path))
        return found

    def _obstacle(self, path: str, *, force: bool, modules_only: bool) -> Obstacle | None:
        state = state_of(path)
        if state is None:
            return None
        mode = os.stat(path).st_mode
        require_regular(os.stat(path), path)
        if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
            return Obstacle(f"{path} is read-only")
        if (not force or modules_only) and not _is_module(path):
            return Obstacle(f"{path} exists and is not a SPIR-V module")
        known = self._known.get(os.path.realpath(path))
        if not force and known is not None and known != state:
            return Obstacle(f"{path} has changed on disk since it was opened", is_conflict=True)
        return None

    def _note(self, path: str, state: FileState | None) -> None:
        real = os.path.realpath(path)
        if state is None:
            self._known.pop(real, None)
        else:
            self._known[real] = state


def state_of(path: str) -> FileState | None:
    """The state of a file; None where there is none. Raises OSError."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return FileState(found.st_mtime_ns, found.st_size, found.st_ino)


def beside(path: str) -> str:
    """Where the binary of a text belongs: `a.spv` for `a.spvasm`, `a.frag.spv` for `a.spvasm.frag`."""
    return re.sub(r"\.spvasm(?=(\.[^./\\]+)?$)", "", path) + ".spv"


def header_words(data: bytes) -> tuple[int, ...] | None:
    """The header of a binary module of either byte order; None where there is none."""
    if len(data) < _HEADER:
        return None
    little, big = struct.unpack_from(f"<{HEADER_WORDS}I", data), struct.unpack_from(f">{HEADER_WORDS}I", data)
    return next((words for words in (little, big) if words[0] == MAGIC), None)


def _is_module(path: str) -> bool:
    """Whether a file holds a module, or nothing at all. Raises OSError."""
    with open(path, "rb") as file:
        data = file.read(_HEADER)
    return not data or header_words(data) is not None
