"""What a rule found."""

from __future__ import annotations

from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Rule, failure


class RuleFinding(NamedTuple):
    """A finding of a rule. `record` of the finding may be a resolved twin; `origin` is the one of the module.

    `elsewhere` says that the finding is on another instruction than the one whose check it comes from.
    """

    rule: Rule
    finding: Finding
    origin: Instruction
    elsewhere: bool = False


def failed(rule: Rule, record: Instruction, error: Exception) -> RuleFinding:
    """What is found where `rule` raises on what begins with an instruction."""
    return RuleFinding(*failure(rule, record, error), record)
