"""What branches are decided by: selectors that have no value, weights, equal cases (SPIR-V 3.3.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv
from spvls.syntax.instruction import Instruction
from spvls.validate.finding import Finding, Note
from spvls.validate.kinds import BOOL, INT, Kind
from spvls.validate.operand_at import id_at
from spvls.validate.rule import Findings, Scene, instruction_rule

_MOST = 0xFFFFFFFF


@instruction_rule(
    "opcode/OpBranchConditional/undef-condition", spv.OpBranchConditional, section="3.3.17", severity=Severity.WARNING
)
def undefined_condition(inst: Instruction, scene: Scene) -> Findings:
    """The condition of a branch is defined: with an OpUndef, the program may do anything.

    Bad:  `OpBranchConditional %undef %a %b` with `%undef = OpUndef %bool`
    Good: `OpBranchConditional %true %a %b`
    """
    yield from _undefined(inst, scene, "the condition", BOOL)


@instruction_rule("opcode/OpSwitch/undef-selector", spv.OpSwitch, section="3.3.17", severity=Severity.WARNING)
def undefined_selector(inst: Instruction, scene: Scene) -> Findings:
    """The selector of a switch is defined: with an OpUndef, the program may do anything.

    Bad:  `OpSwitch %undef %default 0 %a` with `%undef = OpUndef %int`
    Good: `OpSwitch %x %default 0 %a`
    """
    yield from _undefined(inst, scene, "the selector", INT)


def _undefined(inst: Instruction, scene: Scene, what: str, kind: Kind) -> Findings:
    name = id_at(inst, 0)
    maker = scene.module.definer(name) if name is not None else None
    if maker is None or maker.opcode.value != spv.OpUndef:
        return
    type_ = scene.module.type(maker.type)
    if type_ is not None and kind.holds(type_):
        yield Finding(inst, 0, f"{what} %{name} is an OpUndef: which way is taken is undefined, and so is all that follows")


@instruction_rule("opcode/OpBranchConditional/weights", spv.OpBranchConditional, section="3.3.17", severity=Severity.WARNING)
def weights(inst: Instruction, scene: Scene) -> Findings:
    """Of two branch weights one at least is above 0, and their sum fits 32 bits.

    Each is divided by the sum to say how likely its label is.

    Bad:  `OpBranchConditional %c %a %b 0 0`
    Good: `OpBranchConditional %c %a %b 1 1`
    """
    given = [operand for operand in inst.operands[3:5] if isinstance(operand, int)]
    if len(given) == 2 and not any(given):
        yield Finding(inst, 3, "both weights are 0, which says nothing about how likely the labels are")
    elif len(given) == 2 and sum(given) > _MOST:
        yield Finding(inst, 3, f"the weights are {sum(given)} together, and their sum is {_MOST} at most")


@instruction_rule("opcode/OpSwitch/literals-distinct", spv.OpSwitch, section="3.3.17", severity=Severity.WARNING)
def distinct_cases(inst: Instruction, scene: Scene) -> Findings:
    """The literals of a switch differ, so that each value has one label.

    Bad:  `OpSwitch %x %default 1 %a 1 %b`
    Good: `OpSwitch %x %default 1 %a 2 %b`
    """
    places: dict[object, int] = {}
    for place in range(2, len(inst.operands) - 1, 2):
        literal = inst.operands[place]
        first = places.setdefault(literal, place)
        if first != place:
            other = id_at(inst, first + 1)
            yield Finding(inst, place, f"this value goes to %{other} already", (Note(inst, first, "the first of them"),))
            return
