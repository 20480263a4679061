"""Which descriptors an access chain chooses among (SPIR-V 3.2.30, the capabilities of descriptor indexing)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.storage_class import storage, storages
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import value

_SUBPASS, _BUFFER = value("Dim", "SubpassData"), value("Dim", "Buffer")
_UNIFORM, _STORAGE_BUFFER = storage("Uniform"), storage("StorageBuffer")
DESCRIPTOR_CLASSES = storages("Uniform StorageBuffer UniformConstant")


def descriptor_index(inst: Instruction, module: Module) -> Iterator[tuple[int, str]]:
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


def _resource(array: Type, storage_class: int, module: Module) -> str | None:
    """The kind of descriptor that an array holds, as capabilities call it."""
    element = array.element
    if element is None:
        return None
    if element.is_struct:
        if storage_class == _STORAGE_BUFFER or module.has_decoration(element.id, "BufferBlock"):
            return "StorageBuffer"
        return "UniformBuffer" if storage_class == _UNIFORM else None
    if element.kind in (spv.OpTypeSampler, spv.OpTypeSampledImage):
        image = element.element if element.kind == spv.OpTypeSampledImage else None
        return "UniformTexelBuffer" if image is not None and image.word(1) == _BUFFER else "SampledImage"
    if element.kind != spv.OpTypeImage:
        return None
    dim, sampled = element.word(1), element.word(5)
    if dim == _SUBPASS:
        return "InputAttachment"
    if dim == _BUFFER:
        return "StorageTexelBuffer" if sampled == 2 else "UniformTexelBuffer"
    return "StorageImage" if sampled == 2 else "SampledImage"
