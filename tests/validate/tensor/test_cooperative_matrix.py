"""Rules of `tensor/cooperative_matrix`: their arithmetic."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.cooperative_matrix import cooperative_matrix_module


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixMulAddKHR %c16x16 %a %bb %c",
        "%r = OpCooperativeMatrixMulAddKHR %c16x16 %a_square %bb %c ; error: tensor/multiply-add-shapes-match",
        "%r = OpCooperativeMatrixMulAddKHR %c16x16 %bb %bb %c ; error: tensor/multiply-add-shapes-match `%bb`",
        "%r = OpCooperativeMatrixMulAddKHR %c16x8 %a %bb %c ; error: tensor/multiply-add-shapes-match",
        "%r = OpCooperativeMatrixMulAddKHR %c16x16 %a %bb %c_shared ; error: tensor/multiply-add-shapes-match",
        "%r = OpCooperativeMatrixMulAddKHR %float %a %bb %c ; error: tensor/multiply-add-shapes-match `%float`",
    ],
)
def test_products(line: str) -> None:
    check(cooperative_matrix_module(line, capabilities="", extensions=""), env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixReduceNV %c16x8 %c Row %add",
        "%r = OpCooperativeMatrixReduceNV %c8x16 %c Row %add ; error: tensor/reduced-shapes-match `%c8x16`",
        "%r = OpCooperativeMatrixReduceNV %c8x16 %c Column %add",
        "%r = OpCooperativeMatrixReduceNV %c8x8 %c 2x2 %add",
        "%r = OpCooperativeMatrixReduceNV %c16x8 %c 2x2 %add ; error: tensor/reduced-shapes-match `%c16x8`",
        "%r = OpCooperativeMatrixReduceNV %h8x8 %c 2x2 %add ; error: tensor/reduced-shapes-match `%c`",
        "%r = OpCooperativeMatrixReduceNV %c16x8 %a Row %add ; error: tensor/reduced-shapes-match `%a`",
        "%r = OpCooperativeMatrixReduceNV %c16x8 %c Row %element ; error: tensor/reduced-shapes-match `%element`",
    ],
)
def test_reductions(line: str) -> None:
    text = cooperative_matrix_module(line, capabilities="CooperativeMatrixReductionsNV", extensions="SPV_NV_cooperative_matrix2")
    check(text, env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %element",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x8 %c %element ; error: tensor/per-element-function-matches `%c16x8`",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %add ; error: tensor/per-element-function-matches `%add`",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled %f",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled %c",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled ; error: tensor/per-element-function-matches `%scaled`",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled %u ; error: tensor/per-element-function-matches `%u`",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled %a ; error: tensor/per-element-function-matches `%a`",
    ],
)
def test_per_element(line: str) -> None:
    text = cooperative_matrix_module(line, capabilities="CooperativeMatrixPerElementOperationsNV", extensions="SPV_NV_cooperative_matrix2")
    check(text, env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixTransposeNV %b16x8 %c_wide",
        "%r = OpCooperativeMatrixTransposeNV %b8x16 %c_wide ; error: tensor/matrix-conversion-keeps-shape `%c_wide`",
        "%r = OpCooperativeMatrixTransposeNV %c16x8 %c_wide ; error: tensor/matrix-conversion-keeps-shape `%c16x8`",
        "%r = OpCooperativeMatrixConvertNV %a16x8 %c_tall",
        "%r = OpCooperativeMatrixConvertNV %a16x16 %c_tall ; error: tensor/matrix-conversion-keeps-shape `%c_tall`",
    ],
)
def test_conversions(line: str) -> None:
    text = cooperative_matrix_module(line, capabilities="CooperativeMatrixConversionsNV", extensions="SPV_NV_cooperative_matrix2")
    check(text, env="spv1.6")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%r = OpFConvert %h8x8 %small", ""),
        ("%r = OpFAdd %float %f %f", " ; error: tensor/transpose-decorates-conversion `%r`"),
    ],
)
def test_transposed_conversions(line: str, expected: str) -> None:
    text = cooperative_matrix_module(
        line,
        declarations="%small = OpUndef %c8x8",
        capabilities="CooperativeMatrixConversionsEXT",
        extensions="SPV_EXT_cooperative_matrix_maintenance1",
        annotations=f"OpDecorate %r CooperativeMatrixTransposeEXT{expected}",
    )
    check(text, env="spv1.6")
