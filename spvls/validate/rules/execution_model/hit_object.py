"""Hit objects and reordering (SPIR-V 3.3.26)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv, tables, traits
from spvls.grammar.enumerants import ExecutionModel
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import BOOL, FLOAT32, INT32, VEC3_F32
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.operation import Check, Operation, first_fault, result_is
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.execution_model.ray_operand import UVEC2_32, gives_array, gives_transform, row


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
    **_rows("GetAttributes", "O tO"),
    **_rows("SetShaderBindingTableRecordIndex", "O i", suffixes="EXT"),
    **_rows("ExecuteShader", "O P", suffixes="NV"),
    **_rows("ExecuteShader", "O p", suffixes="EXT"),
    **_rows("RecordEmpty", "O"),
    **_rows("RecordMiss", "O u v f v f", suffixes="NV"),
    **_rows("RecordMiss", "O i u v f v f", suffixes="EXT"),
    **_rows("RecordMissMotion", "O i u v f v f f", suffixes="EXT"),
    **_rows("RecordFromQuery", "O Q i tO [u]", suffixes="EXT"),
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


@instruction_rule("execution-model/hit-object-types-match", *_REORDERING, section=sections.RESERVED_INSTRUCTIONS)
def hit_object_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Operands and results of hit object instructions must have the types that the opcode requires.

    The device records a ray and its hit in the object; numbers are copied to its fields without conversion. An operand of another
    type may give a ray with other values.

    Hit objects and ray queries must be typed pointers to these. Origins, directions and positions must be vec3<f32>, distances,
    times and radii 32-bit floats, and indexes, ids, hit kinds, SBT offsets and strides, flags, masks, hints and their bits 32-bit
    integers. An Acceleration Structure must be of type OpTypeAccelerationStructureKHR. Transforms must be mat4x3<f32>, answers
    Boolean, handles vectors of two 32-bit integers, and positions and radii of several points arrays of three for triangles, else
    of two. Payloads must be an OpVariable in RayPayloadKHR or IncomingRayPayloadKHR, and attributes one in the class of the
    extension, HitObjectAttributeNV or HitObjectAttributeEXT. Where a hint for reordering and its number of bits are optional, both
    or neither must be given.

    As in spirv-val, some operands must be unsigned, for example hit kinds, miss indexes, cull masks, SBT offsets and strides; the
    extensions do not say this of all of them. Also as in spirv-val, the Payload of OpHitObjectExecuteShaderNV must be in
    RayPayloadKHR, and OpHitObjectRecordHitNV and OpHitObjectRecordHitWithIndexNV accept attributes of either class.

    The rule checks the instructions OpHitObject… and OpReorderThread… of NV and EXT, except OpHitObjectRecordHitMotionNV,
    OpHitObjectRecordHitWithIndexMotionNV and OpHitObjectRecordMissMotionNV. Of each instruction, only the first fault is reported.
    """
    return first_fault(Operation(inst, context), _REORDERING[inst.opcode.value])


_HIT_OBJECT_MODELS = {
    **{
        opcode: only(
            (ExecutionModel.RayGenerationKHR, ExecutionModel.ClosestHitKHR, ExecutionModel.MissKHR),
            f"{tables.opcode_name(opcode)} requires the execution model RayGenerationKHR, ClosestHitKHR or MissKHR",
        )
        for opcode in _ANYWHERE
    },
    **{
        opcode: only(
            (ExecutionModel.RayGenerationKHR,), f"{tables.opcode_name(opcode)} requires the execution model RayGenerationKHR"
        )
        for opcode in _IN_RAY_GENERATION
    },
}


@limits(*_HIT_OBJECT_MODELS)
def _hit_object_models(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield _HIT_OBJECT_MODELS[inst.opcode.value]
