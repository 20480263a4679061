"""Files are replaced whole, stay who they were, and are not replaced where that cannot be."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from spvls.text.files import UnreadableFileError
from spvls.text.saving import ProtectedFileError, save_file
from tests.corpus import ROOT

#: Writes to the file that is named first, up to the point where it is to take its place, and waits there.
_STUCK = """
import os, sys, time
from spvls.text import saving

def wait(*_):
    print("there", flush=True)
    time.sleep(60)

os.replace = wait
saving.save_file(sys.argv[1], b"new")
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old"
    path.write_bytes(b"old")
    return path


def has_attributes(path: Path) -> bool:
    try:
        os.setxattr(path, "user.spvls", b"kept")
    except (AttributeError, OSError):
        return False
    return True


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_a_read_only_file_is_replaced_by_force_alone(old: Path, mode: int) -> None:
    old.chmod(mode)
    with pytest.raises(ProtectedFileError, match="read-only"):
        save_file(str(old), b"new")
    assert old.read_bytes() == b"old"
    save_file(str(old), b"new", force=True)
    assert old.read_bytes() == b"new"
    assert stat.S_IMODE(old.stat().st_mode) == mode
    assert os.listdir(old.parent) == ["old"]


def test_a_file_that_the_user_may_not_write_is_read_only(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(ProtectedFileError, match="read-only"):
        save_file(str(old), b"new")


def test_hard_links_are_parted_by_force_alone(old: Path) -> None:
    other = old.with_name("other")
    os.link(old, other)
    with pytest.raises(ProtectedFileError, match=r"2 names \(hard links\)"):
        save_file(str(old), b"new")
    assert (old.read_bytes(), other.read_bytes()) == (b"old", b"old")
    save_file(str(old), b"new", force=True)
    assert (old.read_bytes(), other.read_bytes()) == (b"new", b"old")


def test_attributes_and_times_of_the_mode_stay(old: Path) -> None:
    if not has_attributes(old):
        pytest.skip("this file system has no extended attributes")
    old.chmod(0o2750)
    save_file(str(old), b"new")
    assert os.getxattr(old, "user.spvls") == b"kept"
    assert stat.S_IMODE(old.stat().st_mode) == 0o2750


@pytest.mark.parametrize("names", [["user.spvls"], []])
def test_attributes_that_cannot_be_kept(old: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    def value(path: object, name: str) -> bytes:
        if str(path) == str(old):
            return b"kept"
        raise OSError(errno.ENODATA, "No data available")

    monkeypatch.setattr(os, "listxattr", lambda path: names, raising=False)
    monkeypatch.setattr(os, "getxattr", value, raising=False)
    monkeypatch.setattr(os, "setxattr", refuse, raising=False)
    if names:
        with pytest.raises(ProtectedFileError, match=r"extended attributes of this file cannot be kept \(Operation not"):
            save_file(str(old), b"new")
        assert old.read_bytes() == b"old"
    save_file(str(old), b"new", force=bool(names))
    assert old.read_bytes() == b"new"
    assert os.listdir(old.parent) == ["old"]


def test_a_label_that_is_there_already_need_not_be_set(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "listxattr", lambda path: ["security.label"], raising=False)
    monkeypatch.setattr(os, "getxattr", lambda path, name: b"same", raising=False)
    monkeypatch.setattr(os, "setxattr", refuse, raising=False)
    save_file(str(old), b"new")
    assert old.read_bytes() == b"new"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(old: Path) -> None:
    os.chown(old, 1234, 2345)
    old.chmod(0o4755)
    save_file(str(old), b"new")
    state = old.stat()
    assert (state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)) == (1234, 2345, 0o4755)


def test_an_owner_that_cannot_be_kept(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    plain = os.stat

    def of_another(path: str) -> os.stat_result:
        fields = list(plain(path))
        fields[4] += str(path) == str(old)
        return os.stat_result(fields)

    monkeypatch.setattr(os, "chown", refuse)
    monkeypatch.setattr(os, "stat", of_another)
    with pytest.raises(ProtectedFileError, match=r"owner of this file cannot be kept \(Operation not permitted\)"):
        save_file(str(old), b"new")
    assert old.read_bytes() == b"old"
    save_file(str(old), b"new", force=True)
    assert old.read_bytes() == b"new"


def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(UnreadableFileError, match="not a regular file"):
            save_file(str(tmp_path / name), b"new", force=True)


def test_nobody_sees_half_of_a_private_file(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old.chmod(0o600)
    modes: list[int] = []
    write = os.write

    def noted(descriptor: int, data: bytes) -> int:
        modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return write(descriptor, bytes(data)[:1])

    monkeypatch.setattr(os, "write", noted)
    save_file(str(old), b"new")
    assert old.read_bytes() == b"new"
    assert modes == [0o600] * 3


def test_leftovers_of_a_killed_process_go_and_those_of_a_live_one_stay(old: Path) -> None:
    command = [sys.executable, "-c", _STUCK, str(old)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as stuck:
        try:
            assert stuck.stdout is not None
            assert stuck.stdout.readline() == "there\n"
            (aside,) = [path for path in old.parent.iterdir() if path != old]
            assert (old.read_bytes(), aside.read_bytes()) == (b"old", b"new")
            save_file(str(old.with_name("second")), b"x")
            assert aside.exists()
        finally:
            stuck.send_signal(signal.SIGKILL)
    assert old.read_bytes() == b"old"
    assert aside.exists()
    (old.parent / ".spvls-notes").write_text("mine")
    (old.parent / f".spvls-{'0' * 16}").mkdir()
    save_file(str(old), b"newer")
    assert sorted(os.listdir(old.parent)) == [f".spvls-{'0' * 16}", ".spvls-notes", "old", "second"]


def test_a_new_file_that_is_taken_for_a_leftover_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    flock = fcntl.flock
    taken: list[str] = []

    def late(descriptor: int, operation: int) -> None:
        if not taken:
            taken.extend(os.listdir(tmp_path))
            (tmp_path / taken[0]).unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    save_file(str(tmp_path / "new"), b"data")
    assert taken
    assert os.listdir(tmp_path) == ["new"]
    assert (tmp_path / "new").read_bytes() == b"data"
