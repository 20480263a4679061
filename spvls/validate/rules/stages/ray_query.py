"""Ray queries (SPV_KHR_ray_query and its kin; SPIR-V 3.3.26)."""

from __future__ import annotations

from spvls.grammar import spv, traits
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.entry import mode_of
from spvls.validate.finding import Finding, Note
from spvls.validate.kinds import BOOL, FLOAT32, INT32, VEC2_F32, VEC3_F32
from spvls.validate.operand_at import id_at
from spvls.validate.operation import Check, Operation, first_fault, result_is
from spvls.validate.ray_operands import gives_array, gives_transform, row
from spvls.validate.rule import Findings, Scene, instruction_rule


def _rows(names: str, operands: str, *checks: Check) -> dict[int, tuple[Check, ...]]:
    return dict.fromkeys(traits.opcodes(names, "OpRayQuery"), (*row(operands), *checks))


_QUERIES: dict[int, tuple[Check, ...]] = {
    **_rows("InitializeKHR", "q - i i v f v f"),
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


@instruction_rule("ray-query/operands", *_QUERIES, section="3.3.26")
def operands(inst: Instruction, scene: Scene) -> Findings:
    """A ray query instruction takes a pointer to a ray query, and which intersection it asks about is a constant.

    Directions and origins are vec3<f32>, distances 32-bit floats, flags, masks and indexes 32-bit integers. The result is of
    the type that the opcode's name calls for.

    Bad:  `%t = OpRayQueryGetIntersectionTKHR %float %query %committed` where `%committed` is loaded from a variable
    Good: `%t = OpRayQueryGetIntersectionTKHR %float %query %one` where `%one = OpConstant %int 1`
    """
    return first_fault(Operation(inst, scene), _QUERIES[inst.opcode.value])


@instruction_rule("ray-query/opacity-micromap", spv.OpExecutionModeId, section="3.2.6")
def opacity_micromap(inst: Instruction, scene: Scene) -> Findings:
    """The execution mode OpacityMicromapIdKHR says by a constant bool whether ray queries may meet opacity micromaps.

    Bad:  `OpExecutionModeId %main OpacityMicromapIdKHR %one`
    Good: `OpExecutionModeId %main OpacityMicromapIdKHR %true`
    """
    mode = mode_of(inst)
    name = id_at(inst, 2)
    if mode is None or mode.name != "OpacityMicromapIdKHR":
        return
    definition = scene.module.definition(name) if name is not None else None
    type_ = scene.module.type_of(name) if name is not None else None
    if definition is not None and type_ is not None and not BOOL.holds(type_):
        note = Note(inst, 2, f"{mode.name} takes it here")
        message = f"%{name} is {scene.module.spell(type_)}, expected a bool: {mode.name} is switched on or off by it"
        yield Finding(definition, TYPE, message, (note,))
