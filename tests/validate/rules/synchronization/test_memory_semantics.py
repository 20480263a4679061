"""Rules of `synchronization/memory_semantics`: memory semantics."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.shaders import shader
from tests.validate.sources.atomic import ATOMIC_DECLARATIONS


@pytest.mark.parametrize(
    ("line", "vuid"),
    [
        ("OpControlBarrier %workgroup %workgroup %acquire_release_workgroup", None),
        ("OpControlBarrier %device %workgroup %relaxed", "None-04636"),
        ("OpMemoryBarrier %cross_device %acquire_workgroup", "None-04638"),
        ("OpMemoryBarrier %device %sequential", "MemorySemantics-10866"),
        ("OpMemoryBarrier %device %relaxed", "MemorySemantics-10869"),
        ("OpMemoryBarrier %device %acquire", "MemorySemantics-10870"),
        ("OpControlBarrier %workgroup %device %workgroup_memory", "MemorySemantics-10871"),
        ("OpControlBarrier %workgroup %invocation %release_workgroup", "None-04641"),
        ("%r = OpAtomicIAdd %uint %p %device %relaxed %one", None),
    ],
)
def test_vulkan(line: str, vuid: str | None) -> None:
    found = spvls.validate(shader(line, ATOMIC_DECLARATIONS), target_env="vulkan1.1")
    assert [d.vuid for d in found] == ([f"VUID-StandaloneSpirv-{vuid}"] if vuid else [])
