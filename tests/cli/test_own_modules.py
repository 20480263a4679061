"""Modules of the package are found at once, and are those that Python finds."""

from __future__ import annotations

import ast
import os
import py_compile
import subprocess
import sys
from importlib.machinery import PathFinder, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from pkgutil import walk_packages

import pytest

import spvls
from spvls.cli import own_modules
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
        assert isinstance(ours.loader, SourceFileLoader) and isinstance(theirs.loader, SourceFileLoader)
        assert ours.loader.get_code(name) == theirs.loader.get_code(name)


def test_packages_that_are_not_read_hold_no_code() -> None:
    for file in Path(spvls.__path__[0]).rglob("__init__.py"):
        name = ".".join(("spvls", *file.parent.relative_to(spvls.__path__[0]).parts))
        has_code = len(ast.parse(file.read_text()).body) > 1
        assert has_code is (name in own_modules._WITH_CODE or name == "spvls")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module of the package, in a folder of its own, which was compiled when it said 1."""
    monkeypatch.setattr(own_modules, "_FOLDER", str(tmp_path))
    file = tmp_path / "one.py"
    file.write_text("value = 1")
    py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)
    return file


def value() -> object:
    spec = _OwnModules.find_spec("spvls.one", None)
    assert spec is not None and spec.loader is not None
    made = module_from_spec(spec)
    assert (made.__file__, made.__cached__, made.__spec__, made.__package__) == (spec.origin, spec.cached, spec, "spvls")
    spec.loader.exec_module(made)
    return made.value


def test_what_was_compiled_is_not_compiled_again(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SourceFileLoader, "get_code", None)
    assert value() == 1


@pytest.mark.parametrize("text, later", [("value = 2", 1), ("value = 22", 0)], ids=["date", "size"])
def test_a_source_that_changed_is_compiled_again(module: Path, text: str, later: int) -> None:
    before = module.stat().st_mtime
    module.write_text(text)
    os.utime(module, (before, before + later))
    assert value() == int(text.rpartition(" ")[2])


@pytest.mark.parametrize("compiled", [None, b"", b"other" * 9])
def test_what_holds_no_code_is_compiled_again(module: Path, compiled: bytes | None) -> None:
    (file,) = (module.parent / "__pycache__").iterdir()
    file.unlink() if compiled is None else file.write_bytes(compiled)
    assert value() == 1


def test_code_that_goes_by_a_checksum_is_left_to_python(module: Path) -> None:
    module.write_text("value = 3")
    py_compile.compile(str(module), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    module.write_text("value = 4")
    assert value() == 3


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
    assert len(found) <= 13
