"""Rules of `tensor/tensor_addressing`: tensor layouts and views (NV)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%y = OpTensorLayoutSetStrideNV %layout %x %u %u",
        "%y = OpTensorLayoutSliceNV %layout %x %u %u %u %u",
        "%y = OpTensorLayoutSetStrideNV %layout %x %u ; error: tensor/addressing-operands-match-dimensions",
        "%y = OpTensorLayoutSetStrideNV %layout %x %u %f ; error: tensor/addressing-operands-match-dimensions `%f`",
        "%y = OpTensorLayoutSetStrideNV %view %x %u %u ; error: tensor/addressing-keeps-type `%view`",
        "%y = OpTensorViewSetClipNV %view %v %u %u %u %u",
        "%y = OpTensorViewSetStrideNV %view %x %u %u ; error: tensor/addressing-keeps-type `%x`",
        "%y = OpCreateTensorViewNV %layout ; error: tensor/addressing-keeps-type `%layout`",
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
        "%t = OpTypeTensorLayoutNV %six %zero ; error: tensor/layout-has-1-to-5-dimensions `%six`",
        "%t = OpTypeTensorLayoutNV %two %six ; error: tensor/layout-has-1-to-5-dimensions `%six`",
        "%t = OpTypeTensorViewNV %two %true %zero ; error: tensor/layout-has-1-to-5-dimensions",
        "%t = OpTypeTensorViewNV %two %true %one %one ; error: tensor/layout-has-1-to-5-dimensions",
        "%t = OpTypeTensorViewNV %two %two %one %zero ; error: tensor/layout-has-1-to-5-dimensions `%two`",
    ],
)
def test_types_of_layouts_and_views(line: str) -> None:
    lines = f"%six = OpConstant %uint 6\n{line}"
    check(shader("", lines, capabilities="TensorAddressingNV", extensions="SPV_NV_tensor_addressing"), env="spv1.5")
