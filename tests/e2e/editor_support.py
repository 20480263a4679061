"""What the editor tests share: the server under test, and the extension's node modules."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import uuid
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
PLAYGROUND = ROOT / "editors" / "web"
BUNDLE = ROOT / "editors" / "bundle"
SERVER = [sys.executable, "-m", "spvls", "serve"]

SHADER = """\
; SPIR-V
; Version: 1.5
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %kept
               OpExecutionMode %main LocalSize 1 1 1
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
    %float_1 = OpConstant %float 1
        %ptr = OpTypePointer Private %float
       %kept = OpVariable %ptr Private
       %main = OpFunction %void None %fn
      %entry = OpLabel
        %sum = OpFAdd %float %float_1 %float_1
               OpStore %kept %sum
               OpReturn
               OpFunctionEnd
"""


def server_environment() -> dict[str, str]:
    """The environment in which the server of this tree is found from any folder."""
    path = [os.environ.get("PYTHONPATH"), str(ROOT)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}


def write_launcher(folder: Path) -> Path:
    """An executable `spvls` that runs the server of this tree, like the script that pip installs."""
    launcher = folder / "spvls"
    start = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom spvls.cli.main import main\nraise SystemExit(main())\n"
    launcher.write_text(f"#!{sys.executable}\n{start}")
    launcher.chmod(0o755)
    return launcher


class HostileFolder:
    """A folder with files that a careless start of the server runs, and the record of those that did run."""

    MODULES = ("spvls", "pygls", "lsprotocol", "parsimonious", "attrs", "tomllib", "asyncio", "sitecustomize", "usercustomize")
    PROGRAMS = ("spvls", "python", "python3", "py", "pip", "env")

    def __init__(self, folder: Path, record: Path) -> None:
        self.folder = folder
        self._record = record
        for path in [*(Path(f"{module}.py") for module in self.MODULES), Path("spvls/__init__.py"), Path("spvls/__main__.py")]:
            self._write(path, f"open({str(record)!r}, 'a').write(__file__ + '\\n')\n")
        programs = {Path(place, program) for place in (".", "bin", ".venv/bin") for program in self.PROGRAMS}
        for path in programs - {Path("spvls")}:  # which is the package
            self._write(path, f'#!/bin/sh\necho "$0" >> "{record}"\nexit 1\n').chmod(0o755)
        self._write(Path(".venv/pyvenv.cfg"), "home = .venv/bin\n")
        for name in (".nvim.lua", "spvls/init.lua"):
            self._write(Path(name), f"io.open({json.dumps(str(record))}, 'a'):write('{name}\\n')\n")
        for name in (".nvimrc", ".exrc"):
            self._write(Path(name), f"call writefile(['{name}'], '{record}', 'a')\n")
        own = str(folder / "bin" / "spvls")
        spoil = f'(write-region ".dir-locals.el" nil "{record}" t)'
        self._write(Path(".dir-locals.el"), f'((nil . ((spirv-server-command . ("{own}")) (eval . {spoil}))))\n')

    def _write(self, path: Path, content: str) -> Path:
        whole = self.folder / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(content)
        return whole

    def environment(self, programs: Path, *absolute: Path) -> dict[str, str]:
        """An environment that leads to the folder by relative and empty entries, and by those of `absolute`, before `programs`
        and the programs of the system."""
        path = [*map(str, absolute), ".", "", "bin", str(programs), os.defpath]
        modules = ["", ".", *map(str, absolute)]
        return {**os.environ, "PATH": os.pathsep.join(path), "PYTHONPATH": os.pathsep.join(modules)}

    def what_ran(self) -> list[str]:
        return self._record.read_text().splitlines() if self._record.exists() else []


def require(program: str) -> str:
    """Path of a program; skips the test when it is absent."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def run_npm(*arguments: str, folder: Path = EXTENSION) -> str:
    """Output of npm in a folder, its node modules installed first."""
    npm = require("npm")
    if not (folder / "node_modules").is_dir():
        _run([npm, "ci"], folder)
    return _run([npm, *arguments], folder)


@cache
def package_extension() -> Path:
    """The extension's package, made once."""
    run_npm("run", "package")
    return EXTENSION / "spvls.vsix"


def _run(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "PYTHON": sys.executable}  # which has what makes the server's package
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900)
    output = done.stdout + done.stderr
    assert done.returncode == 0, f"{' '.join(command)} ended with code {done.returncode}\n{output}"
    return output


class Terminal:
    """A program in a terminal of 120 columns, and what its screen shows."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.tmux = [require("tmux"), "-L", f"spvls-{uuid.uuid4().hex}"]
        start = ["-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", *command]
        subprocess.run([*self.tmux, *start], cwd=folder, env={**environment, "TERM": "xterm-256color"}, check=True)

    def type(self, *keys: str) -> None:
        subprocess.run([*self.tmux, "send-keys", *keys], check=True, timeout=30)

    def wait_for(self, pattern: str, absent: bool = False) -> None:
        screen = ""
        for _ in range(200):
            shot = [*self.tmux, "capture-pane", "-p"]
            screen = subprocess.run(shot, check=True, capture_output=True, text=True, timeout=30).stdout
            if bool(re.search(pattern, screen)) != absent:
                return
            time.sleep(0.1)
        pytest.fail(f"the screen should {'not ' * absent}show {pattern}:\n{screen}")

    def colored_screen(self) -> str:
        """What the screen shows, with the codes of its colors."""
        shot = [*self.tmux, "capture-pane", "-e", "-p"]
        return subprocess.run(shot, check=True, capture_output=True, text=True, timeout=30).stdout

    def close(self) -> None:
        subprocess.run([*self.tmux, "kill-server"], check=True, timeout=30)
