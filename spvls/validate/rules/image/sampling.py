"""Level, dimension and component of samples and gathers (SPIR-V 3.3.10)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, traits
from spvls.grammar.enumerants import ImageOperands
from spvls.grammar.operand_index import OpImageSampleImplicitLod_SampledImage
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.constant_operand import out_of_range
from spvls.validate.checks.operation import Operation
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.image.access import access_fits_image
from spvls.validate.rules.image.image_type import BUFFER, RESERVED, image_of

_COMPONENT_GATHERS = tuple(sorted(traits.GATHERS - traits.DEPTH_COMPARISONS))
_LEVELS = ImageOperands.Lod | ImageOperands.Grad
_SAMPLING = tuple(sorted(traits.EXPLICIT_LOD - RESERVED))
_SAMPLES = tuple(sorted((traits.IMPLICIT_LOD | traits.EXPLICIT_LOD) - RESERVED))


@instruction_rule(
    "image/gathered-component-exists", *_COMPONENT_GATHERS, section=sections.IMAGE_INSTRUCTIONS, severity=Severity.WARNING
)
def gathered_component_exists(inst: Instruction, context: RuleContext) -> Findings:
    """The Component of a gather must be 0, 1, 2 or 3.

    A texel has four components, and a gather returns one of them from each of four texels. For any other
    Component the behavior is undefined. Gathers without Dref are checked, and only constants that cannot be specialized.

    A warning, because spirv-val does not check this.
    """
    yield from out_of_range(3, "expected a component from 0 to 3", inst, context)


@instruction_rule("image/explicit-lod-names-level", *_SAMPLING, section=sections.IMAGE_INSTRUCTIONS, severity=Severity.WARNING)
def explicit_lod_names_level(inst: Instruction, context: RuleContext) -> Findings:
    """Sampling with an explicit level of detail must have the image operand Lod or Grad.

    Without either of them the device has no level of detail to sample. A driver may use level 0, the derivatives of the coordinate,
    or fail. Lod is only for Dim 1D, 2D, 3D and Cube (`image/access-fits-image`). The reserved sparse projections are not checked.

    A warning, because spirv-val does not check this.
    """
    at = 3 if inst.opcode.value in traits.DEPTH_COMPARISONS else 2
    mask = word_at(inst, at)
    if mask is not None and not mask & _LEVELS:
        yield Finding(inst, at, f"{inst.opcode.name} requires the image operand Lod or Grad")


@instruction_rule(
    "image/texel-buffer-is-not-sampled",
    *_SAMPLES,
    section=sections.IMAGE_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(access_fits_image,),
)
def texel_buffer_is_not_sampled(inst: Instruction, context: RuleContext) -> Findings:
    """An image with Dim Buffer must not be sampled; use OpImageFetch.

    A texel buffer is an array of texels without filtering, addressing mode or levels of detail, so a sampler cannot be applied to
    it. OpImageFetch requires Sampled 1; for Sampled 0, use OpImageRead. The rule checks modules before SPIR-V 1.6; from SPIR-V 1.6
    on, `image/sampled-image-type-fits-image` reports the type of such a sampled image. `image/access-fits-image` reports gathers,
    projections and the image operands Bias, Lod and MinLod.

    A warning, because spirv-val permits other sampling of texel buffers before SPIR-V 1.6.
    """
    op = Operation(inst, context)
    image = image_of(op.type(OpImageSampleImplicitLod_SampledImage))
    if image is not None and image.dim == BUFFER and context.module.version < (1, 6):
        at = OpImageSampleImplicitLod_SampledImage
        message = f"{op.subject(at)} is {op.spell(op.type(at))}, but an image with Dim Buffer must not be sampled"
        yield op.fault(at, f"{message}; use OpImageFetch")
