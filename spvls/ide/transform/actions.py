"""Transformations of whole modules as actions of editors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from spvls.ide.refactor.refactoring import SPECIALIZE, STRIP, Refactoring
from spvls.ide.source.global_part import of_globals
from spvls.ide.source.source_module import SourceModule
from spvls.ide.transform.specialize import specialize
from spvls.ide.transform.strip import ALL, Part, parts_in, strip
from spvls.module.module import Module
from spvls.module.specialization import spec_constants

_TITLES = {
    Part.DEBUG: "Remove debug information",
    Part.NON_SEMANTIC: "Remove non-semantic instructions",
    Part.REFLECTION: "Remove what only reflection uses",
}
_ALL_TITLE = "Remove debug information, non-semantic instructions and reflection"


def is_specializable(module: Module) -> bool:
    """Whether an application may give some constant a value."""
    return of_globals(module, "has specialization constants", lambda _: any(True for _ in spec_constants(module)))


def transformations(source: SourceModule) -> Iterator[Refactoring]:
    """What can be done with a module as a whole."""
    found = parts_in(source.module)
    for part in Part:
        if part in found:
            edits = partial(strip, source, {part})
            yield Refactoring(f"strip-{part.value}", _TITLES[part], f"{STRIP}.{part.value}", edits, True)
    if len(found) > 1:
        yield Refactoring("strip", _ALL_TITLE, f"{STRIP}.all", partial(strip, source, ALL), True)
    if is_specializable(source.module):
        title = "Give specialization constants their default values"
        yield Refactoring("specialize", title, SPECIALIZE, lambda: specialize(source, {}, full=True).edits, True)
