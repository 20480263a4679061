"""Rules of `entry_point/fast_math_default`: FPFastMathDefault."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.shaders import shader


def test_where_fast_math_has_a_default_nothing_is_decorated_the_old_way() -> None:
    modes = "OpExecutionMode %main LocalSize 1 1 1{}"
    text = shader(
        "%r = OpFAdd %float %f %f ; error: entry-point/fast-math-default-fits-decorations",
        modes=modes.format("\nOpExecutionModeId %main FPFastMathDefault %float %zero"),
        annotations="OpDecorate %r NoContraction",
        capabilities="FloatControls2",
        extensions="SPV_KHR_float_controls2",
    )
    check(text)
    check(shader("%r = OpFAdd %float %f %f", annotations="OpDecorate %r NoContraction"))
