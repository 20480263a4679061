"""Rules of `entry_point/workgroup_size`: size of workgroups, derivative groups."""

from __future__ import annotations

from tests.validate.check import check


def test_workgroup_size_constants_stand_before_cooperative_matrices() -> None:
    text = """\
OpCapability Shader
OpCapability CooperativeMatrixKHR
OpCapability VulkanMemoryModel
OpExtension "SPV_KHR_cooperative_matrix"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main "main"
OpExecutionModeId %main LocalSizeId %late %two %two
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%two = OpConstant %uint 2
{early}%m = OpTypeCooperativeMatrixKHR %float %two %two %two %two{fault}
{late}%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
    constant = "%late = OpConstant %uint 8\n"
    check(text.format(early=constant, late="", fault=""))
    fault = " ; error: entry-point/local-size-ids-precede-matrices"
    check(text.format(early="", late=constant, fault=fault))
