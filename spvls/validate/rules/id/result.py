"""Results that nothing uses (SPIR-V 2.2.1)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections
from spvls.module.functions import Function
from spvls.module.purity import is_pure
from spvls.syntax.instruction import RESULT
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule


@function_rule("id/result-is-used", section=sections.INSTRUCTIONS, severity=Severity.HINT, tags="unnecessary")
def result_is_used(function: Function, context: RuleContext) -> Findings:
    """What a function computes, it uses.

    A value that nothing uses is left over, or a sign that another one was used by mistake. Only instructions that do nothing
    else are looked at; names and decorations are no uses.
    """
    if not context.options.advice or not function.whole:
        return
    used = {name for record in function.records for name in record.uses()}
    for record in function.records:
        name = record.result
        if name is not None and name not in used and is_pure(record):
            yield Finding(record, RESULT, f"nothing uses %{name}")
