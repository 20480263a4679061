"""OpSwitch (SPIR-V 2.11.1, 2.17, 3.3.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.steps import PORTION
from spvls.syntax.instruction import Instruction, Operand
from spvls.validate.checks.kinds import INT
from spvls.validate.engine.finding import PAUSE, Finding, Note, pausing
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.control_flow.branch import choice_has_type, undefined_choice


@instruction_rule("control-flow/switch-selector-is-integer", spv.OpSwitch, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def switch_selector_is_integer(inst: Instruction, context: RuleContext) -> Findings:
    """The Selector of OpSwitch must be a scalar integer.

    The selector is compared with integer literals. A float, a Boolean or a vector has no such comparison. Each literal has as
    many words as the selector, so with another type a consumer cannot separate literals and labels. Where the OpSwitch has
    literals, `syntax/number-type` reports the selector instead, or in a binary `physical/malformed`.
    """
    yield from choice_has_type(inst, context, INT)


@instruction_rule(
    "control-flow/switch-selector-is-defined", spv.OpSwitch, section=sections.CONTROL_FLOW_INSTRUCTIONS, severity=Severity.WARNING
)
def switch_selector_is_defined(inst: Instruction, context: RuleContext) -> Findings:
    """The Selector of OpSwitch must not be the result of OpUndef.

    The behavior is then undefined, so a compiler may assume that the switch never runs: it may remove the switch and the code
    before and after it. The rule finds a Selector that is itself the result of OpUndef, not of OpPoisonKHR, nor a value that is
    computed or copied from one.
    """
    yield from undefined_choice(inst, context, INT)


@instruction_rule(
    "control-flow/switch-literals-are-distinct", spv.OpSwitch, section=sections.CONTROL_FLOW_INSTRUCTIONS, severity=Severity.WARNING
)
def switch_literals_are_distinct(inst: Instruction, context: RuleContext) -> Findings:
    """The literals of an OpSwitch must be different from each other.

    SPIR-V forbids equal literals, even with the same label. If the labels are different, a driver may branch to the first or to the
    last of them, or reject the module. Of each OpSwitch, only the first literal that is listed again is reported.
    """
    places: dict[object, int] = {}
    for operand_index in range(2, len(inst.operands) - 1, 2):
        if not operand_index % PORTION:
            yield PAUSE
        literal = inst.operands[operand_index]
        first = places.setdefault(literal, operand_index)
        if first != operand_index:
            other = id_at(inst, first + 1)
            note = Note(inst, first, "it is first listed here")
            type_ = context.module.type_of(id_at(inst, 0))
            message = f"the literal {_number(literal, type_)} already has the target %{other}; literals must be distinct"
            yield Finding(inst, operand_index, message, (note,))
            return


def _number(literal: Operand, type_: Type | None) -> str:
    """A literal as it is written for a Selector of a type."""
    words = [word for word in (literal if isinstance(literal, tuple) else (literal,)) if isinstance(word, int)]
    bits = sum(word << 32 * at for at, word in enumerate(words))
    is_negative = type_ is not None and type_.signed and bits >> 32 * len(words) - 1
    return str(bits - (1 << 32 * len(words)) if is_negative else bits)


@instruction_rule(
    "control-flow/switch-literals-group-by-target", spv.OpSwitch, section=sections.STRUCTURED_CONSTRUCTS, severity=Severity.WARNING
)
def switch_literals_group_by_target(inst: Instruction, context: RuleContext) -> Findings:
    """OpSwitch must list a target's literals together, except for the Default and the merge block.

    The order of the list says which case may fall through to which. A target that is listed again after another target is in two
    places of this order. A consumer that emits the cases in the listed order may emit the block twice.

    The merge block does not begin a case, so it has no place in this order. A Default that literals name has one, and the
    specification does not except it, but this rule does. All modules are checked, not only shaders. Of each OpSwitch, only the
    first fault is reported.
    """
    operands = inst.operands
    if context.function is not None:
        yield from pausing(context.function.block_of_steps())
    block = context.function.block_of.get(id(context.record)) if context.function is not None else None
    merge = block.merge.operands[0] if block is not None and block.merge is not None and block.merge.operands else None
    last: dict[Operand, int] = {}
    for operand_index in range(3, len(operands), 2):
        if not (operand_index - 1) % PORTION:
            yield PAUSE
        label = operands[operand_index]
        if label in (merge, operands[1]):
            continue
        before = last.get(label)
        if before is not None and before != operand_index - 2:
            note = Note(inst, before, "the label is also listed here")
            why = "literals with the same target must be next to each other"
            yield Finding(inst, operand_index, f"label %{label!s} is listed again after another label; {why}", (note,))
            return
        last[label] = operand_index


@instruction_rule("control-flow/switch-cases-are-within-limit", spv.OpSwitch, section=sections.UNIVERSAL_LIMITS)
def switch_cases_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """An OpSwitch must not have more cases than the limit, which is 16,383 by default.

    A case is a literal with its label; the default is not counted. A consumer needs to support only this number. Beyond it a
    driver may reject the module, or fail when it builds the jump table. The option `max-switch-branches` sets another limit.
    """
    limit = context.options.max_switch_branches
    cases = (len(inst.operands) - 2) // 2
    if cases > limit:
        yield Finding(inst, 2 + 2 * limit, f"this OpSwitch has {cases} cases; the limit is {limit}")
