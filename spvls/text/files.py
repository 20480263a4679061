"""Reading files that somebody else named: regular files alone, up to a size, and inside a folder where that is asked for."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Container, Iterator

MAX_FILE_SIZE = 64 << 20
"""Bytes that a file has at most, unless the caller chooses another limit."""

#: What a file is that is not a regular one.
_KINDS = {
    stat.S_IFDIR: (errno.EISDIR, "is a directory"),
    stat.S_IFCHR: (errno.EINVAL, "is a device"),
    stat.S_IFBLK: (errno.EINVAL, "is a device"),
    stat.S_IFIFO: (errno.EINVAL, "is a named pipe"),
    stat.S_IFSOCK: (errno.EINVAL, "is a socket"),
}

# Windows has none of these, and its own one for files that are not text.
_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    _FLAGS |= getattr(os, _name, 0)

Refused = Callable[[str, str], None]
"""Takes the path of what a walk leaves out, and why."""


class UnreadableFileError(OSError):
    """A file that must not be read. `strerror` is the reason, worded to follow the path of the file and a colon."""


def read_file(path: str, *, limit: int = MAX_FILE_SIZE, inside: str | None = None) -> bytes:
    """What a regular file holds.

    Never waits for another process, as opening a named pipe would, and never reads more than `limit` bytes. With `inside`
    the file must lie in that folder once all symbolic links are resolved. Raises UnreadableFileError for a file that is
    refused, OSError for one that cannot be read.
    """
    require_name(path)
    if inside is not None:
        path = _resolved(path, inside)
    require_regular(os.stat(path), path)  # opening a device can have effects
    descriptor = os.open(path, _FLAGS)
    try:
        state = os.fstat(descriptor)
        require_regular(state, path)  # another file may have taken its place
        return _read(descriptor, path, limit, state.st_size)
    finally:
        os.close(descriptor)


def require_name(path: str) -> None:
    """Raise UnreadableFileError for what no file can be called: to Python a wrong call, but names come from strangers too."""
    if "\0" in path:
        raise UnreadableFileError(errno.EINVAL, "this has a NUL in its name", path)


def read_descriptor(descriptor: int, name: str, *, limit: int = MAX_FILE_SIZE) -> bytes:
    """What a descriptor that is open already gives up to its end, whatever kind of file it is; `name` is for errors.

    Raises UnreadableFileError for more than `limit` bytes, and OSError.
    """
    return _read(descriptor, name, limit, 0)


def read_text(path: str, *, limit: int = MAX_FILE_SIZE, inside: str | None = None) -> str:
    """The text of a file in UTF-8, line breaks as they stand. Raises as `read_file` does, and UnicodeDecodeError."""
    return read_file(path, limit=limit, inside=inside).decode("utf-8")


def require_regular(state: os.stat_result, path: str) -> None:
    """Raise UnreadableFileError unless a file of that state is a regular one."""
    if not stat.S_ISREG(state.st_mode):
        number, reason = _KINDS.get(stat.S_IFMT(state.st_mode), (errno.EINVAL, "is not a regular file"))
        raise UnreadableFileError(number, f"this {reason}, not a regular file", path)


def find_files(
    folder: str,
    wanted: Callable[[str], bool],
    refused: Refused,
    *,
    passed_over: Container[str] = (),
    ignored: Callable[[str], bool] | None = None,
) -> Iterator[str]:
    """The regular files below a folder whose names are wanted, in the order of their paths.

    Folders with a leading dot and those `passed_over` are left out, symbolic links to folders, and what is `ignored`: files
    and folders by their paths, those of folders with a `/` at the end. `refused` hears of each folder that cannot be listed
    and of each file with a wanted name that is not a regular one.
    """

    def note(error: OSError) -> None:
        refused(str(error.filename), error.strerror or str(error))

    for parent, folders, names in os.walk(folder, onerror=note):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in passed_over)
        if ignored is not None:
            folders[:] = [name for name in folders if not ignored(os.path.join(parent, name, ""))]
        for name in sorted(filter(wanted, names)):
            path = os.path.join(parent, name)
            if ignored is not None and ignored(path):
                continue
            try:
                require_regular(os.stat(path), path)
            except OSError as error:
                note(error)
            else:
                yield path


def read_head(path: str, count: int) -> bytes:
    """The first bytes of a regular file, at most `count`; none of a file that cannot be read."""
    try:
        require_regular(os.stat(path), path)
        with open(path, "rb", buffering=0) as file:
            return file.read(count)
    except OSError:
        return b""


def _resolved(path: str, folder: str) -> str:
    """The path without symbolic links of a file that must lie in a folder. Raises UnreadableFileError."""
    top, real = os.path.realpath(folder), os.path.realpath(path)
    try:
        within = os.path.commonpath((top, real)) == top
    except ValueError:  # on another drive
        within = False
    if not within:
        raise UnreadableFileError(errno.EACCES, f"this lies outside of {folder}", path)
    return real


def _read(descriptor: int, name: str, limit: int, size: int) -> bytes:
    """The bytes up to the end; `size` is how many there seem to be. Some files, as those of /proc, say that they are empty."""
    parts: list[bytes] = []
    room = limit + 1
    while size <= limit and room and (part := os.read(descriptor, min(room, max(size + 1, 1 << 16)))):
        parts.append(part)
        room -= len(part)
    if size > limit or not room:
        raise UnreadableFileError(errno.EFBIG, f"this is larger than {_shown_size(limit)}", name)
    return b"".join(parts)


def _shown_size(size: int) -> str:
    """`64 MB`, `1500 bytes`."""
    return f"{size >> 20} MB" if size and size % (1 << 20) == 0 else f"{size} bytes"
