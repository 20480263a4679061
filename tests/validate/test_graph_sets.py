"""Sets for graphs: TOSA.001000.1, Arm.MotionEngine.100, NonSemantic.Graph.DebugInfo; and NonSemantic.VkspReflection."""

from __future__ import annotations

import pytest

from spvls.grammar import tables
from spvls.validate.tosa import LIMITS, OPERATORS, RESULT, SCALARS
from tests.validate.check import check

GRAPH = """\
OpCapability Shader
OpCapability Int8
OpCapability Int64
OpCapability Float16
OpCapability GraphARM
OpCapability TensorsARM
OpCapability VulkanMemoryModel
OpExtension "SPV_ARM_graph"
OpExtension "SPV_ARM_tensors"
OpExtension "SPV_KHR_non_semantic_info"
%tosa = OpExtInstImport "TOSA.001000.1"
%motion = OpExtInstImport "Arm.MotionEngine.100"
%debug = OpExtInstImport "NonSemantic.Graph.DebugInfo.1"
OpMemoryModel Logical Vulkan
%name = OpString "it"
%void = OpTypeVoid
%bool = OpTypeBool
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%u64 = OpTypeInt 64 0
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%yes = OpConstantTrue %bool
%small = OpConstant %u8 1
%0 = OpConstant %u32 0
%1 = OpConstant %u32 1
%2 = OpConstant %u32 2
%3 = OpConstant %u32 3
%4 = OpConstant %u32 4
%9 = OpConstant %u32 9
%i1 = OpConstant %i32 1
%f1 = OpConstant %f32 1
%array = OpTypeArray %u32 %1
%shape_1 = OpConstantComposite %array %1
%shape_2 = OpConstantComposite %array %2
%shape_4 = OpConstantComposite %array %4
%list_2 = OpTypeTensorARM %u32 %1 %shape_2
%list_4 = OpTypeTensorARM %u32 %1 %shape_4
%c2 = OpConstantNull %list_2
%c4 = OpConstantNull %list_4
%one_u8 = OpTypeTensorARM %u8 %1 %shape_1
%one_u32 = OpTypeTensorARM %u32 %1 %shape_1
%one_f32 = OpTypeTensorARM %f32 %1 %shape_1
%zp = OpConstantNull %one_u8
%zp_u32 = OpConstantNull %one_u32
%zp_f32 = OpConstantNull %one_f32
%zp2 = OpConstantNull %list_2
%t2 = OpTypeTensorARM %u32 %2
%i2 = OpTypeTensorARM %i32 %2
%b2 = OpTypeTensorARM %bool %2
%h2 = OpTypeTensorARM %f16 %2
%f2 = OpTypeTensorARM %f32 %2
%t1 = OpTypeTensorARM %u32 %1
%t4 = OpTypeTensorARM %u32 %4
%n4 = OpTypeTensorARM %u8 %4
%l4 = OpTypeTensorARM %u64 %4
%f3 = OpTypeTensorARM %f32 %3
%f4 = OpTypeTensorARM %f32 %4
%free = OpTypeTensorARM %f32
%spectra = OpTypeStruct %f3 %f3
%half_spectrum = OpTypeStruct %f3
%pair = OpTypeStruct %t2 %f2
%mixed = OpTypeStruct %t2 %u32
%row = OpTypeArray %t2 %2
%supplied = OpGraphConstantARM %one_u8 7
%pointer = OpTypePointer UniformConstant %t2
%in = OpVariable %pointer UniformConstant
%out = OpVariable %pointer UniformConstant
%type = OpTypeGraphARM 1 %t2 %t2
OpGraphEntryPointARM %g "g" %in %out
%g = OpGraphARM %type
%t = OpGraphInputARM %t2 %0
%i = OpUndef %i2
%b = OpUndef %b2
%h = OpUndef %h2
%f = OpUndef %f2
%vec = OpUndef %t1
%bias = OpUndef %one_u32
%image = OpUndef %n4
%picture = OpUndef %f4
%cube = OpUndef %f3
%any = OpUndef %free
%p = OpUndef %pair
%m = OpUndef %mixed
%r2 = OpUndef %row
{body}
OpGraphSetOutputARM %t %0
OpGraphEndARM
"""


def graph(line: str) -> str:
    return GRAPH.format(body=line)


def test_every_operand_of_every_operator_is_in_the_table() -> None:
    known = tables.extended_set("TOSA.001000.1")
    assert known is not None
    assert set(OPERATORS) == set(known.entries)
    for name, operator in OPERATORS.items():
        instruction = known.get(name)
        assert instruction is not None
        operands = {operand.name for operand in instruction.operands}
        described = {*operator.inputs, *operator.lists}
        assert described <= operands <= {*described, *SCALARS, *LIMITS}
        for row in (*operator.alike, operator.level):
            assert {*row} <= {*operator.inputs, RESULT}


CONV = "OpExtInst %t4 %tosa CONV2D %c4 %c2 %c2 %1 %yes %image %image %bias %zp %zp"


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpExtInst %t2 %tosa CLZ %t",
        "%x = OpExtInst %free %tosa ABS %any",
        "%x = OpExtInst %f2 %tosa ABS %any",
        "%x = OpExtInst %t2 %tosa CLZ %f ; warning: tosa/operands `%f`",
        "%x = OpExtInst %t2 %tosa CLZ %i ; warning: tosa/operands `%i`",
        "%x = OpExtInst %t2 %tosa CLZ %1 ; warning: tosa/operands `%1`",
        f"%x = {CONV}",
        f"%x = {CONV.replace('%c4 %c2', '%c4 %c4')} ; warning: tosa/operands `%c4`",
        f"%x = {CONV.replace('%1 %yes', '%f1 %yes')} ; warning: tosa/operands `%f1`",
        f"%x = {CONV.replace('%1 %yes', '%1 %1')} ; warning: tosa/operands `%1`",
        f"%x = {CONV.replace('%1 %yes', '%9 %yes')} ; warning: tosa/attribute-values `%9`",
        f"%x = {CONV.replace('CONV2D %c4', 'CONV2D %bias')} ; warning: tosa/operands `%bias`",
        f"%x = {CONV.replace('%image %image', '%image %t')} ; warning: tosa/operands `%t`",
        f"%x = {CONV.replace('%zp %zp', '%zp %supplied')}",
        f"%x = {CONV.replace('%zp %zp', '%zp %zp2')} ; warning: tosa/operands `%zp2`",
        f"%x = {CONV.replace('%zp %zp', '%zp_f32 %zp')} ; warning: tosa/same-elements `%zp_f32`",
        f"%x = {CONV.replace('%t4', '%f4')} ; warning: tosa/same-elements `%f4`",
        f"%x = {CONV.replace('%t4', '%l4')} ; warning: tosa/same-elements `%l4`",
        f"%x = {CONV.replace('%t4', '%t2')} ; warning: tosa/result `%t2`",
        "%x = OpExtInst %f2 %tosa CLAMP %f1 %f1 %1 %f",
        "%x = OpExtInst %f2 %tosa CLAMP %f1 %1 %1 %f ; warning: tosa/operands `%1`",
        "%x = OpExtInst %f2 %tosa CLAMP %f1 %f1 %3 %f ; warning: tosa/attribute-values `%3`",
        "%x = OpExtInst %n4 %tosa AVG_POOL2D %c2 %c2 %c4 %1 %image %zp %zp",
        "%x = OpExtInst %n4 %tosa AVG_POOL2D %c2 %c2 %c4 %4 %image %zp %zp ; warning: tosa/attribute-values `%4`",
        "%x = OpExtInst %f4 %tosa AVG_POOL2D %c2 %c2 %c4 %3 %picture %zp_f32 %zp_f32",
        "%x = OpExtInst %f4 %tosa AVG_POOL2D %c2 %c2 %c4 %3 %picture %zp %zp_f32 ; warning: tosa/same-elements `%zp`",
        "%x = OpExtInst %spectra %tosa RFFT2D %yes %cube",
        "%x = OpExtInst %f3 %tosa RFFT2D %yes %cube ; warning: tosa/result `%f3`",
        "%x = OpExtInst %half_spectrum %tosa RFFT2D %yes %cube ; warning: tosa/result `%half_spectrum`",
        "%x = OpExtInst %b2 %tosa EQUAL %t %t",
        "%x = OpExtInst %t2 %tosa EQUAL %t %t ; warning: tosa/result `%t2`",
        "%x = OpExtInst %b2 %tosa EQUAL %t %f ; warning: tosa/same-elements `%f`",
        "%x = OpExtInst %f2 %tosa ADD %f %h ; warning: tosa/same-elements `%h`",
        "%x = OpExtInst %t2 %tosa ADD %t %vec ; warning: tosa/same-rank `%vec`",
        "%x = OpExtInst %t1 %tosa ADD %t %t ; warning: tosa/same-rank `%t1`",
        "%x = OpExtInst %t2 %tosa CONCAT %0 %t %t %t",
        "%x = OpExtInst %t2 %tosa CONCAT %0 %t %t %vec ; warning: tosa/same-rank `%vec`",
        "%x = OpExtInst %t2 %tosa CONCAT %2 %t %t ; warning: tosa/attribute-values `%2`",
        "%x = OpExtInst %t1 %tosa ARGMAX %0 %1 %f",
        "%x = OpExtInst %t2 %tosa ARGMAX %0 %1 %f ; warning: tosa/same-rank `%t2`",
        "%x = OpExtInst %t1 %tosa RESHAPE %t %c2",
        "%x = OpExtInst %t2 %tosa TRANSPOSE %c2 %t",
        "%x = OpExtInst %t2 %tosa TRANSPOSE %vec %t ; warning: tosa/operands `%vec`",
        "%x = OpExtInst %b2 %tosa CAST %t",
        "%x = OpExtInst %t2 %motion RAW_SAD %c2 %c2 %c2 %c2 %c2 %c2 %t %t",
        "%x = OpExtInst %t2 %motion RAW_SAD %c2 %c2 %t %c2 %c2 %c2 %t %t ; warning: motion-engine/operands `%t`",
        "%x = OpExtInst %t2 %motion RAW_SAD %c2 %c2 %c2 %c2 %c2 %c2 %1 %t ; warning: motion-engine/operands `%1`",
        "%x = OpExtInst %pair %motion RAW_SAD %c2 %c2 %c2 %c2 %c2 %c2 %t %t ; warning: motion-engine/result `%pair`",
        "%x = OpExtInst %pair %motion MIN_SAD_COST %c2 %c2 %c2 %c2 %c2 %c2 %1 %t %t",
        "%x = OpExtInst %t2 %motion MIN_SAD_COST %c2 %c2 %c2 %c2 %c2 %c2 %1 %t %t ; warning: motion-engine/result `%t2`",
        "%x = OpExtInst %void %debug DebugGraph %g %name",
        "%x = OpExtInst %u32 %debug DebugGraph %g %name ; warning: non-semantic/void-result `%u32`",
        "%x = OpExtInst %void %debug DebugGraph %t %name ; warning: graph-debug-info/operands `%t`",
        "%x = OpExtInst %void %debug DebugGraph %g %1 ; warning: graph-debug-info/operands `%1`",
        "%x = OpExtInst %void %debug DebugGraph %g %name\n%y = OpExtInst %void %debug DebugOperation %x %name %t",
        "%x = OpExtInst %void %debug DebugOperation %g %name %t ; warning: graph-debug-info/operands `%g`",
        "%x = OpExtInst %void %debug DebugTensor %t %name",
        "%x = OpExtInst %void %debug DebugTensor %1 %name ; warning: graph-debug-info/operands `%1`",
        "%x = OpExtInst %void %debug DebugTensor %m %name ; warning: graph-debug-info/operands `%m`",
        "%x = OpExtInst %void %debug DebugTensor %t %name %0 ; warning: graph-debug-info/index `%0`",
        "%x = OpExtInst %void %debug DebugTensor %p %name %1",
        "%x = OpExtInst %void %debug DebugTensor %p %name ; warning: graph-debug-info/index `%p`",
        "%x = OpExtInst %void %debug DebugTensor %p %name %i1 ; warning: graph-debug-info/index `%i1`",
        "%x = OpExtInst %void %debug DebugTensor %p %name %2 ; warning: graph-debug-info/index `%2`",
        "%x = OpExtInst %void %debug DebugTensor %r2 %name %1",
        "%x = OpExtInst %void %debug DebugTensor %r2 %name %2 ; warning: graph-debug-info/index `%2`",
    ],
)
def test_instructions_in_graphs(line: str) -> None:
    check(graph(line), env="spv1.5")


def test_what_is_wrong_is_spelled_out() -> None:
    (finding,) = check(graph("%x = OpExtInst %t2 %tosa CLZ %f ; warning: tosa/operands"), env="spv1.5")
    assert finding.message == "input1 %f is tensor<f32, 2>, expected a tensor of u32"


@pytest.mark.parametrize("number", ["0", "2", "x"])
def test_revisions_of_the_debug_information_of_graphs(number: str) -> None:
    text = GRAPH.replace('DebugInfo.1"', f'DebugInfo.{number}" ; warning: graph-debug-info/revision')
    check(text.format(body=""), env="spv1.5")


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
        "%r = OpExtInst %u32 %vksp Configuration %s %n %s %s %s %n %n %n %n ; warning: non-semantic/void-result",
        "%r = OpExtInst %void %vksp Configuration %n %n %s %s %s %n %n %n %n ; warning: vksp/operands `%n`",
        "%r = OpExtInst %void %vksp Configuration %s %s %s %s %s %n %n %n %n ; warning: vksp/operands `%s`",
        "%r = OpExtInst %void %vksp SpecializationMapEntry %n %signed %n ; warning: vksp/operands `%signed`",
        SAMPLER.format("%x"),
        SAMPLER.format("%n"),
        f"{SAMPLER.format('%s')} ; warning: vksp/operands `%s`",
    ],
)
def test_what_is_recorded_of_a_dispatch(line: str) -> None:
    check(VKSP.format(line=line, body=""))


@pytest.mark.parametrize(
    "body",
    [
        "%r = OpExtInst %void %vksp StopCounter %started",
        "%r = OpExtInst %void %vksp StopCounter %n ; warning: vksp/operands `%n`",
    ],
)
def test_counters(body: str) -> None:
    check(VKSP.format(line="", body=body))
