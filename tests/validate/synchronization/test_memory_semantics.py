"""Rules of `synchronization/memory_semantics`: memory semantics."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.atomic import ATOMIC_DECLARATIONS


@pytest.mark.parametrize(
    ("line", "vuid"),
    [
        ("OpControlBarrier %workgroup %workgroup %acquire_release_workgroup", None),
        ("OpControlBarrier %device %workgroup %relaxed ; error: synchronization/execution-scope-is-permitted", "None-04636"),
        ("OpMemoryBarrier %cross_device %acquire_workgroup ; error: synchronization/memory-scope-is-permitted", "None-04638"),
        ("OpMemoryBarrier %device %sequential ; error: synchronization/memory-semantics-fit-instruction", "MemorySemantics-10866"),
        ("OpMemoryBarrier %device %relaxed ; error: synchronization/memory-semantics-fit-instruction", "MemorySemantics-10869"),
        ("OpMemoryBarrier %device %acquire ; error: synchronization/memory-semantics-fit-instruction", "MemorySemantics-10870"),
        ("OpControlBarrier %workgroup %device %workgroup_memory ; error: synchronization/memory-semantics-fit-instruction", "MemorySemantics-10871"),
        ("OpControlBarrier %workgroup %invocation %release_workgroup ; error: synchronization/memory-semantics-fit-instruction", "None-04641"),
        ("%r = OpAtomicIAdd %uint %p %device %relaxed %one", None),
    ],
)
def test_vulkan(line: str, vuid: str | None) -> None:
    found = check(shader(line, ATOMIC_DECLARATIONS), env="vulkan1.1")
    assert [d.vuid for d in found] == ([f"VUID-StandaloneSpirv-{vuid}"] if vuid else [])


def test_availability_takes_the_vulkan_memory_model() -> None:
    declarations = ATOMIC_DECLARATIONS + "%available = OpConstant %uint 8260"
    line = "OpMemoryBarrier %workgroup %available"
    check(shader(f"{line} ; error: synchronization/memory-semantics-fit-instruction", declarations), env="spv1.3")
    declarations = ATOMIC_DECLARATIONS + "%available = OpConstant %uint 8452"
    check(shader(line, declarations, capabilities="VulkanMemoryModel", memory_model="Vulkan"), env="spv1.5")
