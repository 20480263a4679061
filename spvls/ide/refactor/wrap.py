"""Wrapping selected instructions in a selection construct or in a loop, which run them once until their condition is changed."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Capability
from spvls.ide.refactor.blocks import may_be_split, phis_after
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite, leaves
from spvls.ide.refactor.site import Run, Site
from spvls.ide.refactor.values import boolean
from spvls.validate.engine.finding import InsertAfter, InsertBefore

_STAYING = frozenset({spv.OpBeginInvocationInterlockEXT, spv.OpEndInvocationInterlockEXT, spv.OpSetMeshOutputsEXT})
"""What must not stand in a construct."""


def wrap_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the selected instructions."""
    run = site.run
    if run is None or not _can_be_wrapped(site, run):
        return
    yield Refactoring("wrap-in-if", "Wrap the selection in a selection construct", REWRITE, lambda: _in_selection(site, run))
    yield Refactoring("wrap-in-loop", "Wrap the selection in a loop", REWRITE, lambda: _in_loop(site, run))


def _can_be_wrapped(site: Site, run: Run) -> bool:
    """Whether the block can be split around the instructions, and nothing else uses their results."""
    after = run.block.records[run.block.records.index(run.records[-1]) + 1]
    if not all(may_be_split(run.block, record, site.module) for record in (run.records[0], after)):
        return False
    inside = {id(record) for record in run.records}
    made = [record.result for record in run.records if record.result is not None]
    return not any(record.opcode.value in _STAYING for record in run.records) and not any(
        leaves(name, inside, site.module) for name in made
    )


def _in_selection(site: Site, run: Run) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    then, end = rewrite.fresh("then"), rewrite.fresh("end_if")
    condition = boolean(rewrite, spv.OpConstantTrue)
    before = [
        *([f"OpSelectionMerge %{end} None"] if site.module.has_capability(Capability.Shader) else []),
        f"OpBranchConditional %{condition} %{then} %{end}",
        f"%{then} = OpLabel",
    ]
    return _wrapped(rewrite, run, before, [f"OpBranch %{end}", f"%{end} = OpLabel"], end)


def _in_loop(site: Site, run: Run) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    loop, body, again, end = (rewrite.fresh(name) for name in ("loop", "loop_body", "loop_continue", "end_loop"))
    condition = boolean(rewrite, spv.OpConstantFalse)
    before = [
        f"OpBranch %{loop}",
        f"%{loop} = OpLabel",
        f"OpLoopMerge %{end} %{again} None",
        f"OpBranch %{body}",
        f"%{body} = OpLabel",
    ]
    after = [
        f"OpBranch %{again}",
        f"%{again} = OpLabel",
        f"OpBranchConditional %{condition} %{loop} %{end}",
        f"%{end} = OpLabel",
    ]
    return _wrapped(rewrite, run, before, after, end)


def _wrapped(rewrite: Rewrite, run: Run, before: list[str], after: list[str], end: str) -> list[Edit]:
    rewrite.do(InsertBefore(run.records[0], "\n".join(before)), InsertAfter(run.records[-1], "\n".join(after)))
    rewrite.rename(phis_after(run.function, run.block), {run.block.name: end})
    return rewrite.edits()
