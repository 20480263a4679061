"""Taking away what has no effect: variables that are only stored to, functions that nothing calls, copies of values."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration, StorageClass
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.module.decorations import about, is_grouped
from spvls.module.functions import Function
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.simplification import origin_of, unread
from spvls.validate.engine.finding import Delete, ReplaceAllUses

_OWN = (StorageClass.Function, StorageClass.Private)
"""Storage classes of variables that one invocation alone sees."""


def dead_code_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the variable, the function or the copy at the cursor."""
    record = site.record
    if record is None or record.result is None:
        return
    if record.opcode.value == spv.OpVariable and record.operands[:1] in [(storage,) for storage in _OWN]:
        gone = unread(record, site.module)
        if gone:
            title = f"Remove %{record.result}, which is stored to and never loaded"
            yield Refactoring("remove-stores", title, REWRITE, lambda: _removal(site, gone))
    elif record.opcode.value == spv.OpFunction and site.function is not None and _is_uncalled(site, site.function):
        function = site.function
        title = f"Remove the function %{record.result}, which nothing calls"
        yield Refactoring("remove-uncalled", title, REWRITE, lambda: _without_function(site, function))
    elif record.opcode.value == spv.OpCopyObject:
        origin = origin_of(record, site.module)
        if origin is not None:
            title = f"Use %{origin} in the place of its copy %{record.result}"
            yield Refactoring("forward-copy", title, REWRITE, lambda: _forwarded(site, record, origin))


def _removal(site: Site, gone: list[Instruction]) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    rewrite.do(*[Delete(record) for record in gone])
    return rewrite.edits()


# Functions


def _is_uncalled(site: Site, function: Function) -> bool:
    """Whether only its own instructions, and what names or decorates them, know a function."""
    module = site.module
    inside = {id(record) for record in function.records}
    if module.has_decoration(function.name, Decoration.LinkageAttributes):
        return False
    if not all(record.stands_alone for record in function.records):
        return False
    for name in function.names:
        own = set(map(id, about(name, module)))
        if is_grouped(name, module) or any(id(use) not in inside | own for _, use in module.ids.uses(name)):
            return False
    return any(record.opcode.value == spv.OpEntryPoint for record in module.chunks[0].records)


def _without_function(site: Site, function: Function) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    rewrite.cut(*rewrite.extent(function.records))
    named = [record for name in function.names for record in about(name, site.module)]
    rewrite.do(*[Delete(record) for record in dict.fromkeys(named)])
    return rewrite.edits()


# Copies


def _forwarded(site: Site, copy: Instruction, origin: str) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    rewrite.do(ReplaceAllUses(copy, origin))
    return rewrite.edits()
