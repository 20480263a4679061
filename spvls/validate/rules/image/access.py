"""Sampling, fetching, reading, writing (SPIR-V 3.3.10)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Capability, ExecutionModel, ImageOperands
from spvls.grammar.operand_index import OpImageRead_Image, OpImageSparseSampleImplicitLod_Coordinate
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.syntax.operand_decls import capability_name, enumerants
from spvls.validate.checks.kinds import FLOAT32, INT32, NUMBER, SCALARS_AND_VECTORS, VECTORS, Kind, dimension
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.operation import Operation, counted, is_constant_id
from spvls.validate.checks.scopes import memory_scope_limits
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.computation.derivative import derivative_limits
from spvls.validate.rules.image.image_type import (
    ACCESSES,
    BUFFER,
    CUBE,
    DIM_1D,
    DIM_2D,
    DIM_3D,
    FETCHES,
    READS,
    RECT,
    RESERVED,
    SUBPASS,
    TILE,
    UNKNOWN_FORMAT,
    Image,
    image_of,
)
from spvls.validate.rules.image.operand_checks import FLOATS32, INTS32, image_operands_fault, vectors_of

_SPARSE = "a structure of a residency code (an integer) and a texel"
_TEXEL = Kind("a vector of four integers or floats", "Int Float", VECTORS, count=4)
_ANY_TEXEL = Kind("an integer, a float, or a vector of either", "Int Float", SCALARS_AND_VECTORS)
_COORDINATES32 = Kind("a 32-bit integer, a 32-bit float, or a vector of either", "Int Float", SCALARS_AND_VECTORS, width=32)

_SAMPLES = (traits.IMPLICIT_LOD | traits.EXPLICIT_LOD) - RESERVED
_DREF = (_SAMPLES | traits.GATHERS) & traits.DEPTH_COMPARISONS
_ACCESSES = tuple(sorted(ACCESSES))


class _Access:
    """An access to an image: its type, the type of the texel, and where the mask of image operands stands."""

    __slots__ = ("image", "op", "texel")

    def __init__(self, op: Operation, image: Image, texel: Type | None) -> None:
        self.op = op
        self.image = image
        self.texel = texel

    @property
    def mask_at(self) -> int:
        """Behind image and coordinate, a reference depth, a component or a texel where there is one, and a mode."""
        if self.op.code == spv.OpImageGatherQCOM:
            return 4
        return 3 if self.op.code in _DREF | traits.GATHERS | {spv.OpImageWrite} else 2

    def image_fault(self, what: str, vuid: str | None = None) -> Finding:
        message = f"{self.op.subject(0)} is {self.op.spell(self.op.type(0))}, {what}"
        return self.op.fault(0, message, vuid=vuid)


@instruction_rule("image/access-fits-image", *_SAMPLES, *FETCHES, *traits.GATHERS, *ACCESSES, section=sections.IMAGE_INSTRUCTIONS)
def access_fits_image(inst: Instruction, context: RuleContext) -> Findings:
    """The texel, coordinate and image operands of an image access must fit the type of the image.

    With a coordinate of too few components a device may read an undefined texel; with another texel type it may return the bits of
    another number.

    The rule checks the core instructions that sample, gather, fetch, read or write, also sparse ones, and OpImageGatherQCOM.
    Sampling and gathers require a sampled image with MS 0; fetches require an image with Sampled 1, and reads and writes one with
    Sampled 0 or 2; for OpImageSparseRead with Sampled 0, see `image/storage-access-has-format`. Some Dims are excluded: for
    example, gathers require Dim 2D, Cube or Rect, and fetches must not have Cube. For sampling with Dim Buffer, see
    `image/texel-buffer-is-not-sampled`. As in spirv-val, OpImageGatherQCOM may have Cube too, which
    SPV_QCOM_image_processing3 excludes. With Sampled 2, reads and writes require the capability of some kinds of images, for
    example Image1D for Dim 1D.

    Sampling, gathers and fetches result in four integers or floats, but a depth comparison that is not a gather in one number; a
    read may result in a scalar or vector. A sparse result is a structure of an integer, which is the residency code, and such a
    texel. The components of the texel, also of one that is written, must have the sampled type of the image; a sampled type of void
    permits others, but not for depth comparisons. As in spirv-val, that includes gathers with Dref, where SPIR-V permits others.

    The coordinate must have at least a component for each dimension, three for a cube, and one more for an arrayed image and for a
    projection; for reads and writes, three are enough for an arrayed cube. Its components are floats for sampling and gathers, and
    integers for fetches; reads and writes permit both, and with Kernel OpImageSampleExplicitLod and its sparse form. As in
    spirv-val, components of other widths than 32 bits are reported, although Float16ImageAMD (SPV_AMD_gpu_shader_half_float_fetch)
    permits 16-bit floats.

    Image operands must fit the instruction and the image. For example, Grad requires an explicit level of detail, Offsets a gather,
    and MakeTexelAvailable a write, NonPrivateTexel and a memory scope that is permitted; images with MS 1 require Sample, and those
    with MS 0 exclude it.

    Client APIs require more. For example, in Vulkan a read must result in four components, reads and writes require a format, Dim
    SubpassData or a capability such as StorageImageReadWithoutFormat, an input attachment must be read at the constant (0, 0), the
    Component of a gather must be a constant, a depth comparison must not have Dim 3D, integers must be accessed as signed or
    unsigned like the format, and the image operand Offset requires a gather (unless the option `allow-offset-texture-operand` or
    `before-hlsl-legalization` is given). As in spirv-val, a gather from a wrong Dim has the number of the valid usage on depth
    comparisons in Vulkan. In OpenCL, as in spirv-val, a write must not have image operands.
    """
    op = Operation(inst, context)
    finding = _fault(op)
    if finding is not None:
        yield finding


def _fault(op: Operation) -> Finding | None:
    texel = _texel_type(op)
    if isinstance(texel, Finding):
        return texel
    type_ = op.type(0)
    if type_ is None or (texel is None and op.code != spv.OpImageWrite):
        return None
    sampled = op.code in _SAMPLES | traits.GATHERS
    if type_.kind != (spv.OpTypeSampledImage if sampled else spv.OpTypeImage):
        return op.operand_fault(0, "an OpTypeSampledImage" if sampled else "an image")
    image = image_of(type_)
    if image is None:
        return None
    found = _Access(op, image, texel)
    return (
        _image_fault(found)
        or _sampled_type_fault(found)
        or _late_image_fault(found)
        or _coordinate_fault(found)
        or _third_operand_fault(found)
        or _format_fault(found)
        or _signedness_fault(found)
        or image_operands_fault(op, image, found.mask_at)
    )


def _texel_type(op: Operation) -> Type | Finding | None:
    """The type of what is read: the result, or the second member of a sparse result."""
    result = op.result
    if op.code == spv.OpImageWrite or result is None:
        return None
    if op.code in traits.SPARSE:
        members = result.members
        first = members[0] if len(members) == 2 else None
        if result.kind != spv.OpTypeStruct or (len(members) == 2 and first is None):
            return None if result.kind == spv.OpTypeStruct else op.result_fault(_SPARSE)
        if first is None or not first.is_int:
            return op.result_fault(_SPARSE)
        result = members[1]
        if result is None:
            return None
    if op.code in _DREF and op.code not in traits.GATHERS:
        wanted = NUMBER
    elif op.code in READS:
        wanted = _ANY_TEXEL
    else:
        wanted = _TEXEL
    if not wanted.holds(result):
        return _texel_fault(op, result, wanted.name)
    if op.code in READS and op.module.environment.api == "vulkan" and dimension(op.module, result) != 4:
        fault = _texel_fault(op, result, "a vector of 4 components in Vulkan")
        return fault._replace(vuid="VUID-StandaloneSpirv-Result-04780")
    return result


def _texel_fault(op: Operation, texel: Type, expected: str) -> Finding:
    if op.code not in traits.SPARSE:
        return op.result_fault(expected)
    return op.fault(TYPE, f"{_texel(op)} is {op.spell(texel)}, expected {expected}")


def _texel(op: Operation) -> str:
    return f"{'the texel in ' if op.code in traits.SPARSE else ''}the result type of {op.name}"


def _image_fault(found: _Access) -> Finding | None:
    op, image = found.op, found.image
    code = op.code
    if image.dim == TILE and code != spv.OpImageWrite:
        return found.image_fault("which only OpColorAttachmentReadEXT may access")
    if code in READS and code in traits.SPARSE and image.dim == SUBPASS:
        return found.image_fault(f"but a sparse read requires a Dim other than {image.dim_name}")
    if code == spv.OpImageWrite and image.dim in (SUBPASS, TILE):
        return found.image_fault(f"but a write requires a Dim other than {image.dim_name}")
    if code in READS and op.module.environment.api == "opencl" and found.texel is not None:
        if image.depth and not found.texel.is_float:
            return _texel_fault(op, found.texel, f"a float scalar for an image of Depth {image.depth} in OpenCL")
        if not image.depth and dimension(op.module, found.texel) != 4:
            return _texel_fault(op, found.texel, "a vector of 4 components in OpenCL")
    if code in _SAMPLES:
        if code in traits.PROJECTIVE:
            if image.dim not in (DIM_1D, DIM_2D, DIM_3D, RECT):
                return found.image_fault("but a projection requires Dim 1D, 2D, 3D or Rect")
            if image.multisampled or image.arrayed:
                return found.image_fault("but a projection requires a single-sampled, non-arrayed image")
        if image.multisampled:
            return found.image_fault("which is multisampled and must not be sampled; use OpImageFetch")
    if code in traits.GATHERS and image.multisampled:
        return found.image_fault("which is multisampled and must not be gathered; use OpImageFetch")
    return None


def _sampled_type_fault(found: _Access) -> Finding | None:
    op, sampled = found.op, found.image.sampled_type
    if op.code == spv.OpImageWrite or sampled is None or found.texel is None:
        return None
    if sampled.kind == spv.OpTypeVoid and (op.code not in _DREF):
        return None
    scalar = found.texel.scalar
    if scalar is None or scalar.id == sampled.id:
        return None
    if sampled.kind == spv.OpTypeVoid:
        needed = "for a depth comparison, the two must be the same"
        return op.fault(TYPE, f"{_texel(op)} is {op.spell(found.texel)}, but the sampled type of the image is void; {needed}")
    what = "" if scalar is found.texel else "components of type "
    return _texel_fault(op, found.texel, f"{what}{op.spell(sampled)}, the sampled type of the image")


def _late_image_fault(found: _Access) -> Finding | None:
    op, image = found.op, found.image
    vulkan = op.module.environment.api == "vulkan"
    if op.code in FETCHES:
        if image.dim == CUBE:
            return found.image_fault("but a fetch requires a Dim other than Cube")
        if image.sampled != 1:
            return found.image_fault("expected an image that can be used with a sampler (Sampled 1)")
    elif op.code in traits.GATHERS and image.dim not in (DIM_2D, CUBE, RECT):
        vuid = "VUID-StandaloneSpirv-OpImage-04777" if vulkan else None
        return found.image_fault("expected an image of Dim 2D, Cube or Rect for a gather", vuid)
    elif op.code in _DREF and vulkan and image.dim == DIM_3D:
        return found.image_fault(
            "but in Vulkan a depth comparison requires a Dim other than 3D", "VUID-StandaloneSpirv-OpImage-04777"
        )
    elif op.code in ACCESSES:
        if image.sampled not in (0, 2):
            permitted = "2" if vulkan or op.code in traits.SPARSE else "0 or 2"
            return found.image_fault(f"expected an image that is used without a sampler (Sampled {permitted})")
        needed = [_STORAGE_CAPABILITIES.get((image.dim, image.arrayed)) or _STORAGE_CAPABILITIES.get((image.dim, -1))]
        if image.multisampled == 1 and image.arrayed == 1:
            needed.append(Capability.ImageMSArray)
        for one in needed if image.sampled == 2 else ():
            if one is not None and not op.module.has_capability(one):
                return found.image_fault(f"for which {op.name} requires the capability {capability_name(one)}")
    return None


_STORAGE_CAPABILITIES = {
    (DIM_1D, -1): Capability.Image1D,
    (RECT, -1): Capability.ImageRect,
    (BUFFER, -1): Capability.ImageBuffer,
    (CUBE, 1): Capability.ImageCubeArray,
}


def _without_format(op: Operation) -> int:
    write = op.code == spv.OpImageWrite
    return Capability.StorageImageWriteWithoutFormat if write else Capability.StorageImageReadWithoutFormat


def _coordinate_fault(found: _Access) -> Finding | None:
    op, image = found.op, found.image
    type_ = op.type(OpImageSparseSampleImplicitLod_Coordinate)
    if type_ is None:
        return None
    kernel = op.code in (spv.OpImageSampleExplicitLod, spv.OpImageSparseSampleExplicitLod) and op.module.has_capability(
        Capability.Kernel
    )
    wanted = _COORDINATES32 if kernel or op.code in ACCESSES else FLOATS32 if op.code in _SAMPLES | traits.GATHERS else INTS32
    least = image.plane + image.arrayed + (op.code in traits.PROJECTIVE)
    if image.dim == CUBE and op.code in ACCESSES:
        least = 3
    if not wanted.holds(type_):
        return op.operand_fault(OpImageSparseSampleImplicitLod_Coordinate, vectors_of(wanted) if least > 1 else wanted.name)
    if dimension(op.module, type_) < least:
        what = "a projection of an " if op.code in traits.PROJECTIVE else "an "
        shape = f"{what}{'arrayed ' if image.arrayed else ''}image of Dim {image.dim_name}"
        have = counted(dimension(op.module, type_))
        return op.operand_fault(OpImageSparseSampleImplicitLod_Coordinate, f"at least {counted(least)} for {shape}", have=have)
    if image.dim == SUBPASS and op.code in READS and op.module.environment.api == "vulkan" and not _is_zero(op):
        vuid = "VUID-StandaloneSpirv-SubpassData-04660"
        return op.fault(
            OpImageSparseSampleImplicitLod_Coordinate,
            f"{op.subject(OpImageSparseSampleImplicitLod_Coordinate)} must be the constant (0, 0) "
            "for an input attachment (Dim SubpassData) in Vulkan",
            vuid=vuid,
        )
    return None


def _is_zero(op: Operation) -> bool:
    constant = op.module.constant(op.id(OpImageSparseSampleImplicitLod_Coordinate))
    if constant is None or constant.specialized:
        return False
    opcode = constant.record.opcode.value
    return opcode == spv.OpConstantNull or (opcode == spv.OpConstantComposite and constant.value == (0, 0))


def _third_operand_fault(found: _Access) -> Finding | None:
    op = found.op
    type_ = op.type(2)
    if op.code in _DREF:
        return op.operand_fault(2, FLOAT32.name) if type_ is not None and not FLOAT32.holds(type_) else None
    if op.code in traits.GATHERS:
        if type_ is not None and not INT32.holds(type_):
            return op.operand_fault(2, INT32.name)
        name = op.id(2)
        if name is not None and op.module.environment.api == "vulkan" and not is_constant_id(op.module, name):
            message = f"{op.subject(2)} must be a constant in Vulkan"
            return op.fault(2, message, vuid="VUID-StandaloneSpirv-OpImageGather-04664")
        return None
    if op.code != spv.OpImageWrite or type_ is None:
        return None
    if not _ANY_TEXEL.holds(type_):
        return op.operand_fault(2, _ANY_TEXEL.name)
    sampled = found.image.sampled_type
    if sampled is not None and sampled.kind != spv.OpTypeVoid and type_.scalar is not None and type_.scalar.id != sampled.id:
        what = "" if type_.scalar is type_ else "components of type "
        return op.operand_fault(2, f"{what}{op.spell(sampled)}, the sampled type of the image")
    return None


def _format_fault(found: _Access) -> Finding | None:
    op, image = found.op, found.image
    api = op.module.environment.api
    if api == "opencl" and op.code == spv.OpImageWrite and len(op.operands) > 3:
        return op.fault(3, "OpImageWrite must not have image operands in OpenCL")
    if api != "vulkan" or op.code not in ACCESSES or image.format != UNKNOWN_FORMAT or image.dim in (SUBPASS, TILE):
        return None
    capability = _without_format(op)
    if op.module.has_capability(capability):
        return None
    return found.image_fault(
        f"whose format is Unknown; {op.name} requires a format or the capability {capability_name(capability)}"
    )


def _signedness_fault(found: _Access) -> Finding | None:
    op, image = found.op, found.image
    name = "".join(enumerant.name for enumerant in enumerants("ImageFormat", image.format))
    sampled = image.sampled_type
    if op.module.environment.api != "vulkan" or sampled is None or not sampled.is_int or not name.endswith("i"):
        return None
    mask = op.word(found.mask_at) or 0
    signed = bool(mask & ImageOperands.SignExtend) or (sampled.signed and not mask & ImageOperands.ZeroExtend)
    if signed is not name.endswith("ui"):
        return None
    have, used = ("unsigned", "signed") if signed else ("signed", "unsigned")
    extended = mask & (ImageOperands.SignExtend if signed else ImageOperands.ZeroExtend)
    by = f"sampled type {op.spell(sampled)}" if not extended else "SignExtend" if signed else "ZeroExtend"
    why = f"whose format {name} has {have} integers, but {op.name} accesses them as {used} ({by})"
    return found.image_fault(why, "VUID-StandaloneSpirv-Image-04965")


_DERIVED = derivative_limits("implicit levels of detail")


@limits(*traits.IMPLICIT_LOD)
def _implicit_lod(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield from _DERIVED


@limits(spv.OpImageQueryLod)
def _query_lod(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield from _DERIVED


@limits(*READS)
def _subpass(inst: Instruction, module: Module) -> Iterator[Limit]:
    image = image_of(module.type_of(inst.operands[0]))
    if image is not None and image.dim == SUBPASS:
        yield only((ExecutionModel.Fragment,), "reads of input attachments require the execution model Fragment")


@limits(*ACCESSES)
def _scopes(inst: Instruction, module: Module) -> Iterator[Limit]:
    at = _MASK_OF_WRITE if inst.opcode.value == spv.OpImageWrite else _MASK_OF_READ
    mask = word_at(inst, at)
    for enumerant in enumerants("ImageOperands", mask) if mask is not None else ():
        if enumerant.value in _WITH_SCOPE and at + 1 < len(inst.operands):
            yield from memory_scope_limits(module, inst, at + 1)
        at += len(enumerant.parameters)


_MASK_OF_READ, _MASK_OF_WRITE = 2, 3
_WITH_SCOPE = (ImageOperands.MakeTexelAvailable, ImageOperands.MakeTexelVisible)


@instruction_rule("image/storage-access-has-format", *_ACCESSES, section=sections.IMAGE_INSTRUCTIONS, severity=Severity.WARNING)
def storage_access_has_format(inst: Instruction, context: RuleContext) -> Findings:
    """The image of a read or write must have a format, unless a capability permits Unknown.

    A device converts texels by the format. If the format is Unknown, it may have to read the format from the descriptor, which
    requires a capability: StorageImageReadWithoutFormat for a read, StorageImageWriteWithoutFormat for a write. With Kernel the
    format may be Unknown too, and for Dim SubpassData or TileImageDataEXT it is not checked. In Vulkan, `image/access-fits-image`
    reports a format that is missing.

    OpImageSparseRead also requires an image whose Sampled operand is 2. Sampled 0 is reported here, and Sampled 1 by
    `image/access-fits-image`.

    A warning, because spirv-val checks the format only in Vulkan, and permits Sampled 0 for OpImageSparseRead.
    """
    op = Operation(inst, context)
    image = image_of(op.type(OpImageRead_Image))
    if image is None or op.type(OpImageRead_Image) is not image.type:
        return
    module = context.module
    said = f"{op.subject(OpImageRead_Image)} is {op.spell(image.type)}"
    if module.environment.api != "vulkan" and image.format == UNKNOWN_FORMAT and image.dim not in (SUBPASS, TILE):
        capability = _without_format(op)
        if image.sampled != 1 and not module.has_capability(capability) and not module.has_capability(Capability.Kernel):
            yield op.fault(
                OpImageRead_Image,
                f"{said}, whose format is Unknown; {op.name} requires a format or the capability {capability_name(capability)}",
            )
            return
    if op.code in traits.SPARSE and image.sampled == 0:
        yield op.fault(OpImageRead_Image, f"{said}, expected an image that is known to be used without a sampler (Sampled 2)")
