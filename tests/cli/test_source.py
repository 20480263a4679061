"""What commands read: files up to a size, nothing that blocks, and folders with every omission told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.corpus import FIXTURES, text_of

SOUND = text_of(FIXTURES / "shaders" / "transform.vert.spvasm")
READERS = ["lint", "as", "dis", "fmt", "requirements", "cfg", "reflect", "sources"]


@pytest.mark.parametrize("command", READERS)
def test_no_command_reads_a_device_or_waits_for_a_pipe(run: Run, command: str) -> None:
    os.mkfifo("pipe.spvasm")
    Path("zero.spvasm").symlink_to("/dev/zero")
    for name, kind in (("pipe.spvasm", "a named pipe"), ("zero.spvasm", "a device"), ("/dev/zero", "a device")):
        done = run(command, name)
        assert (done.code, done.err.splitlines()[0]) == (2, f"spvls: {name}: this is {kind}, not a regular file")


@pytest.mark.parametrize("command", READERS)
def test_every_command_has_a_limit_on_the_size(run: Run, command: str) -> None:
    Path("a.spvasm").write_bytes(SOUND.encode() + b";" * (1 << 20))
    done = run(command, "a.spvasm", "--max-file-size=1")
    assert (done.code, done.err.splitlines()[0]) == (2, "spvls: a.spvasm: this is larger than 1 MB")
    done = run(command, *(["-"] if command in ("lint", "requirements") else []), "--max-file-size", "1", stdin=b";" * ((1 << 20) + 1))
    assert (done.code, done.err) == (2, "spvls: <stdin>: this is larger than 1 MB\n")
    for wrong in ("0", "-1", "x", "9" * 5000, "²"):
        assert run(command, "a.spvasm", f"--max-file-size={wrong}").code == 2


def test_a_larger_limit_lets_a_file_through(run: Run) -> None:
    Path("a.spvasm").write_bytes(SOUND.encode() + b";" * (1 << 20))
    assert run("lint", "a.spvasm", "--max-file-size=2").code == 0


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="the system names no descriptors")
def test_the_output_of_a_command_in_the_place_of_a_file(run: Run) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"OpNopp\n")
    os.close(writer)
    try:
        done = run("lint", f"/dev/fd/{reader}")
    finally:
        os.close(reader)
    assert done.code == 1
    assert f"/dev/fd/{reader}:1:1: error" in done.out


@pytest.mark.parametrize("command", ["lint", "requirements", "fmt"])
def test_a_folder_says_what_it_keeps_back_and_the_rest_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    for name in ("in/a.spvasm", "in/shut/b.spvasm"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("OpNop\n")
    os.mkfifo("in/pipe.spvasm")
    scandir = os.scandir

    def guarded(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    done = run(command, "in")
    assert done.code == 2
    assert done.err.splitlines() == [
        "spvls: in/pipe.spvasm: this is a named pipe, not a regular file",
        "spvls: in/shut: permission denied",
    ]
    if command == "lint":
        assert "1 file" in done.out
    if command == "fmt":
        assert Path("in/a.spvasm").read_text() == "               OpNop\n"


def test_one_file_that_cannot_be_formatted_does_not_keep_the_rest_from_it(run: Run) -> None:
    Path("b.spvasm").write_text("OpNop\n")
    done = run("fmt", "missing", FIXTURES / "binaries" / "transform.vert.spv", "b.spvasm")
    assert done.code == 2
    assert [line.rpartition(": ")[2] for line in done.err.splitlines()] == [
        "no such file or directory",
        "this is a binary module; `spvls dis` lists it as text",
    ]
    assert Path("b.spvasm").read_text() == "               OpNop\n"


def test_the_profile_of_a_project_lies_in_the_project(run: Run) -> None:
    Path("project").mkdir()
    Path("outside.json").write_text('{"capabilities": {}, "secret": 1}')
    Path("project/link.json").symlink_to("../outside.json")
    Path("project/a.spvasm").write_text(SOUND)
    os.mkfifo("project/pipe")
    for profile, reason in (
        ("/dev/zero", "outside of"),
        ("../outside.json", "outside of"),
        ("link.json", "outside of"),
        ("pipe", "named pipe"),
    ):
        Path("project/spvls.toml").write_text(f'[device]\nprofile = "{profile}"\n')
        os.utime("project/spvls.toml", ns=(0, hash(profile) & 0xFFFFFFF))
        done = run("lint", "project/a.spvasm")
        assert done.code == 1
        assert "project/spvls.toml:2:1: error:" in done.out
        assert reason in done.out
