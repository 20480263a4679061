"""OpConstantSampler (SPIR-V 3.2.8, 3.3.7)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import SamplerAddressingMode
from spvls.grammar.operand_index import OpConstantSampler_Param, OpConstantSampler_SamplerAddressingMode
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_REPEATING: dict[int | None, str] = {SamplerAddressingMode.Repeat: "Repeat", SamplerAddressingMode.RepeatMirrored: "RepeatMirrored"}


@instruction_rule(
    "constant/repeating-sampler-is-normalized",
    spv.OpConstantSampler,
    section=sections.SAMPLER_ADDRESSING_MODE,
    severity=Severity.WARNING,
)
def repeating_sampler_is_normalized(inst: Instruction, context: RuleContext) -> Findings:
    """The addressing modes Repeat and RepeatMirrored may only be used with normalized coordinates.

    These modes repeat the image after each distance of 1, which is the size of the image only in normalized coordinates. With
    others, the image coordinates may be undefined in OpenCL, so the texels that a kernel reads may differ between devices.
    OpConstantSampler is checked: with these modes, its Param must not be 0.
    """
    mode = _REPEATING.get(word_at(inst, OpConstantSampler_SamplerAddressingMode))
    if mode is not None and word_at(inst, OpConstantSampler_Param) == 0:
        required = f"the addressing mode {mode} requires operand Param to be 1 (normalized coordinates)"
        message = f"{required}, but it is 0 (unnormalized coordinates)"
        yield Finding(inst, OpConstantSampler_SamplerAddressingMode, message)


@instruction_rule("constant/sampler-has-sampler-type", spv.OpConstantSampler, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def sampler_has_sampler_type(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpConstantSampler must be OpTypeSampler.

    A sampler is an opaque object of the device: it has no bits that could be read as a value of another type. The operands describe
    a sampler, from which a consumer cannot make anything else.
    """
    type_ = context.module.type(inst.type)
    if type_ is not None and type_.kind != spv.OpTypeSampler:
        yield Finding(inst, TYPE, f"the result type of OpConstantSampler is {context.module.spell(type_)}, expected a sampler")


@instruction_rule(
    "constant/sampler-normalization-is-boolean",
    spv.OpConstantSampler,
    section=sections.CONSTANT_CREATION_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def sampler_normalization_is_boolean(inst: Instruction, context: RuleContext) -> Findings:
    """The Param of OpConstantSampler must be 0 (coordinates in texels) or 1 (normalized).

    A consumer may test whether the literal is 1 or whether it is not 0. So another value may give normalized coordinates with one
    driver and coordinates in texels with another.
    """
    word = word_at(inst, OpConstantSampler_Param)
    if word is not None and word > 1:
        yield Finding(
            inst,
            OpConstantSampler_Param,
            f"operand Param is {word}, expected 0 (unnormalized coordinates) or 1 (normalized coordinates)",
        )
