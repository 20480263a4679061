"""Branches and merge instructions: what their operands may be (SPIR-V 3.3.17)."""

from __future__ import annotations

from spvls.module.functions import MERGES, Function
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.syntax.operand_decls import enumerants
from spvls.validate.finding import Finding, Note
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule

#: The operands of each opcode that are labels: from the first on, in this step, up to the end (None) or that place.
_LABELS = {
    "OpBranch": (0, 1, 1),
    "OpBranchConditional": (1, 1, 3),
    "OpSelectionMerge": (0, 1, 1),
    "OpLoopMerge": (0, 1, 2),
}


def _labels(inst: Instruction) -> list[int]:
    """The places of an instruction's labels."""
    if inst.opcode.name == "OpSwitch":
        return [1, *range(3, len(inst.operands), 2)]
    first, step, end = _LABELS[inst.opcode.name]
    return list(range(first, min(end, len(inst.operands)), step))


@instruction_rule("cfg/target-is-label", *_LABELS, "OpSwitch", section="3.3.17")
def target_is_label(inst: Instruction, scene: Scene) -> Findings:
    """Branch targets, merge blocks and continue targets are labels.

    Bad:  `OpBranch %value`
    Good: `OpBranch %done` where `%done = OpLabel`
    """
    for place in _labels(inst):
        name = inst.operands[place]
        if not isinstance(name, str):
            continue
        opcode = scene.module.opcode_of(name)
        if opcode not in ("OpLabel", ""):
            definition = scene.module.definition(name)
            notes = (Note(definition, OPCODE, f"%{name} is made by {opcode}"),) if definition is not None else ()
            yield Finding(inst, place, f"%{name} is no label; {inst.opcode.name} goes to an OpLabel of this function", notes)


@instruction_rule("cfg/condition-is-bool", "OpBranchConditional", section="3.3.17")
def condition_is_bool(inst: Instruction, scene: Scene) -> Findings:
    """The condition of a branch is a scalar truth value.

    Bad:  `OpBranchConditional %int_value %then %else`
    Good: `OpBranchConditional %is_positive %then %else` where `%is_positive` is of type OpTypeBool
    """
    name = inst.operands[0]
    if not isinstance(name, str):
        return
    type_ = scene.module.type_of(name)
    definition = scene.module.definition(name)
    if definition is not None and (type_ is None or not type_.is_bool):
        is_what = f"is {scene.module.spell(type_)}" if type_ is not None else "is no value"
        yield Finding(inst, 0, f"the condition %{name} {is_what}, expected a bool")


@instruction_rule("cfg/branch-weights", "OpBranchConditional", section="3.3.17")
def branch_weights(inst: Instruction, scene: Scene) -> Findings:
    """Branch weights come in pairs: one for the true label, one for the false one.

    Bad:  `OpBranchConditional %c %then %else 10`
    Good: `OpBranchConditional %c %then %else 10 1`
    """
    if len(inst.operands) not in (3, 5):
        message = f"a conditional branch has two weights or none, and this one has {len(inst.operands) - 3}"
        yield Finding(inst, len(inst.operands) - 1, message)


@instruction_rule("cfg/branch-labels-differ", "OpBranchConditional", section="3.3.17")
def branch_labels_differ(inst: Instruction, scene: Scene) -> Findings:
    """Since SPIR-V 1.6, the two labels of a conditional branch differ.

    Bad:  `OpBranchConditional %c %next %next`
    Good: `OpBranch %next`
    """
    if scene.module.version >= (1, 6) and len(inst.operands) > 2 and inst.operands[1] == inst.operands[2]:
        yield Finding(inst, 2, f"both labels are {shown(inst.operands[2])}; since SPIR-V 1.6 they differ: use OpBranch instead")


@instruction_rule("cfg/selector-is-integer", "OpSwitch", section="3.3.17")
def selector_is_integer(inst: Instruction, scene: Scene) -> Findings:
    """The selector of a switch is a scalar integer.

    Bad:  `OpSwitch %float_value %default`
    Good: `OpSwitch %int_value %default 1 %one`
    """
    type_ = scene.module.type_of(inst.operands[0])
    if type_ is not None and not type_.is_int:
        spelled = scene.module.spell(type_)
        yield Finding(inst, 0, f"the selector {shown(inst.operands[0])} is {spelled}, expected a scalar integer")


@instruction_rule("cfg/loop-merge-operands", "OpLoopMerge", section="3.3.17")
def loop_merge_operands(inst: Instruction, scene: Scene) -> Findings:
    """A loop's merge block is another block than its header and than its continue target.

    Bad:  `OpLoopMerge %done %done None`
    Good: `OpLoopMerge %done %next None`
    """
    merge, target = inst.operands[:2]
    block = scene.function.block_of.get(id(scene.record)) if scene.function is not None else None
    if block is not None and merge == block.name:
        yield Finding(inst, 0, f"{shown(merge)} is the header of this loop, and cannot be its merge block")
    elif merge == target:
        yield Finding(inst, 1, f"{shown(target)} is the merge block of this loop, and cannot be its continue target")


@instruction_rule("cfg/loop-control", "OpLoopMerge", section="3.2.22")
def loop_control(inst: Instruction, scene: Scene) -> Findings:
    """Hints about a loop do not contradict each other.

    DontUnroll excludes Unroll, PeelCount and PartialCount; a loop cannot be unrolled by a multiple of zero iterations.

    Bad:  `OpLoopMerge %done %next Unroll|DontUnroll`
    Good: `OpLoopMerge %done %next Unroll`
    """
    mask = inst.operands[2]
    if not isinstance(mask, int):
        return
    chosen = enumerants("LoopControl", mask)
    names = [enumerant.name for enumerant in chosen]
    if "DontUnroll" in names:
        for other in ("Unroll", "PeelCount", "PartialCount"):
            if other in names:
                yield Finding(inst, 2, f"DontUnroll and {other} contradict each other; leave one of them out")
                return
    place = 3
    for enumerant in chosen:
        if enumerant.name == "IterationMultiple" and inst.operands[place : place + 1] == (0,):
            yield Finding(inst, place, "the multiple of iterations is greater than zero")
        place += len(enumerant.parameters)


@function_rule("cfg/entry-block-not-branched-to", section="2.16.1")
def entry_block_not_branched_to(function: Function, scene: Scene) -> Findings:
    """No branch goes to the first block of a function.

    Bad:  `OpBranch %entry`, where `%entry` is the first label.
    Good: the first block branches to the one that is come back to.
    """
    entry = function.entry
    if entry is None:
        return
    for block in function.blocks.values():
        terminator = block.terminator
        if terminator is None or entry.name not in block.successors:
            continue
        place = next(place for place in _labels(terminator) if terminator.operands[place] == entry.name)
        note = Note(entry.label, OPCODE, f"%{entry.name} is the first block of %{function.name}")
        yield Finding(terminator, place, f"%{entry.name} is the first block of its function, which no branch goes to", (note,))


@function_rule("cfg/dominator-order", section="2.16.1")
def dominator_order(function: Function, scene: Scene) -> Findings:
    """A block stands before every block that it dominates.

    Bad:  `%next` before `%head`, where every way to `%next` leads through `%head`.
    Good: `%head` first.
    """
    at = {name: number for number, name in enumerate(function.blocks)}
    for name, above in function.dominators.immediate.items():
        if at[above] > at[name]:
            note = Note(function.blocks[name].label, OPCODE, f"%{name} stands before it")
            message = f"%{above} dominates %{name}, and so stands before it"
            yield Finding(function.blocks[above].label, OPCODE, message, (note,))


@function_rule("cfg/merge-block-unique", section="2.16.1")
def merge_block_unique(function: Function, scene: Scene) -> Findings:
    """A block is the merge block of one header only.

    Bad:  two `OpSelectionMerge %done None`.
    Good: each selection has a merge block of its own, the inner one branching to the outer one.
    """
    claimed: dict[str, Instruction] = {}
    for block in function.blocks.values():
        for record in block.records:
            if record.opcode.name not in MERGES or not isinstance(record.operands[0], str):
                continue
            first = claimed.setdefault(record.operands[0], record)
            if first is not record:
                note = Note(first, 0, "this header claims it")
                yield Finding(record, 0, f"{shown(record.operands[0])} is the merge block of another header already", (note,))
