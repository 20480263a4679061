"""The modules of this package are where their names say.

Python asks four finders for a module, and the last one lists folders and asks for the date of each. A command imports some 250
modules, and to find them takes a tenth of a short run; here each is found at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from os.path import dirname, isfile, join, sep

import spvls
from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

_PREFIX = f"{spvls.__name__}."
_FOLDER = dirname(spvls.__file__)


class _OwnModules:
    """Finds the modules of this package, as `importlib.abc.MetaPathFinder` has it."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Where a module is; None for those of others, and for what is not there, which Python then looks for."""
        if not name.startswith(_PREFIX):
            return None
        place = join(_FOLDER, name[len(_PREFIX) :].replace(".", sep))
        file = f"{place}.py"
        is_package = not isfile(file)
        if is_package and not isfile(file := join(place, "__init__.py")):
            return None
        spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file, is_package=is_package)
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(place)
        return spec


def find_own_modules() -> None:
    """From now on, find the modules of this package at once, if they are files in folders."""
    loader = spvls.__spec__.loader if spvls.__spec__ is not None else None
    if type(loader) is SourceFileLoader:
        sys.meta_path.insert(0, _OwnModules)
