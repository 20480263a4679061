"""Rules of `ext_inst/vksp_reflection`: NonSemantic.VkspReflection: how a dispatch was set up; the reference validator looks at none of its operands."""

from __future__ import annotations

import pytest

from tests.validate.check import check

VKSP = """\
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%vksp = OpExtInstImport "NonSemantic.VkspReflection.4"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%s = OpString "main"
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%f32 = OpTypeFloat 32
%n = OpConstant %u32 1
%signed = OpConstant %i32 1
%x = OpConstant %f32 1
{line}
%main = OpFunction %void None %main_type
%entry = OpLabel
%started = OpExtInst %void %vksp StartCounter %s
{body}
OpReturn
OpFunctionEnd
"""
SAMPLER = "%r = OpExtInst %void %vksp DescriptorSetSampler %n %n %n %n %n %n %n %n %n %n {} %n %x %n %n %x %x %n %n"


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpExtInst %void %vksp Configuration %s %n %s %s %s %n %n %n %n",
        "%r = OpExtInst %u32 %vksp Configuration %s %n %s %s %s %n %n %n %n ; warning: ext-inst/non-semantic-result-is-void",
        "%r = OpExtInst %void %vksp Configuration %n %n %s %s %s %n %n %n %n ; warning: ext-inst/vksp-operands-match `%n`",
        "%r = OpExtInst %void %vksp Configuration %s %s %s %s %s %n %n %n %n ; warning: ext-inst/vksp-operands-match `%s`",
        "%r = OpExtInst %void %vksp SpecializationMapEntry %n %signed %n ; warning: ext-inst/vksp-operands-match `%signed`",
        SAMPLER.format("%x"),
        SAMPLER.format("%n"),
        f"{SAMPLER.format('%s')} ; warning: ext-inst/vksp-operands-match `%s`",
    ],
)
def test_what_is_recorded_of_a_dispatch(line: str) -> None:
    check(VKSP.format(line=line, body=""))


@pytest.mark.parametrize(
    "body",
    [
        "%r = OpExtInst %void %vksp StopCounter %started",
        "%r = OpExtInst %void %vksp StopCounter %n ; warning: ext-inst/vksp-operands-match `%n`",
    ],
)
def test_counters(body: str) -> None:
    check(VKSP.format(line="", body=body))
