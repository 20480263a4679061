"""Rules of `execution_model/ray_query`: ray queries."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.ray import RAY_TRACING, RAY_TYPES

QUERIES = RAY_TYPES + """
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
        "OpRayQueryInitializeKHR %u %as %zero %zero %v3 %f %v3 %f ; error: execution-model/ray-query-types-match `%u`",
        "OpRayQueryInitializeKHR %query %as %f %zero %v3 %f %v3 %f ; error: execution-model/ray-query-types-match `%f`",
        "OpRayQueryInitializeKHR %query %as %zero %zero %v2 %f %v3 %f ; error: execution-model/ray-query-types-match `%v2`",
        "OpRayQueryInitializeKHR %query %as %zero %zero %v3 %u %v3 %f ; error: execution-model/ray-query-types-match `%u`",
        "OpRayQueryInitializeKHR %query %as %micromap %zero %v3 %f %v3 %f ; error: execution-model/ray-flags-are-enabled `%micromap`",
        "OpRayQueryTerminateKHR %query",
        "%r = OpRayQueryProceedKHR %bool %query",
        "%r = OpRayQueryProceedKHR %uint %query ; error: execution-model/ray-query-types-match `%uint`",
        "%r = OpRayQueryGetIntersectionTKHR %float %query %committed",
        "%r = OpRayQueryGetIntersectionTKHR %float %query %u ; error: execution-model/ray-query-types-match",
        "%r = OpRayQueryGetIntersectionBarycentricsKHR %vec2 %query %committed",
        "%r = OpRayQueryGetIntersectionBarycentricsKHR %vec3 %query %committed ; error: execution-model/ray-query-types-match `%vec3`",
        "%r = OpRayQueryGetIntersectionObjectToWorldKHR %mat4x3 %query %committed",
        "%r = OpRayQueryGetIntersectionObjectToWorldKHR %mat2x3 %query %committed ; error: execution-model/ray-query-types-match",
        "%r = OpRayQueryGetIntersectionTriangleVertexPositionsKHR %triangle %query %committed",
        "%r = OpRayQueryGetIntersectionTriangleVertexPositionsKHR %pair %query %committed ; error: execution-model/ray-query-types-match",
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


def test_declared_micromaps() -> None:
    text = shader(
        "OpTraceRayKHR %as %micromap %zero %zero %zero %zero %v3 %f %v3 %f %payload",
        RAY_TRACING,
        interface="%payload",
        capabilities="RayTracingKHR RayTracingOpacityMicromapKHR",
        extensions="SPV_KHR_ray_tracing SPV_KHR_opacity_micromap",
        model="RayGenerationKHR",
    )
    check(text, env="spv1.4")
