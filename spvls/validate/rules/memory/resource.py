"""Resources of Vulkan and their bindings (SPIR-V 2.16.1, 3.2.6, 3.2.19, 3.3.6)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, Dim, ExecutionMode, StorageClass
from spvls.grammar.operand_index import OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.callgraph import CALL_FACTS
from spvls.module.decorations import decoration_name
from spvls.module.dependencies import GLOBALS
from spvls.module.interface import users
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.types import Type
from spvls.module.variable import held_by, storage_name, the_class
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.engine.finding import Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule
from spvls.validate.fixes.common import decorating

_UNIFORM = StorageClass.Uniform
_STORAGE_BUFFER = StorageClass.StorageBuffer
_UNIFORM_CONSTANT = StorageClass.UniformConstant
_PUSH_CONSTANT = StorageClass.PushConstant
_TILE_ATTACHMENT = StorageClass.TileAttachmentQCOM
_RESOURCES = frozenset({StorageClass.UniformConstant, StorageClass.Uniform, StorageClass.StorageBuffer})


@module_rule("memory/storage-buffers-share-one-form", section=sections.UNIVERSAL_VALIDATION_RULES, severity=Severity.WARNING)
def storage_buffers_share_one_form(context: RuleContext) -> Findings:
    """A module must not mix variables in StorageBuffer with storage buffers in Uniform.

    The older form of a storage buffer is a structure in Uniform that is decorated with BufferBlock; the newer form is a Block in
    StorageBuffer (SPV_KHR_storage_buffer_storage_class). A consumer may decide from the declarations of the module whether Uniform
    contains storage buffers. In a mixed module it may treat a buffer that is written as read-only. The rule checks OpVariable, also
    with arrays of such structures; untyped variables and types without a variable are not checked.

    A warning, because spirv-val does not check this.
    """
    module = context.module
    newer = older = None
    for record in module.declarations.records(spv.OpVariable):
        word = word_at(record, 0)
        if word == _STORAGE_BUFFER:
            newer = newer or record
        elif word == _UNIFORM and older is None:
            pointer = module.type(record.type)
            held = module.without_arrays(pointer.pointee) if pointer is not None else None
            if held is not None and module.has_decoration(held.id, Decoration.BufferBlock):
                older = record
    if newer is not None and older is not None:
        note = Note(newer, OPCODE, f"%{newer.result} is in StorageBuffer")
        yield Finding(
            older,
            TYPE,
            f"%{older.result} holds a structure with BufferBlock in Uniform, expected one with Block in StorageBuffer "
            f"as for %{newer.result}",
            (note,),
        )


def _base(type_: Type) -> Type | None:
    return type_.element if type_.is_array else type_


_OPAQUE = frozenset(
    {spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage, spv.OpTypeTensorARM, spv.OpTypeAccelerationStructureKHR}
)


@instruction_rule("memory/resource-type-fits-class", *VARIABLES, section=sections.STORAGE_CLASS, apis="vulkan")
def resource_type_fits_class(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, buffers must be structures, and UniformConstant may only hold opaque objects.

    In Vulkan the type of a resource, with its storage class, determines its kind of descriptor. A driver cannot bind a buffer whose
    type has no members with offsets, or an opaque object where it expects the memory of a buffer.

    UniformConstant may hold images, samplers, sampled images, acceleration structures and tensors; Uniform and StorageBuffer may
    hold structures. Arrays of these are permitted, but not arrays of arrays; arrays of run-time arrays are left to
    `type/runtime-array-is-outermost`. Push constants must be one structure. Untyped variables without a data type, such as heaps
    (SPV_EXT_descriptor_heap), are not checked.
    """
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    held = held_by(inst, module)
    base = _base(held) if held is not None else None
    if held is None or base is None or base.kind == spv.OpTypeRuntimeArray:
        return
    shown = f"%{inst.result} holds {module.spell(held)}, but {storage_name(own)} may only hold"
    inner = module.without_arrays(base)
    if own in (_UNIFORM, _STORAGE_BUFFER):
        if not base.is_struct:
            message = f"{shown} structures or arrays of structures"
            message += ", not arrays of arrays" * (inner is not None and inner.is_struct)
            yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-Uniform-06807")
    elif own == _PUSH_CONSTANT:
        if not held.is_struct:
            yield Finding(inst, TYPE, f"{shown} a structure", vuid="VUID-StandaloneSpirv-PushConstant-06808")
    elif own == _UNIFORM_CONSTANT and base.kind not in _OPAQUE:
        message = f"{shown} images, samplers, sampled images, acceleration structures, tensors and arrays of these"
        message += ", not arrays of arrays" * (inner is not None and inner.kind in _OPAQUE)
        yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-UniformConstant-04655")


_HEAPS = frozenset({BuiltIn.SamplerHeapEXT, BuiltIn.ResourceHeapEXT})


def _in_heap(inst: Instruction, module: Module) -> bool:
    return inst.opcode.value == spv.OpUntypedVariableKHR and any(
        found.value == Decoration.BuiltIn and found.params and found.params[0] in _HEAPS
        for found in module.decorations(inst.result or "")
    )


@instruction_rule(
    "memory/runtime-array-is-in-resource",
    *VARIABLES,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpTypeRuntimeArray-04680",
    apis="vulkan",
)
def runtime_array_is_in_resource(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a run-time array must be in a buffer, or be descriptors with RuntimeDescriptorArray.

    In Vulkan the length of a run-time array comes from the size of the bound buffer or of the descriptor set. In memory such as
    Private or Workgroup nothing gives the length, so a driver cannot allocate it.

    A variable that holds a structure with a run-time array as a direct member must be in StorageBuffer or Uniform; in StorageBuffer
    the structure must not be a BufferBlock. A variable that holds a run-time array itself requires the capability
    RuntimeDescriptorArray (SPV_EXT_descriptor_indexing) and must be in UniformConstant, Uniform or StorageBuffer. As in spirv-val,
    a missing capability has this VUID too, although its text does not name the capability.

    In modules with the execution mode CoalescingAMDX, variables in NodePayloadAMDX are not reported. Structures in arrays are not
    checked.
    """
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    held = held_by(inst, module)
    coalesces = ExecutionMode.CoalescingAMDX in module.declarations.set_modes
    if held is None or (coalesces and own == StorageClass.NodePayloadAMDX):
        return
    if held.kind == spv.OpTypeRuntimeArray:
        declared = module.has_capability(Capability.RuntimeDescriptorArray)
        if own not in _RESOURCES:
            message = (
                f"%{inst.result} holds {module.spell(held)} and is in {the_class(own)}, "
                "expected UniformConstant, Uniform or StorageBuffer"
            )
            if not declared:
                message += ", with the capability RuntimeDescriptorArray"
            yield Finding(inst, OpVariable_StorageClass if declared else TYPE, message)
        elif not declared:
            message = f"%{inst.result} holds {module.spell(held)}, which requires the capability RuntimeDescriptorArray"
            yield Finding(inst, TYPE, message)
    elif held.is_struct and any(member.kind == spv.OpTypeRuntimeArray for member in held.member_types):
        if own not in (_UNIFORM, _STORAGE_BUFFER, StorageClass.PhysicalStorageBuffer):
            wanted = "Uniform" if module.has_decoration(held.id, Decoration.BufferBlock) else "StorageBuffer or Uniform"
            message = f"%{inst.result} holds a run-time array and is in {the_class(own)}, expected {wanted}"
            yield Finding(inst, OpVariable_StorageClass, message)
        elif own != _UNIFORM and module.has_decoration(held.id, Decoration.BufferBlock):
            message = (
                f"structure %{held.id} is decorated with BufferBlock, expected Block for a run-time array in {storage_name(own)}"
            )
            yield Finding(inst, TYPE, message)


@instruction_rule(
    "memory/resource-has-set-and-binding",
    *VARIABLES,
    section=sections.DECORATION,
    vuid="VUID-StandaloneSpirv-UniformConstant-06677",
    apis="vulkan",
    after=(resource_type_fits_class,),
)
def resource_has_set_and_binding(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a resource must be decorated with DescriptorSet and Binding.

    Resources are the variables in UniformConstant, Uniform and StorageBuffer. The two numbers connect the variable to a descriptor
    of the application. Without them a driver may reject the pipeline, or use set 0 and binding 0, which can be another resource.

    Untyped variables with the built-in ResourceHeapEXT or SamplerHeapEXT (SPV_EXT_descriptor_heap) need neither. Variables that
    `memory/resource-type-fits-class` reports are not checked. With the option `before-hlsl-legalization`, variables that no entry
    point uses are not checked, because legalization can remove them.
    """
    own = word_at(inst, OpVariable_StorageClass)
    name = inst.result
    if own not in _RESOURCES or name is None:
        return
    module = context.module
    if _in_heap(inst, module) or (context.options.before_hlsl_legalization and not _is_used(name, module)):
        return
    missing = [wanted for wanted in _PLACE if not module.has_decoration(name, wanted)]
    if missing:
        what = " and ".join(map(decoration_name, missing))
        message = f"%{name} is in {the_class(own)} and must be decorated with {what}"
        yield Finding(inst, OPCODE, message, fixes=_bound(name, missing, module))


def _is_used(name: str, module: Module) -> bool:
    """Whether an entry point uses a variable, which any edit may change."""
    module.reads.module |= CALL_FACTS | {GLOBALS, *(f"%{chunk.records[0].result}" for chunk in module.chunks if chunk.is_function)}
    return bool(users(name, module))


_PLACE = (Decoration.DescriptorSet, Decoration.Binding)


def _bound(name: str, missing: list[int], module: Module) -> tuple[FindingFix, ...]:
    """The quick fix that gives a resource the first binding that its descriptor set has free, by default in the set 0."""
    from spvls.module.next_number import next_number, number_of

    set_ = number_of(module, name, Decoration.DescriptorSet) or 0
    given = {Decoration.DescriptorSet: set_, Decoration.Binding: next_number(module, name, Decoration.Binding)}
    texts = [f"{decoration_name(decoration)} {given[decoration]}" for decoration in missing]
    steps = decorating(name, [f"OpDecorate %{name} {text}" for text in texts], module)
    title = f"Decorate %{name} {' and '.join(texts)}"
    return (FindingFix(title, steps, preferred=False),) if steps else ()


_DIM_2D = Dim.Dim2D


@instruction_rule("memory/tile-attachment-is-2d-image", spv.OpVariable, section=sections.STORAGE_CLASS)
def tile_attachment_is_2d_image(inst: Instruction, context: RuleContext) -> Findings:
    """An image in TileAttachmentQCOM must have Dim 2D, and in Vulkan the variable must have a binding.

    The storage class is for attachments in the memory of the tile that is being rendered, which has two dimensions. The decorations
    DescriptorSet and Binding connect the variable to an attachment of the application. Without them a driver may not find the
    attachment.

    Vulkan requires all of this. The rule checks the Dim in all environments, but the decorations only in Vulkan; spirv-val checks
    both in all. The Dim of images in arrays and in sampled images is not checked, nor are untyped variables. Where the Dim or
    Sampled of the image is wrong, the decorations are not checked.
    """
    name = inst.result
    module = context.module
    if word_at(inst, OpVariable_StorageClass) != _TILE_ATTACHMENT or name is None:
        return
    held = held_by(inst, module)
    vulkan = module.environment.api == "vulkan"
    if held is not None and held.kind == spv.OpTypeImage:
        if held.word(1) != _DIM_2D:
            message = f"%{name} holds {module.spell(held)}, but TileAttachmentQCOM may only hold images of Dim 2D"
            yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-OpTypeImage-10693" if vulkan else None)
            return
        if held.word(5) not in (1, 2):
            return  # said of the image type
    missing = [wanted for wanted in _PLACE if not module.has_decoration(name, wanted)]
    if vulkan and missing:
        what = " and ".join(map(decoration_name, missing))
        message = f"%{name} is in {the_class(_TILE_ATTACHMENT)} and must be decorated with {what}"
        fixes = _bound(name, missing, module)
        yield Finding(inst, OPCODE, message, fixes=fixes, vuid="VUID-StandaloneSpirv-TileAttachmentQCOM-10695")
