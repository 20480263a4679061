"""OpSampledImage, OpImage (SPIR-V 2.16.1, 3.3.10)."""

from __future__ import annotations

from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import OpImage_SampledImage, OpSampledImage_Image, OpSampledImage_Sampler
from spvls.module.functions import Function
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.operation import Operation
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule
from spvls.validate.rules.image.image_type import SUBPASS, TILE, Image, image_of


@instruction_rule("image/sampled-image-matches-operands", spv.OpSampledImage, section=sections.IMAGE_INSTRUCTIONS)
def sampled_image_matches_operands(inst: Instruction, context: RuleContext) -> Findings:
    """OpSampledImage must combine an image and a sampler into a sampled image of the image's type.

    The result is used with the type of its image: Dim, sampled type and format decide how the device addresses and converts texels.
    With those of another image, the device may sample wrong texels. Only Depth may differ: SPIR-V permits this where the client API
    ignores Depth, and the rule, like spirv-val, in all environments.

    The image must be one that can be used with a sampler: its Sampled operand is 0 or 1 (in Vulkan 1), and its Dim is neither
    SubpassData nor TileImageDataEXT. Since SPIR-V 1.6, Dim must not be Buffer either, which
    `image/sampled-image-type-fits-image` reports at the result type.
    """
    op = Operation(inst, context)
    type_, sampler = op.type(OpSampledImage_Image), op.type(OpSampledImage_Sampler)
    if op.result is not None and op.result.kind != spv.OpTypeSampledImage:
        yield op.result_fault("an OpTypeSampledImage")
        return
    if type_ is None:
        return
    image = image_of(type_)
    if type_.kind != spv.OpTypeImage or image is None:
        yield op.operand_fault(OpSampledImage_Image, "an image")
    elif image.dim in (SUBPASS, TILE):
        yield op.operand_fault(OpSampledImage_Image, f"an image whose Dim is not {image.dim_name}")
    elif image.sampled not in ((1,) if op.module.environment.api == "vulkan" else (0, 1)):
        expected = "1) in Vulkan" if op.module.environment.api == "vulkan" else "0 or 1)"
        yield op.operand_fault(OpSampledImage_Image, f"an image that can be used with a sampler (Sampled {expected}")
    elif (wanted := image_of(op.result)) is not None and not _alike(image, wanted):
        if _alike_but_for_access(image, wanted):
            what = f"{_access(image)}, but the image in the result type has {_access(wanted)}; the two images must match"
            yield op.fault(OpSampledImage_Image, f"{op.subject(OpSampledImage_Image)} has {what}")
            return
        yield op.operand_fault(OpSampledImage_Image, f"{op.spell(wanted.type)} to match the result type")
    elif sampler is not None and sampler.kind != spv.OpTypeSampler:
        yield op.operand_fault(OpSampledImage_Sampler, "a sampler")


def _access(image: Image) -> str:
    return "no access qualifier" if image.access < 0 else f"the access qualifier {enumerant_name('AccessQualifier', image.access)}"


def _alike(image: Image, other: Image) -> bool:
    return image.access == other.access and _alike_but_for_access(image, other)


def _alike_but_for_access(image: Image, other: Image) -> bool:
    return image._replace(type=other.type, depth=0, sampled_type=None) == other._replace(depth=0, sampled_type=None) and (
        image.sampled_type is None or other.sampled_type is None or image.sampled_type.id == other.sampled_type.id
    )


_CONSUMERS = (traits.IMPLICIT_LOD | traits.EXPLICIT_LOD | traits.GATHERS) | {
    spv.OpSampledImage, spv.OpImage, spv.OpImageQueryLod, spv.OpCopyObject, spv.OpImageSampleWeightedQCOM, spv.OpImageBoxFilterQCOM,
    spv.OpImageBlockMatchSSDQCOM, spv.OpImageBlockMatchSADQCOM, spv.OpImageBlockMatchWindowSADQCOM,
    spv.OpImageBlockMatchWindowSSDQCOM, spv.OpImageBlockMatchGatherSADQCOM, spv.OpImageBlockMatchGatherSSDQCOM,
    spv.OpImageSampleFootprintNV, spv.OpName,
}  # fmt: skip


@function_rule("image/sampled-image-stays-in-block", spv.OpSampledImage, section=sections.UNIVERSAL_VALIDATION_RULES)
def sampled_image_stays_in_block(function: Function, context: RuleContext) -> Findings:
    """The result of OpSampledImage must be used in its own block, and only by image lookups and queries.

    The image and sampler may differ between invocations. A driver may combine them where they are used, for which it must find the
    OpSampledImage in the same block, with the same invocations active. Repeat the OpSampledImage in each block that samples.

    Lookups include gathers, OpImageSampleFootprintNV and the image instructions of QCOM, and queries OpImage and OpImageQueryLod.
    The rule, like spirv-val, also accepts OpCopyObject; in shaders, `image/opaque-value-is-not-copied` warns of the copy. With the
    capability BindlessTextureNV, the rule, like spirv-val, also accepts OpStore, but still reports uses that
    SPV_NV_bindless_texture permits, such as those in other blocks and by OpPhi and OpSelect. With the option
    `before-hlsl-legalization`, unlike in spirv-val, nothing is checked.
    """
    made: dict[str, Instruction] = {r.result: r for r in function.records if r.opcode.value == spv.OpSampledImage and r.result}
    if not made or context.options.before_hlsl_legalization:
        return
    consumers = _CONSUMERS | {spv.OpStore} if context.module.has_capability(Capability.BindlessTextureNV) else _CONSUMERS
    reported: set[str] = set()
    for record in function.records:
        for name in dict.fromkeys(record.uses()):
            origin = made.get(name)
            if origin is None or name in reported:
                continue
            opcode = record.opcode.value
            note = Note(record, OPCODE, f"%{name} is used here")
            if function.block_of.get(id(origin)) is not function.block_of.get(id(record)):
                reported.add(name)
                message = f"%{name} is the result of OpSampledImage and must not be used in other blocks"
                yield Finding(origin, OPCODE, f"{message}; repeat OpSampledImage in each block that uses %{name}", (note,))
            elif opcode not in consumers:
                reported.add(name)
                message = f"%{name} is the result of OpSampledImage and must not be used by {record.opcode.name}"
                yield Finding(origin, OPCODE, message, (note,))


@instruction_rule("image/image-matches-sampled-image", spv.OpImage, section=sections.IMAGE_INSTRUCTIONS)
def image_matches_sampled_image(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpImage must be the image type of its sampled image.

    The image is taken out of the sampled image without conversion. With another type, a fetch or query may read the descriptor as
    another kind of image. An operand other than a sampled image is an error too.
    """
    op = Operation(inst, context)
    type_ = op.type(OpImage_SampledImage)
    if op.result is not None and op.result.kind != spv.OpTypeImage:
        yield op.result_fault("an image")
    elif type_ is not None and type_.kind != spv.OpTypeSampledImage:
        yield op.operand_fault(OpImage_SampledImage, "an OpTypeSampledImage")
    elif type_ is not None and op.result is not None and type_.element is not None and type_.element_id != op.result.id:
        have, wanted = op.told_apart(op.result, type_.element)  # Depth 2 and access qualifiers are not spelled
        yield op.result_fault(f"{wanted}, the type of the image in {op.subject(OpImage_SampledImage)}", have=have)
