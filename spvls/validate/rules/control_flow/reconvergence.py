"""Maximal reconvergence (SPV_KHR_maximal_reconvergence): control flow that says where invocations meet again."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import ExecutionMode
from spvls.module.constructs import is_loop
from spvls.module.functions import Function
from spvls.syntax.instruction import OPCODE, shown
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule
from spvls.validate.rules.control_flow.branch import instead

_MODE = "MaximallyReconvergesKHR"


@function_rule("control-flow/reconvergence-points-are-declared", section=sections.EXECUTION_MODE)
def reconvergence_points_are_declared(function: Function, context: RuleContext) -> Findings:
    """With MaximallyReconvergesKHR, a block with several predecessors must be a declared meeting point.

    Meeting points are merge blocks, continue targets, loop headers, and the Target and Default blocks of OpSwitch. The execution
    mode (SPV_KHR_maximal_reconvergence) says where invocations that diverged run together again. Where paths meet in another block,
    invocations may stay apart, and group operations after it may involve fewer invocations than their author expects.

    Only functions that an entry point with the mode reaches are checked. Before SPIR-V 1.6, the two labels of an
    OpBranchConditional must also be different; since then `control-flow/branch-labels-differ` says so for all modules.
    """
    module = context.module
    if ExecutionMode.MaximallyReconvergesKHR not in module.declarations.set_modes:
        return
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
            differ = f"with the execution mode {_MODE} they must differ: use {instead(block)}"
            yield Finding(terminator, 2, f"True Label and False Label are both {shown(terminator.operands[1])}; {differ}")
        if block.name not in meeting and not is_loop(block) and len(set(function.predecessors[block.name])) > 1:
            message = (
                f"several blocks branch to %{block.name}; with the execution mode {_MODE}, "
                f"%{block.name} must be a merge block, a continue target, a loop header or a target of an OpSwitch"
            )
            yield Finding(block.label, OPCODE, message)
