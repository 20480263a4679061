"""Pointer types and forward pointers (SPIR-V 2.16.1, 2.16.2, 3.3.6)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AddressingModel, Capability, StorageClass
from spvls.grammar.operand_index import (
    OpTypeForwardPointer_PointerType,
    OpTypeForwardPointer_StorageClass,
    OpTypePointer_StorageClass,
    OpTypePointer_Type,
    OpTypeUntypedPointerKHR_StorageClass,
)
from spvls.module.operand_at import id_at, word_at
from spvls.module.storage_class import storage_name
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_PHYSICAL = StorageClass.PhysicalStorageBuffer
_PHYSICAL_ADDRESSING = AddressingModel.PhysicalStorageBuffer64
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_WORKGROUP = StorageClass.Workgroup
_IMAGE = StorageClass.Image
_EXPLICIT_LAYOUT = frozenset(
    {
        StorageClass.StorageBuffer,
        StorageClass.PhysicalStorageBuffer,
        StorageClass.Uniform,
        StorageClass.PushConstant,
        StorageClass.UniformConstant,
    }
)


@instruction_rule(
    "type/physical-pointer-fits-addressing-model",
    spv.OpTypePointer,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    severity=Severity.WARNING,
)
def physical_pointer_fits_addressing_model(inst: Instruction, context: RuleContext) -> Findings:
    """Pointers into PhysicalStorageBuffer go with the addressing model PhysicalStorageBuffer64."""
    module = context.module
    if word_at(inst, OpTypePointer_StorageClass) != _PHYSICAL or not module.has_capability(
        Capability.PhysicalStorageBufferAddresses
    ):
        return
    if module.addressing_model not in (-1, _PHYSICAL_ADDRESSING):
        yield Finding(
            inst, OpTypePointer_StorageClass, "PhysicalStorageBuffer goes with the addressing model PhysicalStorageBuffer64"
        )


@instruction_rule(
    "type/forward-pointer-is-declared-later", spv.OpTypeForwardPointer, section=sections.TYPE_DECLARATION_INSTRUCTIONS
)
def forward_pointer_is_declared_later(inst: Instruction, context: RuleContext) -> Findings:
    """A forward pointer is declared later, as a pointer of the same storage class to a structure."""
    name = id_at(inst, OpTypeForwardPointer_PointerType)
    module = context.module
    declared = module.type(name)
    if declared is None:
        return
    note = (Note(declared.record, RESULT, f"%{name} is declared here"),)
    if declared.kind != spv.OpTypePointer:
        yield Finding(inst, OpTypeForwardPointer_PointerType, f"%{name} is {module.spell(declared)}, and no pointer type", note)
    elif word_at(inst, OpTypeForwardPointer_StorageClass) != declared.storage:
        wanted = storage_name(declared.storage)
        fix = FindingFix(f"Write {wanted}", (Replace(inst, 1, wanted),))
        yield Finding(inst, OpTypeForwardPointer_StorageClass, f"%{name} is a pointer of the storage class {wanted}", note, (fix,))
    elif declared.pointee is not None and not declared.pointee.is_struct:
        shown = module.spell(declared.pointee)
        yield Finding(
            inst, OpTypeForwardPointer_PointerType, f"a forward pointer points to a structure, and %{name} points to {shown}", note
        )


@instruction_rule(
    "type/forward-pointer-is-physical",
    spv.OpTypeForwardPointer,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpTypeForwardPointer-04711",
    apis="vulkan",
)
def forward_pointer_is_physical(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan forward pointers are of the storage class PhysicalStorageBuffer."""
    if word_at(inst, OpTypeForwardPointer_StorageClass) not in (None, _PHYSICAL_STORAGE_BUFFER):
        shown = storage_name(word_at(inst, OpTypeForwardPointer_StorageClass))
        yield Finding(
            inst,
            OpTypeForwardPointer_StorageClass,
            f"in Vulkan a forward pointer is of the storage class PhysicalStorageBuffer, not {shown}",
        )


@instruction_rule(
    "type/untyped-pointer-has-explicit-layout",
    spv.OpTypeUntypedPointerKHR,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpTypeUntypedPointerKHR-11417",
    apis="vulkan",
)
def untyped_pointer_has_explicit_layout(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan untyped pointers are of a storage class with explicit layout.

    Those are StorageBuffer, PhysicalStorageBuffer, Uniform, PushConstant, UniformConstant and Image for descriptor heaps,
    and Workgroup with the capability WorkgroupMemoryExplicitLayoutKHR.
    """
    own = word_at(inst, OpTypeUntypedPointerKHR_StorageClass)
    if own == _WORKGROUP:
        if not context.module.has_capability(Capability.WorkgroupMemoryExplicitLayoutKHR):
            message = "untyped pointers to Workgroup need the capability WorkgroupMemoryExplicitLayoutKHR"
            yield Finding(inst, OpTypeUntypedPointerKHR_StorageClass, message)
    elif own == _IMAGE and context.module.has_capability(Capability.DescriptorHeapEXT):
        return
    elif own is not None and own not in _EXPLICIT_LAYOUT:
        yield Finding(
            inst,
            OpTypeUntypedPointerKHR_StorageClass,
            f"in Vulkan untyped pointers are of a class with explicit layout, not {storage_name(own)}",
        )


@instruction_rule(
    "type/shader-pointee-is-not-void", spv.OpTypePointer, section=sections.SHADER_VALIDATION_RULES, severity=Severity.WARNING
)
def shader_pointee_is_not_void(inst: Instruction, context: RuleContext) -> Findings:
    """A shader declares no type that neither a variable nor a function could have: no pointer to void."""
    module = context.module
    pointee = module.type(id_at(inst, OpTypePointer_Type))
    if (
        pointee is not None
        and pointee.kind == spv.OpTypeVoid
        and module.has_capability(Capability.Shader)
        and not module.has_capability(Capability.Kernel)
    ):
        yield Finding(inst, OpTypePointer_Type, "a pointer to void is of no use in a shader: no variable is of that type")
