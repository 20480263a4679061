"""Rules of `execution_model/ray_tracing`: tracing rays."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.ray import RAY_TRACING


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpConvertUToAccelerationStructureKHR %as %l",
        "%r = OpConvertUToAccelerationStructureKHR %as %u2",
        "%r = OpConvertUToAccelerationStructureKHR %as %u ; error: execution-model/acceleration-structure-comes-from-address `%u`",
        "%r = OpConvertUToAccelerationStructureKHR %ulong %l ; error: execution-model/acceleration-structure-comes-from-address `%ulong`",
    ],
)
def test_acceleration_structures(line: str) -> None:
    declarations = "%as = OpTypeAccelerationStructureKHR"
    check(shader(line, declarations, capabilities="RayQueryKHR", extensions="SPV_KHR_ray_query"))


@pytest.mark.parametrize(
    "line",
    [
        "OpTraceRayKHR %as %zero %zero %zero %zero %zero %v3 %f %v3 %f %payload",
        "OpTraceRayKHR %u %zero %zero %zero %zero %zero %v3 %f %v3 %f %payload ; error: execution-model/ray-tracing-types-match `%u`",
        "OpTraceRayKHR %as %zero %f %zero %zero %zero %v3 %f %v3 %f %payload ; error: execution-model/ray-tracing-types-match",
        "OpTraceRayKHR %as %zero %zero %zero %zero %zero %v4 %f %v3 %f %payload ; error: execution-model/ray-tracing-types-match `%v4`",
        "OpTraceRayKHR %as %zero %zero %zero %zero %zero %v3 %f %v3 %l %payload ; error: execution-model/ray-tracing-types-match `%l`",
        "OpTraceRayKHR %as %zero %zero %zero %zero %zero %v3 %f %v3 %f %private ; error: execution-model/ray-tracing-types-match `%private`",
        "OpTraceRayKHR %as %micromap %zero %zero %zero %zero %v3 %f %v3 %f %payload ; error: execution-model/ray-flags-are-enabled",
        "OpExecuteCallableKHR %zero %callable",
        "OpExecuteCallableKHR %i_zero %callable ; error: execution-model/ray-tracing-types-match `%i_zero`",
        "OpExecuteCallableKHR %zero %payload ; error: execution-model/ray-tracing-types-match `%payload`",
    ],
)
def test_tracing(line: str) -> None:
    text = shader(
        line,
        RAY_TRACING,
        interface="%payload %callable %private",
        capabilities="RayTracingKHR",
        extensions="SPV_KHR_ray_tracing",
        model="RayGenerationKHR",
    )
    check(text, env="spv1.4")
