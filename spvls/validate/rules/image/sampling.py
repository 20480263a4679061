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
    """The component that is gathered is one of the four that a texel has."""
    yield from out_of_range(3, "and a texel has the components 0 to 3", inst, context)


@instruction_rule("image/explicit-lod-names-level", *_SAMPLING, section=sections.IMAGE_INSTRUCTIONS, severity=Severity.WARNING)
def explicit_lod_names_level(inst: Instruction, context: RuleContext) -> Findings:
    """Sampling with an explicit level of detail says which: by the image operand Lod or Grad."""
    at = 3 if inst.opcode.value in traits.DEPTH_COMPARISONS else 2
    mask = word_at(inst, at)
    if mask is not None and not mask & _LEVELS:
        yield Finding(inst, at, f"{inst.opcode.name} takes a level of detail, by the image operand Lod or Grad")


@instruction_rule(
    "image/texel-buffer-is-not-sampled",
    *_SAMPLES,
    section=sections.IMAGE_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(access_fits_image,),
)
def texel_buffer_is_not_sampled(inst: Instruction, context: RuleContext) -> Findings:
    """Texel buffers are fetched, not sampled. Since SPIR-V 1.6 there are no sampled images of them at all."""
    op = Operation(inst, context)
    image = image_of(op.type(OpImageSampleImplicitLod_SampledImage))
    if image is not None and image.dim == BUFFER and context.module.version < (1, 6):
        yield op.operand_fault(
            OpImageSampleImplicitLod_SampledImage, "an image of another Dim than Buffer: texel buffers are fetched"
        )
