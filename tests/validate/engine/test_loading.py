"""Findings do not depend on which rules are loaded already. One in ten of the fixtures is tried."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.corpus import ROOT

_PROGRAM = """
import os, sys
from pathlib import Path
from spvls.validate.engine.rule import registered, rules
from spvls.validate.validator import validate

if sys.argv[1] == "all":
    rules()
for path in sorted(Path("fixtures").rglob("*.spvasm"))[::10]:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        found = [str((f.rule, f.message, f.range, f.vuid)) for f in validate(text)]
        os.write(writing, f"{path} {hash(tuple(found)) if len(str(found)) > 3000 else found} {len(registered())}".encode("utf-8", "replace"))
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        print(file.read())
    os.waitpid(child, 0)
"""


def _said(how: str) -> list[tuple[str, int]]:
    """For each module of the fixtures, checked in a process of its own, what was found, and how many rules were loaded."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, how], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return [(found, int(count.rstrip("'\""))) for found, _, count in (line.rpartition(" ") for line in done.stdout.splitlines())]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_findings_do_not_depend_on_what_is_loaded() -> None:
    few, every = _said("few"), _said("all")
    assert [found for found, _ in few] == [found for found, _ in every]
    assert len(few) > 50
    assert len({count for _, count in every}) == 1
    assert max(count for _, count in few) < every[0][1]
