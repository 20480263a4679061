"""Rules of `entry_point/mode_operand`: Operands of modes."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.entry_point import entry_point_module

FLOAT_CONTROLS = {"capabilities": "Shader FloatControls2 SignedZeroInfNanPreserve", "extensions": "SPV_KHR_float_controls2"}


@pytest.mark.parametrize(
    ("mask", "fault"),
    [("0", ""), ("0x70000", ""), ("0x40000", "`%mask`"), ("0x10", "`%mask`"), ("0x100000", "`%mask`")],
)
def test_the_default_of_fast_math(mask: str, fault: str) -> None:
    line = "OpExecutionModeId %main FPFastMathDefault %half %mask"
    line += f" ; error: entry-point/mode-ids-are-constant {fault}" if fault else ""
    check(entry_point_module("GLCompute", line, more=f"%mask = OpConstant %uint {mask}\n", **FLOAT_CONTROLS))


def test_the_default_of_fast_math_names_a_float_type_and_stands_alone() -> None:
    line = "OpExecutionModeId %main FPFastMathDefault {} %two"
    wrong = line.format("%uint") + " ; error: entry-point/mode-ids-are-constant `%uint`"
    check(entry_point_module("GLCompute", wrong, **FLOAT_CONTROLS))
    preserve = "\nOpExecutionMode %main SignedZeroInfNanPreserve 16"
    alone = line.format("%half") + " ; error: entry-point/fast-math-default-stands-alone"
    check(entry_point_module("GLCompute", alone + preserve, **FLOAT_CONTROLS))
    check(entry_point_module("GLCompute", line.format("%half"), **FLOAT_CONTROLS))


@pytest.mark.parametrize(
    "constant",
    ["%switch = OpConstantTrue %bool", "%switch = OpConstant %uint 1 ; error: entry-point/opacity-micromap-is-bool `%uint`"],
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
