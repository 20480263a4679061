"""Rules of `execution_model/invocation`: helper invocations, fragment interlock, the shader clock."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


def test_is_helper_invocation_tells_a_truth_value() -> None:
    needs = {
        "capabilities": "DemoteToHelperInvocation",
        "extensions": "SPV_EXT_demote_to_helper_invocation",
        "model": "Fragment",
    }
    check(shader("%r = OpIsHelperInvocationEXT %bool", **needs))
    check(shader("%r = OpIsHelperInvocationEXT %uint ; error: execution-model/helper-query-gives-bool `%uint`", **needs))


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpReadClockKHR %ulong %one",
        "%r = OpReadClockKHR %uvec2 %three",
        "%r = OpReadClockKHR %uint %one ; error: execution-model/clock-has-64-bits `%uint`",
        "%r = OpReadClockKHR %ulong %two ; error: execution-model/clock-has-64-bits `%two`",
    ],
)
def test_the_clock(line: str) -> None:
    check(shader(line, capabilities="ShaderClockKHR", extensions="SPV_KHR_shader_clock"), env="vulkan1.3")
