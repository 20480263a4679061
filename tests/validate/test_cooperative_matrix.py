"""Arithmetic, reductions and conversions of cooperative matrices."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

TYPES = """
    %half = OpTypeFloat 16
    %subgroup = OpConstant %uint 3
    %workgroup = OpConstant %uint 2
    %eight = OpConstant %uint 8
    %sixteen = OpConstant %uint 16
    %for_a = OpConstant %uint 0
    %for_b = OpConstant %uint 1
    %for_c = OpConstant %uint 2
    %a16x8 = OpTypeCooperativeMatrixKHR %float %subgroup %sixteen %eight %for_a
    %a16x16 = OpTypeCooperativeMatrixKHR %float %subgroup %sixteen %sixteen %for_a
    %b8x16 = OpTypeCooperativeMatrixKHR %float %subgroup %eight %sixteen %for_b
    %b16x8 = OpTypeCooperativeMatrixKHR %float %subgroup %sixteen %eight %for_b
    %c16x16 = OpTypeCooperativeMatrixKHR %float %subgroup %sixteen %sixteen %for_c
    %c16x8 = OpTypeCooperativeMatrixKHR %float %subgroup %sixteen %eight %for_c
    %c8x16 = OpTypeCooperativeMatrixKHR %float %subgroup %eight %sixteen %for_c
    %c8x8 = OpTypeCooperativeMatrixKHR %float %subgroup %eight %eight %for_c
    %h8x8 = OpTypeCooperativeMatrixKHR %half %subgroup %eight %eight %for_c
    %shared16x16 = OpTypeCooperativeMatrixKHR %float %workgroup %sixteen %sixteen %for_c
    %a = OpUndef %a16x8
    %a_square = OpUndef %a16x16
    %bb = OpUndef %b8x16
    %c = OpUndef %c16x16
    %c_tall = OpUndef %c16x8
    %c_wide = OpUndef %c8x16
    %c_shared = OpUndef %shared16x16
    %add_type = OpTypeFunction %float %float %float
    %element_type = OpTypeFunction %float %uint %uint %float
    %scaled_type = OpTypeFunction %float %uint %uint %float %float
"""
FUNCTIONS = """
    %add = OpFunction %float None %add_type
    %x = OpFunctionParameter %float
    %y = OpFunctionParameter %float
    %add_entry = OpLabel
    OpReturnValue %x
    OpFunctionEnd
    %element = OpFunction %float None %element_type
    %row = OpFunctionParameter %uint
    %column = OpFunctionParameter %uint
    %value = OpFunctionParameter %float
    %element_entry = OpLabel
    OpReturnValue %value
    OpFunctionEnd
    %scaled = OpFunction %float None %scaled_type
    %scaled_row = OpFunctionParameter %uint
    %scaled_column = OpFunctionParameter %uint
    %scaled_value = OpFunctionParameter %float
    %factor = OpFunctionParameter %float
    %scaled_entry = OpLabel
    OpReturnValue %factor
    OpFunctionEnd
"""


def matrices(
    line: str,
    *,
    capabilities: str,
    extensions: str,
    annotations: str = "",
    declarations: str = "",
    interface: str = "",
) -> str:
    return shader(
        line,
        TYPES + declarations,
        capabilities=f"Float16 VulkanMemoryModel CooperativeMatrixKHR {capabilities}",
        extensions=f"SPV_KHR_cooperative_matrix {extensions}",
        memory_model="Vulkan",
        annotations=annotations,
        interface=interface,
        functions=FUNCTIONS,
    )


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixMulAddKHR %c16x16 %a %bb %c",
        "%r = OpCooperativeMatrixMulAddKHR %c16x16 %a_square %bb %c ; error: cooperative-matrix/multiply-add",
        "%r = OpCooperativeMatrixMulAddKHR %c16x16 %bb %bb %c ; error: cooperative-matrix/multiply-add `%bb`",
        "%r = OpCooperativeMatrixMulAddKHR %c16x8 %a %bb %c ; error: cooperative-matrix/multiply-add",
        "%r = OpCooperativeMatrixMulAddKHR %c16x16 %a %bb %c_shared ; error: cooperative-matrix/multiply-add",
        "%r = OpCooperativeMatrixMulAddKHR %float %a %bb %c ; error: cooperative-matrix/multiply-add `%float`",
    ],
)
def test_products(line: str) -> None:
    check(matrices(line, capabilities="", extensions=""), env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixReduceNV %c16x8 %c Row %add",
        "%r = OpCooperativeMatrixReduceNV %c8x16 %c Row %add ; error: cooperative-matrix/reduce `%c8x16`",
        "%r = OpCooperativeMatrixReduceNV %c8x16 %c Column %add",
        "%r = OpCooperativeMatrixReduceNV %c8x8 %c 2x2 %add",
        "%r = OpCooperativeMatrixReduceNV %c16x8 %c 2x2 %add ; error: cooperative-matrix/reduce `%c16x8`",
        "%r = OpCooperativeMatrixReduceNV %h8x8 %c 2x2 %add ; error: cooperative-matrix/reduce `%c`",
        "%r = OpCooperativeMatrixReduceNV %c16x8 %a Row %add ; error: cooperative-matrix/reduce `%a`",
        "%r = OpCooperativeMatrixReduceNV %c16x8 %c Row %element ; error: cooperative-matrix/reduce `%element`",
    ],
)
def test_reductions(line: str) -> None:
    text = matrices(line, capabilities="CooperativeMatrixReductionsNV", extensions="SPV_NV_cooperative_matrix2")
    check(text, env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %element",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x8 %c %element ; error: cooperative-matrix/per-element `%c16x8`",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %add ; error: cooperative-matrix/per-element `%add`",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled %f",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled %c",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled ; error: cooperative-matrix/per-element `%scaled`",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled %u ; error: cooperative-matrix/per-element `%u`",
        "%r = OpCooperativeMatrixPerElementOpNV %c16x16 %c %scaled %a ; error: cooperative-matrix/per-element `%a`",
    ],
)
def test_per_element(line: str) -> None:
    text = matrices(line, capabilities="CooperativeMatrixPerElementOperationsNV", extensions="SPV_NV_cooperative_matrix2")
    check(text, env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixTransposeNV %b16x8 %c_wide",
        "%r = OpCooperativeMatrixTransposeNV %b8x16 %c_wide ; error: cooperative-matrix/conversion `%c_wide`",
        "%r = OpCooperativeMatrixTransposeNV %c16x8 %c_wide ; error: cooperative-matrix/conversion `%c16x8`",
        "%r = OpCooperativeMatrixConvertNV %a16x8 %c_tall",
        "%r = OpCooperativeMatrixConvertNV %a16x16 %c_tall ; error: cooperative-matrix/conversion `%c_tall`",
    ],
)
def test_conversions(line: str) -> None:
    text = matrices(line, capabilities="CooperativeMatrixConversionsNV", extensions="SPV_NV_cooperative_matrix2")
    check(text, env="spv1.6")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%r = OpFConvert %h8x8 %small", ""),
        ("%r = OpFAdd %float %f %f", " ; error: decoration/cooperative-matrix-transpose `%r`"),
    ],
)
def test_transposed_conversions(line: str, expected: str) -> None:
    text = matrices(
        line,
        declarations="%small = OpUndef %c8x8",
        capabilities="CooperativeMatrixConversionsEXT",
        extensions="SPV_EXT_cooperative_matrix_maintenance1",
        annotations=f"OpDecorate %r CooperativeMatrixTransposeEXT{expected}",
    )
    check(text, env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixLoadKHR %c16x16 %start %blocked %four",
        "%r = OpCooperativeMatrixLoadKHR %c16x16 %start %blocked %eight ; error: cooperative-matrix/blocked-stride `%eight`",
        "%r = OpCooperativeMatrixLoadKHR %c16x16 %start %by_row %eight",
        "OpCooperativeMatrixStoreKHR %start %c %blocked %three ; error: cooperative-matrix/blocked-stride `%three`",
    ],
)
def test_blocked_layouts(line: str) -> None:
    declarations = """
        %by_row = OpConstant %uint 0
        %blocked = OpConstant %uint 4202
        %words = OpTypeArray %float %sixteen
        %shared_words = OpTypePointer Workgroup %words
        %shared_word = OpTypePointer Workgroup %float
        %memory = OpVariable %shared_words Workgroup
    """
    text = matrices(
        f"%start = OpAccessChain %shared_word %memory %zero\n{line}",
        declarations=declarations,
        interface="%memory",
        capabilities="CooperativeMatrixLayoutsARM",
        extensions="SPV_ARM_cooperative_matrix_layouts",
    )
    check(text, env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpBitCastArrayQCOM %four_floats %w",
        "%r = OpBitCastArrayQCOM %eight_words %w ; error: cooperative-matrix/arrays `%w`",
        "%r = OpBitCastArrayQCOM %uint %w ; error: cooperative-matrix/arrays `%uint`",
        "%r = OpExtractSubArrayQCOM %two_words %w %zero",
        "%r = OpExtractSubArrayQCOM %four_floats %w %zero ; error: cooperative-matrix/arrays `%w`",
        "%r = OpExtractSubArrayQCOM %two_words %w %l ; error: cooperative-matrix/arrays `%l`",
        "%r = OpCompositeConstructCoopMatQCOM %a16x8 %w8",
        "%r = OpCompositeConstructCoopMatQCOM %a16x8 %w ; error: cooperative-matrix/from-array `%w`",
        "%r = OpCompositeConstructCoopMatQCOM %a16x16 %w8 ; error: cooperative-matrix/from-array `%a16x16`",
        "%r = OpCompositeConstructCoopMatQCOM %float %w8 ; error: cooperative-matrix/from-array `%float`",
        "%r = OpCompositeExtractCoopMatQCOM %eight_words %a",
        "%r = OpCompositeExtractCoopMatQCOM %two_words %a ; error: cooperative-matrix/from-array `%two_words`",
        "%r = OpCompositeExtractCoopMatQCOM %eight_words %w ; error: cooperative-matrix/from-array `%w`",
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
    text = matrices(
        line,
        declarations=declarations,
        capabilities="CooperativeMatrixConversionQCOM",
        extensions="SPV_QCOM_cooperative_matrix_conversion",
    )
    check(text, env="spv1.6")
