"""Rules of `pointer/variable_pointer`: variable pointers: what they may point to."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

TARGETS = """
    %floats = OpTypeRuntimeArray %uint
    %open = OpTypeStruct %floats
    %to_open = OpTypePointer StorageBuffer %open
    %matrices = OpTypeStruct %mat2x2
    %to_matrix = OpTypePointer StorageBuffer %mat2x2
    %to_matrices = OpTypePointer StorageBuffer %matrices
    %x = OpVariable %to_open StorageBuffer
    %y = OpVariable %to_matrices StorageBuffer
    %no_open = OpConstantNull %to_open
"""
TARGET_LAYOUT = """
    OpDecorate %open Block
    OpMemberDecorate %open 0 Offset 0
    OpDecorate %floats ArrayStride 4
    OpDecorate %matrices Block
    OpMemberDecorate %matrices 0 Offset 0
    OpMemberDecorate %matrices 0 MatrixStride 8
    OpMemberDecorate %matrices 0 ColMajor
"""


@pytest.mark.parametrize(
    "lines",
    [
        "%r = OpArrayLength %uint %x 0",
        "%s = OpSelect %to_open %b %x %no_open\n%r = OpArrayLength %uint %s 0 ; error: pointer/variable-pointer-target-is-permitted `%s`",
        "%m = OpAccessChain %to_matrix %y %zero\n%s = OpSelect %to_matrix %b %m %m ; error: pointer/variable-pointer-target-is-permitted `%to_matrix`",
    ],
)
def test_targets(lines: str) -> None:
    text = shader(lines, TARGETS, capabilities="VariablePointersStorageBuffer", annotations=TARGET_LAYOUT)
    check(text, env="spv1.3")


def test_null_points_to_no_matrix() -> None:
    lines = TARGETS + "%null = OpConstantNull %to_matrix ; error: pointer/null-pointer-target-is-permitted `%to_matrix`"
    check(shader("", lines, capabilities="VariablePointersStorageBuffer", annotations=TARGET_LAYOUT), env="spv1.3")
