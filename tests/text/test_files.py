"""Files are read whole, up to a size, and only where they are files."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from spvls.text.files import UnreadableFileError, find_files, read_descriptor, read_file, read_text

LINUX_DEVICES = [path for path in ("/dev/zero", "/dev/full", "/dev/random", "/dev/tty") if os.path.exists(path)]


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    data = bytes(range(256)) * 1000
    path.write_bytes(data)
    assert read_file(str(path)) == data
    path.write_bytes(b"")
    assert read_file(str(path)) == b""


def test_text_keeps_its_line_breaks(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a\r\nb\rc")
    assert read_text(str(tmp_path / "a")) == "a\r\nb\rc"
    (tmp_path / "a").write_bytes(b"\xff")
    with pytest.raises(UnicodeDecodeError):
        read_text(str(tmp_path / "a"))


def test_the_limit_is_the_largest_size(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_file(str(path), limit=5) == b"12345"
    with pytest.raises(UnreadableFileError, match="larger than 4 bytes"):
        read_file(str(path), limit=4)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    with path.open("wb") as file:
        file.truncate((64 << 20) + 1)
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("read"))
    with pytest.raises(UnreadableFileError, match="larger than 64 MB"):
        read_file(str(path))


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="the system has no files that hide their size")
def test_a_file_that_says_that_it_is_empty_is_read_up_to_the_limit() -> None:
    assert os.stat("/proc/self/maps").st_size == 0
    assert read_file("/proc/self/maps")
    with pytest.raises(UnreadableFileError, match="larger than 10 bytes"):
        read_file("/proc/self/maps", limit=10)


@pytest.mark.parametrize("device", LINUX_DEVICES)
def test_a_device_is_refused_and_not_opened(device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(device)
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("opened"))
    for path in (device, str(tmp_path / "link")):
        with pytest.raises(UnreadableFileError, match="is a device, not a regular file") as caught:
            read_file(path)
        assert caught.value.filename == path


def test_a_pipe_without_a_writer_does_not_block(tmp_path: Path) -> None:
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    with pytest.raises(UnreadableFileError, match="named pipe"):
        read_file(path)


def test_a_pipe_that_takes_the_place_of_a_file_does_not_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, pipe = tmp_path / "file", tmp_path / "pipe"
    file.write_bytes(b"")
    os.mkfifo(pipe)
    state = os.stat(file)
    monkeypatch.setattr(os, "stat", lambda *_: state)
    with pytest.raises(UnreadableFileError, match="named pipe"):
        read_file(str(pipe))


def test_folders_and_sockets_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnreadableFileError, match="directory"):
        read_file(".")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        with pytest.raises(UnreadableFileError, match="socket"):
            read_file("socket")
    with pytest.raises(FileNotFoundError):
        read_file("missing")
    with pytest.raises(UnreadableFileError, match="NUL"):
        read_file("a\0b", inside=".")


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"12")
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for name in ("pipe", "large"):
        with pytest.raises(UnreadableFileError):
            read_file(str(tmp_path / name), limit=1)
    assert before in (0, len(os.listdir("/proc/self/fd")))


def test_what_must_lie_in_a_folder_lies_there_after_all_links(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "inner").mkdir(parents=True)
    (tmp_path / "project-secret").write_bytes(b"secret")
    (project / "inner" / "own").write_bytes(b"own")
    (project / "link").symlink_to("inner/own")
    (project / "out").symlink_to("../project-secret")
    (project / "up").symlink_to("..")
    (tmp_path / "alias").symlink_to("project")
    for folder in (project, tmp_path / "alias"):
        for name in ("inner/own", "link", "inner/../link"):
            assert read_file(str(folder / name), inside=str(folder)) == b"own"
        for name in ("out", "up/project-secret", "../project-secret", str(tmp_path / "project-secret"), "/etc/passwd", "missing/../../x"):
            with pytest.raises(UnreadableFileError, match="outside of"):
                read_file(os.path.join(folder, name), inside=str(folder))


def test_a_descriptor_is_read_to_its_end_or_the_limit() -> None:
    for limit, fits in ((3, True), (2, False)):
        reader, writer = os.pipe()
        os.write(writer, b"abc")
        os.close(writer)
        try:
            if fits:
                assert read_descriptor(reader, "name", limit=limit) == b"abc"
            else:
                with pytest.raises(UnreadableFileError, match="larger than 2 bytes"):
                    read_descriptor(reader, "name", limit=limit)
        finally:
            os.close(reader)


def test_a_walk_gives_files_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    for name in ("b.x", "a.x", "a.y", "inner/c.x", ".hidden/d.x", "build/e.x"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    os.mkfifo(tmp_path / "pipe.x")
    (tmp_path / "zero.x").symlink_to("/dev/zero")
    (tmp_path / "gone.x").symlink_to("missing")
    (tmp_path / "loop").symlink_to(".")
    left_out: dict[str, str] = {}
    found = find_files(str(tmp_path), lambda name: name.endswith(".x"), left_out.__setitem__, passed_over={"build"})
    assert [os.path.relpath(path, tmp_path) for path in found] == ["a.x", "b.x", "inner/c.x"]
    assert {os.path.relpath(path, tmp_path): reason for path, reason in left_out.items()} == {
        "gone.x": "No such file or directory",
        "pipe.x": "this is a named pipe, not a regular file",
        "zero.x": "this is a device, not a regular file",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
def test_a_folder_that_cannot_be_listed_is_left_out_aloud(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0)
    left_out: dict[str, str] = {}
    try:
        assert list(find_files(str(tmp_path), lambda _: True, left_out.__setitem__)) == []
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert left_out == {str(tmp_path / "shut"): "Permission denied"}


def test_an_error_in_listing_a_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shut").mkdir()
    (tmp_path / "a.x").write_bytes(b"")
    scandir = os.scandir

    def guarded(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    left_out: dict[str, str] = {}
    assert list(find_files(str(tmp_path), lambda _: True, left_out.__setitem__)) == [str(tmp_path / "a.x")]
    assert left_out == {str(tmp_path / "shut"): "Permission denied"}
