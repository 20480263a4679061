"""What linting found before, kept between runs in a folder of the user: findings by what they follow from.

An entry is a file of JSON under the digest of what was judged: the bytes of a file and how they are read, the environment, the
options, and this version of spvls. So an entry is never out of date, and whatever is not exactly an entry is none. Entries
appear whole or not at all, so that runs can share a folder; each folder of entries is kept to a size.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from json import loads

from spvls import __version__
from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Related, Severity, SourceLine
from spvls.record import NamedTuple
from spvls.text.escaping import json_text
from spvls.text.files import read_file
from spvls.text.saving import save_file
from spvls.typed import Any

_FORMAT = 1
"""Changes with what entries hold."""

LARGEST = 1 << 18
"""Bytes of an entry at most; a file with more findings is judged again."""

FOLDER_SIZE = 1 << 19
"""Bytes of all entries in one of the 256 folders, which come to 128 MB. The oldest ones go first."""


class Judgment(NamedTuple):
    """All findings of a file, at their places and in their order, and how many modules it has."""

    findings: tuple[Diagnostic, ...]
    modules: int


class ResultCache:
    """Judgments in a folder. Where that cannot be read or written, there are none, and nothing is said."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._is_writable = True
        self._stamp = _stamp()

    def key(self, data: bytes, judged_by: object) -> str:
        """The name of the entry for a file of this content. `judged_by` is all else that findings follow from, as JSON has it."""
        return sha256(json_text([_FORMAT, self._stamp, judged_by]).encode() + b"\0" + data).hexdigest()

    def find(self, key: str) -> Judgment | None:
        """The judgment of that key; None where there is none."""
        try:
            return _judgment(loads(read_file(self._path(key), limit=LARGEST)), key)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def keep(self, key: str, judgment: Judgment) -> None:
        """Keep a judgment for later runs."""
        if not self._is_writable:
            return
        entry = json_text([key, judgment.modules, [_plain(finding) for finding in judgment.findings]]).encode()
        if len(entry) > LARGEST:
            return
        path = self._path(key)
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            save_file(path, entry)
            _limit(os.path.dirname(path))
        except (OSError, ValueError):  # a NUL in the name of the folder
            self._is_writable = False

    def _path(self, key: str) -> str:
        return os.path.join(self._folder, key[:2], f"{key[2:]}.json")


def user_folder() -> str | None:
    """Where entries are kept unless another folder is chosen: in the cache folder of the user, as each system has one; None
    where there is no such folder."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        home = os.path.expanduser("~/Library/Caches")
    else:
        home = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(home):  # which the XDG Base Directory Specification has ignored
            home = os.path.expanduser("~/.cache")
    return os.path.join(home, "spvls", "lint") if os.path.isabs(home) else None


def _limit(folder: str) -> None:
    """Remove the oldest entries of a folder that has grown too large."""
    with os.scandir(folder) as entries:
        states = [(entry.stat(follow_symlinks=False), entry.path) for entry in entries]
    size = sum(state.st_size for state, _ in states)
    for state, path in sorted(states, key=lambda found: found[0].st_mtime_ns):
        if size <= FOLDER_SIZE:
            return
        with suppress(FileNotFoundError):  # another run has removed it
            os.unlink(path)
        size -= state.st_size


@cache
def _stamp() -> str:
    """What tells this spvls from all others: the list of files of an installation, with their digests, or in a checkout the
    times and sizes of its files."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    home = os.path.dirname(package)
    try:
        listed = read_file(os.path.join(home, f"spvls-{__version__}.dist-info", "RECORD"))
    except OSError:
        listed = json_text([_versions(package), _versions(os.path.join(home, "grammar"))]).encode()
    return f"{__version__} {sys.version_info[:2]} {sha256(listed).hexdigest()}"


def _versions(folder: str) -> list[tuple[str, int, int]]:
    """The path, time and size of each file below a folder that findings could follow from."""
    found: list[tuple[str, int, int]] = []
    folders = [folder]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name.endswith((".py", ".json", ".peg", ".tsv")):
                    state = entry.stat()
                    found.append((entry.path, state.st_mtime_ns, state.st_size))
    return sorted(found)


def _plain(finding: Diagnostic) -> list[Any]:
    """A finding as JSON has it: named tuples are lists."""
    return [finding.rule, finding.severity.value, *finding[2:]]


def _judgment(entry: Any, key: str) -> Judgment:
    """An entry as it was kept. Raises ValueError, TypeError or KeyError for what is none, or is that of another key."""
    kept, modules, findings = entry
    if kept != key:
        raise ValueError(kept)
    return Judgment(tuple(map(_finding, _list(findings))), _number(modules))


def _finding(entry: Any) -> Diagnostic:
    rule, severity, message, place, instruction, vuid, related, fixes, tags, source = entry
    return Diagnostic(
        _text(rule),
        Severity(severity),
        _text(message),
        None if place is None else _range(place),
        None if instruction is None else _number(instruction),
        None if vuid is None else _text(vuid),
        tuple(Related(_range(where), _text(said)) for where, said in _list(related)),
        tuple(map(_fix, _list(fixes))),
        tuple(map(_text, _list(tags))),
        None if source is None else _source(source),
    )


def _source(entry: Any) -> SourceLine:
    file, line, column, end_column, text, row, number = entry
    shown = None if text is None else _text(text)
    return SourceLine(_text(file), _number(line), _number(column), _number(end_column), shown, _number(row), _number(number))


def _fix(entry: Any) -> Fix:
    title, edits, preferred = entry
    if not isinstance(preferred, bool):
        raise TypeError(preferred)
    return Fix(_text(title), tuple(Edit(_range(where), _text(text)) for where, text in _list(edits)), preferred)


def _range(entry: Any) -> Range:
    (line, column), (end_line, end_column) = entry
    return Range(Position(_number(line), _number(column)), Position(_number(end_line), _number(end_column)))


def _list(entry: Any) -> list[Any]:
    if not isinstance(entry, list):
        raise TypeError(entry)
    return entry


def _text(entry: Any) -> str:
    if not isinstance(entry, str):
        raise TypeError(entry)
    return entry


def _number(entry: Any) -> int:
    if not isinstance(entry, int) or isinstance(entry, bool) or entry < 0:
        raise TypeError(entry)
    return entry
