"""Results that nothing uses (SPIR-V 2.2.1)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections
from spvls.module.functions import Function
from spvls.steps import PORTION
from spvls.syntax.instruction import RESULT
from spvls.validate.engine.finding import PAUSE, Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule


@function_rule("id/result-is-used", section=sections.INSTRUCTIONS, severity=Severity.HINT, tags="unnecessary")
def result_is_used(function: Function, context: RuleContext) -> Findings:
    """A value that a function computes must be used in the function.

    A value without a use can be removed. It may be left over from a change, or another value may be used by mistake.

    Checked are many instructions that do nothing but give a result, for example core arithmetic and conversions, OpVariable,
    OpAccessChain, OpInBoundsAccessChain, and loads that are not volatile, but not image and extended instructions. Names and
    decorations are not uses; debug information in the function is, such as DebugDeclare. Reported only with advice, as in editors.

    A hint, because SPIR-V permits results that nothing uses.
    """
    if not context.options.advice or not function.whole:
        return
    from spvls.module.purity import is_pure

    used: set[str] = set()
    for at, record in enumerate(function.records, 1):
        if not at % PORTION:
            yield PAUSE
        used.update(record.uses())
    for at, record in enumerate(function.records, 1):
        if not at % PORTION:
            yield PAUSE
        name = record.result
        if name is not None and name not in used and is_pure(record, context.module):
            yield Finding(record, RESULT, f"nothing uses %{name}")
