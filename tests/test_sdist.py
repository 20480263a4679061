"""A source distribution is the whole repository: a wheel is built from it, and its tests run, without the tree."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import spvls
from tests.corpus import ROOT
from tests.tree import files_of_the_tree

TESTS = ("tests/test_guide.py", "tests/test_layers.py", "tests/text", "tests/syntax/test_scanner.py")
"""Tests that read the documents, the sources and the data, and take seconds."""


def build(kind: str, source: Path, folder: Path) -> Path:
    """What a build frontend makes of a folder."""
    command = [sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [built] = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a source distribution of the tree unpacks to."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build("sdist", ROOT, folder / "built")) as archive:
        archive.extractall(folder, filter="data")
    return folder / f"spvls-{spvls.__version__}"


def test_the_source_distribution_is_the_repository(unpacked: Path) -> None:
    held = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert held - {"PKG-INFO"} == set(files_of_the_tree()) - {"PKG-INFO"}


def test_wheels_of_the_source_distribution_and_of_the_tree_are_the_same(unpacked: Path, tmp_path: Path) -> None:
    mine, theirs = (zipfile.ZipFile(build("wheel", source, tmp_path / name)) for name, source in (("mine", ROOT), ("theirs", unpacked)))
    assert {entry.filename: entry.CRC for entry in theirs.infolist()} == {entry.filename: entry.CRC for entry in mine.infolist()}


def test_its_tests_run_alone(unpacked: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
    done = subprocess.run(command, cwd=unpacked, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
