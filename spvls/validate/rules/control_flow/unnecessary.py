"""What a function could do without."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.module.functions import Function, declared_targets
from spvls.module.purity import is_pure
from spvls.syntax.instruction import RESULT
from spvls.validate.finding import Finding
from spvls.validate.rule import Findings, Scene, function_rule


@function_rule("unnecessary/result", section="2.2.1", severity=Severity.HINT, tags="unnecessary")
def result(function: Function, scene: Scene) -> Findings:
    """What a function computes, it uses.

    A value that nothing uses is left over, or a sign that another one was used by mistake. Only instructions that do nothing
    else are looked at; names and decorations are no uses.

    Bad:  `%sum = OpFAdd %float %a %b` where `%sum` stands nowhere else.
    Good: `OpStore %out %sum` behind it, or neither.
    """
    if not scene.options.advice or not function.whole:
        return
    used = {name for record in function.records for name in record.uses()}
    for record in function.records:
        name = record.result
        if name is not None and name not in used and is_pure(record):
            yield Finding(record, RESULT, f"nothing uses %{name}")


@function_rule("unnecessary/block", section="2.2.5", severity=Severity.HINT, tags="unnecessary")
def block(function: Function, scene: Scene) -> Findings:
    """Each block can be reached from the entry of its function, or is there because a merge instruction names it.

    Bad:  a block behind an OpReturn that no branch leads to.
    Good: a branch to it, or no such block.
    """
    if not scene.options.advice or not function.whole or function.entry is None:
        return
    declared = {name for block in function.blocks.values() for name in declared_targets(block)}
    for found in function.blocks.values():
        if found.name not in declared and not function.dominators.reaches(found.name):
            yield Finding(found.label, RESULT, f"nothing leads to the block %{found.name}")
