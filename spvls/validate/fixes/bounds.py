"""Quick fixes for an index that is out of bounds."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import AFTER_DECLARATIONS, FindingFix, InsertBefore, Replace, Step
from spvls.validate.fixes.common import unused_id


def last_index(inst: Instruction, operand_index: int, count: int) -> tuple[FindingFix, ...]:
    """Puts the last index there is in the place of a literal one."""
    if count < 1:
        return ()
    return (FindingFix(_title(count), (Replace(inst, operand_index, str(count - 1)),), preferred=False),)


def last_constant_index(inst: Instruction, operand_index: int, count: int, module: Module) -> tuple[FindingFix, ...]:
    """Puts a constant of the last index there is, which is declared if need be, in the place of another constant."""
    name = inst.operands[operand_index]
    type_ = module.type_of(name)
    if count < 1 or type_ is None or not type_.is_int:
        return ()
    known = integer_constant(module, type_.id, count - 1)
    steps: tuple[Step, ...] = ()
    if known is None:
        known = unused_id(f"{type_.id}_{count - 1}", module)
        steps = (InsertBefore(AFTER_DECLARATIONS, f"%{known} = OpConstant %{type_.id} {count - 1}"),)
    return (FindingFix(_title(count), (*steps, Replace(inst, operand_index, f"%{known}")), preferred=False),)


def integer_constant(module: Module, type_: str, value: int) -> str | None:
    """The first constant of an integer type with a value."""
    for _, record in module.ids.uses(type_):
        if record.opcode.value == spv.OpConstant and record.type == type_ and module.integer(record.result) == value:
            return record.result
    return None


def _title(count: int) -> str:
    return f"Change to {count - 1}, the last index"
