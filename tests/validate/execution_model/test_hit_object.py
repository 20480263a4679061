"""Rules of `execution_model/hit_object`: hit objects and reordering."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.ray import RAY_TRACING

REORDERING = RAY_TRACING + """
    %object = OpTypeHitObjectNV
    %private_object = OpTypePointer Private %object
    %hit = OpVariable %private_object Private
"""


@pytest.mark.parametrize(
    "line",
    [
        "OpReorderThreadWithHintNV %zero %four",
        "OpReorderThreadWithHintNV %f %four ; error: execution-model/hit-object-types-match `%f`",
        "OpReorderThreadWithHitObjectNV %hit",
        "OpReorderThreadWithHitObjectNV %hit %zero %four",
        "OpReorderThreadWithHitObjectNV %hit %zero ; error: execution-model/hit-object-types-match `OpReorderThreadWithHitObjectNV`",
        "OpReorderThreadWithHitObjectNV %private ; error: execution-model/hit-object-types-match `%private`",
        "%r = OpHitObjectIsMissNV %bool %hit",
        "%r = OpHitObjectIsMissNV %uint %hit ; error: execution-model/hit-object-types-match `%uint`",
        "%r = OpHitObjectGetRayTMaxNV %float %hit",
        "%r = OpHitObjectGetRayTMaxNV %uint %hit ; error: execution-model/hit-object-types-match `%uint`",
        "OpHitObjectRecordMissNV %hit %zero %v3 %f %v3 %f",
        "OpHitObjectRecordMissNV %hit %zero %v3 %f %v2 %f ; error: execution-model/hit-object-types-match `%v2`",
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
