"""What rules find on an instruction that the module does not have, such as one that is being written."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import RULE_FAILED, Severity
from spvls.module.dependencies import Facts
from spvls.module.forward_reference import may_be_forward
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import ContextDependent, Instruction
from spvls.validate.checks.dominance import dominates_use
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import RuleContext, Selection


class Verdict(NamedTuple):
    """Errors on an instruction: whether one of the operand that was asked about, and how many of the rest."""

    of_operand: bool
    others: int


class Trial:
    """Instructions at one place of a module.

    `function` is the one that the place is in, None before the first one; `block` is the label of its block; `defined` are the
    ids that are defined before the place, in the function or, before the first one, among the declarations.
    """

    def __init__(self, module: Module, function: Function | None, block: str | None, defined: set[str]) -> None:
        self._module = module
        self._function = function
        self._block = block
        self._defined = defined
        self._local = function.names if function is not None else frozenset()

    def verdict(self, inst: Instruction, operand_index: int) -> Verdict:
        """The errors of rules on an instruction, as if all of its ids were defined before it.

        An id that nothing defines stands for one that is not known yet; rules say nothing about it.
        """
        module = self._module
        if ContextDependent in map(type, inst.operands):
            resolved = module.resolved(inst)
            if resolved.faults:
                return Verdict(False, 0)
            inst = Instruction(inst.opcode, inst.type, inst.result, resolved.operands)
        context = RuleContext(module, Options(), _selection(module.environment.api), self._function)
        context.begin(inst)
        context.defined_ids.update(inst.uses())
        asker, module.reads = module.reads, Facts()
        try:
            found = [
                finding.operand_index == operand_index
                for rule, finding in context.selection.findings(inst, context)
                if rule.severity is Severity.ERROR and rule.id != RULE_FAILED and finding.record is inst
            ]
        finally:
            module.reads = asker
        return Verdict(any(found), found.count(False))

    def is_available(self, name: str, inst: Instruction, operand_index: int) -> bool:
        """Whether an id is defined before the place, on all ways to it, or need not be where it is this operand."""
        function = self._function
        if function is not None and name not in self._local:
            return True
        if name not in self._defined and not (operand_index >= 0 and may_be_forward(inst.opcode.value, operand_index)):
            return False
        return function is None or self._block is None or dominates_use(function, name, inst, operand_index, self._block)


@cache
def _selection(api: str) -> Selection:
    return Selection(api)
