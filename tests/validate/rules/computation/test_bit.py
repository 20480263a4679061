"""Rules of `computation/bit`: bit instructions."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader


def test_vulkan_counts_32_bits() -> None:
    found = spvls.validate(shader("%r = OpBitCount %uint %l"), target_env="vulkan1.3")
    assert found[0].vuid == "VUID-RuntimeSpirv-None-10824"


def test_shifts_are_shown_without_sign() -> None:
    text = shader("%r = OpShiftRightArithmetic %int %i %i_1").replace("%i = ", "%i_1 = OpConstant %int -1\n%i = ", 1)
    found = spvls.validate(text, target_env="vulkan1.3")
    assert "by 4294967295;" in found[0].message
