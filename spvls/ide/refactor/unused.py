"""Removing an instruction whose result nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.ide.refactor.refactoring import REWRITE, Refactoring, removal
from spvls.ide.refactor.site import Site
from spvls.module.decorations import ANNOTATIONS
from spvls.module.purity import is_pure

_ABOUT = ANNOTATIONS - {spv.OpGroupDecorate, spv.OpGroupMemberDecorate} | {spv.OpName, spv.OpMemberName}


def unused_refactorings(site: Site) -> Iterator[Refactoring]:
    """Removing the instruction at the cursor, with what names and decorates its result."""
    record = site.record
    if record is None or record.result is None or not is_pure(record, site.module):
        return
    uses = dict.fromkeys(use for _, use in site.module.ids.uses(record.result))
    if any(use.opcode.value not in _ABOUT for use in uses):
        return
    title = f"Remove %{record.result}, which nothing uses"
    yield Refactoring("remove-unused", title, REWRITE, lambda: removal(site.source, [*uses, record]))
