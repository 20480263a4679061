"""The bound of the ids (SPIR-V 2.3, 2.17)."""

from __future__ import annotations

from spvls.grammar import sections
from spvls.syntax.instruction import OPCODE, RESULT
from spvls.validate.engine.finding import HEADER, Finding
from spvls.validate.engine.rule import Findings, RuleContext, module_rule


@module_rule("id/bound-is-within-limit", section=sections.UNIVERSAL_LIMITS)
def bound_is_within_limit(context: RuleContext) -> Findings:
    """The bound of a module's ids must not be greater than the limit, which is 4,194,303 by default.

    Consumers may allocate tables with as many entries as the bound says. With a bound that is greater than the default limit, a
    driver may reject the module or run out of memory.

    In a binary, the bound in the header counts. In a text, the rule counts the ids and adds one; a `header` comment or ids that are
    kept as numbers may give the binary of this text a greater bound, which is reported only there. The option `max-id-bound` sets
    another limit.
    """
    module = context.module
    bound = module.bound if module.bound is not None else module.ids.count + 1
    if bound > context.options.max_id_bound:
        yield Finding(HEADER, OPCODE, f"the id bound is {bound}, but the limit is {context.options.max_id_bound}")


@module_rule("id/is-below-bound", section=sections.PHYSICAL_LAYOUT)
def is_below_bound(context: RuleContext) -> Findings:
    """Every result id of a binary must be less than the bound in its header.

    Consumers may allocate a table with as many entries as the bound says, and use ids as indexes. An id that is not less than the
    bound is outside of the table. Only the first such id is reported. A bound of 0 is an error too.

    A text with literal words (`!N`) is checked as the binary that it makes; its bound counts the ids that the text names, and not
    those in literal words. The line of the example is part of a module that names one id, so its bound is 2.
    """
    bound = context.module.bound
    if bound is None:
        return
    first = context.module.chunks[0].records[:1]
    if bound == 0 and first:
        yield Finding(first[0], OPCODE, "the id bound in the header is 0, expected at least 1")
        return
    for chunk in context.module.chunks:
        for record in chunk.records:
            if record.result is not None and record.result.isdigit() and int(record.result) >= bound:
                message = f"the result id is {record.result}, expected less than {bound}, the bound in the header"
                yield Finding(record, RESULT, message)
                return
