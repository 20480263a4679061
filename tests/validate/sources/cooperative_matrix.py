"""Parts of modules for the tests of several subjects: cooperative matrix."""

from __future__ import annotations

from tests.validate.shaders import shader

COOPERATIVE_MATRIX_TYPES = """
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
COOPERATIVE_MATRIX_FUNCTIONS = """
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


def cooperative_matrix_module(
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
        COOPERATIVE_MATRIX_TYPES + declarations,
        capabilities=f"Float16 VulkanMemoryModel CooperativeMatrixKHR {capabilities}",
        extensions=f"SPV_KHR_cooperative_matrix {extensions}",
        memory_model="Vulkan",
        annotations=annotations,
        interface=interface,
        functions=COOPERATIVE_MATRIX_FUNCTIONS,
    )
