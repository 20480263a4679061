"""How commands are found, and how they end."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import spvls
from spvls.cli.main import COMMANDS
from spvls.cli.serve import _address
from tests.cli.conftest import Run
from tests.corpus import FIXTURES, ROOT

FAULTY = FIXTURES / "faulty" / "numbers.spvasm"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
ENVIRONMENT.pop("NO_COLOR", None)


def process(*arguments: str | Path, **settings: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "spvls", *map(str, arguments)]
    return subprocess.Popen(command, env=ENVIRONMENT, **settings)  # type: ignore[call-overload,no-any-return]


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"spvls {spvls.__version__}\n", "")


def test_help_lists_every_command(run: Run) -> None:
    done = run("--help")
    assert done.code == 0
    for name, command in COMMANDS.items():
        assert f"\n    {name}" in done.out
        assert command.summary.split()[0] in done.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(run: Run, name: str) -> None:
    done = run(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"usage: spvls {name}")
    module = import_module(COMMANDS[name].module)
    assert callable(module.run)


@pytest.mark.parametrize("arguments", [[], ["bogus"], ["--bogus"], ["as", "--bogus"], ["as", "a", "b"]])
def test_wrong_usage(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("usage: spvls")


def test_an_unexpected_error_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: str, limit: int) -> bytes:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("spvls.cli.assemble.read", read)
    done = run("as")
    assert done.code == 2
    assert done.err.startswith("spvls: internal error: ZeroDivisionError: oops at ")
    assert done.err.count("\n") == 1


def test_an_interrupt_is_quiet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: str, limit: int) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("spvls.cli.assemble.read", read)
    assert run("as") == (130, "", "")


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "a.spvasm").write_text("OpNopp\n" * 5000)
    with process("lint", "a.spvasm", cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 141


def test_a_full_disk_is_told() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full to write to")
    with full.open("wb") as out, process("dis", FIXTURES / "binaries" / "transform.vert.spv", stdout=out, stderr=-1) as running:
        assert running.communicate()[1] == b"spvls: no space left on device\n"
        assert running.returncode == 2


def test_closed_streams_are_no_traceback() -> None:
    command = f"exec {sys.executable} -m spvls"
    for arguments, code in ((f"lint {FAULTY}", 1), (f"as {FAULTY}", 1), ("--version", 0)):
        done = subprocess.run(["sh", "-c", f"{command} {arguments} >&- 2>&- <&-"], env=ENVIRONMENT, check=False)
        assert done.returncode == code
    for arguments in ("lint -", "as -", "dis"):
        done = subprocess.run(["sh", "-c", f"{command} {arguments} <&-"], env=ENVIRONMENT, check=False, stderr=-1)
        assert (done.returncode, done.stderr.decode()) == (2, "spvls: the standard input is closed\n")


def on_a_terminal(*arguments: str | Path, **environment: str) -> tuple[int, str]:
    """The exit code of a command whose standard streams are a terminal, and what is seen there."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "spvls", *map(str, arguments)]
    with subprocess.Popen(command, env={**ENVIRONMENT, **environment}, stdin=slave, stdout=slave, stderr=slave) as running:
        os.close(slave)
        seen = b""
        try:
            while part := os.read(master, 4096):
                seen += part
        except OSError:  # how Linux says that nobody has the other end open any more
            pass
        finally:
            os.close(master)
    return running.returncode, seen.decode()


def test_colours_and_progress_are_for_terminals() -> None:
    code, seen = on_a_terminal("lint", FIXTURES / "faulty")
    assert code == 1
    assert "\x1b[1;31merror:\x1b[0m" in seen
    assert "\r\x1b[K1 of 5 files" in seen
    assert seen.endswith(" in 5 files\r\n")
    assert "\x1b[1;31m" not in on_a_terminal("lint", FAULTY, NO_COLOR="1")[1]
    assert "\x1b" in on_a_terminal("dis", FIXTURES / "binaries" / "transform.vert.spv")[1]
    assert on_a_terminal("lint") == (2, "spvls: give a file, a folder, or - for the standard input\r\n")


def test_an_interrupt_of_many_processes_leaves_no_word(tmp_path: Path) -> None:
    for number in range(64):
        (tmp_path / f"{number}.spvasm").write_text("OpNopp\n" * 2000)
    command = ["lint", ".", "--jobs=2", "--format=github"]
    ours = signal.signal(signal.SIGINT, signal.SIG_DFL)  # in the background of a shell, interrupts are ignored from the start
    try:
        running = process(*command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, ours)
    with running:
        assert running.stdout is not None
        running.stdout.readline()
        os.killpg(running.pid, signal.SIGINT)
        assert running.communicate()[1] == b""
        assert running.returncode == 130


@pytest.mark.parametrize(
    ("text", "address"), [("80", ("127.0.0.1", 80)), ("127.0.0.1:80", ("127.0.0.1", 80)), ("[::1]:0", ("::1", 0)), ("host:65535", ("host", 65535))]
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert _address(text) == address


@pytest.mark.parametrize("text", [":80", "host:", "host:x", "host:65536"])
def test_what_is_no_address_is_wrong_usage(run: Run, text: str) -> None:
    done = run("serve", "--tcp", text)
    assert done.code == 2
    assert f"{text!r} is not of the form [HOST:]PORT" in done.err


#: Modules of the standard library and of others, all of which the command line imports after its start.
SHADOWED = ("argparse", "glob", "json", "multiprocessing", "parsimonious", "pygls", "lsprotocol", "tomllib", "asyncio")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder whose modules leave a mark when they are imported, and two texts with a configuration."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in SHADOWED:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r} + '\\n')\n")
    for name in ("a", "b"):
        (folder / f"{name}.spvasm").write_text("OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpBogus\n")
    (folder / "spvls.toml").write_text('target-env = "vulkan1.3"\n')
    return folder


@pytest.mark.parametrize("arguments", [["lint", "a.spvasm"], ["lint", "--jobs", "2", "."], ["serve"]])
def test_the_working_directory_holds_no_modules(arguments: list[str], hostile: Path) -> None:
    with process(*arguments, cwd=hostile, stdin=subprocess.DEVNULL, stdout=-1, stderr=-1) as running:
        out, errors = running.communicate(timeout=60)
    assert not (hostile.parent / "ran").exists(), (hostile.parent / "ran").read_text()
    assert b"OpBogus" in out + errors or arguments == ["serve"]
    assert running.returncode == 1


def test_processes_that_are_not_forked_import_nothing_from_the_working_directory(hostile: Path) -> None:
    script = hostile.parent / "script.py"
    start = 'if __name__ == "__main__":\n    multiprocessing.set_start_method("spawn")\n    raise SystemExit(main())\n'
    script.write_text(f"import multiprocessing\n\nfrom spvls.cli.main import main\n\n{start}")
    command = [sys.executable, str(script), "lint", "--jobs", "2", "."]
    done = subprocess.run(command, cwd=hostile, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    assert not (hostile.parent / "ran").exists(), (hostile.parent / "ran").read_text()
    assert done.returncode == 1 and done.stdout.count("OpBogus") >= 2
