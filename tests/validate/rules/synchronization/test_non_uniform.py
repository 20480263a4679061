"""Rules of `synchronization/non_uniform`: non-uniform group operations."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader

CONSTANTS = """
    %subgroup = OpConstant %uint 3
    %fifteen = OpConstant %uint 15
    %sixteen = OpConstant %uint 16
"""


def test_vulkan_counts_bits_of_the_whole_group() -> None:
    line = "%r = OpGroupNonUniformBallotBitCount %uint %subgroup ClusteredReduce %u4"
    text = shader(line, CONSTANTS, capabilities="GroupNonUniform GroupNonUniformBallot GroupNonUniformClustered")
    found = spvls.validate(text, target_env="vulkan1.2")
    assert found[0].vuid == "VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685"
