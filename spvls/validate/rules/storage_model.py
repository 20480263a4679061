"""Storage classes that only some execution models have."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.limits import RAY_TRACING_MODELS, Limit, limits, never, only
from spvls.validate.memory_operands import ACCESSES
from spvls.validate.pointers import BASE_PLACES
from spvls.validate.rules.atomic import ATOMICS
from spvls.validate.storage_class import storage

_LIMITS = {
    storage(name): only(models, f"{name} is a storage class of {where} alone", vuid)
    for name, models, where, vuid in (
        (
            "RayPayloadKHR", "RayGenerationKHR ClosestHitKHR MissKHR",
            "ray generation, closest hit and miss shaders", "VUID-StandaloneSpirv-RayPayloadKHR-04698",
        ),
        (
            "IncomingRayPayloadKHR", "AnyHitKHR ClosestHitKHR MissKHR",
            "any hit, closest hit and miss shaders", "VUID-StandaloneSpirv-IncomingRayPayloadKHR-04699",
        ),
        (
            "HitAttributeKHR", "IntersectionKHR AnyHitKHR ClosestHitKHR",
            "intersection, any hit and closest hit shaders", "VUID-StandaloneSpirv-HitAttributeKHR-04701",
        ),
        (
            "CallableDataKHR", "RayGenerationKHR ClosestHitKHR MissKHR CallableKHR",
            "ray generation, closest hit, miss and callable shaders", "VUID-StandaloneSpirv-CallableDataKHR-04704",
        ),
        (
            "IncomingCallableDataKHR", "CallableKHR",
            "callable shaders", "VUID-StandaloneSpirv-IncomingCallableDataKHR-04705",
        ),
        (
            "ShaderRecordBufferKHR", RAY_TRACING_MODELS,
            "ray tracing shaders", "VUID-StandaloneSpirv-ShaderRecordBufferKHR-07119",
        ),
        ("TaskPayloadWorkgroupEXT", "TaskEXT MeshEXT", "task and mesh shaders", None),
        ("HitObjectAttributeNV", "RayGenerationKHR ClosestHitKHR MissKHR", "ray generation, closest hit and miss shaders", None),
        ("TileImageEXT", "Fragment", "fragment shaders", "VUID-StandaloneSpirv-None-08720"),
    )
}  # fmt: skip

_VULKAN_LIMITS = {
    storage("Output"): never(
        f"GLCompute {RAY_TRACING_MODELS}",
        "Output is no storage class of compute and ray tracing shaders in Vulkan",
        "VUID-StandaloneSpirv-None-04644",
    ),
    storage("Workgroup"): only(
        "GLCompute TaskNV MeshNV TaskEXT MeshEXT",
        "Workgroup is a storage class of compute, task and mesh shaders alone in Vulkan",
        "VUID-StandaloneSpirv-None-04645",
    ),
}

_USERS = (*ACCESSES, *BASE_PLACES, *ATOMICS, "OpFunctionCall", "OpArrayLength", "OpUntypedArrayLengthKHR")


@limits(*_USERS)
def storage_limits(inst: Instruction, module: Module) -> Iterator[Limit]:
    """The limits that come with the storage classes of an instruction's pointers."""
    vulkan = module.environment.api == "vulkan"
    seen: set[int] = set()
    for operand in inst.operands:
        if operand.__class__ is not str:
            continue
        type_ = module.type_of(operand)
        if type_ is None or not type_.is_pointer or type_.storage in seen:
            continue
        seen.add(type_.storage)
        limit = _LIMITS.get(type_.storage) or (_VULKAN_LIMITS.get(type_.storage) if vulkan else None)
        if limit is not None:
            yield limit
