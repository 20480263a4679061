"""Descriptor heaps (SPIR-V 3.2.20, 3.3.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, StorageClass
from spvls.grammar.operand_index import (
    OpBufferPointerEXT_Buffer,
    OpLoad_Pointer,
    OpUntypedAccessChainKHR_Base,
    OpVariable_StorageClass,
)
from spvls.grammar.traits import UNTYPED_ACCESS_CHAINS, VARIABLES
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.variable import the_class
from spvls.syntax.instruction import TYPE, Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.descriptors import heaps
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_UNIFORM_CONSTANT = StorageClass.UniformConstant
_BUFFERS = frozenset({StorageClass.Uniform, StorageClass.StorageBuffer})
#: What is loaded from which heap.
_FROM = {
    spv.OpTypeSampler: (BuiltIn.SamplerHeapEXT, "VUID-StandaloneSpirv-Result-11336"),
    spv.OpTypeImage: (BuiltIn.ResourceHeapEXT, "VUID-StandaloneSpirv-Result-11337"),
    spv.OpTypeAccelerationStructureKHR: (BuiltIn.ResourceHeapEXT, "VUID-StandaloneSpirv-Result-11339"),
}


@instruction_rule("memory/load-uses-matching-heap", spv.OpLoad, section=sections.MEMORY_INSTRUCTIONS, apis="vulkan")
def load_uses_matching_heap(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a descriptor must come from the heap for its type or from a variable with a binding.

    With SPV_EXT_descriptor_heap, samplers come from SamplerHeapEXT, and images and acceleration structures from ResourceHeapEXT.
    Each heap may have descriptors of its own size and encoding. A driver may read other bytes than those of the descriptor from the
    wrong heap, and the device may fail when it uses them.

    The rule applies to modules with the capability DescriptorHeapEXT. It only checks loads of these three types from an untyped
    variable with either built-in, or from the result of OpBufferPointerEXT, which is not a heap; untyped access chains may lead
    there. Variables with DescriptorSet or Binding are not reported.
    """
    module = context.module
    if not module.has_capability(Capability.DescriptorHeapEXT):
        return
    type_ = module.type(inst.type)
    if type_ is None or type_.kind not in _FROM:
        return
    base = _reached_from(module, id_at(inst, OpLoad_Pointer))
    name = base.result if base is not None else None
    if base is None or name is None:
        return
    heap, vuid = _FROM[type_.kind]
    known = heaps(module, name)
    if base.opcode.value != spv.OpBufferPointerEXT and (base.opcode.value != spv.OpUntypedVariableKHR or not known):
        return
    if heap in known or any(module.has_decoration(name, placed) for placed in (Decoration.DescriptorSet, Decoration.Binding)):
        return
    pointer, wanted = id_at(inst, OpLoad_Pointer), enumerant_name("BuiltIn", heap)
    into = f"operand Pointer (%{pointer}) {'is' if pointer == name else f'points into %{name},'}"
    have = " and ".join(f"BuiltIn {enumerant_name('BuiltIn', other)}" for other in sorted(known))
    what = f"a variable decorated with {have}" if known else made_by(base)
    message = f"{into} {what}; the result type {module.spell(type_)} requires "
    message += f"a variable decorated with BuiltIn {wanted}, or with DescriptorSet and Binding"
    yield Finding(inst, OpLoad_Pointer, message, vuid=vuid)


@instruction_rule(
    "memory/resource-heap-is-uniform-constant",
    *VARIABLES,
    section=sections.BUILTIN,
    apis="vulkan",
    vuids=lambda: ["VUID-ResourceHeapEXT-ResourceHeapEXT-11241", "VUID-SamplerHeapEXT-SamplerHeapEXT-11239"],
)
def resource_heap_is_uniform_constant(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a variable decorated with ResourceHeapEXT or SamplerHeapEXT must be in UniformConstant.

    The variable represents a heap that the application binds, which is read-only for the shader. A variable in another storage
    class stands for other memory, where a driver may find no descriptors.
    """
    class_ = word_at(inst, OpVariable_StorageClass)
    if class_ is None or class_ == _UNIFORM_CONSTANT or inst.result is None:
        return
    for heap in sorted(heaps(context.module, inst.result)):
        name = enumerant_name("BuiltIn", heap)
        number = 11241 if heap == BuiltIn.ResourceHeapEXT else 11239
        message = f"%{inst.result}, the built-in {name}, is in {the_class(class_)}, expected UniformConstant"
        yield Finding(inst, OpVariable_StorageClass, message, vuid=f"VUID-{name}-{name}-{number}")


@instruction_rule("memory/buffer-pointer-points-to-buffer", spv.OpBufferPointerEXT, section=sections.MEMORY_INSTRUCTIONS)
def buffer_pointer_points_to_buffer(inst: Instruction, context: RuleContext) -> Findings:
    """OpBufferPointerEXT must return a pointer to Uniform or StorageBuffer, and read ResourceHeapEXT.

    The instruction makes a pointer to the memory of a buffer from its descriptor. The storage class of the pointer determines how
    the buffer is accessed; buffers with descriptors are in Uniform or StorageBuffer. Outside of the resource heap, a device may
    read other data as the address of the buffer.

    As Buffer, the rule accepts a variable that is decorated with BuiltIn ResourceHeapEXT, a pointer that OpLoad gives, and what
    untyped access chains reach from either. SPV_EXT_descriptor_heap requires that Buffer is an untyped pointer, which is not
    checked; the result may be a typed one.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is not None and not (type_.is_pointer and type_.storage in _BUFFERS):
        subject = f"the result type of OpBufferPointerEXT is {module.spell(type_)}"
        yield Finding(inst, TYPE, f"{subject}, expected a pointer to the storage class Uniform or StorageBuffer")
        return
    name = id_at(inst, OpBufferPointerEXT_Buffer)
    pointer = module.type_of(name)
    if pointer is not None and not pointer.is_pointer:
        message = f"operand Buffer (%{name}) is {module.spell(pointer)}, expected a pointer to a descriptor"
        yield Finding(inst, OpBufferPointerEXT_Buffer, message)
        return
    base = _reached_from(module, name)
    if base is None or base.result is None or base.opcode.value == spv.OpLoad:
        return
    if base.opcode.value not in VARIABLES:
        where = made_by(base) if base.result == name else f"reached from %{base.result} ({base.opcode.name})"
        message = f"operand Buffer (%{name}) is {where}, expected a variable or an untyped access chain into one"
        yield Finding(inst, OpBufferPointerEXT_Buffer, message)
    elif BuiltIn.ResourceHeapEXT not in heaps(module, base.result):
        message = f"operand Buffer (%{name}) points into %{base.result}, which must be decorated with BuiltIn ResourceHeapEXT"
        yield Finding(inst, OpBufferPointerEXT_Buffer, message)


def _reached_from(module: Module, name: str | None) -> Instruction | None:
    """What the untyped access chains that lead to a pointer begin with; None for chains in a circle."""
    seen: set[str] = set()
    while name is not None and name not in seen:
        seen.add(name)
        record = module.definition(name)
        if record is None or record.opcode.value not in UNTYPED_ACCESS_CHAINS:
            return record
        name = id_at(record, OpUntypedAccessChainKHR_Base)
    return None
