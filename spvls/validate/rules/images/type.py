"""Image types, sampled images, and pointers to texels (SPIR-V 3.3.6, 3.3.10)."""

from __future__ import annotations

from spvls.grammar import spv, traits
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.finding import Finding, Note
from spvls.validate.image_operands import INTS32
from spvls.validate.images import CUBE, DIM_1D, DIM_2D, SUBPASS, TILE, UNKNOWN_FORMAT, Image, image_of
from spvls.validate.kinds import INT32, dimension
from spvls.validate.operation import Operation, counted
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule
from spvls.validate.storage_class import storage

_MOST = {2: ("Depth", 2), 3: ("Arrayed", 1), 4: ("MS", 1), 5: ("Sampled", 2)}
_TEXEL_FORMATS = frozenset({"R64i", "R64ui", "R32f", "R32i", "R32ui"})
_IMAGE = storage("Image")


@instruction_rule("image/type", spv.OpTypeImage, section="3.3.6")
def image_type(inst: Instruction, scene: Scene) -> Findings:
    """The operands of an image type agree with each other and with the client API.

    Bad:  `OpTypeImage %float SubpassData 0 0 0 1 Unknown`
    Good: `OpTypeImage %float SubpassData 0 0 0 2 Unknown`
    """
    module = scene.module
    declared = Type(inst, module.type)
    image = image_of(declared)
    if image is None:
        return
    finding = _sampled_type_fault(inst, image, module) or _numbers_fault(inst, image, module) or _dim_fault(inst, image, module)
    if finding is not None:
        yield finding


def _sampled_type_fault(inst: Instruction, image: Image, module: Module) -> Finding | None:
    type_, api = image.sampled_type, module.environment.api
    if type_ is None:
        return None
    if api == "vulkan":
        if not (type_.is_int and type_.width in (32, 64)) and not (type_.is_float and type_.width == 32):
            message = f"the sampled type is {module.spell(type_)}, expected i32, u32, i64, u64 or f32 in Vulkan"
            return Finding(inst, 0, message, vuid="VUID-StandaloneSpirv-OpTypeImage-04656")
    elif api == "opencl":
        if type_.kind != spv.OpTypeVoid:
            return Finding(inst, 0, f"the sampled type is {module.spell(type_)}, expected void in OpenCL")
    elif type_.kind not in (spv.OpTypeVoid, spv.OpTypeInt, spv.OpTypeFloat):
        return Finding(inst, 0, f"the sampled type is {module.spell(type_)}, expected void, an integer or a float")
    return None


def _numbers_fault(inst: Instruction, image: Image, module: Module) -> Finding | None:
    for place, (name, most) in _MOST.items():
        number = image.type.word(place)
        if number > most:
            return Finding(inst, place, f"{name} is {number}, and the most it can be is {most}")
    api = module.environment.api
    if api == "opencl":
        if image.arrayed == 1 and image.dim not in (DIM_1D, DIM_2D):
            return Finding(inst, 3, f"OpenCL has arrays of 1D and 2D images, not of Dim {image.dim_name}")
        if image.multisampled:
            return Finding(inst, 4, "OpenCL has no multisampled images here: MS is 0")
        if image.sampled:
            return Finding(inst, 5, "Sampled is 0 in OpenCL")
        if len(inst.operands) < 8:
            return Finding(inst, OPCODE, "OpenCL images say how they are accessed: add ReadOnly, WriteOnly or ReadWrite")
    if api == "vulkan" and image.sampled == 0:
        vuid = "VUID-StandaloneSpirv-OpTypeImage-04657"
        return Finding(inst, 5, "Sampled is 1 (with a sampler) or 2 (without) in Vulkan", vuid=vuid)
    return None


def _dim_fault(inst: Instruction, image: Image, module: Module) -> Finding | None:
    if image.dim in (SUBPASS, TILE):
        if image.sampled != 2:
            return Finding(inst, 5, f"an image of Dim {image.dim_name} is used without a sampler: Sampled is 2")
        if image.format != UNKNOWN_FORMAT:
            return Finding(inst, 6, f"an image of Dim {image.dim_name} has the format Unknown")
    if image.dim == TILE:
        for place, name in ((2, "Depth"), (3, "Arrayed")):
            if image.type.word(place):
                return Finding(inst, place, f"{name} is 0 in an image of Dim {image.dim_name}")
    multisampled_storage = image.multisampled == 1 and image.sampled == 2 and image.dim not in (SUBPASS, TILE)
    if multisampled_storage and not module.has_capability("StorageImageMultisample"):
        return Finding(inst, 4, "a multisampled storage image takes the capability StorageImageMultisample")
    if module.environment.api == "vulkan":
        return _format_fault(inst, image, module)
    return None


def _format_fault(inst: Instruction, image: Image, module: Module) -> Finding | None:
    """In Vulkan, the format and the sampled type have the same base type, and 64-bit ones go together."""
    type_ = image.sampled_type
    name = "".join(enumerant.name for enumerant in enumerants("ImageFormat", image.format))
    if type_ is None or image.format == UNKNOWN_FORMAT or not name:
        return None
    unsigned, signed = name.endswith("ui"), name.endswith("i") and not name.endswith("ui")
    whole = unsigned or signed
    spelled = module.spell(type_)
    vuid = "VUID-StandaloneSpirv-Image-04965"
    if whole != type_.is_int:
        held = "integers" if whole else "floats"
        return Finding(inst, 6, f"the format {name} holds {held}, and the image {spelled}", vuid=vuid)
    if whole and (name.startswith("R64") != (type_.width == 64)):
        bits = 64 if name.startswith("R64") else 32
        message = f"the format {name} goes with a sampled type of {bits} bits, and the image is of {spelled}"
        return Finding(inst, 6, message, vuid=vuid)
    return None


@instruction_rule("image/sampled-image-type", spv.OpTypeSampledImage, section="3.3.6")
def sampled_image_type(inst: Instruction, scene: Scene) -> Findings:
    """A sampled image is made of an image that is used with a sampler.

    Bad:  `OpTypeSampledImage %storage_image`
    Good: `OpTypeSampledImage %image` where Sampled is 1
    """
    type_ = scene.module.type(inst.operands[0] if isinstance(inst.operands[0], str) else None)
    if type_ is None:
        return
    spelled = scene.module.spell(type_)
    image = image_of(type_) if type_.kind == spv.OpTypeImage else None
    if image is None:
        yield Finding(inst, 0, f"%{type_.id} is {spelled}, expected an image")
    elif image.sampled not in (0, 1):
        vuid = "VUID-StandaloneSpirv-OpTypeImage-04657" if scene.module.environment.api == "vulkan" else None
        message = f"%{type_.id} is {spelled}, expected one that is used with a sampler (Sampled 0 or 1)"
        yield Finding(inst, 0, message, vuid=vuid)
    elif scene.module.version >= (1, 6) and image.dim_name == "Buffer":
        yield Finding(inst, 0, f"%{type_.id} is {spelled}, and since SPIR-V 1.6 texel buffers are not sampled")


@instruction_rule("image/sampled-image", spv.OpSampledImage, section="3.3.10")
def sampled_image(inst: Instruction, scene: Scene) -> Findings:
    """OpSampledImage joins an image and a sampler to a sampled image of that image's type.

    Bad:  `%s = OpSampledImage %sampled_2d %image_3d %sampler`
    Good: `%s = OpSampledImage %sampled_3d %image_3d %sampler`
    """
    op = Operation(inst, scene)
    type_, sampler = op.type(0), op.type(1)
    if op.result is not None and op.result.kind != spv.OpTypeSampledImage:
        yield op.result_fault("a sampled image")
        return
    if type_ is None:
        return
    image = image_of(type_)
    if type_.kind != spv.OpTypeImage or image is None:
        yield op.operand_fault(0, "an image")
    elif image.sampled not in ((1,) if op.module.environment.api == "vulkan" else (0, 1)):
        yield op.operand_fault(0, "an image that is used with a sampler (Sampled 1)")
    elif image.dim in (SUBPASS, TILE):
        yield op.operand_fault(0, "an image that can be sampled")
    elif not _alike(image, image_of(op.result)):
        yield op.operand_fault(0, f"the image of {op.spell(op.result)}")
    elif sampler is not None and sampler.kind != spv.OpTypeSampler:
        yield op.operand_fault(1, "a sampler")


def _alike(image: Image, other: Image | None) -> bool:
    """Whether two image types differ in Depth at most."""
    if other is None:
        return True
    return image._replace(type=other.type, depth=0, sampled_type=None) == other._replace(depth=0, sampled_type=None) and (
        image.sampled_type is None or other.sampled_type is None or image.sampled_type.id == other.sampled_type.id
    )


_CONSUMERS = (traits.IMPLICIT_LOD | traits.EXPLICIT_LOD | traits.GATHERS) | {
    spv.OpSampledImage, spv.OpImage, spv.OpImageQueryLod, spv.OpCopyObject, spv.OpImageSampleWeightedQCOM, spv.OpImageBoxFilterQCOM,
    spv.OpImageBlockMatchSSDQCOM, spv.OpImageBlockMatchSADQCOM, spv.OpImageBlockMatchWindowSADQCOM,
    spv.OpImageBlockMatchWindowSSDQCOM, spv.OpImageBlockMatchGatherSADQCOM, spv.OpImageBlockMatchGatherSSDQCOM,
    spv.OpImageSampleFootprintNV, spv.OpImageGatherQCOM, spv.OpName, spv.OpStore,
}  # fmt: skip


@function_rule("image/sampled-image-use", section="2.16.1")
def sampled_image_use(function: Function, scene: Scene) -> Findings:
    """What OpSampledImage makes is used in the same block, and by instructions that sample only.

    Bad:  an OpSampledImage at the top of a function, sampled in a loop below.
    Good: OpSampledImage right before the instruction that samples.
    """
    made: dict[str, Instruction] = {r.result: r for r in function.records if r.opcode.value == spv.OpSampledImage and r.result}
    if not made or scene.options.before_hlsl_legalization:
        return
    told: set[str] = set()
    for record in function.records:
        for name in dict.fromkeys(record.uses()):
            origin = made.get(name)
            if origin is None or name in told:
                continue
            opcode = record.opcode.value
            note = Note(record, OPCODE, f"%{name} is used here")
            if function.block_of.get(id(origin)) is not function.block_of.get(id(record)):
                told.add(name)
                yield Finding(origin, OPCODE, f"%{name} is used in another block; make it in the block that samples", (note,))
            elif opcode not in _CONSUMERS:
                told.add(name)
                yield Finding(origin, OPCODE, f"%{name} is used by {record.opcode.name}, which takes no sampled image", (note,))


@instruction_rule("image/image-of-sampled", spv.OpImage, section="3.3.10")
def image_of_sampled(inst: Instruction, scene: Scene) -> Findings:
    """OpImage gives the image of a sampled image, of just that type.

    Bad:  `%i = OpImage %image_3d %sampled_2d`
    Good: `%i = OpImage %image_2d %sampled_2d`
    """
    op = Operation(inst, scene)
    type_ = op.type(0)
    if op.result is not None and op.result.kind != spv.OpTypeImage:
        yield op.result_fault("an image")
    elif type_ is not None and type_.kind != spv.OpTypeSampledImage:
        yield op.operand_fault(0, "a sampled image")
    elif type_ is not None and op.result is not None and type_.element_id != op.result.id:
        yield op.result_fault(f"the image of {op.spell(type_)}")


@instruction_rule("image/texel-pointer", spv.OpImageTexelPointer, section="3.3.10")
def texel_pointer(inst: Instruction, scene: Scene) -> Findings:
    """A pointer to a texel points, in the Image storage class, to the sampled type of an image, at whole coordinates.

    Bad:  `%p = OpImageTexelPointer %ptr_Image_float %uint_image %xy %zero`
    Good: `%p = OpImageTexelPointer %ptr_Image_uint %uint_image %xy %zero`
    """
    op = Operation(inst, scene)
    finding = _texel_pointer_fault(op)
    if finding is not None:
        yield finding


def _texel_pointer_fault(op: Operation) -> Finding | None:
    result, pointer = op.result, op.type(0)
    if result is not None:
        if result.kind != spv.OpTypePointer:
            return op.result_fault("a pointer made by OpTypePointer")
        if result.storage != _IMAGE:
            return op.result_fault("a pointer in the Image storage class")
        pointee = result.pointee
        if pointee is not None and pointee.kind not in (spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVoid) and not (
            pointee.is_vector and op.module.has_capability("AtomicFloat16VectorNV")
        ):
            return op.result_fault("a pointer to an integer, a float or void")
    if pointer is None or result is None:
        return None
    image = image_of(pointer.pointee) if pointer.kind == spv.OpTypePointer and pointer.pointee is not None else None
    if pointer.kind != spv.OpTypePointer:
        return op.operand_fault(0, "a pointer to an image")
    if image is None or (pointer.pointee is not None and pointer.pointee.kind != spv.OpTypeImage):
        return op.operand_fault(0, "a pointer to an image") if pointer.pointee is not None else None
    pointee = result.pointee
    if pointee is not None and image.sampled_type is not None and not pointee.is_vector and pointee.id != image.sampled_type.id:
        return op.result_fault(f"a pointer to {op.spell(image.sampled_type)}, the sampled type of the image")
    if image.dim in (SUBPASS, TILE):
        return op.operand_fault(0, "a pointer to an image that has texels of its own")
    coordinate = op.type(1)
    if coordinate is not None:
        if not INTS32.holds(coordinate):
            return op.operand_fault(1, INTS32.name)
        if image.arrayed and image.dim not in (DIM_1D, DIM_2D, CUBE):
            return op.operand_fault(0, "Dim 1D, 2D or Cube, of which there are arrays")
        wanted = 3 if image.arrayed and image.dim == CUBE else image.plane + image.arrayed
        if dimension(op.module, coordinate) != wanted:
            return op.operand_fault(1, f"{counted(wanted)}, for an image of Dim {image.dim_name}")
    sample = op.type(2)
    if sample is not None and not INT32.holds(sample):
        return op.operand_fault(2, INT32.name)
    if image.multisampled == 0 and op.module.definition(op.id(2) or "") is not None and op.module.integer(op.id(2)) != 0:
        return op.fault(2, f"{op.subject(2)} is not the constant 0, and the image has no samples to choose from")
    name = "".join(enumerant.name for enumerant in enumerants("ImageFormat", image.format))
    if op.module.environment.api == "vulkan" and name not in _TEXEL_FORMATS:
        vuid = "VUID-StandaloneSpirv-OpImageTexelPointer-04658"
        return op.operand_fault(0, "the format R64i, R64ui, R32f, R32i or R32ui in Vulkan")._replace(vuid=vuid)
    return None
