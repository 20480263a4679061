"""Variable pointers into matrices."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

DECLARATIONS = """
    %block = OpTypeStruct %mat2x2 %vec2
    %stored_block = OpTypePointer StorageBuffer %block
    %stored_vec2 = OpTypePointer StorageBuffer %vec2
    %buffer = OpVariable %stored_block StorageBuffer
    %null = OpConstantNull %stored_vec2
    %takes = OpTypeFunction %void %stored_vec2
"""
ANNOTATIONS = """
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpMemberDecorate %block 0 ColMajor
    OpMemberDecorate %block 0 MatrixStride 8
    OpMemberDecorate %block 1 Offset 16
"""
SELECTS = """
    %select = OpFunction %void None %takes
    %taken = OpFunctionParameter %stored_vec2
    %select_entry = OpLabel
    %selected = OpSelect %stored_vec2 %true %taken %null
    OpReturn
    OpFunctionEnd
"""


@pytest.mark.parametrize(
    "body",
    [
        """
        %column = OpAccessChain %stored_vec2 %buffer %zero %one
        %loaded = OpLoad %vec2 %column
        """,
        """
        %column = OpAccessChain %stored_vec2 %buffer %zero %one ; error: pointer/variable-pointer-avoids-matrix-parts
        %p = OpSelect %stored_vec2 %true %column %null
        """,
        """
        %vector = OpAccessChain %stored_vec2 %buffer %one
        %p = OpSelect %stored_vec2 %true %vector %null
        """,
        """
        %column = OpAccessChain %stored_vec2 %buffer %zero %one ; error: pointer/variable-pointer-avoids-matrix-parts
        %called = OpFunctionCall %void %select %column
        """,
        """
        %vector = OpAccessChain %stored_vec2 %buffer %one
        %called = OpFunctionCall %void %select %vector
        """,
    ],
)
def test_columns(body: str) -> None:
    text = shader(
        body,
        DECLARATIONS,
        capabilities="VariablePointersStorageBuffer",
        annotations=ANNOTATIONS,
        functions=SELECTS,
    )
    check(text, env="spv1.3")
