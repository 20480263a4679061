"""Rules of `synchronization/non_uniform`: non-uniform group operations."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

NON_UNIFORM = (
    "GroupNonUniform GroupNonUniformVote GroupNonUniformArithmetic GroupNonUniformBallot GroupNonUniformShuffle "
    "GroupNonUniformClustered GroupNonUniformQuad GroupNonUniformRotateKHR"
)
CONSTANTS = """
    %subgroup = OpConstant %uint 3
    %fifteen = OpConstant %uint 15
    %sixteen = OpConstant %uint 16
"""


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpGroupNonUniformElect %bool %subgroup",
        "%r = OpGroupNonUniformElect %uint %subgroup ; error: synchronization/non-uniform-types-match `%uint`",
        "%r = OpGroupNonUniformAll %bool %subgroup %b",
        "%r = OpGroupNonUniformAll %bool %subgroup %u ; error: synchronization/non-uniform-types-match `%u`",
        "%r = OpGroupNonUniformAllEqual %bool %subgroup %v4",
        "%r = OpGroupNonUniformAllEqual %bool %subgroup %m2x2 ; error: synchronization/non-uniform-types-match `%m2x2`",
        "%r = OpGroupNonUniformBroadcast %vec2 %subgroup %v2 %one",
        "%r = OpGroupNonUniformBroadcast %vec2 %subgroup %v3 %one ; error: synchronization/non-uniform-types-match `%v3`",
        "%r = OpGroupNonUniformBroadcast %vec2 %subgroup %v2 %u ; error: synchronization/non-uniform-types-match `%u`",
        "%r = OpGroupNonUniformShuffle %float %subgroup %f %u",
        "%r = OpGroupNonUniformShuffle %float %subgroup %f %i ; error: synchronization/non-uniform-types-match `%i`",
        "%r = OpGroupNonUniformBallot %uvec4 %subgroup %b",
        "%r = OpGroupNonUniformBallot %uvec2 %subgroup %b ; error: synchronization/non-uniform-types-match `%uvec2`",
        "%r = OpGroupNonUniformBallotFindLSB %uint %subgroup %u4",
        "%r = OpGroupNonUniformBallotFindLSB %uint %subgroup %u2 ; error: synchronization/non-uniform-types-match `%u2`",
        "%r = OpGroupNonUniformBallotBitCount %uint %subgroup Reduce %u4",
        "%r = OpGroupNonUniformIAdd %uint %subgroup Reduce %u",
        "%r = OpGroupNonUniformFAdd %uint %subgroup Reduce %u ; error: synchronization/non-uniform-types-match `%uint`",
        "%r = OpGroupNonUniformFAdd %float %subgroup Reduce %u ; error: synchronization/non-uniform-types-match `%u`",
        "%r = OpGroupNonUniformUMin %int %subgroup Reduce %i ; error: synchronization/non-uniform-types-match `%int`",
        "%r = OpGroupNonUniformLogicalAnd %bool %subgroup Reduce %b",
        "%r = OpGroupNonUniformIAdd %uint %subgroup ClusteredReduce %u %four",
        "%r = OpGroupNonUniformIAdd %uint %subgroup ClusteredReduce %u ; error: synchronization/non-uniform-types-match",
        "%r = OpGroupNonUniformIAdd %uint %subgroup ClusteredReduce %u %u ; error: synchronization/non-uniform-types-match",
        "%r = OpGroupNonUniformQuadSwap %float %subgroup %f %one",
        "%r = OpGroupNonUniformQuadSwap %float %subgroup %f %u ; error: synchronization/non-uniform-types-match",
        "%r = OpGroupNonUniformRotateKHR %uint %subgroup %u %one %sixteen",
        "%r = OpGroupNonUniformRotateKHR %uint %subgroup %u %one %f ; error: synchronization/non-uniform-types-match `%f`",
        "%r = OpGroupNonUniformRotateKHR %uint %subgroup %u %one %fifteen ; warning: synchronization/cluster-size-is-power-of-two `%fifteen`",
    ],
)
def test_non_uniform(line: str) -> None:
    text = shader(line, CONSTANTS, capabilities=NON_UNIFORM, extensions="SPV_KHR_subgroup_rotate")
    check(text, env="spv1.4")


def test_broadcast_from_any_invocation_since_1_5() -> None:
    line = "%r = OpGroupNonUniformBroadcast %vec2 %subgroup %v2 %u"
    check(shader(line, CONSTANTS, capabilities=NON_UNIFORM, extensions="SPV_KHR_subgroup_rotate"), env="spv1.5")


def test_vulkan_counts_bits_of_the_whole_group() -> None:
    line = "%r = OpGroupNonUniformBallotBitCount %uint %subgroup ClusteredReduce %u4 ; error: synchronization/non-uniform-types-match"
    text = shader(line, CONSTANTS, capabilities="GroupNonUniform GroupNonUniformBallot GroupNonUniformClustered")
    found = check(text, env="vulkan1.2")
    assert found[0].vuid == "VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685"
