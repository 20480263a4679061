"""Rules of `tensor/tensor`: tensors: their types, and reading and writing them (SPV_ARM_tensors)."""

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
        "%s = OpTypeTensorARM %vec2 %two ; error: tensor/tensor-shape-matches-rank `%vec2`",
        "%s = OpTypeTensorARM %float %zero ; error: tensor/tensor-shape-matches-rank `%zero`",
        "%s = OpTypeTensorARM %float %u ; error: tensor/tensor-shape-matches-rank `%u`",
        "%s = OpTypeTensorARM %float %true ; error: tensor/tensor-shape-matches-rank `%true`",
        "%s = OpTypeTensorARM %float %two %three_shape ; error: tensor/tensor-shape-matches-rank `%three_shape`",
        "%s = OpTypeTensorARM %float %two %no_shape ; error: tensor/tensor-shape-matches-rank `%no_shape`",
    ],
)
def test_types(line: str) -> None:
    check(tensors("", line), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpTensorReadARM %float %t %at",
        "%r = OpTensorReadARM %floats %t %at",
        "%r = OpTensorReadARM %float %t0 %at ; error: tensor/accessed-tensor-has-rank `%t0`",
        "%r = OpTensorReadARM %vec2 %t %at ; error: tensor/access-matches-tensor `%vec2`",
        "%r = OpTensorReadARM %uint %t %at ; error: tensor/access-matches-tensor `%uint`",
        "%r = OpTensorReadARM %float %t %at3 ; error: tensor/access-matches-tensor `%at3`",
        "%r = OpTensorReadARM %float %t %at OutOfBoundsValueARM %f",
        "%r = OpTensorReadARM %float %t %at OutOfBoundsValueARM %u ; error: tensor/tensor-operands-fit-access `%u`",
        "%r = OpTensorReadARM %float %t %at MakeElementVisibleARM|NonPrivateElementARM %two",
        "%r = OpTensorReadARM %float %t %at MakeElementVisibleARM %two ; error: tensor/tensor-operands-fit-access `MakeElementVisibleARM`",
        "OpTensorWriteARM %t %at %f",
        "OpTensorWriteARM %t %at %u ; error: tensor/access-matches-tensor `%u`",
        "OpTensorWriteARM %t %at %f MakeElementVisibleARM|NonPrivateElementARM %two ; error: tensor/tensor-operands-fit-access",
        "%r = OpTensorQuerySizeARM %uint %t %one",
        "%r = OpTensorQuerySizeARM %uint %t %two ; error: tensor/queried-dimension-exists `%two`",
        "%r = OpTensorQuerySizeARM %float %t %one ; error: tensor/queried-dimension-exists `%float`",
        "%r = OpTensorQuerySizeARM %uint %t %u ; error: tensor/queried-dimension-exists `%u`",
    ],
)
def test_access(line: str) -> None:
    check(tensors(line), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantComposite %shaped %row %row",
        "%k = OpConstantComposite %shaped %row %c ; error: tensor/constant-tensor-matches-shape `%c`",
        "%k = OpConstantComposite %shaped %row ; error: constant/constituent-count-matches-type",
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
