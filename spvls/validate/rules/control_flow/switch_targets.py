"""The order of a switch's targets (SPIR-V 2.11.1)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv
from spvls.syntax.instruction import Instruction, Operand
from spvls.validate.finding import Finding, Note
from spvls.validate.rule import Findings, Scene, instruction_rule


@instruction_rule("cfg/duplicate-label-consecutive", spv.OpSwitch, section="2.11.1", severity=Severity.WARNING)
def consecutive(inst: Instruction, scene: Scene) -> Findings:
    """The literals of a switch that go to one label stand one after the other.

    That is for labels that begin a case: those of the merge block and of the default may come up anywhere. The reference
    validator takes any order.

    Bad:  `OpSwitch %x %default 1 %a 2 %b 3 %a`
    Good: `OpSwitch %x %default 1 %a 3 %a 2 %b`
    """
    operands = inst.operands
    block = scene.function.block_of.get(id(scene.record)) if scene.function is not None else None
    merge = block.merge.operands[0] if block is not None and block.merge is not None and block.merge.operands else None
    last: dict[Operand, int] = {}
    for place in range(3, len(operands), 2):
        label = operands[place]
        if label in (merge, operands[1]):
            continue
        before = last.get(label)
        if before is not None and before != place - 2:
            note = Note(inst, before, "the label stands here already")
            yield Finding(inst, place, f"%{label!s} comes again behind another label: put its literals side by side", (note,))
            return
        last[label] = place
