"""Rules of `memory/storage_class`: what a storage class may hold."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.shaders import shader


def test_cooperative_matrices_are_not_shared() -> None:
    lines = """
        %m = OpTypeCooperativeMatrixKHR %float %three %four %four %zero
        %p = OpTypePointer Private %m
        %x = OpVariable %p Private
        %q = OpTypePointer Workgroup %m
        %y = OpVariable %q Workgroup ; error: memory/cooperative-variable-is-local `Workgroup`
    """
    text = shader("", lines, capabilities="CooperativeMatrixKHR VulkanMemoryModel", memory_model="Vulkan",
                  extensions="SPV_KHR_cooperative_matrix")  # fmt: skip
    check(text, env="spv1.6")


def test_tiny_floats_are_not_shared() -> None:
    lines = """
        %tiny = OpTypeFloat 6 Float6E2M3EXT
        %p = OpTypePointer Private %tiny
        %x = OpVariable %p Private
        %q = OpTypePointer Workgroup %tiny
        %y = OpVariable %q Workgroup ; error: memory/microscaling-variable-is-local `Workgroup`
    """
    check(shader("", lines, capabilities="Float6EXT", extensions="SPV_EXT_ocp_microscaling_types"))
