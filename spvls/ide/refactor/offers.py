"""All refactorings: edits that a user may want, and that leave a valid module valid."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from spvls.diagnostic import Edit, Position
from spvls.ide.refactor.blocks import block_refactorings
from spvls.ide.refactor.constants import constant_refactorings
from spvls.ide.refactor.dead_code import dead_code_refactorings
from spvls.ide.refactor.declarations import declaration_refactorings
from spvls.ide.refactor.extract_function import extract_function
from spvls.ide.refactor.inline_call import inline_call
from spvls.ide.refactor.literals import literal_refactorings
from spvls.ide.refactor.loop_invariant import loop_invariant_refactorings
from spvls.ide.refactor.naming import naming_refactorings, whole_naming
from spvls.ide.refactor.promote import promote_refactorings
from spvls.ide.refactor.refactoring import Refactoring
from spvls.ide.refactor.retype import retype_refactorings
from spvls.ide.refactor.retype_uses import retype_uses_refactorings
from spvls.ide.refactor.select import select_refactorings
from spvls.ide.refactor.site import Site
from spvls.ide.refactor.sorting import sorting_refactorings
from spvls.ide.refactor.unused import unused_refactorings
from spvls.ide.refactor.variables import variable_refactorings
from spvls.ide.refactor.wrap import wrap_refactorings
from spvls.ide.source.source_module import SourceModule
from spvls.ide.transform.actions import transformations

_OFFERS: tuple[Callable[[Site], Iterator[Refactoring]], ...] = (
    naming_refactorings,
    unused_refactorings,
    constant_refactorings,
    variable_refactorings,
    extract_function,
    inline_call,
    block_refactorings,
    retype_refactorings,
    retype_uses_refactorings,
    select_refactorings,
    promote_refactorings,
    dead_code_refactorings,
    loop_invariant_refactorings,
    wrap_refactorings,
    literal_refactorings,
    declaration_refactorings,
    sorting_refactorings,
    whole_naming,
)


def refactorings(source: SourceModule, start: Position, end: Position | None = None) -> Iterator[Refactoring]:
    """What can be done at a position, or with what is selected from there to `end`, and what is refused there."""
    site = Site(source, start, end)
    for offer in _OFFERS:
        yield from offer(site)
    yield from transformations(source)


def edits_of(source: SourceModule, start: Position, key: str, end: Position | None = None) -> list[Edit] | None:
    """The edits of the refactoring of that name; None where it is not offered any more."""
    return next((found.edits() for found in refactorings(source, start, end) if found.key == key and not found.refused), None)
