"""A folder of many small shaders: all of them linted by one command, beside the reference tools called for one after the other."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter

from tests.bench.modules import module_text
from tests.bench.reference_tools import missing_tools, tool
from tests.corpus import ROOT

FILES = 600
TARGET = "spv1.3"

Say = Callable[[str, str], None]


def shaders() -> list[str]:
    """Texts of some 85,000 lines together: most are short, and one in ten is long."""
    chance = Random(1)
    sizes = [chance.choice((1, 1, 1, 1, 2, 2, 2, 2, 3, 8)) for _ in range(FILES)]
    return [f"; shader {number}\n{module_text(functions=size)}" for number, size in enumerate(sizes)]


def _seconds(command: list[str], folder: str, environment: dict[str, str]) -> float:
    start = perf_counter()
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    return perf_counter() - start


def trees(say: Say, environment: dict[str, str]) -> None:
    """Tell how long the folder takes: without what was found before, with it, and with the reference tools."""
    texts = shaders()
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"{number:03}.spvasm").write_text(text)
        lines = sum(text.count("\n") for text in texts)
        what = f"a folder of {len(texts)} shaders, {lines} lines"
        reference = None
        if not missing_tools("spirv-as", "spirv-val"):
            one, other = (f'"{tool(name)}" --target-env {TARGET}' for name in ("spirv-as", "spirv-val"))
            loop = f'for f in *.spvasm; do {one} "$f" -o out.spv && {other} out.spv || exit 1; done'
            reference = _seconds(["sh", "-c", loop], folder, environment)
            say(f"{what}: spirv-as and spirv-val in a loop of the shell", f"{reference:.2f} s")
        lint = [sys.executable, "-m", "spvls", "lint", ".", "--no-ignore", "--jobs", "2", "--target-env", TARGET]
        environment = {**environment, "PYTHONPATH": str(ROOT)}
        for name, options in (
            ("spvls lint --jobs 2 --no-cache", ["--no-cache"]),
            ("with an empty cache", ["--cache-dir", f"{folder}/.cache"]),
            ("again", ["--cache-dir", f"{folder}/.cache"]),
        ):
            seconds = _seconds([*lint, *options], folder, environment)
            ratio = "" if reference is None else f" {seconds / reference:.2f} ×"
            say(f"{what}: {name}", f"{seconds:.2f} s{ratio}")
