"""Which descriptors an access chain chooses among (SPIR-V 3.2.30, the capabilities of descriptor indexing)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, Dim, StorageClass
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction

_SUBPASS, _BUFFER = Dim.SubpassData, Dim.Buffer
_UNIFORM, _STORAGE_BUFFER = StorageClass.Uniform, StorageClass.StorageBuffer
DESCRIPTOR_CLASSES = frozenset({StorageClass.Uniform, StorageClass.StorageBuffer, StorageClass.UniformConstant})


Indexing = tuple[int, int]
"""The capabilities to index an array of descriptors by what is not a constant, and by what is not uniform either."""

_STORAGE_BUFFERS = Capability.StorageBufferArrayDynamicIndexing, Capability.StorageBufferArrayNonUniformIndexing
_UNIFORM_BUFFERS = Capability.UniformBufferArrayDynamicIndexing, Capability.UniformBufferArrayNonUniformIndexing
_UNIFORM_TEXEL_BUFFERS = Capability.UniformTexelBufferArrayDynamicIndexing, Capability.UniformTexelBufferArrayNonUniformIndexing
_SAMPLED_IMAGES = Capability.SampledImageArrayDynamicIndexing, Capability.SampledImageArrayNonUniformIndexing
_INPUT_ATTACHMENTS = Capability.InputAttachmentArrayDynamicIndexing, Capability.InputAttachmentArrayNonUniformIndexing
_STORAGE_TEXEL_BUFFERS = Capability.StorageTexelBufferArrayDynamicIndexing, Capability.StorageTexelBufferArrayNonUniformIndexing
_STORAGE_IMAGES = Capability.StorageImageArrayDynamicIndexing, Capability.StorageImageArrayNonUniformIndexing


def descriptor_index(inst: Instruction, module: Module) -> Iterator[tuple[int, Indexing]]:
    """The index of an access chain that chooses among descriptors, and the kind of these."""
    base = id_at(inst, 0)
    definition = module.defining_instruction(base) if base is not None else None
    if definition is None or definition.opcode.value != spv.OpVariable or len(inst.operands) < 2:
        return
    pointer = module.type(definition.type)
    array = pointer.pointee if pointer is not None and pointer.storage in DESCRIPTOR_CLASSES else None
    if pointer is None or array is None or not array.is_array:
        return
    kind = _resource(array, pointer.storage, module)
    if kind is not None:
        yield 1, kind


def _resource(array: Type, storage_class: int, module: Module) -> Indexing | None:
    """The capabilities to index an array, by the kind of descriptor that it holds."""
    element = array.element
    if element is None:
        return None
    if element.is_struct:
        if storage_class == _STORAGE_BUFFER or module.has_decoration(element.id, Decoration.BufferBlock):
            return _STORAGE_BUFFERS
        return _UNIFORM_BUFFERS if storage_class == _UNIFORM else None
    if element.kind in (spv.OpTypeSampler, spv.OpTypeSampledImage):
        image = element.element if element.kind == spv.OpTypeSampledImage else None
        return _UNIFORM_TEXEL_BUFFERS if image is not None and image.word(1) == _BUFFER else _SAMPLED_IMAGES
    if element.kind != spv.OpTypeImage:
        return None
    dim, sampled = element.word(1), element.word(5)
    if dim == _SUBPASS:
        return _INPUT_ATTACHMENTS
    if dim == _BUFFER:
        return _STORAGE_TEXEL_BUFFERS if sampled == 2 else _UNIFORM_TEXEL_BUFFERS
    return _STORAGE_IMAGES if sampled == 2 else _SAMPLED_IMAGES


_HEAPS = frozenset({BuiltIn.ResourceHeapEXT, BuiltIn.SamplerHeapEXT})


def heaps(module: Module, name: str) -> set[int]:
    """The heaps that a variable stands for."""
    return {
        found.params[0]
        for found in module.decorations(name)
        if found.value == Decoration.BuiltIn and found.params and found.params[0] in _HEAPS and isinstance(found.params[0], int)
    }
