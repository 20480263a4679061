"""Rules of `synchronization/barrier`: barriers."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel


@pytest.mark.parametrize(
    "line",
    [
        "%barrier = OpNamedBarrierInitialize %named %one",
        "%barrier = OpNamedBarrierInitialize %named %f ; error: synchronization/named-barrier-types-match `%f`",
        "OpMemoryNamedBarrier %one %two %zero ; error: synchronization/named-barrier-types-match `%one`",
        "%set = OpAtomicFlagTestAndSet %bool %flag %two %zero",
        "%set = OpAtomicFlagTestAndSet %uint %flag %two %zero ; error: synchronization/atomic-types-match `%uint`",
        "OpAtomicFlagClear %float_flag %two %zero ; error: synchronization/atomic-types-match `%float_flag`",
    ],
)
def test_kernels(line: str) -> None:
    declarations = """
        %named = OpTypeNamedBarrier
        %shared_uint = OpTypePointer Workgroup %uint
        %shared_float = OpTypePointer Workgroup %float
        %flag = OpVariable %shared_uint Workgroup
        %float_flag = OpVariable %shared_float Workgroup
    """
    check(kernel(line, declarations, capabilities="NamedBarrier Int64"), env="spv1.1")
