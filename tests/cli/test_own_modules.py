"""Modules of the package are found at once, and are those that Python finds."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import PathFinder
from pkgutil import walk_packages

import pytest

import spvls
from spvls.cli.own_modules import _OwnModules
from tests.corpus import FIXTURES
from tests.test_layers import SHADER, environment

PARTS = ("cli", "grammar", "module", "validate.engine", "validate.rules.id")


@pytest.mark.parametrize("part", PARTS)
def test_a_module_is_found_as_python_finds_it(part: str) -> None:
    package = f"spvls.{part}"
    path = [f"{spvls.__path__[0]}/{part.replace('.', '/')}"]
    names = [package, *(found.name for found in walk_packages(path, f"{package}."))]
    assert len(names) > 5
    for name in names:
        inside = name.rpartition(".")[0].removeprefix("spvls").replace(".", "/")
        theirs = PathFinder.find_spec(name, [f"{spvls.__path__[0]}{inside}"])
        ours = _OwnModules.find_spec(name, None)
        assert theirs is not None and ours is not None
        assert (ours.origin, ours.cached, ours.submodule_search_locations, ours.has_location, ours.parent) == (
            theirs.origin, theirs.cached, theirs.submodule_search_locations, theirs.has_location, theirs.parent,
        )  # fmt: skip
        assert type(ours.loader) is type(theirs.loader)


@pytest.mark.parametrize("name", ["json", "spvls.no_such_module", "spvls.cli.no_such_module", "spvlsx.cli", "spvls"])
def test_what_is_not_in_the_package_is_left_to_others(name: str) -> None:
    assert _OwnModules.find_spec(name, None) is None


LOOKED_FOR = """
import sys
from importlib.machinery import FileFinder
found, find = [], FileFinder.find_spec
def noting(self, name, target=None):
    found.append(name)
    return find(self, name, target)
FileFinder.find_spec = noting
import os
leave = os._exit
def report(code):
    print(*[name for name in found if name.startswith("spvls")], file=sys.stderr, flush=True)
    leave(code)
os._exit = report
from spvls.cli.main import main
main()
"""


def test_folders_are_not_searched_for_modules_of_the_package() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOKED_FOR, "lint", SHADER], cwd=FIXTURES, env=environment(), capture_output=True, check=True
    )
    found = done.stderr.decode().split()
    assert "spvls.cli.main" in found
    assert len(found) <= 12
