"""Comparing pointers, logical and variable pointers."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader

DECLARATIONS = """
    %block = OpTypeStruct %uint %uint
    %to_block = OpTypePointer StorageBuffer %block
    %to_uint = OpTypePointer StorageBuffer %uint
    %also_to_uint = OpTypePointer StorageBuffer %uint
    %shared = OpTypePointer Workgroup %uint
    %private = OpTypePointer Private %uint
    %x = OpVariable %to_block StorageBuffer
    %y = OpVariable %to_block StorageBuffer
    %w = OpVariable %shared Workgroup
    %v = OpVariable %private Private
    %other = OpVariable %private Private
"""
MEMBERS = """
    %m = OpAccessChain %to_uint %x %zero
    %n = OpAccessChain %to_uint %x %one
    %o = OpAccessChain %also_to_uint %x %one
    %k = OpAccessChain %to_uint %y %one
"""
LAYOUT = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset 4"


def pointers(line: str, capabilities: str = "VariablePointersStorageBuffer") -> str:
    return shader(MEMBERS + line, DECLARATIONS, capabilities=capabilities, annotations=LAYOUT, interface="%x %y %w %v %other")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpPtrEqual %bool %m %n",
        "%r = OpPtrDiff %int %m %n ; warning: opcode/OpPtrDiff/elements `%m`",
        "%r = OpPtrEqual %uint %m %n ; error: opcode/pointer-compare/types `%uint`",
        "%r = OpPtrDiff %bool %m %n ; error: opcode/pointer-compare/types `%bool`",
        "%r = OpPtrEqual %bool %m %o ; error: opcode/pointer-compare/types `%o`",
        "%r = OpPtrEqual %bool %m %u ; error: opcode/pointer-compare/types `%u`",
        "%r = OpPtrEqual %bool %w %w ; error: pointer/vp-compare-classes `%w`",
        "%r = OpPtrEqual %bool %v %v ; error: pointer/vp-compare-classes `%v`",
    ],
)
def test_comparisons(line: str) -> None:
    check(pointers(line), env="spv1.4")


def test_addresses_are_not_compared() -> None:
    declarations = "%p = OpTypePointer PhysicalStorageBuffer %uint\n%q = OpUndef %p"
    line = "%r = OpPtrEqual %bool %q %q ; error: pointer/vp-compare-classes `%q`"
    text = shader(line, declarations, capabilities="PhysicalStorageBufferAddresses VariablePointers")
    check(text.replace("Logical", "PhysicalStorageBuffer64"), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpSelect %to_uint %b %m %n",
        "%r = OpSelect %private %b %v %other ; error: pointer/logical-operand-whitelist `%v`",
        "%r = OpSelect %shared %b %w %w ; error: pointer/logical-operand-whitelist `%w`",
        "%r = OpSelect %to_uint %b %m %k ; error: pointer/vp-same-structure",
    ],
)
def test_selections(line: str) -> None:
    check(pointers(line), env="spv1.4")


def test_all_variable_pointers_choose_between_variables() -> None:
    check(pointers("%r = OpSelect %to_uint %b %m %k", "VariablePointers"), env="spv1.4")


@pytest.mark.parametrize(
    ("line", "capabilities"),
    [
        ("%null = OpConstantNull %to_uint", "VariablePointersStorageBuffer"),
        ("%null = OpConstantNull %to_uint ; error: pointer/logical-result-whitelist `%to_uint`", ""),
        ("%null = OpConstantNull %private ; error: pointer/logical-result-whitelist `%private`", "VariablePointers"),
    ],
)
def test_null_pointers(line: str, capabilities: str) -> None:
    check(shader("", DECLARATIONS + line, capabilities=capabilities, annotations=LAYOUT), env="spv1.3")


def test_casts_are_not_for_logical_pointers() -> None:
    line = "%r = OpBitcast %private %v ; error: pointer/logical-operand-whitelist `%v`"
    check(shader(line, DECLARATIONS, annotations=LAYOUT), env="spv1.3")
    lines = "%p = OpTypePointer Function %uint\n%q = OpTypePointer Function %float"
    check(kernel("%v = OpVariable %p Function\n%r = OpBitcast %q %v", lines, capabilities="Int64"))


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
        "%s = OpSelect %to_open %b %x %no_open\n%r = OpArrayLength %uint %s 0 ; error: pointer/vp-target `%s`",
        "%m = OpAccessChain %to_matrix %y %zero\n%s = OpSelect %to_matrix %b %m %m ; error: pointer/vp-target `%to_matrix`",
    ],
)
def test_targets(lines: str) -> None:
    text = shader(lines, TARGETS, capabilities="VariablePointersStorageBuffer", annotations=TARGET_LAYOUT)
    check(text, env="spv1.3")


def test_null_points_to_no_matrix() -> None:
    lines = TARGETS + "%null = OpConstantNull %to_matrix ; error: pointer/vp-null-target `%to_matrix`"
    check(shader("", lines, capabilities="VariablePointersStorageBuffer", annotations=TARGET_LAYOUT), env="spv1.3")
