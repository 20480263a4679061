"""Merge instructions (SPIR-V 2.16.1, 3.2.22, 3.3.17)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import LoopControl
from spvls.grammar.operand_index import OpLoopMerge_ContinueTarget, OpLoopMerge_LoopControl, OpLoopMerge_MergeBlock
from spvls.grammar.traits import MERGES
from spvls.module.functions import Function
from spvls.syntax.instruction import OPCODE, UNKNOWN, Instruction, shown
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule

_BRANCHES = {
    spv.OpLoopMerge: (spv.OpBranch, spv.OpBranchConditional),
    spv.OpSelectionMerge: (spv.OpBranchConditional, spv.OpSwitch),
}


@instruction_rule("control-flow/merge-precedes-branch", *_BRANCHES, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def merge_precedes_branch(inst: Instruction, context: RuleContext) -> Findings:
    """A merge instruction is directly followed by the branch that it is about, which ends the block.

    OpLoopMerge goes with OpBranch and OpBranchConditional, OpSelectionMerge with OpBranchConditional and OpSwitch.
    """
    function, record = context.function, context.record
    at = function.order.get(id(record), -1) if function is not None else -1
    if function is None or at < 0 or at + 1 >= len(function.records):
        return
    behind = function.records[at + 1]
    wanted = _BRANCHES[inst.opcode.value]
    if behind.opcode is not UNKNOWN and behind.opcode.value not in wanted:
        note = Note(behind, OPCODE, f"this is {behind.opcode.name}")
        yield Finding(
            inst,
            OPCODE,
            f"{inst.opcode.name} stands directly before {listed([*map(tables.opcode_name, wanted)])}, the last of its block",
            (note,),
        )


@instruction_rule("control-flow/loop-merge-blocks-differ", spv.OpLoopMerge, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def loop_merge_blocks_differ(inst: Instruction, context: RuleContext) -> Findings:
    """A loop's merge block is another block than its header and than its continue target."""
    merge, target = inst.operands[:2]
    block = context.function.block_of.get(id(context.record)) if context.function is not None else None
    if block is not None and merge == block.name:
        yield Finding(inst, OpLoopMerge_MergeBlock, f"{shown(merge)} is the header of this loop, and cannot be its merge block")
    elif merge == target:
        yield Finding(
            inst, OpLoopMerge_ContinueTarget, f"{shown(target)} is the merge block of this loop, and cannot be its continue target"
        )


_UNROLLING = frozenset({LoopControl.Unroll, LoopControl.PeelCount, LoopControl.PartialCount})


@instruction_rule("control-flow/loop-controls-do-not-conflict", spv.OpLoopMerge, section=sections.LOOP_CONTROL)
def loop_controls_do_not_conflict(inst: Instruction, context: RuleContext) -> Findings:
    """Hints about a loop do not contradict each other.

    DontUnroll excludes Unroll, PeelCount and PartialCount; a loop cannot be unrolled by a multiple of zero iterations.
    """
    mask = inst.operands[OpLoopMerge_LoopControl]
    if not isinstance(mask, int):
        return
    chosen = enumerants("LoopControl", mask)
    if mask & LoopControl.DontUnroll:
        for enumerant in chosen:
            if enumerant.value in _UNROLLING:
                message = f"DontUnroll and {enumerant.name} contradict each other; leave one of them out"
                yield Finding(inst, OpLoopMerge_LoopControl, message)
                return
    operand_index = 3
    for enumerant in chosen:
        if enumerant.value == LoopControl.IterationMultiple and inst.operands[operand_index : operand_index + 1] == (0,):
            yield Finding(inst, operand_index, "the multiple of iterations is greater than zero")
        operand_index += len(enumerant.parameters)


@function_rule("control-flow/merge-block-has-one-header", section=sections.STRUCTURED_DECLARATIONS)
def merge_block_has_one_header(function: Function, context: RuleContext) -> Findings:
    """A block is the merge block of one header only."""
    claimed: dict[str, Instruction] = {}
    for block in function.blocks.values():
        for record in block.records:
            if record.opcode.value not in MERGES or not isinstance(record.operands[0], str):
                continue
            first = claimed.setdefault(record.operands[0], record)
            if first is not record:
                note = Note(first, 0, "this header claims it")
                yield Finding(record, 0, f"{shown(record.operands[0])} is the merge block of another header already", (note,))
