"""Ray queries (SPIR-V 3.3.26)."""

from __future__ import annotations

from spvls.grammar import sections, traits
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import BOOL, FLOAT32, INT32, VEC2_F32, VEC3_F32
from spvls.validate.checks.operation import Check, Operation, first_fault, result_is
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.execution_model.ray_operand import gives_array, gives_transform, row


def _rows(names: str, operands: str, *checks: Check) -> dict[int, tuple[Check, ...]]:
    return dict.fromkeys(traits.opcodes(names, "OpRayQuery"), (*row(operands), *checks))


_QUERIES: dict[int, tuple[Check, ...]] = {
    **_rows("InitializeKHR", "q a i i v f v f"),
    **_rows("TerminateKHR ConfirmIntersectionKHR", "q"),
    **_rows("GenerateIntersectionKHR", "q f"),
    **_rows("ProceedKHR GetIntersectionCandidateAABBOpaqueKHR", "q", result_is(BOOL)),
    **_rows("GetRayTMinKHR", "q", result_is(FLOAT32)),
    **_rows("GetRayFlagsKHR", "q", result_is(INT32)),
    **_rows("GetWorldRayDirectionKHR GetWorldRayOriginKHR", "q", result_is(VEC3_F32)),
    **_rows("GetIntersectionFrontFaceKHR IsSphereHitNV IsLSSHitNV", "q k", result_is(BOOL)),
    **_rows(
        "GetIntersectionTKHR GetIntersectionSphereRadiusNV GetIntersectionLSSHitValueNV", "q k", result_is(FLOAT32)
    ),
    **_rows(
        "GetIntersectionTypeKHR GetIntersectionInstanceCustomIndexKHR GetIntersectionInstanceIdKHR "
        "GetIntersectionInstanceShaderBindingTableRecordOffsetKHR GetIntersectionGeometryIndexKHR "
        "GetIntersectionPrimitiveIndexKHR GetIntersectionClusterIdNV",
        "q k",
        result_is(INT32),
    ),
    **_rows(
        "GetIntersectionObjectRayDirectionKHR GetIntersectionObjectRayOriginKHR GetIntersectionSpherePositionNV",
        "q k",
        result_is(VEC3_F32),
    ),
    **_rows("GetIntersectionBarycentricsKHR", "q k", result_is(VEC2_F32)),
    **_rows("GetIntersectionObjectToWorldKHR GetIntersectionWorldToObjectKHR", "q k", gives_transform),
    **_rows("GetIntersectionTriangleVertexPositionsKHR", "q k", gives_array(3, VEC3_F32)),
    **_rows("GetIntersectionLSSPositionsNV", "q k", gives_array(2, VEC3_F32)),
    **_rows("GetIntersectionLSSRadiiNV", "q k", gives_array(2, FLOAT32)),
}


@instruction_rule("execution-model/ray-query-types-match", *_QUERIES, section=sections.RESERVED_INSTRUCTIONS)
def ray_query_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Operands and results of ray query instructions must have the types that the opcode requires.

    The device keeps the state of the traversal in the ray query object, and reads operands without conversion. The ray query must
    be a typed pointer to an OpTypeRayQueryKHR; as in spirv-val, it must be a variable, a function parameter, or the result of
    OpAccessChain or OpInBoundsAccessChain. Directions, origins and positions must be vec3<f32>, distances, radii and hit values
    32-bit floats, barycentrics vec2<f32>, transforms mat4x3<f32>, answers Boolean, and flags, masks, indexes, SBT offsets, ids and
    intersection types 32-bit integers. Positions and radii of several points must be arrays of these, of three for triangles, else
    of two. Accel must be an acceleration structure. Intersection must be a constant 32-bit integer: it selects the candidate or the
    committed intersection. Of each instruction, only the first fault is reported.
    """
    return first_fault(Operation(inst, context), _QUERIES[inst.opcode.value])
