"""The modules of this package are where their names say.

Python asks four finders for a module, and the last one lists folders; what it then reads it compares with all that it may be. A
command imports some 250 modules: to find and read each at once saves a tenth of a short run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib._bootstrap_external import MAGIC_NUMBER
from importlib.machinery import ModuleSpec, SourceFileLoader
from marshal import loads
from os.path import dirname, sep

import spvls
from spvls.typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType, ModuleType

_PREFIX = f"{spvls.__name__}."
_FOLDER = dirname(spvls.__file__)
_COMPILED = f"{sep}__pycache__{sep}"
_, _, _ENDING = (spvls.__cached__ or "").rpartition("__init__")
_WITH_CODE = frozenset({"spvls.server", "spvls.validate"})
"""The packages that hold code of their own."""
_LONGEST = 100_000
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_DATED = MAGIC_NUMBER + bytes(4)


class OwnLoader(SourceFileLoader):
    """Loads a module that may have been compiled from its source."""

    def __init__(self, name: str, path: str, compiled: str, source: os.stat_result) -> None:
        self.name = name
        self.path = path
        self.compiled = compiled
        self.source = source

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module that knows where it is: of what one does not know, Python makes errors."""
        module = type(sys)(self.name)
        module.__dict__.update(__file__=self.path, __cached__=self.compiled, __loader__=self, __package__=spec.parent)
        return module

    def exec_module(self, module: ModuleType) -> None:
        exec(self.get_code(self.name), module.__dict__)

    def get_code(self, fullname: str) -> Any:
        code = self._compiled()
        return super().get_code(fullname) if code is None else code

    def _compiled(self) -> CodeType | None:
        state = (int(self.source.st_mtime) & 0xFFFFFFFF) | (self.source.st_size & 0xFFFFFFFF) << 32
        try:
            file = os.open(self.compiled, _READ)
            try:
                found = os.read(file, _LONGEST)
            finally:
                os.close(file)
        except OSError:
            return None
        known = len(found) < _LONGEST and found.startswith(_DATED + state.to_bytes(8, "little"))
        return loads(memoryview(found)[16:]) if known else None


class _Folder(OwnLoader):
    """Loads a package that holds other modules and nothing but a sentence itself, which few ask for: it is not read."""

    def exec_module(self, module: ModuleType) -> None:
        pass


class _OwnModules:
    """Finds the modules of this package, as `importlib.abc.MetaPathFinder` has it."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Where a module is; None for those of others, and for what is not there, which Python then looks for."""
        if not name.startswith(_PREFIX):
            return None
        inside, _, last = name[len(_PREFIX) - 1 :].rpartition(".")
        folder = f"{_FOLDER}{inside.replace('.', sep)}"
        file = f"{folder}{sep}{last}.py"
        source = _state(file)
        is_package = source is None
        if is_package:
            folder, last = f"{folder}{sep}{last}", "__init__"
            file = f"{folder}{sep}{last}.py"
            source = _state(file)
        if source is None:
            return None
        compiled = f"{folder}{_COMPILED}{last}{_ENDING}"
        loader = _Folder if is_package and name not in _WITH_CODE else OwnLoader
        spec = ModuleSpec(name, loader(name, file, compiled, source), origin=file, is_package=is_package)
        spec.has_location = True
        spec.cached = compiled
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(folder)
        return spec


def _state(file: str) -> os.stat_result | None:
    try:
        return os.stat(file)
    except OSError:
        return None


def find_own_modules() -> None:
    """From now on, find the modules of this package at once, if they are files in folders, and what is compiled is below."""
    loader = spvls.__spec__.loader if spvls.__spec__ is not None else None
    if type(loader) is SourceFileLoader and spvls.__cached__ == f"{_FOLDER}{_COMPILED}__init__{_ENDING}":
        sys.meta_path[:] = [_OwnModules, *(finder for finder in sys.meta_path if finder is not _OwnModules)]
