"""Descriptor heaps: what is loaded from them, and how they are laid out (SPV_EXT_descriptor_heap)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.pointers import root
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.rules.types.constant_data import DESCRIPTORS
from spvls.validate.storage_class import storage, storage_name, storages
from spvls.validate.variable import VARIABLES

_UNIFORM_CONSTANT = storage("UniformConstant")
_BUFFERS = storages("Uniform StorageBuffer")
_HEAPS = {value("BuiltIn", name): name for name in ("ResourceHeapEXT", "SamplerHeapEXT")}
_ARRAY_STRIDE = value("Decoration", "ArrayStrideIdEXT")
_OFFSET = value("Decoration", "OffsetIdEXT")

#: What is loaded from which heap.
_FROM = {
    spv.OpTypeSampler: ("SamplerHeapEXT", "VUID-StandaloneSpirv-Result-11336"),
    spv.OpTypeImage: ("ResourceHeapEXT", "VUID-StandaloneSpirv-Result-11337"),
    spv.OpTypeAccelerationStructureKHR: ("ResourceHeapEXT", "VUID-StandaloneSpirv-Result-11339"),
}


def _heaps(module: Module, name: str) -> set[str]:
    """The heaps that a variable stands for."""
    return {
        _HEAPS[found.params[0]]
        for found in module.decorations(name)
        if found.name == "BuiltIn" and found.params and found.params[0] in _HEAPS and isinstance(found.params[0], int)
    }


@instruction_rule("vulkan/load-from-heap", spv.OpLoad, section="3.3.8", apis="vulkan")
def load_from_heap(inst: Instruction, scene: Scene) -> Findings:
    """With descriptor heaps, samplers come from SamplerHeapEXT, images and acceleration structures from ResourceHeapEXT.

    Or from a variable that is decorated DescriptorSet and Binding.

    Bad:  `%s = OpLoad %sampler %p` where `%p` points into the variable that is decorated BuiltIn ResourceHeapEXT.
    Good: the variable is decorated BuiltIn SamplerHeapEXT.
    """
    module = scene.module
    type_ = module.type(inst.type)
    if type_ is None or type_.kind not in _FROM or not module.has_capability("DescriptorHeapEXT"):
        return
    variable = root(module, id_at(inst, 0))
    if variable is None or variable.opcode.value not in VARIABLES or variable.result is None:
        return
    name = variable.result
    heap, vuid = _FROM[type_.kind]
    if word_at(variable, 0) != _UNIFORM_CONSTANT or heap in _heaps(module, name):
        return
    if module.has_decoration(name, "DescriptorSet") and module.has_decoration(name, "Binding"):
        return
    shown = module.spell(type_)
    message = f"%{name}, from which {shown} is loaded, is neither {heap} nor decorated DescriptorSet and Binding"
    yield Finding(inst, 0, message, vuid=vuid)


@instruction_rule(
    "vulkan/heap-class", *VARIABLES, section="3.2.20", vuid="VUID-ResourceHeapEXT-ResourceHeapEXT-11241", apis="vulkan"
)
def heap_class(inst: Instruction, scene: Scene) -> Findings:
    """The variable that stands for the heap of resources is in UniformConstant.

    Bad:  `%heap = OpUntypedVariableKHR %ptr Workgroup %buffer` decorated BuiltIn ResourceHeapEXT
    Good: `%heap = OpUntypedVariableKHR %ptr UniformConstant`
    """
    class_ = word_at(inst, 0)
    if class_ is None or class_ == _UNIFORM_CONSTANT or inst.result is None:
        return
    if "ResourceHeapEXT" in _heaps(scene.module, inst.result):
        yield Finding(inst, 0, f"the heap of resources is in UniformConstant, not {storage_name(class_)}")


@instruction_rule("opcode/OpBufferPointerEXT/result", spv.OpBufferPointerEXT, section="3.3.8")
def buffer_pointer(inst: Instruction, scene: Scene) -> Findings:
    """OpBufferPointerEXT gives a pointer to Uniform or StorageBuffer.

    Bad:  `%p = OpBufferPointerEXT %ptr_uniform_constant %descriptor`
    Good: `%p = OpBufferPointerEXT %ptr_storage_buffer %descriptor`
    """
    module = scene.module
    type_ = module.type(inst.type)
    if type_ is not None and not (type_.is_pointer and type_.storage in _BUFFERS):
        message = f"the result type is {module.spell(type_)}, expected a pointer to Uniform or StorageBuffer"
        yield Finding(inst, TYPE, message)


@instruction_rule("decoration/array-stride-id", spv.OpDecorateId, section="3.2.19")
def array_stride(inst: Instruction, scene: Scene) -> Findings:
    """ArrayStrideIdEXT is for arrays of descriptors, and above 0.

    Bad:  `OpDecorateId %floats ArrayStrideIdEXT %uint_4`
    Good: `OpDecorateId %samplers ArrayStrideIdEXT %uint_32`
    """
    if word_at(inst, 1) != _ARRAY_STRIDE:
        return
    module = scene.module
    type_ = module.type(id_at(inst, 0))
    if type_ is None or not type_.is_array:
        return
    element: Type | None = type_
    while element is not None and element.is_array:
        element = element.element
    if element is not None and not _holds_descriptor(element):
        yield Finding(inst, 0, f"%{type_.id} is {module.spell(type_)}, and ArrayStrideIdEXT is for arrays of descriptors")
    elif module.integer(id_at(inst, 2)) == 0:
        yield Finding(inst, 2, "the elements of an array are some bytes apart, and the stride is 0")


def _holds_descriptor(type_: Type) -> bool:
    if type_.is_struct:
        return any(member is None or _holds_descriptor(member) for member in type_.members)
    return type_.kind in DESCRIPTORS


@instruction_rule("decoration/offset-id", spv.OpMemberDecorateIdEXT, spv.OpDecorateId, section="3.2.19")
def offset(inst: Instruction, scene: Scene) -> Findings:
    """OffsetIdEXT is for members of structures, and gives them an offset by a 32-bit integer.

    Bad:  `OpMemberDecorateIdEXT %s 0 OffsetIdEXT %float_0`
    Good: `OpMemberDecorateIdEXT %s 0 OffsetIdEXT %uint_0`
    """
    if inst.opcode.value == spv.OpDecorateId:
        if word_at(inst, 1) == _OFFSET:
            yield Finding(inst, 1, "OffsetIdEXT is for members of structures (OpMemberDecorateIdEXT)")
        return
    if word_at(inst, 2) != _OFFSET:
        return
    module = scene.module
    type_ = module.type_of(id_at(inst, 3))
    if type_ is not None and not (type_.is_int and type_.width == 32):
        yield Finding(inst, 3, f"%{inst.operands[3]!s} is {module.spell(type_)}, and OffsetIdEXT takes a 32-bit integer")


_TEXEL_FORMATS = frozenset(value("ImageFormat", name) for name in ("R64i", "R64ui", "R32f", "R32i", "R32ui"))
_IMAGE = storage("Image")


@instruction_rule("image/untyped-texel-pointer", spv.OpUntypedImageTexelPointerEXT, section="3.3.8")
def texel_pointer(inst: Instruction, scene: Scene) -> Findings:
    """An untyped pointer to a texel points to Image, at the texels of an image whose format atomics know in Vulkan.

    Those are R64i, R64ui, R32f, R32i and R32ui.

    Bad:  `%p = OpUntypedImageTexelPointerEXT %ptr_image %rgba8_image %image %xy %uint_0` in Vulkan
    Good: `%p = OpUntypedImageTexelPointerEXT %ptr_image %r32ui_image %image %xy %uint_0`
    """
    module = scene.module
    result = module.type(inst.type)
    if result is not None and not (result.kind == spv.OpTypeUntypedPointerKHR and result.storage == _IMAGE):
        yield Finding(inst, TYPE, f"the result type is {module.spell(result)}, expected an untyped pointer to Image")
        return
    image = module.type(id_at(inst, 0))
    if image is None:
        return
    if image.kind != spv.OpTypeImage:
        yield Finding(inst, 0, f"%{image.id} is {module.spell(image)}, expected an image type")
    elif module.environment.api == "vulkan" and image.word(6) not in _TEXEL_FORMATS:
        message = f"%{image.id} is {module.spell(image)}, expected the format R64i, R64ui, R32f, R32i or R32ui in Vulkan"
        yield Finding(inst, 0, message, vuid="VUID-StandaloneSpirv-OpUntypedImageTexelPointerEXT-11416")
