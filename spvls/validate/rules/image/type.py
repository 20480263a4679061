"""OpTypeImage, OpTypeSampledImage (SPIR-V 3.3.6)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import (
    OpTypeImage_Arrayed,
    OpTypeImage_Depth,
    OpTypeImage_ImageFormat,
    OpTypeImage_MS,
    OpTypeImage_Sampled,
    OpTypeImage_SampledType,
    OpTypeSampledImage_ImageType,
)
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import AVAILABILITY, Findings, RuleContext, instruction_rule
from spvls.validate.rules.image.image_type import DIM_1D, DIM_2D, SUBPASS, TILE, UNKNOWN_FORMAT, Image, image_of

_MOST = {2: ("Depth", 2), 3: ("Arrayed", 1), 4: ("MS", 1), 5: ("Sampled", 2)}


@instruction_rule(
    "image/image-type-is-consistent", spv.OpTypeImage, section=sections.TYPE_DECLARATION_INSTRUCTIONS, after=AVAILABILITY
)
def image_type_is_consistent(inst: Instruction, context: RuleContext) -> Findings:
    """The operands of OpTypeImage must agree with each other and with the client API.

    The type says how a device addresses and converts texels. If operands contradict each other, drivers may follow one or the other
    and return different texels, or reject the module.

    Depth and Sampled must be at most 2, Arrayed and MS at most 1. Images of Dim SubpassData and TileImageDataEXT
    (SPV_EXT_shader_tile_image) must have Sampled 2 and format Unknown; the latter also Depth and Arrayed 0, and a sampled type
    other than void. Of another Dim, a multisampled storage image (MS 1, Sampled 2) requires StorageImageMultisample.

    In Vulkan, the sampled type must be i32, u32, i64, u64 or f32, and fit the format if that is not Unknown, but for signedness,
    which `image/access-fits-image` checks; Sampled must not be 0, and Arrayed must be 0 for SubpassData. In OpenCL, the sampled
    type must be void, Sampled and MS must be 0, only 1D and 2D images may be arrayed, and an access qualifier is required; as in
    spirv-val, MS 1 is an error although cl_khr_gl_msaa_sharing permits it. Elsewhere, the sampled type must be void, an integer or
    a float.
    """
    module = context.module
    declared = Type(inst, module.type, module.integer)
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
    what = f"{operand(inst, OpTypeImage_SampledType)} is {module.spell(type_)}"
    if api == "vulkan":
        if not (type_.is_int and type_.width in (32, 64)) and not (type_.is_float and type_.width == 32):
            message = f"{what}, expected i32, u32, i64, u64 or f32 in Vulkan"
            return Finding(inst, OpTypeImage_SampledType, message, vuid="VUID-StandaloneSpirv-OpTypeImage-04656")
    elif api == "opencl":
        if type_.kind != spv.OpTypeVoid:
            return Finding(inst, OpTypeImage_SampledType, f"{what}, expected void in OpenCL")
    elif type_.kind not in (spv.OpTypeVoid, spv.OpTypeInt, spv.OpTypeFloat):
        return Finding(inst, OpTypeImage_SampledType, f"{what}, expected void, an integer or a float")
    return None


def _numbers_fault(inst: Instruction, image: Image, module: Module) -> Finding | None:
    for operand_index, (name, most) in _MOST.items():
        number = image.type.word(operand_index)
        if number > most:
            return Finding(inst, operand_index, f"operand {name} of OpTypeImage is {number}, expected at most {most}")
    api = module.environment.api
    if api == "opencl":
        if image.arrayed == 1 and image.dim not in (DIM_1D, DIM_2D):
            return Finding(
                inst, OpTypeImage_Arrayed, f"operand Dim is {image.dim_name}, expected 1D or 2D for an arrayed image in OpenCL"
            )
        if image.multisampled:
            return Finding(inst, OpTypeImage_MS, f"operand MS is {image.multisampled}, expected 0 in OpenCL")
        if image.sampled:
            return Finding(inst, OpTypeImage_Sampled, f"operand Sampled is {image.sampled}, expected 0 in OpenCL")
        if len(inst.operands) < 8:
            message = "in OpenCL, OpTypeImage requires the operand Access Qualifier: ReadOnly, WriteOnly or ReadWrite"
            return Finding(inst, OPCODE, message)
    if api == "vulkan" and image.sampled == 0:
        vuid = "VUID-StandaloneSpirv-OpTypeImage-04657"
        message = "operand Sampled is 0, expected 1 (with a sampler) or 2 (without) in Vulkan"
        return Finding(inst, OpTypeImage_Sampled, message, vuid=vuid)
    return None


def _dim_fault(inst: Instruction, image: Image, module: Module) -> Finding | None:
    of_vulkan = module.environment.api == "vulkan"
    if image.dim in (SUBPASS, TILE):
        if image.sampled != 2:
            message = f"operand Sampled is {image.sampled}, expected 2 (without a sampler) in an image of Dim {image.dim_name}"
            vuid = _SUBPASS_VUID if of_vulkan and image.dim == SUBPASS else None
            return Finding(inst, OpTypeImage_Sampled, message, vuid=vuid)
        if image.format != UNKNOWN_FORMAT:
            message = f"operand Image Format is {_format(image)}, expected Unknown in an image of Dim {image.dim_name}"
            return Finding(inst, OpTypeImage_ImageFormat, message)
    if image.dim == SUBPASS and image.arrayed and of_vulkan:
        message = f"operand Arrayed is {image.arrayed}, expected 0 in an image of Dim SubpassData in Vulkan"
        return Finding(inst, OpTypeImage_Arrayed, message, vuid=_SUBPASS_VUID)
    if image.dim == TILE:
        if image.sampled_type is not None and image.sampled_type.kind == spv.OpTypeVoid:
            message = f"{operand(inst, OpTypeImage_SampledType)} must not be void in an image of Dim {image.dim_name}"
            return Finding(inst, OpTypeImage_SampledType, message)
        for operand_index, name in ((2, "Depth"), (3, "Arrayed")):
            if image.type.word(operand_index):
                number = image.type.word(operand_index)
                message = f"operand {name} is {number}, expected 0 in an image of Dim {image.dim_name}"
                return Finding(inst, operand_index, message)
    multisampled_storage = image.multisampled == 1 and image.sampled == 2 and image.dim not in (SUBPASS, TILE)
    if multisampled_storage and not module.has_capability(Capability.StorageImageMultisample):
        message = "a multisampled storage image (MS 1, Sampled 2) requires the capability StorageImageMultisample"
        return Finding(inst, OpTypeImage_MS, message)
    return _format_fault(inst, image, module) if of_vulkan else None


_SUBPASS_VUID = "VUID-StandaloneSpirv-OpTypeImage-06214"


def _format(image: Image) -> str:
    return "".join(enumerant.name for enumerant in enumerants("ImageFormat", image.format))


def _format_fault(inst: Instruction, image: Image, module: Module) -> Finding | None:
    type_ = image.sampled_type
    name = _format(image)
    if type_ is None or image.format == UNKNOWN_FORMAT or not name:
        return None
    unsigned, signed = name.endswith("ui"), name.endswith("i") and not name.endswith("ui")
    whole = unsigned or signed
    what = f"{operand(inst, OpTypeImage_SampledType)} is {module.spell(type_)}"
    vuid = "VUID-StandaloneSpirv-Image-04965"
    bits = 64 if name.startswith("R64") else 32
    if whole != type_.is_int:
        held = f"a {bits}-bit integer" if whole else "a 32-bit float"
        return Finding(inst, OpTypeImage_ImageFormat, f"{what}, expected {held} for the format {name}", vuid=vuid)
    if whole and type_.width != bits:
        message = f"{what}, expected a {bits}-bit integer for the format {name}"
        return Finding(inst, OpTypeImage_ImageFormat, message, vuid=vuid)
    return None


@instruction_rule(
    "image/sampled-image-type-fits-image",
    spv.OpTypeSampledImage,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    vuids=lambda: ["VUID-StandaloneSpirv-OpTypeSampledImage-06671"],
)
def sampled_image_type_fits_image(inst: Instruction, context: RuleContext) -> Findings:
    """The Image Type of OpTypeSampledImage must be an image that can be used with a sampler.

    A sampled image combines an image with a sampler. Sampled must be 0 or 1: Sampled 2 marks images that are used without a
    sampler, whose descriptors may lack the data that sampling needs. In Vulkan, `image/image-type-is-consistent` reports Sampled 0,
    and the finding on Sampled 2 has, as in spirv-val, the number of the valid usage on OpTypeImage.

    So the Dim must not be SubpassData or TileImageDataEXT (SPV_EXT_shader_tile_image), which require Sampled 2; with another
    Sampled, `image/image-type-is-consistent` reports the image. Since SPIR-V 1.6, the Dim must not be Buffer either, because texel
    buffers are fetched without a sampler.
    """
    type_ = context.module.type(id_at(inst, OpTypeSampledImage_ImageType))
    if type_ is None:
        return
    subject = f"operand Image Type (%{type_.id}) is {context.module.spell(type_)}"
    image = image_of(type_) if type_.kind == spv.OpTypeImage else None
    if image is None:
        yield Finding(inst, OpTypeSampledImage_ImageType, f"{subject}, expected an image")
    elif image.sampled not in (0, 1):
        vulkan = context.module.environment.api == "vulkan"
        vuid = "VUID-StandaloneSpirv-OpTypeImage-04657" if vulkan else None
        message = f"{subject}, expected an image that can be used with a sampler (Sampled {'1' if vulkan else '0 or 1'})"
        if image.dim in (SUBPASS, TILE):
            message = f"{subject}, expected an image whose Dim is not {image.dim_name}"
        yield Finding(inst, OpTypeSampledImage_ImageType, message, vuid=vuid)
    elif context.module.version >= (1, 6) and image.dim_name == "Buffer":
        yield Finding(
            inst, OpTypeSampledImage_ImageType, f"{subject}, expected an image whose Dim is not Buffer (since SPIR-V 1.6)"
        )


@instruction_rule(
    "image/depth-flag-has-effect",
    spv.OpTypeImage,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    severity=Severity.INFORMATION,
    apis="vulkan",
)
def depth_flag_has_effect(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, Depth 1 in OpTypeImage must not be relied on for depth comparisons.

    SPIR-V says that the sampling instruction decides whether to compare, not the type. Types that differ only in Depth are still
    different types, and Vulkan requires Depth 0 for weights and block-matched textures. Reported only with advice, as in editors.

    Information only, because some compilers write Depth 1 for shadow samplers.
    """
    if context.options.advice and word_at(inst, OpTypeImage_Depth) == 1:
        yield Finding(inst, OpTypeImage_Depth, "operand Depth is 1, which has no effect on depth comparisons in Vulkan")
