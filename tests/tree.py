"""The files of the repository that the tests run in."""

from __future__ import annotations

import subprocess
from functools import cache

import pytest

from tests.corpus import ROOT


@cache
def _listed() -> tuple[str, ...] | None:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return tuple(name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()) if done.returncode == 0 else None


def files_of_the_tree() -> tuple[str, ...]:
    """Paths of all files that git has or would take, from the top; skips the test where there is no clone."""
    if not (names := _listed()):
        pytest.skip("this is no clone of the repository, or there is no git")
    return names
