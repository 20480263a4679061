"""Rules of `type/vector`: vectors and matrices."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.shaders import shader

_SHORT = "VUID-StandaloneSpirv-None-12295"


@pytest.mark.parametrize(
    ("count", "capability", "vuids"),
    [(5, "", [_SHORT]), (8, "", [_SHORT]), (0, "LongVectorEXT", [None]), (8, "LongVectorEXT", [])],
)
def test_counts_in_vulkan(count: int, capability: str, vuids: list[str | None]) -> None:
    text = shader("", f"%v = OpTypeVector %float {count}", capabilities=capability, extensions="SPV_EXT_long_vector")
    found = spvls.validate(text, target_env="vulkan1.3")
    assert [d.vuid for d in found if d.rule == "type/vector-has-2-to-4-components"] == vuids
