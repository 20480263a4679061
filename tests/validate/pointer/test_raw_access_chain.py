"""Rules of `pointer/raw_access_chain`: OpRawAccessChainNV: pointers by stride, index and offset in bytes (SPV_NV_raw_access_chains)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

RAW = """
    %block = OpTypeStruct %float
    %to_block = OpTypePointer StorageBuffer %block
    %to_float = OpTypePointer StorageBuffer %float
    %to_struct = OpTypePointer StorageBuffer %block
    %to_private = OpTypePointer Private %float
    %x = OpVariable %to_block StorageBuffer
"""


@pytest.mark.parametrize(
    "line",
    [
        "%p = OpRawAccessChainNV %to_float %x %four %u %u RobustnessPerElementNV",
        "%p = OpRawAccessChainNV %to_struct %x %four %u %u ; error: pointer/raw-chain-points-into-buffer `%to_struct`",
        "%p = OpRawAccessChainNV %to_private %x %four %u %u ; error: pointer/raw-chain-points-into-buffer `%to_private`",
        "%p = OpRawAccessChainNV %to_float %x %u %u %u ; error: pointer/raw-chain-operands-are-integers `%u`",
        "%p = OpRawAccessChainNV %to_float %x %four %l %u ; error: pointer/raw-chain-operands-are-integers `%l`",
        "%p = OpRawAccessChainNV %to_float %x %zero %u %u RobustnessPerElementNV ; error: "
        "pointer/raw-chain-robustness-is-consistent `%zero`",
        "%p = OpRawAccessChainNV %to_float %x %four %u %u RobustnessPerElementNV|RobustnessPerComponentNV ; error: "
        "pointer/raw-chain-robustness-is-consistent",
    ],
)
def test_raw_chains(line: str) -> None:
    text = shader(
        line,
        RAW,
        capabilities="RawAccessChainsNV",
        extensions="SPV_NV_raw_access_chains",
        annotations="OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0",
    )
    check(text, env="spv1.3")
