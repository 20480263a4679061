"""Which reference tools are measured beside spvls: those of a folder, or those that the shell finds."""

from __future__ import annotations

import os
import shutil
import subprocess

VARIABLE = "SPVLS_REFERENCE_TOOLS"
"""Names the folder with `spirv-as`, `spirv-dis` and `spirv-val`; `--tools` sets it."""


def tool(name: str) -> str:
    """The program of that name."""
    folder = os.environ.get(VARIABLE)
    return os.path.join(folder, name) if folder else name


def missing_tools(*names: str) -> list[str]:
    return [name for name in names if shutil.which(tool(name)) is None]


def version() -> str:
    """What the tools say of themselves, on a line."""
    missing = missing_tools("spirv-as", "spirv-dis", "spirv-val")
    if missing:
        return f"(no {', '.join(missing)})"
    done = subprocess.run([tool("spirv-val"), "--version"], capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[0]
