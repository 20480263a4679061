"""Rules of `computation/bit`: bit instructions."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader


def test_vulkan_counts_32_bits() -> None:
    found = spvls.validate(shader("%r = OpBitCount %uint %l"), target_env="vulkan1.3")
    assert found[0].vuid == "VUID-RuntimeSpirv-None-10824"
