"""Moving an instruction whose operands do not change in a loop to the block before the loop."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite, written
from spvls.ide.refactor.site import Site
from spvls.module.functions import Block
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.simplification import blocks_before_loops, is_invariant
from spvls.validate.engine.finding import InsertBefore


def loop_invariant_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the instruction at the cursor."""
    record, function, block = site.record, site.function, site.block
    if record is None or function is None or block is None or record.result is None:
        return
    before = blocks_before_loops(function).get(block.name)
    if before is not None and is_invariant(record, function, before, site.module):
        title = f"Move %{record.result} out of the loop"
        yield Refactoring("move-out-of-loop", title, REWRITE, lambda: _moved(site, record, before))


def _moved(site: Site, record: Instruction, before: Block) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    place = before.merge if before.merge is not None else before.terminator
    assert place is not None
    rewrite.do(InsertBefore(place, written(record, {})))
    rewrite.remove(record)
    return rewrite.edits()
