"""Moving an instruction whose operands do not change in a loop to the block before the loop."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite, written
from spvls.ide.refactor.select import is_speculatable
from spvls.ide.refactor.site import Site
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import InsertBefore


def loop_invariant_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the instruction at the cursor."""
    record, function, block = site.record, site.function, site.block
    if record is None or function is None or block is None or record.result is None or not site.has_lines_alone([record]):
        return
    before = _before_loop(function, block)
    if before is not None and _is_invariant(record, function, before, site.module):
        title = f"Move %{record.result} out of the loop"
        yield Refactoring("move-out-of-loop", title, REWRITE, lambda: _moved(site, record, before))


def _before_loop(function: Function, block: Block) -> Block | None:
    """The one block that leads to the innermost loop that a block is in."""
    dominators = function.dominators
    if not dominators.reaches(block.name):
        return None
    for name in dominators.chain(block.name):
        header = function.blocks[name]
        if header.merge is None or header.merge.opcode.value != spv.OpLoopMerge:
            continue
        if dominators.dominates(str(header.merge.operands[0]), block.name):
            continue  # the loop is over
        outside = [before for before in function.predecessors[name] if not dominators.dominates(name, before)]
        return function.blocks[outside[0]] if len(outside) == 1 and dominators.reaches(outside[0]) else None
    return None


def _is_invariant(record: Instruction, function: Function, before: Block, module: Module) -> bool:
    """Whether an instruction can be computed in a block before the loop, even if the loop never gets to it."""
    if record.opcode.value == spv.OpLoad or not is_speculatable(record, module):
        return False  # what is loaded may change in the loop
    for name in record.uses():
        home = function.home.get(name)
        if home is not None and not function.dominators.dominates(home, before.name):
            return False
    return True


def _moved(site: Site, record: Instruction, before: Block) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    place = before.merge if before.merge is not None else before.terminator
    assert place is not None
    rewrite.do(InsertBefore(place, written(record, {})))
    rewrite.remove(record)
    return rewrite.edits()
