"""Rules of `synchronization/atomic`: atomics."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.atomic import ATOMIC_DECLARATIONS


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpAtomicIAdd %uint %p %device %relaxed %one",
        "%r = OpAtomicLoad %float %pf %device %relaxed",
        "OpAtomicStore %pf %device %relaxed %f",
        "%r = OpAtomicCompareExchange %uint %p %device %relaxed %relaxed %one %two",
        "%r = OpAtomicIAdd %float %pf %device %relaxed %f ; error: synchronization/atomic-types-match `%float`",
        "%r = OpAtomicLoad %vec2 %pv %device %relaxed ; error: synchronization/atomic-types-match `%vec2`",
        "%r = OpAtomicIAdd %uint %u %device %relaxed %one ; error: synchronization/atomic-types-match `%u`",
        "%r = OpAtomicIAdd %uint %pf %device %relaxed %one ; error: synchronization/atomic-types-match `%pf`",
        "%r = OpAtomicIAdd %uint %p %device %relaxed %f ; error: synchronization/atomic-types-match `%f`",
        "%r = OpAtomicIAdd %ulong %pl %device %relaxed %l ; error: synchronization/atomic-types-match `%pl`",
        "%r = OpAtomicIAdd %uint %private %device %relaxed %one ; error: synchronization/atomic-types-match `%private`",
        "OpAtomicStore %p %device %relaxed %f ; error: synchronization/atomic-types-match `%f`",
        "%r = OpAtomicCompareExchange %uint %p %device %relaxed %relaxed %one %f ; error: synchronization/atomic-types-match `%f`",
        "OpControlBarrier %workgroup %workgroup %acquire_release_workgroup",
        "OpControlBarrier %f %workgroup %relaxed ; error: synchronization/execution-scope-is-permitted `%f`",
        "OpControlBarrier %nowhere %workgroup %relaxed ; error: synchronization/execution-scope-is-permitted `%nowhere`",
        "OpControlBarrier %specialized %workgroup %relaxed ; error: synchronization/execution-scope-is-permitted `%specialized`",
        "OpMemoryBarrier %wide %acquire ; error: synchronization/memory-scope-is-permitted `%wide`",
        "OpMemoryBarrier %queue_family %acquire ; error: synchronization/memory-scope-is-permitted `%queue_family`",
        "OpMemoryBarrier %device %both ; error: synchronization/memory-semantics-fit-instruction `%both`",
        "OpMemoryBarrier %device %f ; error: synchronization/memory-semantics-fit-instruction `%f`",
        "OpMemoryBarrier %device %specialized ; error: synchronization/memory-semantics-fit-instruction `%specialized`",
        "OpMemoryBarrier %device %sequential",
        "OpAtomicStore %p %device %acquire %one ; error: synchronization/memory-semantics-fit-instruction `%acquire`",
        "%r = OpAtomicLoad %uint %p %device %release ; error: synchronization/memory-semantics-fit-instruction `%release`",
        "%r = OpAtomicCompareExchange %uint %p %device %acquire %release %one %two ; error: synchronization/memory-semantics-fit-instruction `%release`",
        "%r = OpAtomicCompareExchange %uint %p %device %relaxed %acquire %one %two ; error: synchronization/memory-semantics-fit-instruction `%acquire`",
    ],
)
def test_spirv(line: str) -> None:
    check(shader(line, ATOMIC_DECLARATIONS), env="spv1.3")


def test_capabilities_are_offered() -> None:
    line = "%r = OpAtomicIAdd %ulong %pl %device %relaxed %l ; error: synchronization/atomic-types-match"
    found = check(shader(line, ATOMIC_DECLARATIONS), env="spv1.3")
    assert "OpCapability Int64Atomics" in found[0].fixes[0].edits[0].text
