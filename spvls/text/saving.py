"""Writing files: each is there whole or not at all, and is still who it was: its permissions, owner and attributes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress

from spvls.text.files import require_regular
from spvls.text.pattern import pattern

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be removed
    fcntl = None  # type: ignore[assignment]

_ASIDE = pattern(r"\.spvls-[0-9a-f]{16}")
_NEW_FILE = 0o666
_PRIVATE = 0o600
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class ProtectedFileError(OSError):
    """A file that is replaced only by force. `strerror` is the reason."""


def save_file(path: str, data: bytes, *, force: bool = False, sync: bool = False) -> None:
    """Make `data` the contents of a file, through symbolic links.

    The data is written under another name in the same folder, which then takes the place of the file, so that nobody ever
    sees half of it. Permissions, owner and extended attributes of a file that is there stay. A file that is read-only, that
    has other hard links, which would keep the old contents, or whose owner or attributes cannot be kept raises
    ProtectedFileError, unless by `force`. With `sync` the data is on the disk before the name is. What processes that were
    killed left in the folder is removed. Raises OSError.
    """
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    before = _state(path)
    if before is not None:
        require_regular(before, path)
        if not force:
            _require_replaceable(path, before)
    _remove_leftovers(folder)
    descriptor, aside = _open_aside(folder, _NEW_FILE if before is None else _PRIVATE)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            if before is not None:
                _take_after(aside, path, before, force)
            if sync:
                os.fsync(descriptor)
            if fcntl is not None:
                os.replace(aside, path)  # while it is locked
        finally:
            os.close(descriptor)
        if fcntl is None:
            os.replace(aside, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(aside)
        raise


def _state(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _require_replaceable(path: str, state: os.stat_result) -> None:
    """Raise ProtectedFileError for a file that somebody set apart."""
    if not state.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
        raise ProtectedFileError(errno.EACCES, "this file is read-only", path)
    if state.st_nlink > 1:
        reason = f"this file has {state.st_nlink} names (hard links), and the others would keep the old contents"
        raise ProtectedFileError(errno.EMLINK, reason, path)


def _open_aside(folder: str, mode: int) -> tuple[int, str]:
    """A new file with a lock on it, which says that its process is alive."""
    while True:
        aside = os.path.join(folder, f".spvls-{os.urandom(8).hex()}")
        descriptor = os.open(aside, _FLAGS, mode)
        if fcntl is None:
            return descriptor, aside
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.path.lexists(aside):
            return descriptor, aside
        os.close(descriptor)  # it was taken for a leftover before it was locked


def _remove_leftovers(folder: str) -> None:
    """Remove what processes wrote aside that came to their end before they could put it in its place."""
    with suppress(OSError):
        for entry in list(_asides(folder)):
            with suppress(OSError):
                _remove_unlocked(entry)


def _asides(folder: str) -> Iterator[str]:
    with os.scandir(folder or ".") as entries:
        for entry in entries:
            if _ASIDE.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                yield entry.path


def _remove_unlocked(path: str) -> None:
    if fcntl is None:
        os.unlink(path)
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)
    finally:
        os.close(descriptor)


def _take_after(aside: str, path: str, state: os.stat_result, force: bool) -> None:
    """Give a new file the owner, the attributes and the permissions of the one whose place it takes."""
    for keep in (_keep_owner, _keep_attributes):
        try:
            keep(aside, path, state)
        except OSError as error:
            if not force:
                why = error.strerror or str(error)
                what = "owner" if keep is _keep_owner else "extended attributes"
                raise ProtectedFileError(error.errno, f"the {what} of this file cannot be kept ({why})", path) from error
    os.chmod(aside, stat.S_IMODE(state.st_mode))  # last, since a change of the owner takes permissions away


def _keep_owner(aside: str, _path: str, state: os.stat_result) -> None:
    made = os.stat(aside)
    change: Callable[[str, int, int], None] | None = getattr(os, "chown", None)
    if change is not None and (made.st_uid, made.st_gid) != (state.st_uid, state.st_gid):
        change(aside, state.st_uid, state.st_gid)


def _keep_attributes(aside: str, path: str, _state: os.stat_result) -> None:
    """Extended attributes, access control lists among them, where the system has any."""
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(path)
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENOSYS):
            return
        raise
    for name in names:
        value = os.getxattr(path, name)
        try:
            os.setxattr(aside, name, value)
        except OSError:
            if _attribute(aside, name) != value:  # labels of security modules may be set from the start, and fixed
                raise


def _attribute(path: str, name: str) -> bytes | None:
    try:
        return os.getxattr(path, name)
    except OSError:
        return None
