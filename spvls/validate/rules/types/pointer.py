"""Pointer types, forward pointers and function types (SPIR-V 3.3.6)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.finding import Finding, Mend, Note, Replace
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage, storage_name, storages

_PHYSICAL_STORAGE_BUFFER = storage("PhysicalStorageBuffer")
_WORKGROUP = storage("Workgroup")
_IMAGE = storage("Image")
_EXPLICIT_LAYOUT = storages("StorageBuffer PhysicalStorageBuffer Uniform PushConstant UniformConstant")


@instruction_rule("opcode/OpTypeForwardPointer/declared-later", spv.OpTypeForwardPointer, section="3.3.6")
def forward_pointer(inst: Instruction, scene: Scene) -> Findings:
    """A forward pointer is declared later, as a pointer of the same storage class to a structure.

    Bad:  `OpTypeForwardPointer %p Uniform` and `%p = OpTypePointer StorageBuffer %node`
    Good: `OpTypeForwardPointer %p StorageBuffer` and `%p = OpTypePointer StorageBuffer %node`
    """
    name = id_at(inst, 0)
    module = scene.module
    declared = module.type(name)
    if declared is None:
        return
    note = (Note(declared.record, RESULT, f"%{name} is declared here"),)
    if declared.kind != spv.OpTypePointer:
        yield Finding(inst, 0, f"%{name} is {module.spell(declared)}, and no pointer type", note)
    elif word_at(inst, 1) != declared.storage:
        wanted = storage_name(declared.storage)
        mend = Mend(f"Write {wanted}", (Replace(inst, 1, wanted),))
        yield Finding(inst, 1, f"%{name} is a pointer of the storage class {wanted}", note, (mend,))
    elif declared.pointee is not None and not declared.pointee.is_struct:
        shown = module.spell(declared.pointee)
        yield Finding(inst, 0, f"a forward pointer points to a structure, and %{name} points to {shown}", note)


@instruction_rule(
    "vulkan/forward-pointer-class",
    spv.OpTypeForwardPointer,
    section="3.3.6",
    vuid="VUID-StandaloneSpirv-OpTypeForwardPointer-04711",
    apis="vulkan",
)
def forward_pointer_class(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan forward pointers are of the storage class PhysicalStorageBuffer.

    Bad:  `OpTypeForwardPointer %p StorageBuffer`
    Good: `OpTypeForwardPointer %p PhysicalStorageBuffer`
    """
    if word_at(inst, 1) not in (None, _PHYSICAL_STORAGE_BUFFER):
        shown = storage_name(word_at(inst, 1))
        yield Finding(inst, 1, f"in Vulkan a forward pointer is of the storage class PhysicalStorageBuffer, not {shown}")


@instruction_rule(
    "vulkan/untyped-pointer-class",
    spv.OpTypeUntypedPointerKHR,
    section="3.3.6",
    vuid="VUID-StandaloneSpirv-OpTypeUntypedPointerKHR-11417",
    apis="vulkan",
)
def untyped_pointer_class(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan untyped pointers are of a storage class with explicit layout.

    Those are StorageBuffer, PhysicalStorageBuffer, Uniform, PushConstant, UniformConstant and Image for descriptor heaps,
    and Workgroup with the capability WorkgroupMemoryExplicitLayoutKHR.

    Bad:  `%p = OpTypeUntypedPointerKHR Private`
    Good: `%p = OpTypeUntypedPointerKHR StorageBuffer`
    """
    own = word_at(inst, 0)
    if own == _WORKGROUP:
        if not scene.module.has_capability("WorkgroupMemoryExplicitLayoutKHR"):
            message = "untyped pointers to Workgroup need the capability WorkgroupMemoryExplicitLayoutKHR"
            yield Finding(inst, 0, message)
    elif own == _IMAGE and scene.module.has_capability("DescriptorHeapEXT"):
        return
    elif own is not None and own not in _EXPLICIT_LAYOUT:
        yield Finding(inst, 0, f"in Vulkan untyped pointers are of a class with explicit layout, not {storage_name(own)}")


@instruction_rule("opcode/OpTypeFunction/parameter-not-void", spv.OpTypeFunction, section="3.3.6")
def parameter_types(inst: Instruction, scene: Scene) -> Findings:
    """No parameter of a function is of type void.

    Bad:  `%f = OpTypeFunction %void %void`
    Good: `%f = OpTypeFunction %void`
    """
    for place, operand in enumerate(inst.operands[1:], 1):
        if isinstance(operand, str) and scene.module.opcode_of(operand) == spv.OpTypeVoid:
            yield Finding(inst, place, "a parameter cannot be of type void; a function without parameters lists none")
            return


@instruction_rule("limit/function-parameters", spv.OpTypeFunction, section="2.17")
def parameter_limit(inst: Instruction, scene: Scene) -> Findings:
    """A function has at most 255 parameters, or as many as the option `max_function_args` says.

    Bad:  a function type of 300 parameters.
    Good: a structure that holds them.
    """
    limit = scene.options.max_function_args
    if len(inst.operands) - 1 > limit:
        yield Finding(inst, limit + 1, f"a function has at most {limit} parameters, and this has {len(inst.operands) - 1}")
