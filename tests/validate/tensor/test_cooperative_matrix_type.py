"""Rules of `tensor/cooperative_matrix_type`: cooperative matrix types."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(("scope", "fits"), [("%three", True), ("%one", False)])
def test_scopes_of_cooperative_matrices_in_vulkan(scope: str, fits: bool) -> None:
    line = f"%m = OpTypeCooperativeMatrixKHR %float {scope} %four %four %two"
    line += "" if fits else f" ; error: tensor/matrix-scope-fits-vulkan `{scope}`"
    needs = {"capabilities": "CooperativeMatrixKHR VulkanMemoryModel", "extensions": "SPV_KHR_cooperative_matrix"}
    check(shader("", line, memory_model="Vulkan", **needs), env="vulkan1.3")


@pytest.mark.parametrize(
    "line",
    [
        "%t = OpTypeCooperativeMatrixKHR %float %three %four %four %zero",
        "%t = OpTypeCooperativeMatrixKHR %vec2 %three %four %four %zero ; error: "
        "tensor/matrix-type-operands-are-constant `%vec2`",
        "%t = OpTypeCooperativeMatrixKHR %float %u %four %four %zero ; error: "
        "tensor/matrix-type-operands-are-constant `%u`",
        "%t = OpTypeCooperativeMatrixKHR %float %three %true %four %zero ; error: "
        "tensor/matrix-type-operands-are-constant `%true`",
    ],
)
def test_cooperative_matrices(line: str) -> None:
    text = shader("", line, capabilities="CooperativeMatrixKHR VulkanMemoryModel", memory_model="Vulkan",
                  extensions="SPV_KHR_cooperative_matrix")  # fmt: skip
    check(text, env="spv1.6")
