"""Comparing pointers (SPIR-V 3.3.8)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AddressingModel, Capability, Decoration, StorageClass
from spvls.grammar.operand_index import OpPtrDiff_Operand1, OpPtrEqual_Operand1, OpPtrEqual_Operand2
from spvls.module.operand_at import id_at
from spvls.module.variable import storage_name, the_class
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.pointer.logical_pointer import has_logical_pointers

_COMPARISONS = (spv.OpPtrEqual, spv.OpPtrNotEqual, spv.OpPtrDiff)
_LOGICAL = AddressingModel.Logical
_WITH_LOGICAL_POINTERS = frozenset({_LOGICAL, AddressingModel.PhysicalStorageBuffer64})
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_STORAGE_BUFFER = StorageClass.StorageBuffer
_WORKGROUP = StorageClass.Workgroup
_LAID_OUT = frozenset(
    {StorageClass.Uniform, StorageClass.StorageBuffer, StorageClass.PhysicalStorageBuffer, StorageClass.PushConstant}
)

_BLOCKS = (Decoration.Block, Decoration.BufferBlock)


@instruction_rule("pointer/compared-types-match", *_COMPARISONS, section=sections.MEMORY_INSTRUCTIONS)
def compared_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Typed pointers that are compared or subtracted must have one type, and a comparison must be Boolean.

    Two addresses can only be compared if they refer to the same kind of memory, and a difference counts elements of one type.
    Otherwise the result has no meaning.

    Both operands must be pointers. The result type of OpPtrEqual and OpPtrNotEqual must be a Boolean scalar, and that of OpPtrDiff
    an integer scalar. An untyped pointer (SPV_KHR_untyped_pointers) may be compared with any pointer of its storage class, but
    subtracted only from one of its type. As in spirv-val, vectors of pointers are reported, which SPV_INTEL_masked_gather_scatter
    permits.
    """
    module = context.module
    difference = inst.opcode.value == spv.OpPtrDiff
    result = module.type(inst.type)
    if result is not None and not (result.is_int if difference else result.is_bool):
        wanted = "an integer scalar" if difference else "bool"
        yield Finding(inst, TYPE, f"the result type of {inst.opcode.name} is {module.spell(result)}, expected {wanted}")
        return
    types = [module.type_of(id_at(inst, operand_index)) for operand_index in (0, 1)]
    for operand_index, type_ in enumerate(types):
        if type_ is not None and not type_.is_pointer:
            subject = f"Operand {operand_index + 1} (%{inst.operands[operand_index]!s})"
            yield Finding(inst, operand_index, f"{subject} is {module.spell(type_)}, expected a pointer")
            return
    one, other = types
    if one is None or other is None or one.id == other.id:
        return
    if not difference and spv.OpTypeUntypedPointerKHR in (one.kind, other.kind):
        if one.storage != other.storage:
            left, right = inst.operands[:2]
            expected = f"{storage_name(one.storage)} to match Operand 1 (%{left!s})"
            message = f"Operand 2 (%{right!s}) points to {the_class(other.storage)}, expected {expected}"
            yield Finding(inst, OpPtrEqual_Operand2, message)
    else:
        have, wanted = module.spell(other), module.spell(one)
        if have == wanted:
            have, wanted = f"{have} (%{other.id})", f"{wanted} (%{one.id})"
        message = (
            f"Operand 2 (%{inst.operands[OpPtrEqual_Operand2]!s}) is {have}, "
            f"expected {wanted} to match Operand 1 (%{inst.operands[OpPtrEqual_Operand1]!s})"
        )
        yield Finding(inst, OpPtrEqual_Operand2, message)


@instruction_rule(
    "pointer/difference-counts-array-elements",
    spv.OpPtrDiff,
    section=sections.MEMORY_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(compared_types_match,),
)
def difference_counts_array_elements(inst: Instruction, context: RuleContext) -> Findings:
    """OpPtrDiff must have pointers to a type of array elements, with ArrayStride where it is required.

    The result is a number of elements, which is the distance in bytes divided by the stride. Void, functions, and structures
    decorated with Block or BufferBlock cannot be elements of an array in memory, so pointers to them are reported. Whether a
    pointer really points into an array is not checked.

    With the capability Shader, the type of pointers to StorageBuffer, PhysicalStorageBuffer, Uniform or PushConstant must be
    decorated with ArrayStride, because these storage classes require an explicit layout. Without the decoration, a consumer may
    assume a stride that differs from the array's. Other storage classes and untyped pointers are not checked for this.
    `pointer/comparison-fits-storage-class` reports logical pointers without their capability, and all to PhysicalStorageBuffer.
    """
    module = context.module
    type_ = module.type_of(id_at(inst, OpPtrDiff_Operand1))
    if type_ is None or type_.kind != spv.OpTypePointer:
        return
    held = type_.pointee
    subject = f"Operand 1 (%{inst.operands[OpPtrDiff_Operand1]!s})"
    if held is not None and held.kind in (spv.OpTypeVoid, spv.OpTypeFunction):
        message = f"{subject} points to {module.spell(held)}, expected a type that can be an array element"
        yield Finding(inst, OpPtrDiff_Operand1, message)
    elif held is not None and any(module.has_decoration(held.id, block) for block in _BLOCKS):
        message = f"{subject} points to the block {module.spell(held)}, which cannot be an element of an array in memory"
        yield Finding(inst, OpPtrDiff_Operand1, message)
    elif (
        type_.storage in _LAID_OUT
        and module.has_capability(Capability.Shader)
        and not module.has_decoration(type_.id, Decoration.ArrayStride)
    ):
        message = f"%{type_.id}, the type of the operands of OpPtrDiff, must be decorated with ArrayStride"
        yield Finding(inst, OpPtrDiff_Operand1, message)


@instruction_rule(
    "pointer/comparison-fits-storage-class",
    *_COMPARISONS,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    after=(compared_types_match,),
)
def comparison_fits_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """Logical pointers may only be compared or subtracted where variable pointers are permitted.

    A logical pointer need not be an address: a device may keep the object in registers, or know only the descriptor and the offset.
    Logical pointers are those with the addressing models Logical and PhysicalStorageBuffer64, except pointers to
    PhysicalStorageBuffer.

    Logical pointers to StorageBuffer require the capability VariablePointersStorageBuffer (SPV_KHR_variable_pointers), which
    VariablePointers implies, and those to Workgroup require VariablePointers; others must not be compared or subtracted. With
    PhysicalStorageBuffer64 and the option `relax-logical-pointer`, only VariablePointersStorageBuffer is required, for any storage
    class. An OpPtrDiff of logical pointers without any capability that it requires is left to `capability/uses-are-enabled`.

    Pointers to PhysicalStorageBuffer (SPV_KHR_physical_storage_buffer) must never be compared or subtracted. Convert them with
    OpConvertPtrToU, and use the addresses.
    """
    module = context.module
    type_ = module.type_of(id_at(inst, OpPtrEqual_Operand1))
    model = module.addressing_model
    if type_ is None or not type_.is_pointer:
        return
    class_, expected = storage_name(type_.storage), "with logical addressing, they must point to StorageBuffer or Workgroup"
    if type_.storage == _PHYSICAL_STORAGE_BUFFER:
        what = "must not be used with pointers to PhysicalStorageBuffer; use their addresses (OpConvertPtrToU)"
        message = f"{inst.opcode.name} {what}"
        yield Finding(inst, OpPtrEqual_Operand1, message)
    elif model in _WITH_LOGICAL_POINTERS and not module.has_capability(Capability.VariablePointersStorageBuffer):
        if inst.opcode.value == spv.OpPtrDiff and not module.has_capability(Capability.Addresses):
            return  # see capability/uses-are-enabled
        message = f"{inst.opcode.name} on logical pointers requires the capability VariablePointersStorageBuffer"
        if model == _LOGICAL or has_logical_pointers(context):
            message = f"{inst.opcode.name} on pointers to Workgroup requires the capability VariablePointers"
            if type_.storage == _STORAGE_BUFFER:
                message = f"{inst.opcode.name} on pointers to StorageBuffer requires the capability VariablePointersStorageBuffer"
            elif type_.storage != _WORKGROUP:
                message = f"the operands of {inst.opcode.name} point to {class_}; {expected}"
        yield Finding(inst, OPCODE, message)
    elif model != _LOGICAL and not has_logical_pointers(context):
        return
    elif type_.storage not in (_STORAGE_BUFFER, _WORKGROUP):
        message = f"the operands of {inst.opcode.name} point to {class_}; {expected}"
        yield Finding(inst, OpPtrEqual_Operand1, message)
    elif type_.storage == _WORKGROUP and not module.has_capability(Capability.VariablePointers):
        message = f"{inst.opcode.name} on pointers to Workgroup requires the capability VariablePointers"
        yield Finding(inst, OpPtrEqual_Operand1, message)
