"""Rules of `module/memory_model`: OpMemoryModel."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check


@pytest.mark.parametrize(
    ("env", "model", "rule"),
    [
        ("spv1.6", "Logical GLSL450", None),
        ("vulkan1.3", "Logical GLSL450", None),
        ("vulkan1.3", "Physical32 GLSL450", "module/addressing-model-fits-vulkan"),
        ("opencl2.2", "Physical64 OpenCL", None),
        ("opencl2.2", "Logical OpenCL", "module/memory-model-fits-opencl"),
        ("opencl2.2", "Physical64 GLSL450", "module/memory-model-fits-opencl"),
    ],
)
def test_memory_models(env: str, model: str, rule: str | None) -> None:
    capabilities = "Shader Linkage Kernel Addresses" if env.startswith("spv") or "GLSL" in model else "Kernel Linkage Addresses"
    text = "".join(f"OpCapability {name}\n" for name in capabilities.split()) + f"OpMemoryModel {model}"
    found = {d.rule for d in spvls.validate(text, target_env=env) if d.rule != "capability/is-supported-by-environment"}
    assert found == ({rule} if rule else set())


def test_the_vulkan_memory_model_goes_with_its_capability() -> None:
    text = "OpCapability Shader\nOpCapability Linkage\nOpCapability VulkanMemoryModel\nOpMemoryModel Logical {}"
    check(text.format("GLSL450 ; error: module/memory-model-matches-capability `GLSL450`"))
    check(text.format("Vulkan"))
