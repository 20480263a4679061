"""Merge instructions (SPIR-V 2.16.1, 3.2.22, 3.3.17)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import LoopControl
from spvls.grammar.operand_index import OpLoopMerge_ContinueTarget, OpLoopMerge_LoopControl, OpLoopMerge_MergeBlock
from spvls.grammar.traits import MERGES
from spvls.module.functions import Function
from spvls.syntax.instruction import OPCODE, UNKNOWN, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.wording import listed, operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule

_BRANCHES = {
    spv.OpLoopMerge: (spv.OpBranch, spv.OpBranchConditional),
    spv.OpSelectionMerge: (spv.OpBranchConditional, spv.OpSwitch),
}


@instruction_rule("control-flow/merge-precedes-branch", *_BRANCHES, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def merge_precedes_branch(inst: Instruction, context: RuleContext) -> Findings:
    """A merge instruction must come directly before the branch that ends its block.

    The merge instruction declares where the paths of this branch meet again. Where another instruction or terminator follows, a
    consumer cannot know which construct is declared. OpLoopMerge requires OpBranch or OpBranchConditional after it,
    OpSelectionMerge requires OpBranchConditional or OpSwitch. OpLine and OpNoLine must not come between them either.
    """
    following = context.following if context.is_in_function else None
    wanted = _BRANCHES[inst.opcode.value]
    if following is not None and following.opcode is not UNKNOWN and following.opcode.value not in wanted:
        note = Note(following, OPCODE, f"{following.opcode.name} is here")
        yield Finding(
            inst,
            OPCODE,
            f"{inst.opcode.name} is followed by {following.opcode.name}, expected {listed([*map(tables.opcode_name, wanted)])}",
            (note,),
        )


@instruction_rule("control-flow/loop-merge-blocks-differ", spv.OpLoopMerge, section=sections.STRUCTURED_DECLARATIONS)
def loop_merge_blocks_differ(inst: Instruction, context: RuleContext) -> Findings:
    """The Merge Block of a loop must not be its header or its Continue Target.

    The header is where each iteration begins, the continue target leads back to it, and the merge block is where control continues
    after the loop. If the merge block is one of the other two, a consumer cannot distinguish a break from the next iteration. The
    Continue Target may be the header.
    """
    merge, target = inst.operands[:2]
    block = context.block
    if block is not None and merge == block.name:
        message = f"{operand(inst, OpLoopMerge_MergeBlock)} is the header of this loop, expected a different block"
        yield Finding(inst, OpLoopMerge_MergeBlock, message)
    elif merge == target:
        message = f"{operand(inst, OpLoopMerge_ContinueTarget)} is also the Merge Block, expected a different block"
        yield Finding(inst, OpLoopMerge_ContinueTarget, message)


_UNROLLING = frozenset({LoopControl.Unroll, LoopControl.PeelCount, LoopControl.PartialCount})


@instruction_rule("control-flow/loop-controls-do-not-conflict", spv.OpLoopMerge, section=sections.LOOP_CONTROL)
def loop_controls_do_not_conflict(inst: Instruction, context: RuleContext) -> Findings:
    """A Loop Control must not unroll or peel under DontUnroll, nor have an IterationMultiple of 0.

    DontUnroll excludes Unroll, PeelCount and PartialCount, which ask to unroll or peel the loop. A driver may follow either
    request, or none. The operand of IterationMultiple must be greater than zero: the number of iterations is said to be a multiple
    of it, and only zero is a multiple of zero. Other bits, such as MinIterations and MaxIterations, are not compared, and only
    OpLoopMerge is checked. Of each instruction, only the first fault is reported.
    """
    mask = inst.operands[OpLoopMerge_LoopControl]
    if not isinstance(mask, int):
        return
    chosen = enumerants("LoopControl", mask)
    if mask & LoopControl.DontUnroll:
        for enumerant in chosen:
            if enumerant.value in _UNROLLING:
                message = f"the loop controls DontUnroll and {enumerant.name} conflict; leave one of them out"
                yield Finding(inst, OpLoopMerge_LoopControl, message)
                return
    operand_index = 3
    for enumerant in chosen:
        if enumerant.value == LoopControl.IterationMultiple and inst.operands[operand_index : operand_index + 1] == (0,):
            yield Finding(inst, operand_index, "the operand of IterationMultiple is 0, expected at least 1")
        operand_index += len(enumerant.parameters)


@function_rule("control-flow/merge-block-has-one-header", section=sections.STRUCTURED_DECLARATIONS, of_form=True)
def merge_block_has_one_header(function: Function, context: RuleContext) -> Findings:
    """A block must be the Merge Block of at most one header.

    The merge block is where control continues after one construct. If two headers declare it, a driver that restores the active
    invocations where a construct ends has no place to do so for the inner one. Give the inner construct a merge block of its own
    with an OpBranch to the outer merge block. The rule checks all modules, not only shaders. While two headers share a merge block,
    the rules about back edges and constructs, and those that require an OpSelectionMerge, do not check the function.
    """
    claimed: dict[str, tuple[Instruction, str]] = {}
    for block in function.blocks.values():
        for record in block.records:
            if record.opcode.value not in MERGES or not isinstance(record.operands[0], str):
                continue
            first, header = claimed.setdefault(record.operands[0], (record, block.name))
            if first is not record:
                note = Note(first, 0, f"%{header} declares the merge block here")
                message = f"{operand(record, 0)} is already the merge block of header %{header}, expected a different block"
                yield Finding(record, 0, message, (note,))
