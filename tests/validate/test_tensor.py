"""Tensors, graphs, and layouts and views of tensors."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

DECLARATIONS = """
    %pair = OpTypeArray %uint %two
    %triple = OpTypeArray %uint %three
    %floats = OpTypeArray %float %two
    %shape = OpConstantComposite %pair %two %three
    %no_shape = OpConstantComposite %pair %two %zero
    %three_shape = OpConstantComposite %triple %one %two %three
    %row_length = OpTypeArray %uint %one
    %row_shape = OpConstantComposite %row_length %three
    %unranked = OpTypeTensorARM %float
    %tensor = OpTypeTensorARM %float %two
    %t = OpUndef %tensor
    %t0 = OpUndef %unranked
    %at = OpUndef %pair
    %at3 = OpUndef %triple
"""


def tensors(body: str, declarations: str = "") -> str:
    return shader(
        body,
        DECLARATIONS + declarations,
        capabilities="TensorsARM VulkanMemoryModel",
        extensions="SPV_ARM_tensors",
        memory_model="Vulkan",
    )


@pytest.mark.parametrize(
    "line",
    [
        "%s = OpTypeTensorARM %float %two %shape",
        "%s = OpTypeTensorARM %vec2 %two ; error: opcode/OpTypeTensorARM/operands `%vec2`",
        "%s = OpTypeTensorARM %float %zero ; error: opcode/OpTypeTensorARM/operands `%zero`",
        "%s = OpTypeTensorARM %float %u ; error: opcode/OpTypeTensorARM/operands `%u`",
        "%s = OpTypeTensorARM %float %true ; error: opcode/OpTypeTensorARM/operands `%true`",
        "%s = OpTypeTensorARM %float %two %three_shape ; error: opcode/OpTypeTensorARM/operands `%three_shape`",
        "%s = OpTypeTensorARM %float %two %no_shape ; error: opcode/OpTypeTensorARM/operands `%no_shape`",
    ],
)
def test_types(line: str) -> None:
    check(tensors("", line), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpTensorReadARM %float %t %at",
        "%r = OpTensorReadARM %floats %t %at",
        "%r = OpTensorReadARM %float %t0 %at ; error: tensor/operand `%t0`",
        "%r = OpTensorReadARM %vec2 %t %at ; error: tensor/access `%vec2`",
        "%r = OpTensorReadARM %uint %t %at ; error: tensor/access `%uint`",
        "%r = OpTensorReadARM %float %t %at3 ; error: tensor/access `%at3`",
        "%r = OpTensorReadARM %float %t %at OutOfBoundsValueARM %f",
        "%r = OpTensorReadARM %float %t %at OutOfBoundsValueARM %u ; error: tensor/operands `%u`",
        "%r = OpTensorReadARM %float %t %at MakeElementVisibleARM|NonPrivateElementARM %two",
        "%r = OpTensorReadARM %float %t %at MakeElementVisibleARM %two ; error: tensor/operands `MakeElementVisibleARM`",
        "OpTensorWriteARM %t %at %f",
        "OpTensorWriteARM %t %at %u ; error: tensor/access `%u`",
        "OpTensorWriteARM %t %at %f MakeElementVisibleARM|NonPrivateElementARM %two ; error: tensor/operands",
        "%r = OpTensorQuerySizeARM %uint %t %one",
        "%r = OpTensorQuerySizeARM %uint %t %two ; error: opcode/OpTensorQuerySizeARM/operands `%two`",
        "%r = OpTensorQuerySizeARM %float %t %one ; error: opcode/OpTensorQuerySizeARM/operands `%float`",
        "%r = OpTensorQuerySizeARM %uint %t %u ; error: opcode/OpTensorQuerySizeARM/operands `%u`",
    ],
)
def test_access(line: str) -> None:
    check(tensors(line), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantComposite %shaped %row %row",
        "%k = OpConstantComposite %shaped %row %c ; error: tensor/constant `%c`",
        "%k = OpConstantComposite %shaped %row ; error: opcode/constant-composite/constituent-count",
    ],
)
def test_constant_tensors(line: str) -> None:
    declarations = """
        %shaped = OpTypeTensorARM %float %two %shape
        %row_type = OpTypeTensorARM %float %one %row_shape
        %c = OpConstant %float 1
        %row = OpConstantComposite %row_type %c %c %c
    """
    check(tensors("", declarations + line), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%y = OpTensorLayoutSetStrideNV %layout %x %u %u",
        "%y = OpTensorLayoutSliceNV %layout %x %u %u %u %u",
        "%y = OpTensorLayoutSetStrideNV %layout %x %u ; error: tensor-addressing/operands",
        "%y = OpTensorLayoutSetStrideNV %layout %x %u %f ; error: tensor-addressing/operands `%f`",
        "%y = OpTensorLayoutSetStrideNV %view %x %u %u ; error: tensor-addressing/result `%view`",
        "%y = OpTensorViewSetClipNV %view %v %u %u %u %u",
        "%y = OpTensorViewSetStrideNV %view %x %u %u ; error: tensor-addressing/result `%x`",
        "%y = OpCreateTensorViewNV %layout ; error: tensor-addressing/result `%layout`",
    ],
)
def test_layouts_and_views(line: str) -> None:
    declarations = """
        %no = OpConstantFalse %bool
        %layout = OpTypeTensorLayoutNV %two %zero
        %view = OpTypeTensorViewNV %two %no %one %zero
    """
    body = "%x = OpCreateTensorLayoutNV %layout\n%v = OpCreateTensorViewNV %view\n"
    text = shader(body + line, declarations, capabilities="TensorAddressingNV", extensions="SPV_NV_tensor_addressing")
    check(text, env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%t = OpTypeTensorLayoutNV %six %zero ; error: opcode/tensor-addressing-type/operands `%six`",
        "%t = OpTypeTensorLayoutNV %two %six ; error: opcode/tensor-addressing-type/operands `%six`",
        "%t = OpTypeTensorViewNV %two %true %zero ; error: opcode/tensor-addressing-type/operands",
        "%t = OpTypeTensorViewNV %two %true %one %one ; error: opcode/tensor-addressing-type/operands",
        "%t = OpTypeTensorViewNV %two %two %one %zero ; error: opcode/tensor-addressing-type/operands `%two`",
    ],
)
def test_types_of_layouts_and_views(line: str) -> None:
    lines = f"%six = OpConstant %uint 6\n{line}"
    check(shader("", lines, capabilities="TensorAddressingNV", extensions="SPV_NV_tensor_addressing"), env="spv1.5")


GRAPH = """\
OpCapability Shader
OpCapability GraphARM
OpCapability TensorsARM
OpCapability VulkanMemoryModel
OpExtension "SPV_ARM_graph"
OpExtension "SPV_ARM_tensors"
OpMemoryModel Logical Vulkan
%uint = OpTypeInt 32 0
%ulong = OpTypeFloat 32
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%far = OpConstant %ulong 2
%tensor = OpTypeTensorARM %uint %two
%tensors = OpTypeArray %tensor %two
%ptr = OpTypePointer UniformConstant %tensor
%ptrs = OpTypePointer UniformConstant %tensors
%in = OpVariable %ptr UniformConstant
%out = OpVariable %ptr UniformConstant
%many = OpVariable %ptrs UniformConstant
%private = OpTypePointer Private %tensor
%wrong = OpVariable %private Private
%type = OpTypeGraphARM 1 %tensor %tensor
%type_many = OpTypeGraphARM 1 %tensors %tensors
%constant = OpGraphConstantARM %tensor 7
{entry}
%g = OpGraphARM %type
%i = OpGraphInputARM %tensor %zero
{body}
OpGraphEndARM
"""
ENTRY = 'OpGraphEntryPointARM %g "g" %in %out'
BODY = "OpGraphSetOutputARM %i %zero"


def graph(entry: str = ENTRY, body: str = BODY) -> str:
    return GRAPH.format(entry=entry, body=body)


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY,
        'OpGraphEntryPointARM %g "g" %in ; error: opcode/OpGraphEntryPointARM/graph',
        'OpGraphEntryPointARM %g "g" %in %many ; error: opcode/OpGraphEntryPointARM/graph `%many`',
        'OpGraphEntryPointARM %zero "g" %in %out ; error: opcode/OpGraphEntryPointARM/graph `%zero`',
        f'{ENTRY}\nOpGraphEntryPointARM %g "g" %in %out ; error: graph/entry-points `"g"`',
        f"{ENTRY}\n%again = OpGraphConstantARM %tensor 7 ; error: graph/entry-points `7`",
        f"{ENTRY}\n%k = OpGraphConstantARM %uint 8 ; error: opcode/OpGraphConstantARM/result `%uint`",
        f"{ENTRY}\n%t = OpTypeGraphARM 1 %tensor ; error: opcode/OpTypeGraphARM/operands",
        f"{ENTRY}\n%t = OpTypeGraphARM 1 %tensor %uint ; error: opcode/OpTypeGraphARM/operands `%uint`",
    ],
)
def test_graph_entry_points(entry: str) -> None:
    check(graph(entry), env="spv1.5")


def test_inputs_and_outputs_are_uniform_constants() -> None:
    text = graph('OpGraphEntryPointARM %g "g" %in %wrong')
    check(text.replace("%private Private", "%private Private ; error: graph/entry-points `%wrong`"), env="spv1.5")


def test_there_is_a_graph_entry_point() -> None:
    text = graph("").replace("OpCapability GraphARM", "OpCapability GraphARM ; error: graph/entry-points")
    check(text, env="spv1.5")


def test_a_graph_is_of_a_graph_type() -> None:
    text = graph().replace("OpGraphARM %type", "OpGraphARM %tensor ; error: opcode/OpGraphARM/result `%tensor`")
    check(text, env="spv1.5")


@pytest.mark.parametrize(
    "body",
    [
        BODY,
        "OpGraphSetOutputARM %i %two ; error: graph/body `%two`",
        "OpGraphSetOutputARM %i %far ; error: graph/body `%far`",
        "OpGraphSetOutputARM %zero %zero ; error: graph/body `%zero`",
        "OpGraphSetOutputARM %i %zero %zero ; error: graph/body `%zero`",
        f"{BODY}\nOpGraphSetOutputARM %i %zero ; error: graph/body `%zero`",
        f"{BODY}\n%x = OpCopyObject %tensor %i ; error: graph/body",
        f"{BODY}\n%j = OpGraphInputARM %tensor %zero ; error: graph/body",
        "%j = OpGraphInputARM %tensor %zero ; error: graph/body `%zero`\nOpGraphSetOutputARM %i %zero",
    ],
)
def test_graph_bodies(body: str) -> None:
    check(graph(body=body), env="spv1.5")


def test_a_graph_has_an_output() -> None:
    text = graph(body="").replace("OpGraphEndARM", "OpGraphEndARM ; error: graph/body")
    check(text, env="spv1.5")


@pytest.mark.parametrize(
    "body",
    [
        "OpGraphSetOutputARM %i %zero %zero\nOpGraphSetOutputARM %i %zero %one",
        "OpGraphSetOutputARM %i %zero %zero\nOpGraphSetOutputARM %i %zero %zero ; error: graph/body `%zero`",
        "OpGraphSetOutputARM %i %zero %two ; error: graph/body `%two`",
    ],
)
def test_elements_of_outputs(body: str) -> None:
    text = graph('OpGraphEntryPointARM %g "g" %many %many', body).replace("OpGraphARM %type", "OpGraphARM %type_many")
    check(text.replace("OpGraphInputARM %tensor %zero", "OpGraphInputARM %tensor %zero %one"), env="spv1.5")
