"""Tracing rays (SPIR-V 3.2.31, 3.3.11, 3.3.26)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, ExecutionModel, RayFlags
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import BOOL, VECTORS, Declared, Kind
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.operation import Check, Operation, first_fault, result_is
from spvls.validate.checks.scopes import role, word
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.execution_model.ray_operand import row

_TRACING: dict[int, tuple[Check, ...]] = {
    spv.OpTraceRayKHR: row("a i i i i i v f v f p"),
    spv.OpReportIntersectionKHR: (result_is(BOOL), *row("f u")),
    spv.OpExecuteCallableKHR: row("u c"),
}
_HANDLE = Kind("", "Int", width=64, signed=False)
_HANDLE_WORDS = Kind("", "Int", VECTORS, width=32, signed=False, count=2)


def _is_handle(op: Operation) -> Finding | None:
    type_ = op.type(0)
    if type_ is None or _HANDLE.holds(type_) or _HANDLE_WORDS.holds(type_):
        return None
    return op.operand_fault(0, "u64 or vec2<u32>")


_ACCELERATION_STRUCTURE: tuple[Check, ...] = (
    result_is(Declared("an acceleration structure", "AccelerationStructureKHR")),
    _is_handle,
)


@instruction_rule(
    "execution-model/acceleration-structure-comes-from-address",
    spv.OpConvertUToAccelerationStructureKHR,
    section=sections.RESERVED_INSTRUCTIONS,
)
def acceleration_structure_comes_from_address(inst: Instruction, context: RuleContext) -> Findings:
    """OpConvertUToAccelerationStructureKHR must convert a u64 or a vec2<u32> to an acceleration structure.

    The operand is the device address of the acceleration structure, which has 64 bits. A narrower value lacks bits of the address,
    and a ray may be traced through other memory. The definition of the instruction names no types; the rule, like spirv-val,
    requires unsigned integers.
    """
    return first_fault(Operation(inst, context), _ACCELERATION_STRUCTURE)


@instruction_rule("execution-model/ray-tracing-types-match", *_TRACING, section=sections.RESERVED_INSTRUCTIONS)
def ray_tracing_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """OpTraceRayKHR, OpReportIntersectionKHR and OpExecuteCallableKHR must have operands of fitting types.

    A device may read operands without conversion. In OpTraceRayKHR, the origin and direction of the ray must be vec3<f32>, the
    distances 32-bit floats, the flags, mask, index, SBT Offset and SBT Stride 32-bit integers, and Accel an acceleration structure.
    In OpReportIntersectionKHR, the hit must be a 32-bit float, the hit kind an unsigned 32-bit integer, and the result Boolean. The
    index of OpExecuteCallableKHR must be an unsigned 32-bit integer.

    The called shaders access the variable that the instruction names. So the Payload must be an OpVariable in RayPayloadKHR or
    IncomingRayPayloadKHR, and Callable Data one in CallableDataKHR or IncomingCallableDataKHR.

    Of each instruction, only the first fault is reported.
    """
    return first_fault(Operation(inst, context), _TRACING[inst.opcode.value])


_MODELS = {
    spv.OpTraceRayKHR: only(
        (ExecutionModel.RayGenerationKHR, ExecutionModel.ClosestHitKHR, ExecutionModel.MissKHR),
        "OpTraceRayKHR requires the execution model RayGenerationKHR, ClosestHitKHR or MissKHR",
    ),
    spv.OpReportIntersectionKHR: only(
        (ExecutionModel.IntersectionKHR,), "OpReportIntersectionKHR requires the execution model IntersectionKHR"
    ),
    spv.OpExecuteCallableKHR: only(
        (ExecutionModel.RayGenerationKHR, ExecutionModel.ClosestHitKHR, ExecutionModel.MissKHR, ExecutionModel.CallableKHR),
        "OpExecuteCallableKHR requires the execution model RayGenerationKHR, ClosestHitKHR, MissKHR or CallableKHR",
    ),
    spv.OpIgnoreIntersectionKHR: only(
        (ExecutionModel.AnyHitKHR,), "OpIgnoreIntersectionKHR requires the execution model AnyHitKHR"
    ),
    spv.OpTerminateRayKHR: only((ExecutionModel.AnyHitKHR,), "OpTerminateRayKHR requires the execution model AnyHitKHR"),
}


@limits(*_MODELS)
def _models(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield _MODELS[inst.opcode.value]


_FLAGS = {
    spv.OpTraceRayKHR: 1,
    spv.OpRayQueryInitializeKHR: 2,
    spv.OpHitObjectTraceRayNV: 2,
    spv.OpHitObjectTraceRayEXT: 2,
    spv.OpHitObjectTraceRayMotionNV: 2,
    spv.OpHitObjectTraceRayMotionEXT: 2,
    spv.OpHitObjectTraceReorderExecuteEXT: 2,
    spv.OpHitObjectTraceMotionReorderExecuteEXT: 2,
    spv.OpHitObjectRecordMissEXT: 1,
    spv.OpHitObjectRecordMissMotionEXT: 1,
}
"""Where ray flags stand."""

_TWO_STATES = RayFlags.ForceOpacityMicromap2StateKHR


@instruction_rule("execution-model/ray-flags-are-enabled", *_FLAGS, section=sections.RAY_FLAGS)
def ray_flags_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """The ray flag ForceOpacityMicromap2StateKHR must be enabled by RayTracingOpacityMicromapKHR.

    A device without opacity micromaps need not know the bit, and may trace the ray with other flags than intended. The module must
    declare the capability RayTracingOpacityMicromapKHR, which is also RayTracingOpacityMicromapEXT. Only constant flags that cannot
    be specialized are checked.

    The rule checks OpTraceRayKHR, OpRayQueryInitializeKHR, and the instructions on hit objects that take Ray Flags, but not
    OpTraceNV, OpTraceMotionNV and OpTraceRayMotionNV. spirv-val checks only OpTraceRayKHR and OpRayQueryInitializeKHR.
    """
    operand_index = _FLAGS[inst.opcode.value]
    number = word(context.module, inst.operands[operand_index]).number if operand_index < len(inst.operands) else None
    if number is not None and number & _TWO_STATES and not context.module.has_capability(Capability.RayTracingOpacityMicromapKHR):
        subject = role(inst, operand_index)
        message = f"{subject} includes ForceOpacityMicromap2StateKHR, which requires the capability RayTracingOpacityMicromapKHR"
        yield Finding(inst, operand_index, message)
