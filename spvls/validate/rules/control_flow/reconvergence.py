"""Maximal reconvergence (SPV_KHR_maximal_reconvergence): control flow that says where invocations meet again."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import ExecutionMode
from spvls.module.constructs import is_loop
from spvls.module.functions import Function
from spvls.syntax.instruction import OPCODE
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule


@function_rule("control-flow/reconvergence-points-are-declared", section=sections.EXECUTION_MODE)
def reconvergence_points_are_declared(function: Function, context: RuleContext) -> Findings:
    """Under MaximallyReconvergesKHR, blocks that several others lead to are merge blocks, loop headers or cases.

    Then it can be told from the module where invocations that went apart meet again.
    """
    module = context.module
    reached = module.kinds_reached_from(function.name)
    if not any(
        m.value == ExecutionMode.MaximallyReconvergesKHR for entry in reached for m in module.execution_modes(entry.function)
    ):
        return
    meeting: set[object] = set()
    for block in function.blocks.values():
        if block.merge is not None:
            meeting.update(block.merge.operands[:2])
        if block.terminator is not None and block.terminator.opcode.value == spv.OpSwitch:
            meeting.update(block.successors)
    for block in function.blocks.values():
        terminator = block.terminator
        branches = terminator is not None and terminator.opcode.value == spv.OpBranchConditional and module.version < (1, 6)
        if terminator is not None and branches and terminator.operands[1] == terminator.operands[2]:
            yield Finding(terminator, 2, "under maximal reconvergence the two labels differ: use OpBranch instead")
        if block.name not in meeting and not is_loop(block) and len(set(function.predecessors[block.name])) > 1:
            message = f"several blocks lead to %{block.name}: under maximal reconvergence it has to be a merge block or a case"
            yield Finding(block.label, OPCODE, message)
