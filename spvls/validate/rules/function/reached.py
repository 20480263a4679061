"""Functions that no entry point reaches, as advice (SPIR-V 2.9)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections
from spvls.grammar.enumerants import Capability
from spvls.module.functions import Function
from spvls.syntax.instruction import RESULT
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule

_CALLED_OTHERWISE = (Capability.Kernel, Capability.Linkage, Capability.FunctionPointersINTEL)
"""Capabilities with which functions are enqueued, exported, or called by pointers."""


@function_rule("function/is-called", section=sections.FUNCTION_CALLING, severity=Severity.HINT, tags="unnecessary")
def is_called(function: Function, context: RuleContext) -> Findings:
    """An entry point must call each function, directly or through other functions.

    A function that nothing calls never runs. It is left over from a change, or its call is missing. It costs compile time, and can be
    removed, as an action of editors does.

    Modules with Kernel, Linkage or FunctionPointersINTEL are not checked, because a function of these can be called by other means
    than OpFunctionCall. Reported only with advice, as in editors.
    """
    module = context.module
    if not context.options.advice or not function.whole or not module.declarations.entry_points:
        return
    if any(module.has_capability(capability) for capability in _CALLED_OTHERWISE) or module.reached_from(function.name):
        return
    yield Finding(function.records[0], RESULT, f"no entry point calls %{function.name}")
