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
from spvls.module.variable import storage_name
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_PHYSICAL = StorageClass.PhysicalStorageBuffer
_PHYSICAL_ADDRESSING = AddressingModel.PhysicalStorageBuffer64
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_WORKGROUP = StorageClass.Workgroup
_OF_HEAPS = frozenset({StorageClass.UniformConstant, StorageClass.Image})
_BUFFERS = (StorageClass.StorageBuffer, StorageClass.Uniform)
_EXPLICIT_LAYOUT = frozenset(
    {
        StorageClass.StorageBuffer,
        StorageClass.PhysicalStorageBuffer,
        StorageClass.Uniform,
        StorageClass.PushConstant,
    }
)


@instruction_rule(
    "type/physical-pointer-fits-addressing-model",
    spv.OpTypePointer,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    severity=Severity.WARNING,
)
def physical_pointer_fits_addressing_model(inst: Instruction, context: RuleContext) -> Findings:
    """Pointers to PhysicalStorageBuffer must be used with the addressing model PhysicalStorageBuffer64.

    The addressing model says how many bits such a pointer has. With another model a consumer may treat the pointer as a logical
    one, or assign it another size. Only OpTypePointer is checked, in modules with the capability PhysicalStorageBufferAddresses. If
    this capability is missing, `capability/uses-are-enabled` reports that instead.
    """
    module = context.module
    if word_at(inst, OpTypePointer_StorageClass) != _PHYSICAL or not module.has_capability(
        Capability.PhysicalStorageBufferAddresses
    ):
        return
    if module.addressing_model not in (-1, _PHYSICAL_ADDRESSING):
        model = enumerant_name("AddressingModel", module.addressing_model)
        reason = f"because %{inst.result} points to the storage class PhysicalStorageBuffer"
        message = f"the addressing model is {model}, expected PhysicalStorageBuffer64 {reason}"
        yield Finding(inst, OpTypePointer_StorageClass, message)


@instruction_rule(
    "type/forward-pointer-is-declared-later", spv.OpTypeForwardPointer, section=sections.TYPE_DECLARATION_INSTRUCTIONS
)
def forward_pointer_is_declared_later(inst: Instruction, context: RuleContext) -> Findings:
    """OpTypeForwardPointer must name an OpTypePointer of its storage class that points to a structure.

    The instruction lets a structure contain a pointer to itself. A consumer that reads the module once assumes the storage class
    that the instruction names. If the declaration differs, the members after the pointer may be at other offsets. An untyped
    pointer is an error too, and so is an OpTypeForwardPointer after the declaration. A defined id that is not a type is reported by
    `id/operand-is-type`, and an id that is not defined by `id/is-defined-before-use`.
    """
    name = id_at(inst, OpTypeForwardPointer_PointerType)
    module = context.module
    declared = module.type(name)
    if declared is None:
        return
    note = (Note(declared.record, RESULT, f"%{name} is declared here"),)
    what = operand(inst, 0)
    if declared.kind != spv.OpTypePointer:
        message = f"{what} is the result of {declared.record.opcode.name}, expected OpTypePointer"
        yield Finding(inst, OpTypeForwardPointer_PointerType, message, note)
    elif word_at(inst, OpTypeForwardPointer_StorageClass) != declared.storage:
        wanted = storage_name(declared.storage)
        fix = FindingFix(f"Write {wanted}", (Replace(inst, 1, wanted),))
        named = storage_name(word_at(inst, OpTypeForwardPointer_StorageClass))
        message = f"operand Storage Class is {named}, expected {wanted} to match pointer type %{name}"
        yield Finding(inst, OpTypeForwardPointer_StorageClass, message, note, (fix,))
    elif name in context.defined_ids:
        message = f"{what} is already declared; OpTypeForwardPointer must come before the declaration"
        yield Finding(inst, OpTypeForwardPointer_PointerType, message, note)
    elif declared.pointee is not None and not declared.pointee.is_struct:
        shown = module.spell(declared.pointee)
        yield Finding(inst, OpTypeForwardPointer_PointerType, f"{what} points to {shown}, expected a structure type", note)


@instruction_rule(
    "type/forward-pointer-is-physical",
    spv.OpTypeForwardPointer,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpTypeForwardPointer-04711",
    apis="vulkan",
)
def forward_pointer_is_physical(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, the storage class of a forward pointer must be PhysicalStorageBuffer.

    A forward pointer lets structures in memory contain pointers to themselves or to each other. In Vulkan only pointers to
    PhysicalStorageBuffer are addresses that a buffer can hold.
    """
    if word_at(inst, OpTypeForwardPointer_StorageClass) not in (None, _PHYSICAL_STORAGE_BUFFER):
        shown = storage_name(word_at(inst, OpTypeForwardPointer_StorageClass))
        yield Finding(
            inst,
            OpTypeForwardPointer_StorageClass,
            f"operand Storage Class is {shown}, but in Vulkan a forward pointer requires PhysicalStorageBuffer",
        )


@instruction_rule(
    "type/untyped-pointer-has-explicit-layout",
    spv.OpTypeUntypedPointerKHR,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    apis="vulkan",
)
def untyped_pointer_has_explicit_layout(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, an untyped pointer must not point to storage classes such as Function, Private or Input.

    The type is chosen at each access. In memory without an explicit layout a device may place the parts of a value as it likes, so
    two accesses with different types may not agree about their places.

    The VUID permits StorageBuffer, PhysicalStorageBuffer, Uniform, PushConstant, Workgroup, UniformConstant, which holds
    descriptors, and Image, for pointers to texels. SPV_KHR_untyped_pointers requires an explicit layout for Workgroup. Like
    spirv-val, the rule also requires the capability WorkgroupMemoryExplicitLayoutKHR (SPV_KHR_workgroup_memory_explicit_layout) for
    Workgroup, and DescriptorHeapEXT (SPV_EXT_descriptor_heap) for UniformConstant and Image; the VUID requires neither.
    """
    own = word_at(inst, OpTypeUntypedPointerKHR_StorageClass)
    if own == _WORKGROUP:
        if not context.module.has_capability(Capability.WorkgroupMemoryExplicitLayoutKHR):
            message = "untyped pointers to Workgroup require the capability WorkgroupMemoryExplicitLayoutKHR in Vulkan"
            yield Finding(inst, OpTypeUntypedPointerKHR_StorageClass, message)
    elif own in _OF_HEAPS:
        if not context.module.has_capability(Capability.DescriptorHeapEXT):
            message = f"untyped pointers to {storage_name(own)} require the capability DescriptorHeapEXT in Vulkan"
            yield Finding(inst, OpTypeUntypedPointerKHR_StorageClass, message)
    elif own is not None and own not in _EXPLICIT_LAYOUT:
        message = f"operand Storage Class is {storage_name(own)}, but in Vulkan an untyped pointer requires "
        message += "StorageBuffer, PhysicalStorageBuffer, Uniform, PushConstant, Workgroup, UniformConstant or Image"
        vuid = "VUID-StandaloneSpirv-OpTypeUntypedPointerKHR-11417"
        yield Finding(inst, OpTypeUntypedPointerKHR_StorageClass, message, vuid=vuid)


@instruction_rule("type/buffer-is-storage-or-uniform", spv.OpTypeBufferEXT, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def buffer_is_storage_or_uniform(inst: Instruction, context: RuleContext) -> Findings:
    """The storage class of OpTypeBufferEXT must be StorageBuffer or Uniform.

    The type stands for a buffer descriptor in a heap, which is that of a storage buffer or of a uniform buffer; other memory has
    no such descriptors.
    """
    own = word_at(inst, 0)
    if own is not None and own not in _BUFFERS:
        yield Finding(inst, 0, f"operand Storage Class is {storage_name(own)}, expected StorageBuffer or Uniform")


@instruction_rule(
    "type/shader-pointee-is-not-void", spv.OpTypePointer, section=sections.TYPE_DECLARATION_INSTRUCTIONS, severity=Severity.WARNING
)
def shader_pointee_is_not_void(inst: Instruction, context: RuleContext) -> Findings:
    """A pointer type in a shader must not point to void.

    No value of type void can be loaded or stored, and a driver may fail when it computes the size of void. The specification says
    that a pointer points to an object, and that no object is of type void.

    The rule applies to modules with the capability Shader and without Kernel. It also reports a pointer to void in Image, which the
    specification permits as the result type of OpImageTexelPointer. Pointers to other types without a size are not checked.

    A warning, because spirv-val accepts such a pointer.
    """
    module = context.module
    pointee = module.type(id_at(inst, OpTypePointer_Type))
    if (
        pointee is not None
        and pointee.kind == spv.OpTypeVoid
        and module.has_capability(Capability.Shader)
        and not module.has_capability(Capability.Kernel)
    ):
        yield Finding(inst, OpTypePointer_Type, f"pointer type %{inst.result} must not point to void in a shader")
