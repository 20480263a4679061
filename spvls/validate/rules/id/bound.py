"""The bound of the ids (SPIR-V 2.3, 2.17)."""

from __future__ import annotations

from spvls.grammar import sections
from spvls.syntax.instruction import OPCODE, RESULT
from spvls.validate.engine.finding import HEADER, Finding
from spvls.validate.engine.rule import Findings, RuleContext, module_rule


@module_rule("id/bound-is-within-limit", section=sections.UNIVERSAL_LIMITS)
def bound_is_within_limit(context: RuleContext) -> Findings:
    """The bound of a module's ids is no larger than 4,194,303, or what `--max-id-bound` says.

    Consumers have tables as long as the bound says. For a text the bound is one more than the number of its ids.
    """
    module = context.module
    bound = module.bound if module.bound is not None else module.ids.count + 1
    if bound > context.options.max_id_bound:
        yield Finding(HEADER, OPCODE, f"the bound of ids is {bound}, and {context.options.max_id_bound} at most are allowed")


@module_rule("id/is-below-bound", section=sections.PHYSICAL_LAYOUT)
def is_below_bound(context: RuleContext) -> Findings:
    """Every id of a binary is less than the bound that its header says."""
    bound = context.module.bound
    if bound is None:
        return
    for chunk in context.module.chunks:
        for record in chunk.records:
            if record.result is not None and record.result.isdigit() and int(record.result) >= bound:
                message = f"the result is id {record.result}, and the header says that ids are less than {bound}"
                yield Finding(record, RESULT, message)
                return
