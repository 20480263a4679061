"""Queries (SPIR-V 3.3.10)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import StorageClass
from spvls.grammar.operand_index import (
    OpImageQueryLod_Coordinate,
    OpImageQuerySizeLod_LevelOfDetail,
    OpImageSparseTexelsResident_ResidentCode,
    OpLoad_Pointer,
    OpVariable_StorageClass,
)
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import BOOL, FLOAT_VECTOR, INT, INT32, INTS, dimension
from spvls.validate.checks.operation import Operation, counted
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.image.image_type import BUFFER, CUBE, DIM_1D, DIM_2D, DIM_3D, MIPMAPPED, RECT, TILE, Image, image_of
from spvls.validate.rules.image.operand_checks import FLOATS32

_SIZES = {DIM_1D: 1, BUFFER: 1, DIM_2D: 2, CUBE: 2, RECT: 2, DIM_3D: 3}
_TILE_ATTACHMENT = StorageClass.TileAttachmentQCOM
_TILE_ATTACHMENT_VUID = "VUID-StandaloneSpirv-TileAttachmentQCOM-10697"
_SAMPLED_VUID = "VUID-StandaloneSpirv-OpImageQuerySizeLod-04659"


def _queried(op: Operation, kind: int = spv.OpTypeImage) -> Image | Finding | None:
    type_ = op.type(0)
    if type_ is None:
        return None
    if type_.kind != kind:
        return op.operand_fault(0, "an image" if kind == spv.OpTypeImage else "an OpTypeSampledImage")
    return image_of(type_)


def _not(op: Operation, expected: str, vuid: str | None = None) -> Finding:
    return op.operand_fault(0, expected)._replace(vuid=vuid)


def _sampled_in_vulkan(op: Operation, image: Image) -> Finding | None:
    if op.module.environment.api == "vulkan" and image.sampled != 1:
        return _not(op, "an image that can be used with a sampler (Sampled 1) in Vulkan", _SAMPLED_VUID)
    return None


def _size(op: Operation, image: Image) -> Finding | None:
    wanted = _SIZES[image.dim] + image.arrayed
    if op.result is None or dimension(op.module, op.result) == wanted:
        return None
    have = counted(dimension(op.module, op.result))
    expected = f"{counted(wanted)} for an {'arrayed ' if image.arrayed else ''}image of Dim {image.dim_name}"
    return op.result_fault(expected, have=have)


def _query_size_lod(op: Operation) -> Finding | None:
    if op.result is not None and not INTS.holds(op.result):
        return op.result_fault(INTS.name)
    image = _queried(op)
    if not isinstance(image, Image):
        return image
    if image.dim not in MIPMAPPED:
        return _not(op, "an image of Dim 1D, 2D, 3D or Cube")
    if image.multisampled:
        return _not(op, "an image that is not multisampled")
    lod = op.type(OpImageQuerySizeLod_LevelOfDetail)
    finding = _sampled_in_vulkan(op, image) or _size(op, image)
    if finding is None and lod is not None and not INT32.holds(lod):
        return op.operand_fault(OpImageQuerySizeLod_LevelOfDetail, INT32.name)
    return finding


def _query_size(op: Operation) -> Finding | None:
    if op.result is not None and not INTS.holds(op.result):
        return op.result_fault(INTS.name)
    image = _queried(op)
    if not isinstance(image, Image):
        return image
    if image.dim not in _SIZES:
        return _not(op, "an image of Dim 1D, 2D, 3D, Cube, Rect or Buffer")
    if image.dim in MIPMAPPED and image.multisampled != 1 and image.sampled == 1:
        return _not(op, "an image that is multisampled or used without a sampler; use OpImageQuerySizeLod for this image")
    return _size(op, image)


def _query_lod(op: Operation) -> Finding | None:
    if op.result is not None and not FLOAT_VECTOR.holds(op.result):
        return op.result_fault("a vector of two floats")
    if op.result is not None and dimension(op.module, op.result) != 2:
        return op.result_fault("a vector of 2 components: the sampled mipmap level and the computed level of detail")
    image = _queried(op, spv.OpTypeSampledImage)
    if not isinstance(image, Image):
        return image
    if image.dim not in MIPMAPPED:
        return _not(op, "an image of Dim 1D, 2D, 3D or Cube")
    type_ = op.type(OpImageQueryLod_Coordinate)
    if type_ is None:
        return None
    if not FLOATS32.holds(type_):
        return op.operand_fault(OpImageQueryLod_Coordinate, FLOATS32.name)
    if dimension(op.module, type_) < image.plane:
        expected = f"at least {counted(image.plane)} for an image of Dim {image.dim_name}"
        return op.operand_fault(OpImageQueryLod_Coordinate, expected, have=counted(dimension(op.module, type_)))
    return None


def _query_number(op: Operation) -> Finding | None:
    if op.result is not None and not INT.holds(op.result):
        return op.result_fault(INT.name)
    image = _queried(op)
    if not isinstance(image, Image):
        return image
    if image.dim == TILE:
        return _not(op, "an image whose Dim is not TileImageDataEXT")
    if op.code == spv.OpImageQueryLevels:
        if image.dim not in MIPMAPPED:
            return _not(op, "an image of Dim 1D, 2D, 3D or Cube")
        return _sampled_in_vulkan(op, image)
    if op.code == spv.OpImageQuerySamples:
        if image.dim != DIM_2D:
            return _not(op, "an image of Dim 2D")
        if image.multisampled != 1:
            return _not(op, "a multisampled image")
    return None


def _of_tile_attachment(op: Operation) -> Finding | None:
    name = op.id(0)
    load = op.module.definition(name) if name is not None else None
    pointer = id_at(load, OpLoad_Pointer) if load is not None and load.opcode.value == spv.OpLoad else None
    variable = op.module.definition(pointer) if pointer is not None else None
    if variable is None or variable.opcode.value != spv.OpVariable:
        return None
    if word_at(variable, OpVariable_StorageClass) != _TILE_ATTACHMENT:
        return None
    vuid = _TILE_ATTACHMENT_VUID if op.module.environment.api == "vulkan" else None
    return op.fault(0, f"{op.subject(0)} must not be loaded from the storage class TileAttachmentQCOM", vuid=vuid)


def _texels_resident(op: Operation) -> Finding | None:
    if op.result is not None and not BOOL.holds(op.result):
        return op.result_fault(BOOL.name)
    code = op.type(OpImageSparseTexelsResident_ResidentCode)
    return (
        op.operand_fault(OpImageSparseTexelsResident_ResidentCode, INT.name) if code is not None and not INT.holds(code) else None
    )


_QUERIES = {
    spv.OpImageQuerySizeLod: _query_size_lod,
    spv.OpImageQuerySize: _query_size,
    spv.OpImageQueryLod: _query_lod,
    spv.OpImageQueryLevels: _query_number,
    spv.OpImageQuerySamples: _query_number,
    spv.OpImageQueryFormat: _query_number,
    spv.OpImageQueryOrder: _query_number,
    spv.OpImageSparseTexelsResident: _texels_resident,
}


@instruction_rule("image/query-fits-image", *_QUERIES, section=sections.IMAGE_INSTRUCTIONS)
def query_fits_image(inst: Instruction, context: RuleContext) -> Findings:
    """A query must be defined for the kind of image that it is applied to, and for its result type.

    Not all images have all properties: for example, images of Dim Buffer have no levels of detail, so a driver may have nothing to
    return.

    OpImageQuerySizeLod, OpImageQueryLod and OpImageQueryLevels require Dim 1D, 2D, 3D or Cube. OpImageQuerySizeLod also requires MS
    0, which `image/queried-levels-are-single-sampled` checks for the other two. In Vulkan, OpImageQuerySizeLod and
    OpImageQueryLevels require Sampled 1; so does OpImageQueryLod, for which other rules check the type of the sampled image.
    OpImageQuerySamples requires Dim 2D with MS 1. OpImageQuerySize requires Dim Buffer or Rect, or an image of Dim 1D, 2D, 3D or
    Cube that has MS 1 or Sampled 0 or 2; use OpImageQuerySizeLod for others of these Dims. OpImageQueryFormat and OpImageQueryOrder
    do not permit Dim TileImageDataEXT (SPV_EXT_shader_tile_image).

    A size must have an integer for each dimension, two for a cube, and one more for an arrayed image. A Level of Detail must be a
    32-bit integer. OpImageQueryLod results in two floats, and has a coordinate of floats, as in spirv-val of 32 bits, with at least
    one component for each dimension, three for a cube. Other queries result in one integer, except OpImageSparseTexelsResident,
    which must turn an integer into a Boolean.

    The result of an OpLoad from a variable in TileAttachmentQCOM (SPV_QCOM_tile_shading) must not be the operand of a query, as in
    spirv-val also outside of Vulkan. Images that come to the query through OpAccessChain or OpSampledImage are not checked for
    this.
    """
    op = Operation(inst, context)
    finding = _QUERIES[inst.opcode.value](op) or _of_tile_attachment(op)
    if finding is not None:
        yield finding


@instruction_rule(
    "image/queried-levels-are-single-sampled",
    spv.OpImageQueryLod,
    spv.OpImageQueryLevels,
    section=sections.IMAGE_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def queried_levels_are_single_sampled(inst: Instruction, context: RuleContext) -> Findings:
    """The image of OpImageQueryLod and OpImageQueryLevels must not be multisampled.

    A multisampled image has only one level of detail, so a driver may have no code for the query. For OpImageQuerySizeLod,
    `image/query-fits-image` reports this as an error.

    A warning, because spirv-val does not check this.
    """
    op = Operation(inst, context)
    image = image_of(op.type(0))
    if image is not None and image.multisampled == 1:
        yield op.operand_fault(0, "an image that is not multisampled")


@instruction_rule(
    "image/resident-code-comes-from-access",
    spv.OpImageSparseTexelsResident,
    section=sections.IMAGE_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(query_fits_image,),
)
def resident_code_comes_from_access(inst: Instruction, context: RuleContext) -> Findings:
    """The Resident Code of OpImageSparseTexelsResident must come from a sparse image access.

    The code is opaque: what its bits mean may differ between devices, so with a constant the answer says nothing about texels. Only
    constants and OpUndef are reported.
    """
    name = id_at(inst, OpImageSparseTexelsResident_ResidentCode)
    opcode = context.module.opcode_of(name)
    if name is not None and opcode in CONSTANT_OPCODES:
        made = f"{operand(inst, 0)} is the result of {context.module.opcode_name_of(name)}"
        message = f"{made}, expected a residency code from a sparse image access"
        yield Finding(inst, OpImageSparseTexelsResident_ResidentCode, message)
