"""Storage classes that only some execution models have."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv, traits
from spvls.grammar.enumerants import Capability, ExecutionModel, StorageClass
from spvls.module.module import Module
from spvls.module.variable import the_class
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.entry import model_name
from spvls.validate.checks.limits import RAY_TRACING_MODELS, Limit, limits, never, only
from spvls.validate.checks.memory_operands import ACCESSES
from spvls.validate.checks.pointers import BASE_PLACES
from spvls.validate.checks.wording import listed

_TRACING = (ExecutionModel.RayGenerationKHR, ExecutionModel.ClosestHitKHR, ExecutionModel.MissKHR)

_MODELS: dict[int, tuple[tuple[int, ...], str | None]] = {
    StorageClass.RayPayloadKHR: (_TRACING, "VUID-StandaloneSpirv-RayPayloadKHR-04698"),
    StorageClass.IncomingRayPayloadKHR: (
        (ExecutionModel.AnyHitKHR, ExecutionModel.ClosestHitKHR, ExecutionModel.MissKHR),
        "VUID-StandaloneSpirv-IncomingRayPayloadKHR-04699",
    ),
    StorageClass.HitAttributeKHR: (
        (ExecutionModel.IntersectionKHR, ExecutionModel.AnyHitKHR, ExecutionModel.ClosestHitKHR),
        "VUID-StandaloneSpirv-HitAttributeKHR-04701",
    ),
    StorageClass.CallableDataKHR: ((*_TRACING, ExecutionModel.CallableKHR), "VUID-StandaloneSpirv-CallableDataKHR-04704"),
    StorageClass.IncomingCallableDataKHR: ((ExecutionModel.CallableKHR,), "VUID-StandaloneSpirv-IncomingCallableDataKHR-04705"),
    StorageClass.ShaderRecordBufferKHR: (RAY_TRACING_MODELS, "VUID-StandaloneSpirv-ShaderRecordBufferKHR-07119"),
    StorageClass.TaskPayloadWorkgroupEXT: ((ExecutionModel.TaskEXT, ExecutionModel.MeshEXT), None),
    StorageClass.HitObjectAttributeNV: (_TRACING, None),
    StorageClass.HitObjectAttributeEXT: (_TRACING, None),
}
"""The execution models that alone may use a storage class, and the VUID that says so."""

_VULKAN_LIMITS = {
    StorageClass.TileImageEXT: only(
        (ExecutionModel.Fragment,),
        "in Vulkan, its storage class TileImageEXT requires the execution model Fragment",
        "VUID-StandaloneSpirv-None-08720",
    ),
    StorageClass.Output: never(
        (ExecutionModel.GLCompute, *RAY_TRACING_MODELS),
        "in Vulkan, its storage class Output is not permitted in compute or ray tracing shaders",
        "VUID-StandaloneSpirv-None-04644",
    ),
    StorageClass.Workgroup: only(
        (ExecutionModel.GLCompute, ExecutionModel.TaskNV, ExecutionModel.MeshNV, ExecutionModel.TaskEXT, ExecutionModel.MeshEXT),
        "in Vulkan, its storage class Workgroup is only permitted in compute, task and mesh shaders",
        "VUID-StandaloneSpirv-None-04645",
    ),
}

#: The places of pointers; none where all operands may be.
_PLACES: dict[int, tuple[int, ...]] = {
    **{name: access.pointers for name, access in ACCESSES.items()},
    **{name: (operand_index,) for name, operand_index in BASE_PLACES.items()},
    **dict.fromkeys(traits.ATOMICS, (0,)),
    spv.OpArrayLength: (0,),
    spv.OpUntypedArrayLengthKHR: (1,),
    spv.OpExtInst: (2, 3),
    spv.OpPhi: (0,),
    **dict.fromkeys(
        (
            spv.OpFunctionCall, spv.OpTraceRayKHR, spv.OpTraceNV, spv.OpTraceMotionNV, spv.OpTraceRayMotionNV,
            spv.OpExecuteCallableKHR, spv.OpExecuteCallableNV, spv.OpCopyObject, spv.OpPtrEqual, spv.OpPtrNotEqual,
            spv.OpPtrDiff, spv.OpSelect, spv.OpReturnValue, spv.OpHitObjectTraceRayNV, spv.OpHitObjectTraceRayMotionNV,
            spv.OpHitObjectExecuteShaderNV, spv.OpHitObjectGetAttributesNV, spv.OpHitObjectTraceRayEXT,
            spv.OpHitObjectTraceRayMotionEXT, spv.OpHitObjectTraceReorderExecuteEXT, spv.OpHitObjectTraceMotionReorderExecuteEXT,
            spv.OpHitObjectExecuteShaderEXT, spv.OpHitObjectReorderExecuteShaderEXT, spv.OpHitObjectGetAttributesEXT,
            spv.OpHitObjectRecordFromQueryEXT,
        ),
        (),
    ),
}  # fmt: skip


@limits(*_PLACES)
def storage_limits(inst: Instruction, module: Module) -> list[Limit]:
    """The limits that come with the storage classes of an instruction's pointers."""
    limited = module.derive("storage classes that an entry point must not use", lambda: _limited(module))
    if not limited:
        return []
    operands = inst.operands
    found: dict[int, Limit] = {}
    for operand_index in _PLACES[inst.opcode.value] or range(len(operands)):
        type_ = module.type_of(operands[operand_index]) if operand_index < len(operands) else None
        if type_ is None or not type_.is_pointer:
            continue
        limit = limited.get(type_.storage)
        if limit is not None:
            found[type_.storage] = limit
    return list(found.values())


_NOT_READ = never(
    (ExecutionModel.MeshEXT,), "in Vulkan, outputs of a mesh shader must not be loaded", "VUID-StandaloneSpirv-MeshEXT-07107"
)


@limits(spv.OpLoad)
def _read_limits(inst: Instruction, module: Module) -> Iterator[Limit]:
    """The limits that come with reading a storage class."""
    if module.environment.api == "vulkan" and module.has_capability(Capability.MeshShadingEXT):
        pointer = module.type_of(inst.operands[0])
        if pointer is not None and pointer.storage == StorageClass.Output:
            yield _NOT_READ


def _limited(module: Module) -> dict[int, Limit]:
    """The limits that an entry point of the module does not meet, by the storage classes of pointers that they come with."""
    declarations = module.declarations
    pointers = (*declarations.records(spv.OpTypePointer), *declarations.records(spv.OpTypeUntypedPointerKHR))
    classes = {pointer.operands[0] for pointer in pointers}
    every = {class_: _of_models(class_) for class_ in _MODELS if class_ in classes}
    if module.environment.api == "vulkan":
        every |= {class_: limit for class_, limit in _VULKAN_LIMITS.items() if class_ in classes}
    return {
        class_: limit
        for class_, limit in every.items()
        if not all(limit.holds(entry, module) for entry in declarations.entry_points)
    }


def _of_models(class_: int) -> Limit:
    models, vuid = _MODELS[class_]
    return only(models, f"{the_class(class_)} requires the execution model {listed([*map(model_name, models)])}", vuid)
