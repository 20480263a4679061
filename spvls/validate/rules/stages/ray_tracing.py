"""Ray tracing and the reordering of invocations (SPV_KHR_ray_tracing, SPV_EXT_shader_invocation_reorder and its kin)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv, tables, traits
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding
from spvls.validate.kinds import BOOL, FLOAT32, INT32, VEC3_F32
from spvls.validate.limits import Limit, limits, only
from spvls.validate.operation import Check, Operation, first_fault, result_is
from spvls.validate.ray_operands import UVEC2_32, gives_array, gives_transform, row
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.scopes import role, word

_TRACING: dict[int, tuple[Check, ...]] = {
    spv.OpTraceRayKHR: row("a i i i i i v f v f p"),
    spv.OpReportIntersectionKHR: (result_is(BOOL), *row("f u")),
    spv.OpExecuteCallableKHR: row("u c"),
}


@instruction_rule("ray-tracing/operands", *_TRACING, section="3.3.26")
def operands(inst: Instruction, scene: Scene) -> Findings:
    """A ray is traced through an acceleration structure, from a vec3<f32> in the direction of another, with a payload.

    Distances are 32-bit floats, flags, masks and indexes 32-bit integers. Payloads and callable data are variables of
    storage classes made for them.

    Bad:  `OpTraceRayKHR %as %flags %mask %o %s %m %origin %t0 %direction %t1 %private_variable`
    Good: `OpTraceRayKHR %as %flags %mask %o %s %m %origin %t0 %direction %t1 %payload` with `%payload` in RayPayloadKHR
    """
    return first_fault(Operation(inst, scene), _TRACING[inst.opcode.value])


def _rows(names: str, operands: str, *checks: Check, suffixes: str = "NV EXT") -> dict[int, tuple[Check, ...]]:
    """Rows for both extensions; `O` in the operands is the hit object of the one or the other."""
    return {
        opcode: (*row(operands.replace("O", suffix[0])), *checks)
        for suffix in suffixes.split()
        for opcode in traits.opcodes(names, "OpHitObject", suffix)
    }


_TRACE = "O a i u u u u v f v f"

_ANYWHERE: dict[int, tuple[Check, ...]] = {
    **_rows("IsMiss IsHit IsEmpty", "O", result_is(BOOL)),
    **_rows("IsSphereHit IsLSSHit", "O", result_is(BOOL), suffixes="NV"),
    **_rows("GetShaderRecordBufferHandle", "O", result_is(UVEC2_32)),
    **_rows(
        "GetHitKind GetPrimitiveIndex GetGeometryIndex GetInstanceId GetInstanceCustomIndex "
        "GetShaderBindingTableRecordIndex",
        "O",
        result_is(INT32),
    ),
    **_rows("GetRayFlags", "O", result_is(INT32), suffixes="EXT"),
    **_rows("GetClusterId", "O", result_is(INT32), suffixes="NV"),
    **_rows("GetCurrentTime GetRayTMax GetRayTMin", "O", result_is(FLOAT32)),
    **_rows("GetSphereRadius", "O", result_is(FLOAT32), suffixes="NV"),
    **_rows("GetObjectToWorld GetWorldToObject", "O", gives_transform),
    **_rows(
        "GetObjectRayOrigin GetObjectRayDirection GetWorldRayDirection GetWorldRayOrigin", "O", result_is(VEC3_F32)
    ),
    **_rows("GetSpherePosition", "O", result_is(VEC3_F32), suffixes="NV"),
    **_rows("GetLSSPositions", "O", gives_array(2, VEC3_F32), suffixes="NV"),
    **_rows("GetLSSRadii", "O", gives_array(2, FLOAT32), suffixes="NV"),
    **_rows("GetIntersectionTriangleVertexPositions", "O", gives_array(3, VEC3_F32), suffixes="EXT"),
    **_rows("GetAttributes", "O t"),
    **_rows("SetShaderBindingTableRecordIndex", "O i", suffixes="EXT"),
    **_rows("ExecuteShader", "O P", suffixes="NV"),
    **_rows("ExecuteShader", "O p", suffixes="EXT"),
    **_rows("RecordEmpty", "O"),
    **_rows("RecordMiss", "O u v f v f", suffixes="NV"),
    **_rows("RecordMiss", "O i u v f v f", suffixes="EXT"),
    **_rows("RecordMissMotion", "O i u v f v f f", suffixes="EXT"),
    **_rows("RecordFromQuery", "O q i t [u]", suffixes="EXT"),
    **_rows("RecordHitWithIndex", "O a i i i u u v f v f t", suffixes="NV"),
    **_rows("RecordHit", "O a i i i u u u v f v f t", suffixes="NV"),
    **_rows("TraceRay", f"{_TRACE} p"),
    **_rows("TraceRayMotion", f"{_TRACE} f p"),
}

_IN_RAY_GENERATION: dict[int, tuple[Check, ...]] = {
    spv.OpReorderThreadWithHintNV: row("i i"),
    spv.OpReorderThreadWithHintEXT: row("i i"),
    spv.OpReorderThreadWithHitObjectNV: row("N [i i]"),
    spv.OpReorderThreadWithHitObjectEXT: row("E [i i]"),
    **_rows("ReorderExecuteShader", "O p [i i]", suffixes="EXT"),
    **_rows("TraceReorderExecute", f"{_TRACE} p [i i]", suffixes="EXT"),
    **_rows("TraceMotionReorderExecute", f"{_TRACE} f p [i i]", suffixes="EXT"),
}

_REORDERING = {**_ANYWHERE, **_IN_RAY_GENERATION}


@instruction_rule("ray-tracing/hit-object", *_REORDERING, section="3.3.26")
def hit_object(inst: Instruction, scene: Scene) -> Findings:
    """Instructions on hit objects take a pointer to one, and operands as those that trace rays do.

    What they give is of the type that the opcode's name calls for. A hint and its number of bits come together or not at all.

    Bad:  `OpReorderThreadWithHitObjectNV %hit %hint`
    Good: `OpReorderThreadWithHitObjectNV %hit %hint %bits`
    """
    return first_fault(Operation(inst, scene), _REORDERING[inst.opcode.value])


_MODELS = {
    spv.OpTraceRayKHR: only("RayGenerationKHR ClosestHitKHR MissKHR", "OpTraceRayKHR belongs to RayGenerationKHR, ClosestHitKHR "
                          "and MissKHR"),
    spv.OpReportIntersectionKHR: only("IntersectionKHR", "OpReportIntersectionKHR belongs to IntersectionKHR"),
    spv.OpExecuteCallableKHR: only(
        "RayGenerationKHR ClosestHitKHR MissKHR CallableKHR",
        "OpExecuteCallableKHR belongs to RayGenerationKHR, ClosestHitKHR, MissKHR and CallableKHR",
    ),
    spv.OpIgnoreIntersectionKHR: only("AnyHitKHR", "OpIgnoreIntersectionKHR belongs to AnyHitKHR"),
    spv.OpTerminateRayKHR: only("AnyHitKHR", "OpTerminateRayKHR belongs to AnyHitKHR"),
}  # fmt: skip


@limits(*_MODELS)
def _models(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield _MODELS[inst.opcode.value]


_HIT_OBJECT_MODELS = {
    **{
        opcode: only(
            "RayGenerationKHR ClosestHitKHR MissKHR",
            f"{tables.opcode_name(opcode)} belongs to RayGenerationKHR, ClosestHitKHR and MissKHR",
        )
        for opcode in _ANYWHERE
    },
    **{
        opcode: only("RayGenerationKHR", f"{tables.opcode_name(opcode)} belongs to RayGenerationKHR")
        for opcode in _IN_RAY_GENERATION
    },
}


@limits(*_HIT_OBJECT_MODELS)
def _hit_object_models(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield _HIT_OBJECT_MODELS[inst.opcode.value]


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

_TWO_STATES = value("RayFlags", "ForceOpacityMicromap2StateKHR")


@instruction_rule("ray-tracing/flags", *_FLAGS, section="3.2.31")
def flags(inst: Instruction, scene: Scene) -> Findings:
    """Constant ray flags name what the module declares: ForceOpacityMicromap2StateKHR takes RayTracingOpacityMicromapKHR.

    Bad:  `OpTraceRayKHR %as %flags …` with `%flags = OpConstant %uint 1024`, and no such capability
    Good: `OpCapability RayTracingOpacityMicromapKHR`
    """
    place = _FLAGS[inst.opcode.value]
    number = word(scene.module, inst.operands[place]).number if place < len(inst.operands) else None
    if number is not None and number & _TWO_STATES and not scene.module.has_capability("RayTracingOpacityMicromapKHR"):
        subject = role(inst, place)
        message = f"{subject} has ForceOpacityMicromap2StateKHR, which takes the capability RayTracingOpacityMicromapKHR"
        yield Finding(inst, place, message)
