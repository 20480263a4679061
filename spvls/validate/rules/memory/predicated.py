"""Predicated loads and stores (SPIR-V 3.2.25, 3.3.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.operand_index import (
    OpPredicatedLoadINTEL_DefaultValue,
    OpPredicatedLoadINTEL_Pointer,
    OpPredicatedStoreINTEL_Object,
    OpPredicatedStoreINTEL_Pointer,
)
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.kinds import BOOL, Kind
from spvls.validate.checks.memory_operands import VOLATILE, masks
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.function.declaration import spelled_apart

_NUMBERS = Kind("an integer, a float, or a vector of either", "Int Float", "Scalar Vector VectorIdEXT")
_PREDICATE = {spv.OpPredicatedLoadINTEL: 1, spv.OpPredicatedStoreINTEL: 2}


@instruction_rule(
    "memory/predicated-access-is-not-volatile",
    spv.OpPredicatedLoadINTEL,
    spv.OpPredicatedStoreINTEL,
    section=sections.MEMORY_OPERANDS,
)
def predicated_access_is_not_volatile(inst: Instruction, context: RuleContext) -> Findings:
    """OpPredicatedLoadINTEL and OpPredicatedStoreINTEL must not be Volatile.

    A volatile access must not be removed, repeated or combined with others. SPV_INTEL_predicated_io does not permit it for
    predicated accesses, so a device may not support it. Use OpLoad or OpStore in a conditional block instead.
    """
    for mask in masks(inst):
        if mask.bits & VOLATILE:
            yield Finding(inst, mask.operand_index, f"{inst.opcode.name} must not have the memory operand Volatile")


@instruction_rule("memory/predicated-access-takes-pointer", *_PREDICATE, section=sections.MEMORY_INSTRUCTIONS)
def predicated_access_takes_pointer(inst: Instruction, context: RuleContext) -> Findings:
    """Pointer of a predicated load or store must be a pointer, and Predicate must be a Boolean.

    The pointer says which memory is accessed, and the predicate whether it is accessed at all. A device may keep predicates in a
    kind of register of their own, and a value of another type has no defined meaning as one.
    """
    module = context.module
    pointer = module.type_of(id_at(inst, OpPredicatedLoadINTEL_Pointer))
    if pointer is not None and not pointer.is_pointer:
        yield Finding(
            inst,
            OpPredicatedLoadINTEL_Pointer,
            f"{operand(inst, OpPredicatedLoadINTEL_Pointer)} is {module.spell(pointer)}, expected a pointer",
        )
        return
    operand_index = _PREDICATE[inst.opcode.value]
    predicate = module.type_of(id_at(inst, operand_index))
    if predicate is not None and not BOOL.holds(predicate):
        yield Finding(inst, operand_index, f"{operand(inst, operand_index)} is {module.spell(predicate)}, expected bool")


@instruction_rule(
    "memory/predicated-load-types-match",
    spv.OpPredicatedLoadINTEL,
    section=sections.MEMORY_INSTRUCTIONS,
    after=(predicated_access_takes_pointer,),
)
def predicated_load_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """A predicated load and its Default Value must have the type in memory: numbers or vectors of these.

    The result is either the value in memory or the default value, which must have the same type. If one of the types differs, its
    bits may be read as another value. Composites other than vectors may not fit in the registers that one predicated instruction
    can fill. SPV_INTEL_predicated_io says only that the result type is that of the loaded object; as in spirv-val, a typed Pointer
    must point to that type. With an untyped pointer, the type in memory is not compared.
    """
    module = context.module
    result = module.type(inst.type)
    if result is None:
        return
    if not _NUMBERS.holds(result):
        message = f"the result type of OpPredicatedLoadINTEL is {module.spell(result)}, expected {_NUMBERS.name}"
        yield Finding(inst, TYPE, message)
        return
    pointer = module.type_of(id_at(inst, OpPredicatedLoadINTEL_Pointer))
    pointee = pointer.pointee if pointer is not None else None
    if pointee is not None and pointee.id != result.id:
        have, need = spelled_apart(module, result.id, pointee.id)
        message = (
            f"the result type of OpPredicatedLoadINTEL is {have}, "
            f"expected {need}, which {operand(inst, OpPredicatedLoadINTEL_Pointer)} points to"
        )
        yield Finding(inst, TYPE, message)
        return
    default = module.type_of(id_at(inst, OpPredicatedLoadINTEL_DefaultValue))
    if default is not None and default.id != result.id:
        yield Finding(
            inst,
            OpPredicatedLoadINTEL_DefaultValue,
            f"{operand(inst, OpPredicatedLoadINTEL_DefaultValue)} is {module.spell(default)}, "
            f"expected {module.spell(result)} to match the result type",
        )


@instruction_rule(
    "memory/predicated-store-types-match",
    spv.OpPredicatedStoreINTEL,
    section=sections.MEMORY_INSTRUCTIONS,
    after=(predicated_access_takes_pointer,),
)
def predicated_store_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """A predicated store must write a number or a vector of numbers, of the type that Pointer points to.

    The object is copied without conversion. With another type the memory may hold another value afterwards. Composites other than
    vectors may not fit in the registers that one predicated instruction can write. SPV_INTEL_predicated_io does not say that the
    object has the type that Pointer points to; the rule requires it, as spirv-val does. With an untyped pointer, the type in memory
    is not compared.
    """
    module = context.module
    given = module.type_of(id_at(inst, OpPredicatedStoreINTEL_Object))
    if given is None:
        return
    pointer = module.type_of(id_at(inst, OpPredicatedStoreINTEL_Pointer))
    pointee = pointer.pointee if pointer is not None else None
    if pointee is not None and pointee.id != given.id:
        yield Finding(
            inst,
            OpPredicatedStoreINTEL_Object,
            f"{operand(inst, OpPredicatedStoreINTEL_Object)} is {module.spell(given)}, "
            f"expected {module.spell(pointee)}, which {operand(inst, OpPredicatedStoreINTEL_Pointer)} points to",
        )
    elif not _NUMBERS.holds(given):
        yield Finding(
            inst,
            OpPredicatedStoreINTEL_Object,
            f"{operand(inst, OpPredicatedStoreINTEL_Object)} is {module.spell(given)}, expected {_NUMBERS.name}",
        )
