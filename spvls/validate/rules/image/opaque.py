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
    """In a shader, images, samplers and sampled images must not be copied, put in composites or returned.

    They are only for image instructions. A driver may find the descriptor by following the value to its OpLoad when it compiles the
    module, and may not find it through a copy, a composite or a return. The rule checks modules with the capability Shader.
    `image/aggregate-holds-no-image` checks structures and arrays of such objects. Modules that will still be legalized may contain
    such values: the option `before-hlsl-legalization` turns this check off.

    A warning, because spirv-val accepts most of these uses. Some are also errors of other rules, such as
    `image/sampled-image-stays-in-block`.
    """
    module = context.module
    if not module.has_capability(Capability.Shader) or context.options.before_hlsl_legalization:
        return
    for operand_index, operand in enumerate(inst.operands):
        type_ = module.type_of(operand)
        if type_ is not None and type_.kind in _OPAQUE:
            message = f"%{operand!s} is {module.spell(type_)}, which {inst.opcode.name} must not use in a shader"
            yield Finding(inst, operand_index, message)
            return


@function_rule("image/loaded-image-stays-in-block", section=sections.UNIVERSAL_VALIDATION_RULES, severity=Severity.HINT)
def loaded_image_stays_in_block(function: Function, context: RuleContext) -> Findings:
    """A loaded image or sampler must be used in the block that loads it.

    The descriptor may differ between invocations, and the block of the use may run with other invocations than the block of the
    load. A driver that selects the descriptor where it is loaded may then use the wrong one. Load the image again in the block
    where it is used. Loaded sampled images count as well, but loaded structures and arrays of images do not. The rule checks
    modules with the capability Shader, but no uses in non-semantic instructions, nor those by OpPhi with the capability
    BindlessTextureNV (SPV_NV_bindless_texture). With the option `before-hlsl-legalization`, the rule is off. A function has one
    such finding, at the first use; the other uses are listed with it.

    A hint, because spirv-val does not require this of loads. The result of OpSampledImage is checked by
    `image/sampled-image-stays-in-block`.
    """
    module = context.module
    if not module.has_capability(Capability.Shader) or not any(map(module.declarations.records, _OPAQUE)):
        return
    if len(function.blocks) < 2 or context.options.before_hlsl_legalization:
        return
    is_bindless = module.has_capability(Capability.BindlessTextureNV)
    home: dict[str, tuple[str, Instruction]] = {}
    for block in function.blocks.values():
        for record in block.records:
            if record.opcode.value == spv.OpLoad and record.result is not None and _is_opaque(module.type(record.type)):
                home[record.result] = (block.name, record)
    if not home:
        return
    astray: list[tuple[Instruction, int, str]] = []
    for block in function.blocks.values():
        for record in block.records:
            for operand_index, operand in enumerate(record.operands):
                if operand.__class__ is str and operand in home and home[str(operand)][0] != block.name:
                    if module.is_of_non_semantic_set(record) or (is_bindless and record.opcode.value == spv.OpPhi):
                        break
                    astray.append((record, operand_index, block.name))
    if not astray:
        return
    (record, operand_index, used_in), *others = astray
    name = str(record.operands[operand_index])
    loaded_in, load = home[name]
    notes = [Note(load, OPCODE, f"%{name} is loaded here")]
    notes += [Note(other, index, f"%{other.operands[index]!s} is also used in another block") for other, index, _ in others]
    shown = f"%{name} ({module.spell(module.type(load.type))})"
    used, advice = "used", f"load the value again in %{used_in}"
    if record.opcode.value == spv.OpPhi:
        used, advice = "used by OpPhi", f"use OpLoad in %{used_in} instead of OpPhi"
    message = f"{shown} is loaded in the block %{loaded_in}, but {used} in the block %{used_in}; {advice}"
    yield Finding(record, operand_index, message, tuple(notes))


def _is_opaque(type_: Type | None) -> bool:
    return type_ is not None and type_.kind in _OPAQUE


_HOLDING = (Capability.Kernel, Capability.BindlessTextureNV)


@instruction_rule(
    "image/aggregate-holds-no-image", spv.OpCompositeConstruct, spv.OpCompositeInsert, spv.OpUndef, spv.OpLoad,
    spv.OpCopyObject, spv.OpPhi, spv.OpSelect, spv.OpCopyLogical,
    section=sections.SHADER_VALIDATION_RULES, severity=Severity.WARNING,
)  # fmt: skip
def aggregate_holds_no_image(inst: Instruction, context: RuleContext) -> Findings:
    """In a shader, a result must not be a structure or array with images or samplers in it.

    A device may have no registers for descriptors, so a driver may fail to build such a value. Sampled images count as well.
    SPIR-V restricts aggregate results to types that a variable in a global storage class may have, without a list of these classes.
    If each class other than Function is global, as in the universal limits, UniformConstant permits such a value. The rule does not
    count UniformConstant.

    Checked are the results of OpLoad, OpUndef, OpCopyObject, OpCopyLogical, OpCompositeConstruct, OpCompositeInsert, OpPhi and
    OpSelect. Modules that will still be legalized may contain such values: the option `before-hlsl-legalization` turns this check
    off. Modules that declare Kernel are not checked, nor those with BindlessTextureNV, whose extension SPV_NV_bindless_texture
    counts images and samplers among the concrete types.

    A warning, because UniformConstant may be one of the global classes, and because spirv-val does not check these results. In
    Vulkan, `type/struct-holds-no-opaque-types` checks the structure types.
    """
    module = context.module
    if inst.type is None or context.options.before_hlsl_legalization or not module.has_capability(Capability.Shader):
        return
    type_ = module.type(inst.type)
    if type_ is None or not (type_.is_struct or type_.is_array) or any(map(module.has_capability, _HOLDING)):
        return
    if _OPAQUE & module.contents(inst.type, behind_pointers=False):
        subject = f"the result type of {inst.opcode.name}"
        permitted = "in a shader, a result must not be a structure or array that contains images or samplers"
        yield Finding(inst, TYPE, f"{subject} is {module.spell(type_)}; {permitted}")
