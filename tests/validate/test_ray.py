"""Ray tracing, ray queries and the reordering of invocations."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

RAYS = """
    %structure = OpTypeAccelerationStructureKHR
    %as = OpUndef %structure
    %committed = OpConstant %uint 1
    %i_zero = OpConstant %int 0
    %micromap = OpConstant %uint 1024
"""
QUERIES = RAYS + """
    %ray_query = OpTypeRayQueryKHR
    %private_query = OpTypePointer Private %ray_query
    %query = OpVariable %private_query Private
    %mat4x3 = OpTypeMatrix %vec3 4
    %triangle = OpTypeArray %vec3 %three
    %pair = OpTypeArray %vec3 %two
"""


@pytest.mark.parametrize(
    "line",
    [
        "OpRayQueryInitializeKHR %query %as %zero %zero %v3 %f %v3 %f",
        "OpRayQueryInitializeKHR %u %as %zero %zero %v3 %f %v3 %f ; error: ray-query/operands `%u`",
        "OpRayQueryInitializeKHR %query %as %f %zero %v3 %f %v3 %f ; error: ray-query/operands `%f`",
        "OpRayQueryInitializeKHR %query %as %zero %zero %v2 %f %v3 %f ; error: ray-query/operands `%v2`",
        "OpRayQueryInitializeKHR %query %as %zero %zero %v3 %u %v3 %f ; error: ray-query/operands `%u`",
        "OpRayQueryInitializeKHR %query %as %micromap %zero %v3 %f %v3 %f ; error: ray-tracing/flags `%micromap`",
        "OpRayQueryTerminateKHR %query",
        "%r = OpRayQueryProceedKHR %bool %query",
        "%r = OpRayQueryProceedKHR %uint %query ; error: ray-query/operands `%uint`",
        "%r = OpRayQueryGetIntersectionTKHR %float %query %committed",
        "%r = OpRayQueryGetIntersectionTKHR %float %query %u ; error: ray-query/operands",
        "%r = OpRayQueryGetIntersectionBarycentricsKHR %vec2 %query %committed",
        "%r = OpRayQueryGetIntersectionBarycentricsKHR %vec3 %query %committed ; error: ray-query/operands `%vec3`",
        "%r = OpRayQueryGetIntersectionObjectToWorldKHR %mat4x3 %query %committed",
        "%r = OpRayQueryGetIntersectionObjectToWorldKHR %mat2x3 %query %committed ; error: ray-query/operands",
        "%r = OpRayQueryGetIntersectionTriangleVertexPositionsKHR %triangle %query %committed",
        "%r = OpRayQueryGetIntersectionTriangleVertexPositionsKHR %pair %query %committed ; error: ray-query/operands",
    ],
)
def test_queries(line: str) -> None:
    text = shader(
        line,
        QUERIES,
        interface="%query",
        capabilities="RayQueryKHR RayQueryPositionFetchKHR",
        extensions="SPV_KHR_ray_query SPV_KHR_ray_tracing_position_fetch",
    )
    check(text, env="spv1.4")


@pytest.mark.parametrize(
    "constant",
    ["%switch = OpConstantTrue %bool", "%switch = OpConstant %uint 1 ; error: ray-query/opacity-micromap `%uint`"],
)
def test_opacity_micromaps(constant: str) -> None:
    text = shader(
        "",
        constant,
        capabilities="RayQueryKHR RayTracingOpacityMicromapExecutionModeKHR",
        extensions="SPV_KHR_ray_query SPV_KHR_opacity_micromap",
        modes="OpExecutionMode %main LocalSize 1 1 1\nOpExecutionModeId %main OpacityMicromapIdKHR %switch",
    )
    check(text, env="spv1.4")


TRACING = RAYS + """
    %payload_uint = OpTypePointer RayPayloadKHR %uint
    %callable_uint = OpTypePointer CallableDataKHR %uint
    %private_uint = OpTypePointer Private %uint
    %payload = OpVariable %payload_uint RayPayloadKHR
    %callable = OpVariable %callable_uint CallableDataKHR
    %private = OpVariable %private_uint Private
"""


@pytest.mark.parametrize(
    "line",
    [
        "OpTraceRayKHR %as %zero %zero %zero %zero %zero %v3 %f %v3 %f %payload",
        "OpTraceRayKHR %u %zero %zero %zero %zero %zero %v3 %f %v3 %f %payload ; error: ray-tracing/operands `%u`",
        "OpTraceRayKHR %as %zero %f %zero %zero %zero %v3 %f %v3 %f %payload ; error: ray-tracing/operands",
        "OpTraceRayKHR %as %zero %zero %zero %zero %zero %v4 %f %v3 %f %payload ; error: ray-tracing/operands `%v4`",
        "OpTraceRayKHR %as %zero %zero %zero %zero %zero %v3 %f %v3 %l %payload ; error: ray-tracing/operands `%l`",
        "OpTraceRayKHR %as %zero %zero %zero %zero %zero %v3 %f %v3 %f %private ; error: ray-tracing/operands `%private`",
        "OpTraceRayKHR %as %micromap %zero %zero %zero %zero %v3 %f %v3 %f %payload ; error: ray-tracing/flags",
        "OpExecuteCallableKHR %zero %callable",
        "OpExecuteCallableKHR %i_zero %callable ; error: ray-tracing/operands `%i_zero`",
        "OpExecuteCallableKHR %zero %payload ; error: ray-tracing/operands `%payload`",
    ],
)
def test_tracing(line: str) -> None:
    text = shader(
        line,
        TRACING,
        interface="%payload %callable %private",
        capabilities="RayTracingKHR",
        extensions="SPV_KHR_ray_tracing",
        model="RayGenerationKHR",
    )
    check(text, env="spv1.4")


def test_declared_micromaps() -> None:
    text = shader(
        "OpTraceRayKHR %as %micromap %zero %zero %zero %zero %v3 %f %v3 %f %payload",
        TRACING,
        interface="%payload",
        capabilities="RayTracingKHR RayTracingOpacityMicromapKHR",
        extensions="SPV_KHR_ray_tracing SPV_KHR_opacity_micromap",
        model="RayGenerationKHR",
    )
    check(text, env="spv1.4")


REORDERING = TRACING + """
    %object = OpTypeHitObjectNV
    %private_object = OpTypePointer Private %object
    %hit = OpVariable %private_object Private
"""


@pytest.mark.parametrize(
    "line",
    [
        "OpReorderThreadWithHintNV %zero %four",
        "OpReorderThreadWithHintNV %f %four ; error: ray-tracing/hit-object `%f`",
        "OpReorderThreadWithHitObjectNV %hit",
        "OpReorderThreadWithHitObjectNV %hit %zero %four",
        "OpReorderThreadWithHitObjectNV %hit %zero ; error: ray-tracing/hit-object `OpReorderThreadWithHitObjectNV`",
        "OpReorderThreadWithHitObjectNV %private ; error: ray-tracing/hit-object `%private`",
        "%r = OpHitObjectIsMissNV %bool %hit",
        "%r = OpHitObjectIsMissNV %uint %hit ; error: ray-tracing/hit-object `%uint`",
        "%r = OpHitObjectGetRayTMaxNV %float %hit",
        "%r = OpHitObjectGetRayTMaxNV %uint %hit ; error: ray-tracing/hit-object `%uint`",
        "OpHitObjectRecordMissNV %hit %zero %v3 %f %v3 %f",
        "OpHitObjectRecordMissNV %hit %zero %v3 %f %v2 %f ; error: ray-tracing/hit-object `%v2`",
    ],
)
def test_reordering(line: str) -> None:
    text = shader(
        line,
        REORDERING,
        interface="%hit %private",
        capabilities="RayTracingKHR ShaderInvocationReorderNV",
        extensions="SPV_KHR_ray_tracing SPV_NV_shader_invocation_reorder",
        model="RayGenerationKHR",
    )
    check(text, env="spv1.4")
