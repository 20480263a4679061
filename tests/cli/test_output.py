"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from spvls import assemble
from spvls.cli.failure import Failure
from spvls.cli.output import write
from tests.cli.conftest import Run


def test_a_file_is_made_with_the_usual_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write(str(tmp_path / "new"), b"data")
    finally:
        os.umask(mask)
    assert (tmp_path / "new").read_bytes() == b"data"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_file_that_is_there_keeps_its_permissions_and_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"a long old text")
    path.chmod(0o600)
    before = path.stat().st_ino
    write(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.stat().st_ino != before
    assert os.listdir(tmp_path) == ["old"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("folder/file")
    write(str(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder" / "file").read_bytes() == b"new"


def test_a_device_is_written_to(tmp_path: Path) -> None:
    write(os.devnull, b"data")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"old")

    def replace(source: str, target: str) -> None:
        assert Path(source).read_bytes() == b"new"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(Failure, match=r"old: no space left on device"):
        write(str(path), b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["old"]


@pytest.mark.parametrize("name", ["missing/file", ".", "a\0b"])
def test_a_place_that_cannot_be_written_to(tmp_path: Path, name: str) -> None:
    with pytest.raises(Failure):
        write(str(tmp_path / name), b"data")


@pytest.mark.parametrize("command", [["as", "a.spvasm", "-o", "out"], ["dis", "a.spv", "-o", "out"], ["cfg", "a.spvasm", "-o", "out"]])
def test_commands_replace_a_read_only_file_by_force_alone(run: Run, command: list[str]) -> None:
    Path("a.spvasm").write_text("OpCapability Shader\n")
    Path("a.spv").write_bytes(assemble("OpCapability Shader\n"))
    Path("out").write_text("old")
    Path("out").chmod(0o444)
    assert run(*command) == (2, "", "spvls: out: this file is read-only; --force replaces it all the same\n")
    assert Path("out").read_text() == "old"
    assert run(*command, "--force").code == 0
    assert Path("out").read_bytes() != b"old"


def test_formatting_replaces_read_only_files_by_force_alone(run: Run) -> None:
    for name in ("a.spvasm", "b.spvasm"):
        Path(name).write_text("OpNop\n")
    Path("a.spvasm").chmod(0o444)
    done = run("fmt", ".")
    assert (done.code, done.err) == (2, "spvls: a.spvasm: this file is read-only; --force replaces it all the same\n")
    assert [Path(name).read_text() for name in ("a.spvasm", "b.spvasm")] == ["OpNop\n", "               OpNop\n"]
    assert run("fmt", ".", "--check").code == 1
    assert run("fmt", ".", "--force").code == 0
    assert Path("a.spvasm").read_text() == "               OpNop\n"


def test_the_map_of_ids_replaces_a_read_only_file_by_force_alone(run: Run) -> None:
    Path("map").write_text("old")
    Path("map").chmod(0o444)
    assert run("as", "-o", "a.spv", "--id-map", "map", stdin=b"%a = OpTypeVoid\n").code == 2
    assert Path("map").read_text() == "old"
