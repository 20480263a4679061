"""Rules of `tensor/cooperative_matrix_array`: cooperative matrices from and to arrays (SPV_QCOM_cooperative_matrix_conversion)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.cooperative_matrix import cooperative_matrix_module


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpBitCastArrayQCOM %four_floats %w",
        "%r = OpBitCastArrayQCOM %eight_words %w ; error: tensor/matrix-array-types-match `%w`",
        "%r = OpBitCastArrayQCOM %uint %w ; error: tensor/matrix-array-types-match `%uint`",
        "%r = OpExtractSubArrayQCOM %two_words %w %zero",
        "%r = OpExtractSubArrayQCOM %four_floats %w %zero ; error: tensor/matrix-array-types-match `%w`",
        "%r = OpExtractSubArrayQCOM %two_words %w %l ; error: tensor/matrix-array-types-match `%l`",
        "%r = OpCompositeConstructCoopMatQCOM %a16x8 %w8",
        "%r = OpCompositeConstructCoopMatQCOM %a16x8 %w ; error: tensor/array-fits-matrix `%w`",
        "%r = OpCompositeConstructCoopMatQCOM %a16x16 %w8 ; error: tensor/array-fits-matrix `%a16x16`",
        "%r = OpCompositeConstructCoopMatQCOM %float %w8 ; error: tensor/array-fits-matrix `%float`",
        "%r = OpCompositeExtractCoopMatQCOM %eight_words %a",
        "%r = OpCompositeExtractCoopMatQCOM %two_words %a ; error: tensor/array-fits-matrix `%two_words`",
        "%r = OpCompositeExtractCoopMatQCOM %eight_words %w ; error: tensor/array-fits-matrix `%w`",
    ],
)
def test_matrices_and_arrays(line: str) -> None:
    declarations = """
        %two_words = OpTypeArray %uint %two
        %four_words = OpTypeArray %uint %four
        %eight_words = OpTypeArray %uint %eight
        %four_floats = OpTypeArray %float %four
        %w = OpUndef %four_words
        %w8 = OpUndef %eight_words
    """
    text = cooperative_matrix_module(
        line,
        declarations=declarations,
        capabilities="CooperativeMatrixConversionQCOM",
        extensions="SPV_QCOM_cooperative_matrix_conversion",
    )
    check(text, env="spv1.6")
