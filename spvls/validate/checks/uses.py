"""Who uses an id in the function that makes it."""

from __future__ import annotations

from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction


def uses_within(function: Function, name: str, module: Module) -> list[Instruction]:
    """The instructions of a function that use an id, once for each use, in their order.

    A rule on an instruction may ask this for the function at hand: what changes a function has all of it checked again.
    """
    order = function.order
    found = [record for _, record in module.ids.uses(name) if id(record) in order]
    found.sort(key=lambda record: order[id(record)])
    return found
