"""Where access chains lead: within bounds, and with the strides of memory (SPIR-V 3.3.8)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Decoration, StorageClass
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.kinds import dimension, part_name
from spvls.validate.checks.pointers import LOGICAL_MODELS
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import last_constant_index
from spvls.validate.rules.pointer.chain import CHAINS, chain

_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_COUNTED = frozenset({spv.OpTypeVector, spv.OpTypeVectorIdEXT, spv.OpTypeMatrix})


def _length(module: Module, type_: Type) -> int | None:
    """How many elements a vector, matrix or array has; None where it cannot be known, or where there are none."""
    if type_.kind == spv.OpTypeArray:
        return module.integer(type_.length_id)
    return dimension(module, type_) or None if type_.kind in _COUNTED else None


@instruction_rule("pointer/access-chain-stays-in-bounds", *CHAINS, section=sections.MEMORY_INSTRUCTIONS, severity=Severity.WARNING)
def access_chain_stays_in_bounds(inst: Instruction, context: RuleContext) -> Findings:
    """In an access chain, a constant index into a vector, matrix or array must be in bounds.

    With a logical pointer, the behavior of an index that is not in bounds is undefined: an access may read or write another object,
    and a compiler may assume that it does not happen. The rule checks pointers other than those to PhysicalStorageBuffer, with the
    addressing models Logical and PhysicalStorageBuffer64. Indexes and lengths that can be specialized, run-time arrays, cooperative
    matrices, the operand Element and what follows an index into OpTypeNodePayloadArrayAMDX are not checked. For structure members
    and negative indexes see `pointer/access-chain-reaches-result-type`.

    A warning, because spirv-val does not compare such indexes with the number of elements.
    """
    module = context.module
    found = chain(inst, module)
    type_ = found.into
    if found.base is None or found.base.storage == _PHYSICAL_STORAGE_BUFFER or module.addressing_model not in LOGICAL_MODELS:
        return
    for operand_index in range(found.first_index, len(inst.operands)):
        if type_ is None:
            return
        name = id_at(inst, operand_index)
        number = module.integer(name)
        if type_.is_struct:
            members = type_.members
            type_ = members[number] if number is not None and 0 <= number < len(members) else None
            continue
        if number is not None:
            length = _length(module, type_)
            if length is not None and number >= length:
                part = part_name(type_)
                there = f"{part}s 0 to {length - 1}" if length > 1 else f"only {part} 0"
                message = f"index %{name} is {number}, but {module.spell(type_)} has {there}"
                yield Finding(inst, operand_index, message, fixes=last_constant_index(inst, operand_index, length, module))
                return
        type_ = type_.element if type_.is_composite else None


@instruction_rule("pointer/pointer-stride-matches-array", *CHAINS, section=sections.MEMORY_INSTRUCTIONS, severity=Severity.WARNING)
def pointer_stride_matches_array(inst: Instruction, context: RuleContext) -> Findings:
    """A pointer type with ArrayStride must have the stride of the array that an access chain points into.

    OpPtrAccessChain steps from the element to another one by the stride of the pointer type. If the array has another stride, or
    none, the step may end between two elements, so that a load reads parts of both. The rule compares the result type of an access
    chain whose last index selects an element of an array. An array with ArrayStrideIdEXT is not checked.
    """
    module = context.module
    if inst.type is None or inst.type not in module.decorated_with(Decoration.ArrayStride):
        return
    own = _stride(module, inst.type)
    found = chain(inst, module)
    array, type_ = None, found.into
    for operand_index in range(found.first_index, len(inst.operands)):
        if type_ is None:
            return
        number = module.integer(id_at(inst, operand_index))
        array = type_ if type_.is_array else None
        members = type_.members if type_.is_struct else ()
        type_ = members[number] if number is not None and 0 <= number < len(members) else type_.element if not members else None
    if array is None or own is None or module.has_decoration(array.id, Decoration.ArrayStrideIdEXT):
        return
    wanted = _stride(module, array.id)
    if wanted != own:
        stride = f"the result type %{inst.type} has ArrayStride {own}"
        into = f"{module.spell(array)}, which %{inst.result} points into"
        if wanted is None:
            message = f"{stride}, but {into}, has none; expected the same ArrayStride on both, or none on either"
        else:
            message = f"{stride}, expected {wanted} to match {into}"
        yield Finding(inst, TYPE, message)


def _stride(module: Module, type_: str) -> int | None:
    found = module.decoration(type_, Decoration.ArrayStride)
    word = found.params[0] if found is not None and found.params else None
    return word if isinstance(word, int) else None
