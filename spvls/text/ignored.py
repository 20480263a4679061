"""Which files of a folder are left out: by globs, and by the `.gitignore` files of their repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from spvls.text.files import read_text
from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".gitignore"

#: Bytes of a `.gitignore` at most.
_LARGEST = 1 << 20


def globs(patterns: Sequence[str], folder: str) -> Callable[[str], bool]:
    """Whether a path matches one of the patterns, which are those of `.gitignore`, relative to a folder."""
    if not patterns:
        return lambda _: False
    spec = _spec(patterns)
    return lambda path: spec.match_file(_relative(path, folder))


class Ignored:
    """What the `.gitignore` files of a repository leave out. Files outside of a repository are all kept."""

    def __init__(self, folder: str) -> None:
        self._top = _repository(os.path.abspath(folder))
        self._specs: dict[str, GitIgnoreSpec | None] = {}

    def __call__(self, path: str) -> bool:
        """Whether a file, or a folder with a `/` at the end, is left out; folders above it are not asked about."""
        if self._top is None:
            return False
        whole = os.path.abspath(path) + ("/" if path.endswith("/") else "")
        folder = os.path.dirname(whole.rstrip("/"))
        while True:
            spec = self._spec(folder)
            if spec is not None:
                said = spec.check_file(_relative(whole, folder)).include
                if said is not None:
                    return said
            if folder == self._top or folder == os.path.dirname(folder):
                return False
            folder = os.path.dirname(folder)

    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = None
            path = os.path.join(folder, IGNORE_FILE)
            if os.path.isfile(path):
                with suppress(OSError, UnicodeDecodeError):  # as git does with what it cannot read
                    self._specs[folder] = _spec(read_text(path, limit=_LARGEST).splitlines())
        return self._specs[folder]


def _spec(patterns: Iterable[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    kept = []
    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:  # it matches nothing, as in git
            continue
        kept.append(pattern)
    return GitIgnoreSpec.from_lines(kept)


def _relative(path: str, folder: str) -> str:
    found = os.path.relpath(path, folder).replace(os.sep, "/")
    return found + "/" if path.endswith("/") else found


def _repository(folder: str) -> str | None:
    """The folder of the repository that a folder is in."""
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder
