"""Pointers to texels (SPIR-V 3.3.8, 3.3.10)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, ImageFormat, StorageClass
from spvls.grammar.operand_index import (
    OpImageTexelPointer_Coordinate,
    OpImageTexelPointer_Image,
    OpImageTexelPointer_Sample,
    OpUntypedImageTexelPointerEXT_Image,
    OpUntypedImageTexelPointerEXT_ImageType,
)
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, TYPE, UNKNOWN, Instruction
from spvls.validate.checks.kinds import INT32, dimension
from spvls.validate.checks.operation import Operation, counted
from spvls.validate.checks.uses import uses_within
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.image.image_type import CUBE, DIM_1D, DIM_2D, SUBPASS, TILE, Image, image_of
from spvls.validate.rules.image.operand_checks import INTS32

_TEXEL_FORMATS = frozenset({ImageFormat.R64i, ImageFormat.R64ui, ImageFormat.R32f, ImageFormat.R32i, ImageFormat.R32ui})
_IMAGE = StorageClass.Image


@instruction_rule("image/texel-pointer-fits-image", spv.OpImageTexelPointer, section=sections.MEMORY_INSTRUCTIONS)
def texel_pointer_fits_image(inst: Instruction, context: RuleContext) -> Findings:
    """OpImageTexelPointer must point, in storage class Image, to the sampled type of the image.

    Atomic instructions access the texel through this pointer, with its type. If it is not the type of the texels, they change the
    bits of other numbers.

    The Coordinate must be of 32-bit integers, with as many components as the Dim requires and one more for an arrayed image. Sample
    must be a 32-bit integer, and the constant 0 for an image without several samples. In Vulkan, the format must be R64i, R64ui,
    R32f, R32i or R32ui.
    """
    op = Operation(inst, context)
    finding = _texel_pointer_fault(op)
    if finding is not None:
        yield finding


def _texel_pointer_fault(op: Operation) -> Finding | None:
    fault = _result_fault(op)
    pointer = op.type(OpImageTexelPointer_Image)
    if fault is not None or pointer is None or op.result is None:
        return fault
    if pointer.kind != spv.OpTypePointer:
        return op.operand_fault(OpImageTexelPointer_Image, "a pointer to an image")
    if pointer.pointee is None:
        return None
    image = image_of(pointer.pointee)
    if image is None or pointer.pointee.kind != spv.OpTypeImage:
        return op.operand_fault(OpImageTexelPointer_Image, "a pointer to an image")
    return _image_fault(op, image) or _coordinate_fault(op, image) or _sample_fault(op, image) or _format_fault(op, image)


def _result_fault(op: Operation) -> Finding | None:
    result = op.result
    if result is None:
        return None
    if result.kind != spv.OpTypePointer:
        return op.result_fault("a typed pointer (OpTypePointer)")
    if result.storage != _IMAGE:
        return op.result_fault("a pointer to the storage class Image")
    pointee = result.pointee
    if pointee is None or pointee.kind in (spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVoid):
        return None
    if pointee.is_vector and op.module.has_capability(Capability.AtomicFloat16VectorNV):
        return None
    return op.result_fault("a pointer to an integer, a float or void")


def _image_fault(op: Operation, image: Image) -> Finding | None:
    pointee = op.result.pointee if op.result is not None else None
    if pointee is not None and image.sampled_type is not None and not pointee.is_vector and pointee.id != image.sampled_type.id:
        return op.result_fault(f"a pointer to {op.spell(image.sampled_type)}, the sampled type of the image")
    if image.dim in (SUBPASS, TILE):
        return op.operand_fault(OpImageTexelPointer_Image, f"a pointer to an image whose Dim is not {image.dim_name}")
    return None


def _coordinate_fault(op: Operation, image: Image) -> Finding | None:
    coordinate = op.type(OpImageTexelPointer_Coordinate)
    if coordinate is None:
        return None
    if not INTS32.holds(coordinate):
        return op.operand_fault(OpImageTexelPointer_Coordinate, INTS32.name)
    if image.arrayed and image.dim not in (DIM_1D, DIM_2D, CUBE):
        return op.operand_fault(OpImageTexelPointer_Image, "Dim 1D, 2D or Cube for an arrayed image")
    wanted = 3 if image.arrayed and image.dim == CUBE else image.plane + image.arrayed
    if dimension(op.module, coordinate) != wanted:
        return op.operand_fault(OpImageTexelPointer_Coordinate, f"{counted(wanted)} for an image of Dim {image.dim_name}")
    return None


def _sample_fault(op: Operation, image: Image) -> Finding | None:
    sample = op.type(OpImageTexelPointer_Sample)
    if sample is not None and not INT32.holds(sample):
        return op.operand_fault(OpImageTexelPointer_Sample, INT32.name)
    name = op.id(OpImageTexelPointer_Sample)
    if image.multisampled != 0 or op.module.definition(name or "") is None or op.module.integer(name) == 0:
        return None
    message = f"{op.subject(OpImageTexelPointer_Sample)} must be the constant 0 for an image that is not multisampled"
    return op.fault(OpImageTexelPointer_Sample, message)


def _format_fault(op: Operation, image: Image) -> Finding | None:
    if op.module.environment.api != "vulkan" or image.format in _TEXEL_FORMATS:
        return None
    fault = op.operand_fault(OpImageTexelPointer_Image, "the format R64i, R64ui, R32f, R32i or R32ui in Vulkan")
    return fault._replace(vuid="VUID-StandaloneSpirv-OpImageTexelPointer-04658")


@instruction_rule(
    "image/texel-pointer-is-used-atomically",
    spv.OpImageTexelPointer,
    section=sections.MEMORY_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def texel_pointer_is_used_atomically(inst: Instruction, context: RuleContext) -> Findings:
    """The result of OpImageTexelPointer must only be used by atomic instructions.

    A texel may have no address: devices translate the pointer and the atomic instruction to one image instruction. For a load, a
    store or a copy through the pointer there is none; use OpImageRead and OpImageWrite.
    """
    function = context.function
    if inst.result is None or function is None:
        return
    for use in uses_within(function, inst.result, context.module):
        if use.opcode is not UNKNOWN and use.opcode.class_ != "Atomic":
            note = Note(use, OPCODE, f"%{inst.result} is used here")
            message = f"%{inst.result} is used by {use.opcode.name}; only atomic instructions may use a texel pointer"
            yield Finding(inst, OPCODE, message, (note,))
            return


@instruction_rule("image/untyped-texel-pointer-fits-image", spv.OpUntypedImageTexelPointerEXT, section=sections.MEMORY_INSTRUCTIONS)
def untyped_texel_pointer_fits_image(inst: Instruction, context: RuleContext) -> Findings:
    """OpUntypedImageTexelPointerEXT must have untyped pointers, and an image type of a permitted format.

    Atomic instructions access the texel through this pointer. The Image Type says how the texels are laid out; a driver cannot
    find the texel by another type. In Vulkan, the valid usage permits R64i, R64ui, R32f, R32i and R32ui.
    """
    module = context.module
    result = module.type(inst.type)
    if result is not None and not (result.kind == spv.OpTypeUntypedPointerKHR and result.storage == _IMAGE):
        yield Finding(inst, TYPE, f"the result type is {module.spell(result)}, expected an untyped pointer to Image")
        return
    pointer = module.type_of(id_at(inst, OpUntypedImageTexelPointerEXT_Image))
    if pointer is not None and pointer.kind != spv.OpTypeUntypedPointerKHR:
        message = f"Image %{inst.operands[1]!s} is {module.spell(pointer)}, expected an untyped pointer"
        yield Finding(inst, OpUntypedImageTexelPointerEXT_Image, message)
        return
    image = module.type(id_at(inst, OpUntypedImageTexelPointerEXT_ImageType))
    if image is None:
        return
    if image.kind != spv.OpTypeImage:
        yield Finding(
            inst, OpUntypedImageTexelPointerEXT_ImageType, f"%{image.id} is {module.spell(image)}, expected an image type"
        )
    elif module.environment.api == "vulkan" and image.word(6) not in _TEXEL_FORMATS:
        message = f"%{image.id} is {module.spell(image)}, expected the format R64i, R64ui, R32f, R32i or R32ui in Vulkan"
        yield Finding(
            inst, OpUntypedImageTexelPointerEXT_ImageType, message, vuid="VUID-StandaloneSpirv-OpUntypedImageTexelPointerEXT-11416"
        )
