"""What the editor tests share: the server under test, and the extension's node modules."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
SERVER = [sys.executable, "-m", "spvls", "serve"]

SHADER = """\
; SPIR-V
; Version: 1.5
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
    %float_1 = OpConstant %float 1
        %ptr = OpTypePointer Function %float
       %main = OpFunction %void None %fn
      %entry = OpLabel
       %kept = OpVariable %ptr Function
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
    """An executable `spvls` that runs the server of this tree, for editors that are given a path."""
    launcher = folder / "spvls"
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m spvls "$@"\n')
    launcher.chmod(0o755)
    return launcher


def require(program: str) -> str:
    """Path of a program; skips the test when it is absent."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def run_npm(*arguments: str) -> str:
    """Output of npm in the extension's folder, its node modules installed first."""
    npm = require("npm")
    if not (EXTENSION / "node_modules").is_dir():
        _run([npm, "ci"])
    return _run([npm, *arguments])


def _run(command: list[str]) -> str:
    done = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, timeout=600)
    output = done.stdout + done.stderr
    assert done.returncode == 0, f"{' '.join(command)} ended with code {done.returncode}\n{output}"
    return output
