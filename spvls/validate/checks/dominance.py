"""Uses of ids in functions, and whether their definitions dominate them (SPIR-V 2.2.5, 2.16.1)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.rule import RuleContext


def dominates_block(function: Function, name: str, block: str) -> bool:
    """Whether the definition of an id is in a block that dominates another one, or in no block. Every definition dominates a
    block that cannot be reached."""
    home = function.home.get(name)
    dominators = function.dominators
    return home is None or not dominators.reaches(block) or dominators.dominates(home, block)


def dominates_use(function: Function, name: str, inst: Instruction, operand_index: int, block: str) -> bool:
    """Whether the definition of an id that an instruction of `block` uses dominates it; for a value of OpPhi, the end of the
    parent that it comes from."""
    if inst.opcode.value != spv.OpPhi:
        return dominates_block(function, name, block)
    parent = inst.operands[operand_index + 1] if 0 <= operand_index < len(inst.operands) - 1 else None
    return operand_index % 2 == 1 or not isinstance(parent, str) or dominates_block(function, name, parent)


def uses_within(function: Function, name: str, module: Module) -> list[Instruction]:
    """The instructions of a function that use an id, once for each use, in their order.

    A rule on an instruction may ask this for the function at hand: what changes a function has all of it checked again.
    """
    order = function.order
    found = [record for _, record in module.ids.uses(name) if id(record) in order]
    found.sort(key=lambda record: order[id(record)])
    return found


def is_after_function(context: RuleContext) -> bool:
    """Whether an instruction is between two functions, or after the last one."""
    function, record = context.function, context.record
    if function is None or record is None or function.end is None:
        return False
    order = function.order
    return order.get(id(record), -1) > order.get(id(function.end), len(order))


def is_of_other_function(name: str, context: RuleContext) -> bool:
    """Whether another function than the one at hand defines `name` inside of it."""
    if context.function is None or name in context.function.names:
        return False
    owner = context.module.owner_of(name)
    return owner is not None and owner != name and not is_after_function(context)
