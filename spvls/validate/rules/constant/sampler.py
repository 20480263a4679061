"""OpConstantSampler (SPIR-V 3.2.8, 3.3.7)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.operand_index import OpConstantSampler_Param, OpConstantSampler_SamplerAddressingMode
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_REPEATING = frozenset(value("SamplerAddressingMode", name) for name in ("Repeat", "RepeatMirrored"))


@instruction_rule(
    "constant/repeating-sampler-is-normalized",
    spv.OpConstantSampler,
    section=sections.SAMPLER_ADDRESSING_MODE,
    severity=Severity.WARNING,
)
def repeating_sampler_is_normalized(inst: Instruction, context: RuleContext) -> Findings:
    """A sampler that repeats an image takes normalized coordinates.

    Bad:  `%s = OpConstantSampler %sampler Repeat 0 Nearest`
    Good: `%s = OpConstantSampler %sampler Repeat 1 Nearest`
    """
    if word_at(inst, OpConstantSampler_SamplerAddressingMode) in _REPEATING and word_at(inst, OpConstantSampler_Param) == 0:
        yield Finding(
            inst, OpConstantSampler_SamplerAddressingMode, "repeating goes with normalized coordinates, and this sampler's are not"
        )


@instruction_rule("constant/sampler-has-sampler-type", spv.OpConstantSampler, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def sampler_has_sampler_type(inst: Instruction, context: RuleContext) -> Findings:
    """OpConstantSampler makes a sampler.

    Bad:  `%s = OpConstantSampler %float None 0 Nearest`
    Good: `%s = OpConstantSampler %sampler None 0 Nearest`
    """
    type_ = context.module.type(inst.type)
    if type_ is not None and type_.kind != spv.OpTypeSampler:
        yield Finding(inst, TYPE, f"%{inst.type} is {context.module.spell(type_)}, expected a sampler type")


@instruction_rule(
    "constant/sampler-normalization-is-boolean",
    spv.OpConstantSampler,
    section=sections.CONSTANT_CREATION_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def sampler_normalization_is_boolean(inst: Instruction, context: RuleContext) -> Findings:
    """The coordinates of a constant sampler are normalized (1) or not (0). The reference validator does not look.

    Bad:  `%s = OpConstantSampler %sampler None 2 Nearest`
    Good: `%s = OpConstantSampler %sampler None 1 Nearest`
    """
    word = word_at(inst, OpConstantSampler_Param)
    if word is not None and word > 1:
        yield Finding(
            inst, OpConstantSampler_Param, f"Param is {word}, expected 0 (coordinates in texels) or 1 (normalized coordinates)"
        )
