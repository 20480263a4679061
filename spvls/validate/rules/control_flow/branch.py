"""Branches (SPIR-V 2.16.1, 3.3.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.operand_index import (
    OpBranchConditional_BranchWeights,
    OpBranchConditional_Condition,
    OpBranchConditional_FalseLabel,
    OpBranchConditional_TrueLabel,
)
from spvls.grammar.tables import NO_OPCODE
from spvls.module.functions import Block, Function
from spvls.module.operand_at import id_at
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, Instruction, shown
from spvls.validate.checks.kinds import BOOL, Kind
from spvls.validate.checks.wording import counted, made_by, operand
from spvls.validate.engine.finding import PAUSE, Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule
from spvls.validate.rules.id.operand import operand_is_value

#: The operands of each opcode that are labels: from the first on, in this step, up to the end (None) or that place.
_LABELS = {
    spv.OpBranch: (0, 1, 1),
    spv.OpBranchConditional: (1, 1, 3),
    spv.OpSelectionMerge: (0, 1, 1),
    spv.OpLoopMerge: (0, 1, 2),
}
_MOST = 0xFFFFFFFF


def _labels(inst: Instruction) -> list[int]:
    """The places of an instruction's labels."""
    if inst.opcode.value == spv.OpSwitch:
        return [1, *range(3, len(inst.operands), 2)]
    first, step, end = _LABELS[inst.opcode.value]
    return list(range(first, min(end, len(inst.operands)), step))


@instruction_rule(
    "control-flow/branch-targets-label", *_LABELS, spv.OpSwitch, section=sections.CONTROL_FLOW_INSTRUCTIONS,
    after=(operand_is_value,),
)  # fmt: skip
def branch_targets_label(inst: Instruction, context: RuleContext) -> Findings:
    """Branch targets, merge blocks and continue targets must be labels.

    A branch transfers control to the block that a label begins. The result of another instruction is not a place in the code, so
    the control-flow graph of the function cannot be built. The rule checks OpBranch, OpBranchConditional, OpSwitch,
    OpSelectionMerge and OpLoopMerge; `id/stays-in-its-function` reports a label of another function, and `id/operand-is-value` a
    type or a function in OpBranchConditional or OpSwitch.
    """
    for operand_index in _labels(inst):
        if operand_index % PORTION in (PORTION - 1, PORTION - 2):
            yield PAUSE
        name = inst.operands[operand_index]
        if not isinstance(name, str):
            continue
        opcode = context.module.opcode_of(name)
        if opcode not in (spv.OpLabel, NO_OPCODE):
            definition = context.module.definition(name)
            made = made_by(definition) if definition is not None else "not a label"
            notes = (Note(definition, OPCODE, f"%{name} is {made}"),) if definition is not None else ()
            message = f"{operand(inst, operand_index)} is {made}, expected a label of this function"
            yield Finding(inst, operand_index, message, notes)


@instruction_rule("control-flow/branch-condition-is-bool", spv.OpBranchConditional, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def branch_condition_is_bool(inst: Instruction, context: RuleContext) -> Findings:
    """The Condition of OpBranchConditional must be a scalar of type OpTypeBool.

    SPIR-V has no implicit conversion to Boolean, and a vector of Booleans does not say which component decides. Compare a number
    with zero first; reduce a vector with OpAny or OpAll.
    """
    yield from choice_has_type(inst, context, BOOL)


@instruction_rule("control-flow/branch-weights-are-paired", spv.OpBranchConditional, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def branch_weights_are_paired(inst: Instruction, context: RuleContext) -> Findings:
    """OpBranchConditional must have two branch weights or none.

    The first weight is for True Label, the second for False Label. Each is divided by the sum of both to give the likelihood of its
    label, which one weight on its own does not determine.
    """
    if len(inst.operands) not in (3, 5):
        message = f"OpBranchConditional has {counted(len(inst.operands) - 3, 'branch weight')}; it must have 2 or none"
        yield Finding(inst, len(inst.operands) - 1, message)


@instruction_rule("control-flow/branch-labels-differ", spv.OpBranchConditional, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def branch_labels_differ(inst: Instruction, context: RuleContext) -> Findings:
    """Since SPIR-V 1.6, True Label and False Label of OpBranchConditional must be different.

    Where both labels are the same, the condition decides nothing. A consumer that takes each conditional branch as a selection
    finds one without two sides. Use OpBranch, which transfers control to the one label, and remove an OpSelectionMerge before it.

    With the execution mode MaximallyReconvergesKHR (SPV_KHR_maximal_reconvergence) the labels must differ in earlier versions too,
    which `control-flow/reconvergence-points-are-declared` checks.
    """
    if (
        context.module.version >= (1, 6)
        and len(inst.operands) > 2
        and inst.operands[OpBranchConditional_TrueLabel] == inst.operands[OpBranchConditional_FalseLabel]
    ):
        both = shown(inst.operands[OpBranchConditional_FalseLabel])
        message = f"True Label and False Label are both {both}, but must differ since SPIR-V 1.6; use {instead(context.block)}"
        yield Finding(inst, OpBranchConditional_FalseLabel, message)


def instead(block: Block | None) -> str:
    """What to use in the place of an OpBranchConditional with equal labels."""
    selects = block is not None and block.merge is not None and block.merge.opcode.value == spv.OpSelectionMerge
    return "OpBranch instead" + (", without the OpSelectionMerge before it" if selects else "")


@function_rule("control-flow/entry-block-is-not-targeted", section=sections.UNIVERSAL_VALIDATION_RULES, of_form=True)
def entry_block_is_not_targeted(function: Function, context: RuleContext) -> Findings:
    """The first block of a function must not be the target of a branch.

    The first block may declare variables of the function, and has no OpPhi that could select between the call and a branch back.
    To repeat the code from the beginning, put a new block before it, and move the variables there.
    """
    entry = function.entry
    if entry is None:
        return
    for block in function.blocks.values():
        terminator = block.terminator
        if terminator is None or entry.name not in block.successors:
            continue
        operand_index = next(
            operand_index for operand_index in _labels(terminator) if terminator.operands[operand_index] == entry.name
        )
        note = Note(entry.label, OPCODE, f"%{entry.name} is the first block of %{function.name}")
        message = f"%{entry.name} is the first block of its function and must not be the target of a branch"
        yield Finding(terminator, operand_index, message, (note,))


@instruction_rule(
    "control-flow/branch-condition-is-defined",
    spv.OpBranchConditional,
    section=sections.CONTROL_FLOW_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def branch_condition_is_defined(inst: Instruction, context: RuleContext) -> Findings:
    """The Condition of OpBranchConditional must not be the result of OpUndef.

    The behavior is then undefined, so a compiler may assume that the branch never runs: it may remove the branch and the code
    before and after it. The rule finds a Condition that is itself the result of OpUndef, not of OpPoisonKHR, nor a value that is
    computed or copied from one.
    """
    yield from undefined_choice(inst, context, BOOL)


def choice_has_type(inst: Instruction, context: RuleContext, kind: Kind) -> Findings:
    name = inst.operands[OpBranchConditional_Condition]
    if not isinstance(name, str):
        return
    type_ = context.module.type_of(name)
    if context.module.defining_instruction(name) is not None and (type_ is None or not kind.holds(type_)):
        is_what = f"is {context.module.spell(type_)}" if type_ is not None else "is not a value"
        message = f"{operand(inst, OpBranchConditional_Condition)} {is_what}, expected {kind.name}"
        yield Finding(inst, OpBranchConditional_Condition, message)


def undefined_choice(inst: Instruction, context: RuleContext, kind: Kind) -> Findings:
    name = id_at(inst, OpBranchConditional_Condition)
    maker = context.module.defining_instruction(name) if name is not None else None
    if maker is None or maker.opcode.value != spv.OpUndef:
        return
    type_ = context.module.type(maker.type)
    if type_ is not None and kind.holds(type_):
        message = f"{operand(inst, OpBranchConditional_Condition)} is an OpUndef, so the behavior is undefined"
        yield Finding(inst, OpBranchConditional_Condition, message)


@instruction_rule(
    "control-flow/branch-weights-have-valid-sum",
    spv.OpBranchConditional,
    section=sections.CONTROL_FLOW_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def branch_weights_have_valid_sum(inst: Instruction, context: RuleContext) -> Findings:
    """At least one of two branch weights must be greater than 0, and their sum must fit in 32 bits.

    Each weight is divided by the sum of both to give the likelihood of its label. With a sum of 0 that is a division by zero, and
    a sum that overflows gives wrong likelihoods; a driver may then optimize for the wrong side of the branch.
    """
    given = [operand for operand in inst.operands[3:5] if isinstance(operand, int)]
    if len(given) == 2 and not any(given):
        yield Finding(
            inst, OpBranchConditional_BranchWeights, "both branch weights are 0; at least one must be greater than 0"
        )
    elif len(given) == 2 and sum(given) > _MOST:
        yield Finding(
            inst, OpBranchConditional_BranchWeights, f"the sum of the branch weights is {sum(given)}; it must be at most {_MOST}"
        )


@function_rule("control-flow/branch-is-needed", spv.OpPhi, section=sections.CONTROL_FLOW, severity=Severity.HINT)
def branch_is_needed(function: Function, context: RuleContext) -> Findings:
    """A branch must do more than choose among values that can always be computed.

    OpSelect chooses without a branch, and later tools then see one block where there were several. An action of editors makes the
    change. Where much is computed for each value, the branch may be faster.

    Only an OpBranchConditional with at most one block on each side is reported, where no other block branches to these or to the
    block in which they meet, which is the Merge Block if there is an OpSelectionMerge. Not reported are branches with DontFlatten,
    and those that end a loop header.

    The blocks on the sides may only have instructions that have no effect but their result, and whose behavior is known to be
    defined: for example additions, comparisons and loads of whole variables, but not integer divisions, conversions from floats to
    integers or dynamic indexes.

    The values may only be Booleans, numbers that the module may compute with, vectors of these and, since SPIR-V 1.4, matrices,
    arrays and structures of these. Reported only with the option `simplifications`.
    """
    if not context.options.simplifications or not function.is_sound:
        return
    from spvls.validate.checks.simplification import choice_of

    for at, block in enumerate(function.blocks.values()):
        if not at % PORTION:
            yield PAUSE
        choice = choice_of(block, function, context.module)
        if choice is not None and block.terminator is not None:
            chosen = "values" if len(choice.phis) > 1 else f"the value of %{choice.phis[0].result}"
            yield Finding(block.terminator, OPCODE, f"this branch only chooses {chosen}; OpSelect can do the same")


@function_rule("control-flow/instruction-depends-on-loop", spv.OpLoopMerge, section=sections.CONTROL_FLOW, severity=Severity.HINT)
def instruction_depends_on_loop(function: Function, context: RuleContext) -> Findings:
    """An instruction in a loop must depend on what the loop changes.

    An instruction that is reported has the same result in each iteration. Before the loop it is computed once, even if no later
    tool moves it. An action of editors moves the instruction there.

    Only instructions that have no effect but their result, and whose behavior is known to be defined, are reported: for example
    additions and comparisons, but not integer divisions. Loads are not reported, because the loop may change what is in memory, nor
    OpUndef, which may have another value at each use. One that uses another result of the loop is reported only after that one is
    moved. The loop must have an OpLoopMerge and be entered from only one block. Reported only with the option `simplifications`.
    """
    if not context.options.simplifications or not function.is_sound:
        return
    from spvls.validate.checks.simplification import blocks_before_loops, is_invariant

    at = 0
    for name, before in blocks_before_loops(function).items():
        for record in function.blocks[name].records:
            if not at % PORTION:
                yield PAUSE
            at += 1
            if is_invariant(record, function, before, context.module):
                message = f"%{record.result} has the same value in each iteration of the loop, and can be computed before the loop"
                yield Finding(record, RESULT, message)
