"""Images and samplers as objects (SPIR-V 2.16.1, 2.16.2)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.module.functions import Function
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule

_OPAQUE = frozenset({spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage})
_KEEPS = frozenset(
    {spv.OpCopyObject, spv.OpCompositeConstruct, spv.OpCompositeInsert, spv.OpReturnValue, spv.OpCopyLogical, spv.OpVectorShuffle}
)


@instruction_rule(
    "image/opaque-value-is-not-copied", *sorted(_KEEPS), section=sections.UNIVERSAL_VALIDATION_RULES, severity=Severity.WARNING
)
def opaque_value_is_not_copied(inst: Instruction, context: RuleContext) -> Findings:
    """In a shader images, samplers and sampled images go to instructions on images: they are not copied, built in or returned.

    Shaders that are still to be legalized do; the option `before_hlsl_legalization` lets them.
    """
    module = context.module
    if not module.has_capability(Capability.Shader) or context.options.before_hlsl_legalization:
        return
    for operand_index, operand in enumerate(inst.operands):
        type_ = module.type_of(operand)
        if type_ is not None and type_.kind in _OPAQUE:
            yield Finding(inst, operand_index, f"%{operand!s} is {module.spell(type_)}, which only instructions on images take")
            return


@function_rule("image/loaded-image-stays-in-block", section=sections.UNIVERSAL_VALIDATION_RULES, severity=Severity.INFORMATION)
def loaded_image_stays_in_block(function: Function, context: RuleContext) -> Findings:
    """In a shader an image or a sampler that is loaded is used in the block that loads it.

    The reference validator asks that of what OpSampledImage makes, and lets loaded ones go from block to block.
    """
    module = context.module
    if not module.has_capability(Capability.Shader) or len(function.blocks) < 2:
        return
    home: dict[str, tuple[str, Instruction]] = {}
    for block in function.blocks.values():
        for record in block.records:
            if record.opcode.value == spv.OpLoad and record.result is not None and _is_opaque(module.type(record.type)):
                home[record.result] = (block.name, record)
    if not home:
        return
    for block in function.blocks.values():
        for record in block.records:
            for operand_index, operand in enumerate(record.operands):
                if operand.__class__ is not str or operand not in home:
                    continue
                name, load = home[str(operand)]
                if name != block.name:
                    note = Note(load, OPCODE, f"it is loaded here, in the block %{name}")
                    yield Finding(
                        record, operand_index, f"%{operand!s} is used in the block %{block.name}, and loaded in another", (note,)
                    )
                    del home[str(operand)]


def _is_opaque(type_: Type | None) -> bool:
    return type_ is not None and type_.kind in _OPAQUE


@instruction_rule(
    "image/aggregate-holds-no-image", spv.OpCompositeConstruct, spv.OpCompositeInsert, spv.OpUndef, spv.OpLoad,
    spv.OpCopyObject, spv.OpPhi, spv.OpSelect, spv.OpCopyLogical,
    section=sections.SHADER_VALIDATION_RULES, severity=Severity.WARNING,
)  # fmt: skip
def aggregate_holds_no_image(inst: Instruction, context: RuleContext) -> Findings:
    """Values of a shader are of types that a global variable could have: no structures or arrays with images in them.

    Shaders that are still to be legalized have such values; the option `before_hlsl_legalization` lets them.
    """
    module = context.module
    if inst.type is None or context.options.before_hlsl_legalization or not module.has_capability(Capability.Shader):
        return
    type_ = module.type(inst.type)
    if type_ is None or not (type_.is_struct or type_.is_array) or module.has_capability(Capability.Kernel):
        return
    if _OPAQUE & module.contents(inst.type, behind_pointers=False):
        yield Finding(inst, TYPE, f"the result is {module.spell(type_)}, which contains images or samplers")
