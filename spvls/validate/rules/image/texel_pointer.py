"""Pointers to texels (SPIR-V 3.3.8, 3.3.10)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, ImageFormat, StorageClass
from spvls.grammar.operand_index import (
    OpImageTexelPointer_Coordinate,
    OpImageTexelPointer_Image,
    OpImageTexelPointer_Sample,
    OpUntypedImageTexelPointerEXT_Coordinate,
    OpUntypedImageTexelPointerEXT_Image,
    OpUntypedImageTexelPointerEXT_ImageType,
    OpUntypedImageTexelPointerEXT_Sample,
)
from spvls.record import NamedTuple
from spvls.syntax.instruction import OPCODE, UNKNOWN, Instruction
from spvls.validate.checks.dominance import uses_within
from spvls.validate.checks.kinds import INT, dimension
from spvls.validate.checks.operation import Operation, counted
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.image.image_type import CUBE, DIM_1D, DIM_2D, SUBPASS, TILE, Image, image_of
from spvls.validate.rules.image.operand_checks import INTS32

_TEXEL_FORMATS = frozenset({ImageFormat.R64i, ImageFormat.R64ui, ImageFormat.R32f, ImageFormat.R32i, ImageFormat.R32ui})
_VECTOR_FORMATS = {ImageFormat.Rg16f: 2, ImageFormat.Rgba16f: 4}
"""By format: the number of the 16-bit floats that AtomicFloat16VectorNV permits."""

_VULKAN = "an image of format R64i, R64ui, R32f, R32i or R32ui in Vulkan"
_HALF = 16
_IMAGE = StorageClass.Image


class _Places(NamedTuple):
    """Where the operands of an instruction that points to a texel are."""

    image: int
    coordinate: int
    sample: int


_TYPED = _Places(OpImageTexelPointer_Image, OpImageTexelPointer_Coordinate, OpImageTexelPointer_Sample)
_UNTYPED = _Places(
    OpUntypedImageTexelPointerEXT_ImageType, OpUntypedImageTexelPointerEXT_Coordinate, OpUntypedImageTexelPointerEXT_Sample
)


@instruction_rule("image/texel-pointer-fits-image", spv.OpImageTexelPointer, section=sections.MEMORY_INSTRUCTIONS)
def texel_pointer_fits_image(inst: Instruction, context: RuleContext) -> Findings:
    """OpImageTexelPointer must point, in storage class Image, to the sampled type of the image.

    Atomic instructions access the texel through this pointer, with its type. With another type than that of the texels, they may
    change the bits of other numbers.

    Image must be a pointer to an image; as in spirv-val, an untyped pointer is reported, which SPV_KHR_untyped_pointers permits.
    The result may be an untyped pointer. The Dim must not be SubpassData or TileImageDataEXT, and must be 1D, 2D or Cube for an
    arrayed image.

    The Coordinate must be of integers, as in spirv-val of 32 bits: one for each dimension and one more for an arrayed image, but 3
    for any Cube. Sample must be an integer. For an image with MS 0, as in spirv-val, it must be a constant 0 that cannot be
    specialized.

    In Vulkan, the format must be R64i, R64ui, R32f, R32i or R32ui. Vulkan says so of pointers that atomic operations use; as in
    spirv-val, the rule checks all. With AtomicFloat16VectorNV (SPV_NV_shader_atomic_fp16_vector), as in spirv-val, the format may
    also be Rg16f or Rgba16f, and the result may point to a vector of two 16-bit floats for Rg16f, or of four for Rgba16f.
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
    fault = _pointee_fault(op, image) or _texel_fault(op, image, _TYPED)
    if fault is not None or _has_texel_format(op, image):
        return fault
    return _image_fault(op, _TYPED, _VULKAN, "VUID-StandaloneSpirv-OpImageTexelPointer-04658")


def _result_fault(op: Operation) -> Finding | None:
    result = op.result
    if result is None:
        return None
    if not result.is_pointer or result.storage != _IMAGE:
        return op.result_fault("a pointer to the storage class Image")
    pointee = result.pointee
    if pointee is None or pointee.kind in (spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVoid) or _halves(op):
        return None
    return op.result_fault("a pointer to an integer, a float or void")


def _halves(op: Operation) -> int:
    """How many 16-bit floats the result points to, where AtomicFloat16VectorNV permits that; 0 for anything else."""
    pointee = op.result.pointee if op.result is not None else None
    if pointee is None or not pointee.is_vector or not op.module.has_capability(Capability.AtomicFloat16VectorNV):
        return 0
    element = pointee.element
    is_half = element is not None and element.is_float and element.width == _HALF
    return pointee.count or 0 if is_half and pointee.count in _VECTOR_FORMATS.values() else 0


def _pointee_fault(op: Operation, image: Image) -> Finding | None:
    pointee, sampled = op.result.pointee if op.result is not None else None, image.sampled_type
    if pointee is None or sampled is None or pointee.id == sampled.id:
        return None
    halves = _halves(op)
    if halves and sampled.is_float and _VECTOR_FORMATS.get(image.format) == halves:
        return None
    return op.result_fault(f"a pointer to {op.spell(sampled)}, the sampled type of the image")


def _image_fault(op: Operation, at: _Places, expected: str, vuid: str | None = None) -> Finding:
    is_typed = at is _TYPED
    type_ = op.type(at.image) if is_typed else op.module.type(op.id(at.image))
    message = f"{op.subject(at.image)} is {op.spell(type_)}, expected {'a pointer to ' if is_typed else ''}{expected}"
    return op.fault(at.image, message, vuid=vuid)


def _texel_fault(op: Operation, image: Image, at: _Places) -> Finding | None:
    """What is wrong with an image of which a texel is pointed to, or with what selects the texel."""
    if image.dim in (SUBPASS, TILE):
        return _image_fault(op, at, f"an image whose Dim is not {image.dim_name}")
    return _coordinate_fault(op, image, at) or _sample_fault(op, image, at)


def _coordinate_fault(op: Operation, image: Image, at: _Places) -> Finding | None:
    coordinate = op.type(at.coordinate)
    if coordinate is None:
        return None
    if not INTS32.holds(coordinate):
        return op.operand_fault(at.coordinate, INTS32.name)
    if image.arrayed and image.dim not in (DIM_1D, DIM_2D, CUBE):
        return _image_fault(op, at, "an arrayed image of Dim 1D, 2D or Cube")
    wanted = 3 if image.arrayed and image.dim == CUBE else image.plane + image.arrayed
    if dimension(op.module, coordinate) != wanted:
        kind = f"an{' arrayed' if image.arrayed else ''} image of Dim {image.dim_name}"
        return op.operand_fault(at.coordinate, f"{counted(wanted)} for {kind}", have=counted(dimension(op.module, coordinate)))
    return None


def _sample_fault(op: Operation, image: Image, at: _Places) -> Finding | None:
    sample = op.type(at.sample)
    if sample is not None and not INT.holds(sample):
        return op.operand_fault(at.sample, INT.name)
    name = op.id(at.sample)
    if image.multisampled != 0 or op.module.definition(name or "") is None or op.module.integer(name) == 0:
        return None
    number = op.module.integer(name)
    have = f"the result of {op.module.opcode_name_of(name or '')}" if number is None else number
    return op.fault(at.sample, f"{op.subject(at.sample)} is {have}, expected the constant 0 for an image that is not multisampled")


def _has_texel_format(op: Operation, image: Image) -> bool:
    if op.module.environment.api != "vulkan" or image.format in _TEXEL_FORMATS:
        return True
    return image.format in _VECTOR_FORMATS and op.module.has_capability(Capability.AtomicFloat16VectorNV)


@instruction_rule(
    "image/texel-pointer-is-used-atomically",
    spv.OpImageTexelPointer,
    section=sections.MEMORY_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def texel_pointer_is_used_atomically(inst: Instruction, context: RuleContext) -> Findings:
    """The result of OpImageTexelPointer must only be used by atomic instructions.

    A texel may have no address: a driver may translate the pointer and the atomic instruction to one image instruction, but be
    unable to translate a load, a store or a copy through the pointer. Use OpImageRead and OpImageWrite. The result of
    OpUntypedImageTexelPointerEXT is not checked.

    A warning, because spirv-val permits loads, stores and copies. Some other uses are errors of other rules too, such as the
    pointer as an argument of a call (`function/pointer-arguments-are-permitted`).
    """
    function = context.function
    if inst.result is None or function is None:
        return
    for use in uses_within(function, inst.result, context.module):
        if use.opcode is not UNKNOWN and use.opcode.class_ != "Atomic" and not context.module.is_of_non_semantic_set(use):
            note = Note(use, OPCODE, f"%{inst.result} is used here")
            message = f"{use.opcode.name} uses the texel pointer %{inst.result}, which only atomic instructions may use"
            yield Finding(inst, OPCODE, message, (note,))
            return


@instruction_rule("image/untyped-texel-pointer-fits-image", spv.OpUntypedImageTexelPointerEXT, section=sections.MEMORY_INSTRUCTIONS)
def untyped_texel_pointer_fits_image(inst: Instruction, context: RuleContext) -> Findings:
    """OpUntypedImageTexelPointerEXT must have untyped pointers and operands that fit its image type.

    Atomic instructions access the texel through this pointer, and the Image Type says how the texels are laid out. With a
    coordinate of too few components a device may access another texel, and it may have no atomic instructions for the format.

    The result must be an untyped pointer to the storage class Image, and Image an untyped pointer. The Image Type must be an
    OpTypeImage whose Dim is not SubpassData nor, as in spirv-val, TileImageDataEXT, and is 1D, 2D or Cube for an arrayed image.
    Coordinate and Sample must be as for `image/texel-pointer-fits-image`; spirv-val here requires 4 components for an arrayed Cube,
    and accepts more components than required. In Vulkan, the format must be R64i, R64ui, R32f, R32i or R32ui. Vulkan says so of
    pointers that atomic operations use; as in spirv-val, the rule checks all, and also accepts Rg16f and Rgba16f with
    AtomicFloat16VectorNV (SPV_NV_shader_atomic_fp16_vector).
    """
    op = Operation(inst, context)
    finding = _untyped_fault(op)
    if finding is not None:
        yield finding


def _untyped_fault(op: Operation) -> Finding | None:
    if op.result is not None and not (op.result.kind == spv.OpTypeUntypedPointerKHR and op.result.storage == _IMAGE):
        return op.result_fault("an untyped pointer to the storage class Image")
    pointer = op.type(OpUntypedImageTexelPointerEXT_Image)
    if pointer is not None and pointer.kind != spv.OpTypeUntypedPointerKHR:
        return op.operand_fault(OpUntypedImageTexelPointerEXT_Image, "an untyped pointer")
    type_ = op.module.type(op.id(OpUntypedImageTexelPointerEXT_ImageType))
    image = image_of(type_) if type_ is not None and type_.kind == spv.OpTypeImage else None
    if type_ is None:
        return None
    if image is None:
        return _image_fault(op, _UNTYPED, "an image")
    fault = _texel_fault(op, image, _UNTYPED)
    if fault is not None or _has_texel_format(op, image):
        return fault
    return _image_fault(op, _UNTYPED, _VULKAN, "VUID-StandaloneSpirv-OpUntypedImageTexelPointerEXT-11416")
