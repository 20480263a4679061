"""One declaration for each non-aggregate type (SPIR-V 2.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.engine.finding import Finding, FindingFix, Note, ReplaceAllUses
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_UNIQUE = (
    spv.OpTypeVoid, spv.OpTypeBool, spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVector, spv.OpTypeVectorIdEXT, spv.OpTypeMatrix,
    spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage, spv.OpTypeOpaque, spv.OpTypeFunction, spv.OpTypeEvent,
    spv.OpTypeDeviceEvent, spv.OpTypeReserveId, spv.OpTypeQueue, spv.OpTypePipe, spv.OpTypePipeStorage, spv.OpTypeNamedBarrier,
    spv.OpTypeAccelerationStructureKHR, spv.OpTypeRayQueryKHR, spv.OpTypeHitObjectNV, spv.OpTypeHitObjectEXT,
    spv.OpTypeCooperativeMatrixNV, spv.OpTypeCooperativeMatrixKHR, spv.OpTypeTensorLayoutNV, spv.OpTypeTensorViewNV,
    spv.OpTypeTensorARM, spv.OpTypeGraphARM, spv.OpTypeBufferEXT, spv.OpTypeTaskSequenceALTERA,
)  # fmt: skip


@instruction_rule("type/non-aggregate-type-is-unique", *_UNIQUE, section=sections.TYPES_AND_VARIABLES)
def non_aggregate_type_is_unique(inst: Instruction, context: RuleContext) -> Findings:
    """A type that is neither an aggregate nor a pointer must be declared only once.

    Two declarations of `vec4<f32>` are two types: values of one do not match operands of the other, and a consumer that merges
    equal types may disagree with one that does not.

    Two declarations declare the same type if their opcodes and operands are the same; two ids of equal constants are different
    operands. Arrays, structures and pointers may be declared more than once, so that each declaration can have its own decorations.
    Some types of extensions, such as the OpTypeAvc…INTEL types, are not checked. The rule does not apply with the extension
    SPV_VALIDATOR_ignore_type_decl_unique.
    """
    module = context.module
    if module.has_extension("SPV_VALIDATOR_ignore_type_decl_unique"):
        return
    first = module.first_alike(inst)
    if first is not None and first is not context.record and first.result != inst.result:
        shown = module.spell(module.type(inst.result))
        note = Note(first, RESULT, f"%{first.result} is declared here")
        fix = FindingFix(f"Use %{first.result} instead", (ReplaceAllUses(inst, str(first.result)),))
        message = f"%{inst.result} must not declare {shown} again; use %{first.result}"
        yield Finding(inst, RESULT, message, (note,), (fix,))
