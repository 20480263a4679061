"""Operands that are constants, and what their values may be."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.operation import is_constant_id
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext


def constant_fault(
    module: Module,
    inst: Instruction,
    operand_index: int,
    kind: int = spv.OpTypeInt,
    *,
    width: int | None = None,
    or_undefined: bool = False,
) -> Finding | None:
    """What is wrong with an operand that is to be an integer, or another scalar, constant, `or_undefined`; with a `width` in bits,
    of that."""
    name = id_at(inst, operand_index)
    type_ = module.type_of(name)
    if name is None or type_ is None:
        return None
    is_constant = is_constant_id(module, name) or (or_undefined and module.opcode_of(name) == spv.OpUndef)
    if is_constant and type_.kind == kind and width in (None, type_.width):
        return None
    have = module.spell(type_) if is_constant else f"the result of {module.opcode_name_of(name)}"
    wanted = "a Boolean" if kind == spv.OpTypeBool else "an integer" if width is None else f"a {width}-bit integer"
    return Finding(inst, operand_index, f"{operand(inst, operand_index)} is {have}, expected {wanted} constant")


def constant_integers(module: Module, name: str | None) -> tuple[int, ...]:
    """The integers that a constant scalar or vector is made of, 0 for parts that are none; nothing for what can be
    specialized."""
    constant = module.constant(name)
    if constant is None or constant.specialized:
        return ()
    parts = constant.value if isinstance(constant.value, tuple) else (constant.value,)
    return tuple(part if isinstance(part, int) else 0 for part in parts)


def out_of_range(last: int, expected: str, inst: Instruction, context: RuleContext) -> Findings:
    """What is wrong with the constant operand 2 of an instruction where it is not from 0 to `last`."""
    number = context.module.integer(id_at(inst, 2))
    if number is not None and not 0 <= number <= last:
        yield Finding(inst, 2, f"{operand(inst, 2)} is {number}, {expected}")
