"""The files under `share/` are those that the code makes, and their readers take them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from spvls.cli.main import COMMANDS
from spvls.cli.outcome import FORMATS
from tests.corpus import ROOT
from tests.shipped.files import SCRIPTS, SHARE, made

MADE = made()


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_a_file_is_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == MADE[path], f"{path.relative_to(ROOT)}: run python -m tests.shipped"


def test_no_other_files_are_there() -> None:
    assert {path for path in SHARE.rglob("*") if path.is_file()} == {path for path in MADE if SHARE in path.parents}


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"there is no {program} here")


def output(*command: str | Path) -> str:
    places = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # where spvls is
    done = subprocess.run(command, env={**os.environ, "PATH": places}, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


COMPLETE = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_spvls; printf "%s\\n" "${COMPREPLY[@]}"'


@needs("bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["l"], ["lint"]),
        (["lint", "--format", ""], list(FORMATS)),
        (["lint", "--unsafe"], ["--unsafe-fixes"]),
        (["lint", "--target-env", "vulkan1.4"], ["vulkan1.4"]),
        (["lint", "--select", "image/*"], ["image/*"]),
        (["explain", "syntax/unknown-opc"], ["syntax/unknown-opcode"]),
        (["reflect", "--format", "t"], ["text"]),
    ],
)
def test_bash_completes(words: list[str], expected: list[str]) -> None:
    assert output("bash", "-c", COMPLETE, "bash", SHARE / SCRIPTS["bash"], "spvls", *words).split() == expected


@needs("fish")
def test_fish_completes() -> None:
    script = SHARE / SCRIPTS["fish"]
    shown = output("fish", "--no-config", "-c", f"source {script}; complete -C 'spvls lint --format '")
    assert set(FORMATS) <= {line.split("\t")[0] for line in shown.splitlines()}
    shown = output("fish", "--no-config", "-c", f"source {script}; complete -C 'spvls '")
    assert set(COMMANDS) <= {line.split("\t")[0] for line in shown.splitlines()}


@needs("zsh")
def test_zsh_loads_its_completions() -> None:
    folder = (SHARE / SCRIPTS["zsh"]).parent
    program = f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -D -u; echo $_comps[spvls]; autoload +X _spvls; whence -w _spvls"
    assert output("zsh", "-f", "-c", program).split("\n")[:2] == ["_spvls", "_spvls: function"]


@needs("groff")
def test_the_manual_page_is_well_formed() -> None:
    page = output("groff", "-man", "-Tutf8", "-ww", "-P-cbou", SHARE / "man/man1/spvls.1")
    assert all(f"\n   {name}" in page for name in COMMANDS)
    assert "--unsafe-fixes" in page.replace("‐", "-").replace("−", "-")
