"""Types as shaders may use them, where the reference validator does not look (SPIR-V 2.16.1, 2.16.2)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.finding import Finding
from spvls.validate.operand_at import id_at
from spvls.validate.rule import Findings, Scene, instruction_rule

_MADE = (
    spv.OpCopyObject, spv.OpSelect, spv.OpPhi, spv.OpFunctionCall, spv.OpBitcast, spv.OpConvertUToPtr,
    spv.OpConstantNull, spv.OpLoad, spv.OpUndef,
)  # fmt: skip
_TYPES = {"Int16": "Int16", "Float16": "Float16", "Int8": "Int8"}


@instruction_rule("type/small-pointer-result", *_MADE, section="2.16.1", severity=Severity.WARNING)
def small_pointer_result(inst: Instruction, scene: Scene) -> Findings:
    """Where 8- or 16-bit numbers are only stored, pointers to them are variables and results of access chains.

    Bad:  `%q = OpCopyObject %ptr_half %p` with `OpCapability StorageBuffer16BitAccess` alone
    Good: `%p` in the place of the copy, or `OpCapability Float16`
    """
    module = scene.module
    type_ = module.type(inst.type)
    if type_ is None or type_.kind != spv.OpTypePointer or not module.has_capability("Shader"):
        return
    pointee = type_.pointee
    scalar = pointee.scalar if pointee is not None else None
    if scalar is None or not scalar.is_numeric or scalar.encoding is not None:
        return
    capability = _TYPES.get(f"{'Int' if scalar.is_int else 'Float'}{scalar.width}")
    if capability is not None and not module.has_capability(capability):
        what = f"{module.spell(type_)}, made by {inst.opcode.name}"
        yield Finding(inst, TYPE, f"the result is {what}: pointers to numbers that are only stored come from access chains")


@instruction_rule("type/shader-declared-types-usable", spv.OpTypePointer, section="2.16.2", severity=Severity.WARNING)
def usable_types(inst: Instruction, scene: Scene) -> Findings:
    """A shader declares no type that neither a variable nor a function could have: no pointer to void.

    Bad:  `%p = OpTypePointer Function %void`
    Good: `%p = OpTypePointer Function %float`
    """
    module = scene.module
    pointee = module.type(id_at(inst, 1))
    if (
        pointee is not None
        and pointee.kind == spv.OpTypeVoid
        and module.has_capability("Shader")
        and not module.has_capability("Kernel")
    ):
        yield Finding(inst, 1, "a pointer to void is of no use in a shader: no variable is of that type")


_OPAQUE = frozenset({spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage})


@instruction_rule(
    "type/shader-intermediate-aggregates", spv.OpCompositeConstruct, spv.OpCompositeInsert, spv.OpUndef, spv.OpLoad,
    spv.OpCopyObject, spv.OpPhi, spv.OpSelect, spv.OpCopyLogical, section="2.16.2", severity=Severity.WARNING,
)  # fmt: skip
def intermediate_aggregates(inst: Instruction, scene: Scene) -> Findings:
    """Values of a shader are of types that a global variable could have: no structures or arrays with images in them.

    Shaders that are still to be legalized have such values; the option `before_hlsl_legalization` lets them.

    Bad:  `%s = OpLoad %struct_with_image %p`
    Good: `%image = OpLoad %image_type %p`
    """
    module = scene.module
    if inst.type is None or scene.options.before_hlsl_legalization or not module.has_capability("Shader"):
        return
    type_ = module.type(inst.type)
    if type_ is None or not (type_.is_struct or type_.is_array) or module.has_capability("Kernel"):
        return
    if _OPAQUE & module.contents(inst.type, behind_pointers=False):
        yield Finding(inst, TYPE, f"the result is {module.spell(type_)}, which contains images or samplers")
