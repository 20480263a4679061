"""Group operations, uniform and not, and asynchronous copies."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader

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
        "%r = OpGroupNonUniformElect %uint %subgroup ; error: group/non-uniform `%uint`",
        "%r = OpGroupNonUniformAll %bool %subgroup %b",
        "%r = OpGroupNonUniformAll %bool %subgroup %u ; error: group/non-uniform `%u`",
        "%r = OpGroupNonUniformAllEqual %bool %subgroup %v4",
        "%r = OpGroupNonUniformAllEqual %bool %subgroup %m2x2 ; error: group/non-uniform `%m2x2`",
        "%r = OpGroupNonUniformBroadcast %vec2 %subgroup %v2 %one",
        "%r = OpGroupNonUniformBroadcast %vec2 %subgroup %v3 %one ; error: group/non-uniform `%v3`",
        "%r = OpGroupNonUniformBroadcast %vec2 %subgroup %v2 %u ; error: group/non-uniform `%u`",
        "%r = OpGroupNonUniformShuffle %float %subgroup %f %u",
        "%r = OpGroupNonUniformShuffle %float %subgroup %f %i ; error: group/non-uniform `%i`",
        "%r = OpGroupNonUniformBallot %uvec4 %subgroup %b",
        "%r = OpGroupNonUniformBallot %uvec2 %subgroup %b ; error: group/non-uniform `%uvec2`",
        "%r = OpGroupNonUniformBallotFindLSB %uint %subgroup %u4",
        "%r = OpGroupNonUniformBallotFindLSB %uint %subgroup %u2 ; error: group/non-uniform `%u2`",
        "%r = OpGroupNonUniformBallotBitCount %uint %subgroup Reduce %u4",
        "%r = OpGroupNonUniformIAdd %uint %subgroup Reduce %u",
        "%r = OpGroupNonUniformFAdd %uint %subgroup Reduce %u ; error: group/non-uniform `%uint`",
        "%r = OpGroupNonUniformFAdd %float %subgroup Reduce %u ; error: group/non-uniform `%u`",
        "%r = OpGroupNonUniformUMin %int %subgroup Reduce %i ; error: group/non-uniform `%int`",
        "%r = OpGroupNonUniformLogicalAnd %bool %subgroup Reduce %b",
        "%r = OpGroupNonUniformIAdd %uint %subgroup ClusteredReduce %u %four",
        "%r = OpGroupNonUniformIAdd %uint %subgroup ClusteredReduce %u ; error: group/non-uniform",
        "%r = OpGroupNonUniformIAdd %uint %subgroup ClusteredReduce %u %u ; error: group/non-uniform",
        "%r = OpGroupNonUniformQuadSwap %float %subgroup %f %one",
        "%r = OpGroupNonUniformQuadSwap %float %subgroup %f %u ; error: group/non-uniform",
        "%r = OpGroupNonUniformRotateKHR %uint %subgroup %u %one %sixteen",
        "%r = OpGroupNonUniformRotateKHR %uint %subgroup %u %one %f ; error: group/non-uniform `%f`",
        "%r = OpGroupNonUniformRotateKHR %uint %subgroup %u %one %fifteen ; warning: group/cluster-size `%fifteen`",
    ],
)
def test_non_uniform(line: str) -> None:
    text = shader(line, CONSTANTS, capabilities=NON_UNIFORM, extensions="SPV_KHR_subgroup_rotate")
    check(text, env="spv1.4")


def test_broadcast_from_any_invocation_since_1_5() -> None:
    line = "%r = OpGroupNonUniformBroadcast %vec2 %subgroup %v2 %u"
    check(shader(line, CONSTANTS, capabilities=NON_UNIFORM, extensions="SPV_KHR_subgroup_rotate"), env="spv1.5")


def test_vulkan_counts_bits_of_the_whole_group() -> None:
    line = "%r = OpGroupNonUniformBallotBitCount %uint %subgroup ClusteredReduce %u4 ; error: group/non-uniform"
    text = shader(line, CONSTANTS, capabilities="GroupNonUniform GroupNonUniformBallot GroupNonUniformClustered")
    found = check(text, env="vulkan1.2")
    assert found[0].vuid == "VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685"


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpGroupAll %bool %two %b",
        "%r = OpGroupAll %bool %two %u ; error: group/operands `%u`",
        "%r = OpGroupAny %uint %two %b ; error: group/operands `%uint`",
        "%r = OpGroupBroadcast %float %two %f %zero",
        "%r = OpGroupBroadcast %float %two %u %zero ; error: group/operands `%u`",
        "%r = OpGroupFAdd %float %two Reduce %f",
        "%r = OpGroupFAdd %uint %two Reduce %u ; error: group/operands `%uint`",
        "%r = OpGroupIAdd %uint %two Reduce %u",
        "%r = OpGroupIAdd %uint %two Reduce %l ; error: group/operands `%l`",
    ],
)
def test_uniform(line: str) -> None:
    check(kernel(line, capabilities="Groups Int64"), env="opencl2.1")


@pytest.mark.parametrize(
    "line",
    [
        "%e = OpGroupAsyncCopy %event %two %shared %global %u %u %none",
        "%e = OpGroupAsyncCopy %event %two %global %shared %u %u %none",
        "%e = OpGroupAsyncCopy %uint %two %shared %global %u %u %none ; error: group/asynchronous-copy `%uint`",
        "%e = OpGroupAsyncCopy %event %two %u %global %u %u %none ; error: group/asynchronous-copy `%u`",
        "%e = OpGroupAsyncCopy %event %two %events %global %u %u %none ; error: group/asynchronous-copy `%events`",
        "%e = OpGroupAsyncCopy %event %two %shared %shared %u %u %none ; error: group/asynchronous-copy",
        "%e = OpGroupAsyncCopy %event %two %shared %floats %u %u %none ; error: group/asynchronous-copy `%floats`",
        "%e = OpGroupAsyncCopy %event %two %shared %global %l %u %none ; error: group/asynchronous-copy `%l`",
        "%e = OpGroupAsyncCopy %event %two %shared %global %u %u %b ; error: group/asynchronous-copy `%b`",
        "OpGroupWaitEvents %two %one %events",
        "OpGroupWaitEvents %two %l %events ; error: group/asynchronous-copy `%l`",
        "OpGroupWaitEvents %two %one %shared ; error: group/asynchronous-copy `%shared`",
    ],
)
def test_asynchronous_copies(line: str) -> None:
    declarations = """
        %event = OpTypeEvent
        %none = OpConstantNull %event
        %shared_uint = OpTypePointer Workgroup %uint
        %global_uint = OpTypePointer CrossWorkgroup %uint
        %global_float = OpTypePointer CrossWorkgroup %float
        %local_event = OpTypePointer Function %event
        %shared = OpUndef %shared_uint
        %global = OpUndef %global_uint
        %floats = OpUndef %global_float
        %events = OpUndef %local_event
    """
    check(kernel(line, declarations, capabilities="Int64"), env="opencl2.1")
