"""Declarations of types: widths, sizes, what they are made of, and ids that are no types."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader


@pytest.mark.parametrize(
    ("line", "capabilities"),
    [
        ("%t = OpTypeInt 16 1", "Int16"),
        ("%t = OpTypeInt 16 1 ; error: type/int-width `16`", ""),
        ("%t = OpTypeInt 8 0 ; error: type/int-width `8`", "Int16"),
        ("%t = OpTypeInt 19 0 ; error: type/int-width `19`", ""),
        ("%t = OpTypeInt 64 2 ; error: opcode/OpTypeInt/signedness `2`", ""),
        ("%t = OpTypeFloat 64", "Float64"),
        ("%t = OpTypeFloat 64 ; error: type/float-width `64`", ""),
        ("%t = OpTypeFloat 48 ; error: type/float-width `48`", ""),
        ("%t = OpTypeVector %int 3", ""),
        ("%t = OpTypeVector %int 8 ; error: type/vector-size `8`", ""),
        ("%t = OpTypeVector %int 5 ; error: type/vector-size `5`", ""),
        ("%t = OpTypeVector %vec2 2 ; error: opcode/OpTypeVector/component-scalar `%vec2`", ""),
        ("%t = OpTypeMatrix %vec4 4", ""),
        ("%t = OpTypeMatrix %vec4 5 ; error: type/matrix-columns `5`", ""),
        ("%t = OpTypeMatrix %ivec2 2 ; error: opcode/OpTypeMatrix/column-vector `%ivec2`", ""),
        ("%t = OpTypeMatrix %float 2 ; error: opcode/OpTypeMatrix/column-vector `%float`", ""),
        ("%t = OpTypeInt 32 0 ; error: type/unique-non-aggregate `%t`", ""),
        ("%t = OpTypeArray %float %two", ""),
        ("%t = OpTypeArray %void %two ; error: opcode/OpTypeArray/element-not-void `%void`", ""),
        ("%t = OpTypeArray %float %zero ; error: opcode/OpTypeArray/length-min-1 `%zero`", ""),
        ("%t = OpTypeArray %float %true ; error: opcode/OpTypeArray/length-constant `%true`", ""),
        ("%t = OpTypeArray %float %u ; error: opcode/OpTypeArray/length-constant `%u`", ""),
        ("%t = OpTypeStruct %float %void ; error: opcode/OpTypeStruct/members-not-void `%void`", ""),
        ("%t = OpTypeStruct %float %t ; error: opcode/OpTypeStruct/forward-operand-pointer `%t`", ""),
        ("%t = OpTypeFunction %void %void ; error: opcode/OpTypeFunction/parameter-not-void", ""),
        ("%t = OpTypePointer Private %zero ; error: ssa/operand-is-type `%zero`", ""),
        ("%t = OpTypeArray %fn %two ; error: ssa/operand-is-type `%fn`", ""),
        ("%t = OpConstant %float 1", ""),
        ("%t = OpConstantNull %zero ; error: ssa/result-type-is-type `%zero`", ""),
    ],
)
def test_types(line: str, capabilities: str) -> None:
    check(shader("", line, capabilities=capabilities), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%t = OpTypeFloat 16 BFloat16KHR",
        "%t = OpTypeFloat 8 BFloat16KHR ; error: type/float-width `8`",
    ],
)
def test_encodings(line: str) -> None:
    check(shader("", line, capabilities="BFloat16TypeKHR", extensions="SPV_KHR_bfloat16"))


def test_kernels_have_no_signed_integers() -> None:
    lines = "%int = OpTypeInt 32 1 ; error: type/kernel-signedness-zero `1`\n%t = OpTypeVector %float 8"
    check(kernel("", lines, capabilities="Int64 Vector16"))


@pytest.mark.parametrize(
    "line",
    [
        "%t = OpTypeVectorIdEXT %float %four",
        "%t = OpTypeVectorIdEXT %float %true ; error: opcode/OpTypeVectorIdEXT/count-constant `%true`",
        "%t = OpTypeVectorIdEXT %float %zero ; error: opcode/OpTypeVectorIdEXT/count-constant `%zero`",
        "%t = OpTypeVector %float 7",
    ],
)
def test_long_vectors(line: str) -> None:
    check(shader("", line, capabilities="LongVectorEXT", extensions="SPV_EXT_long_vector"))


@pytest.mark.parametrize(
    "lines",
    [
        "OpTypeForwardPointer %p PhysicalStorageBuffer\n%s = OpTypeStruct %uint %p\n"
        "%p = OpTypePointer PhysicalStorageBuffer %s",
        "OpTypeForwardPointer %p StorageBuffer ; error: opcode/OpTypeForwardPointer/declared-later `StorageBuffer`\n"
        "%s = OpTypeStruct %uint %p\n%p = OpTypePointer PhysicalStorageBuffer %s",
        "OpTypeForwardPointer %p PhysicalStorageBuffer ; error: opcode/OpTypeForwardPointer/declared-later `%p`\n"
        "%s = OpTypeStruct %uint %p\n%p = OpTypePointer PhysicalStorageBuffer %uint",
        "%s = OpTypeStruct %uint %p ; error: opcode/OpTypeStruct/forward-operand-pointer `%p`\n"
        "%p = OpTypePointer PhysicalStorageBuffer %uint",
    ],
)
def test_forward_pointers(lines: str) -> None:
    text = shader("", lines, capabilities="PhysicalStorageBufferAddresses")
    check(text.replace("Logical", "PhysicalStorageBuffer64"), env="spv1.5")


def test_a_forward_pointer_takes_the_class_of_its_declaration() -> None:
    lines = (
        "OpTypeForwardPointer %p StorageBuffer ; error: opcode/OpTypeForwardPointer/declared-later\n"
        "%s = OpTypeStruct %uint %p\n%p = OpTypePointer PhysicalStorageBuffer %s"
    )
    text = shader("", lines, capabilities="PhysicalStorageBufferAddresses").replace("Logical", "PhysicalStorageBuffer64")
    [found] = check(text, env="spv1.5")
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["PhysicalStorageBuffer"]


@pytest.mark.parametrize(
    ("lines", "annotations"),
    [
        ("%s = OpTypeStruct %vec4 %float", "OpMemberDecorate %s 0 BuiltIn Position\nOpMemberDecorate %s 1 BuiltIn PointSize"),
        (
            "%s = OpTypeStruct %vec4 %float ; error: opcode/OpTypeStruct/builtin-members `%float`",
            "OpMemberDecorate %s 0 BuiltIn Position",
        ),
    ],
)
def test_members_are_all_built_in_or_none(lines: str, annotations: str) -> None:
    check(shader("", lines, annotations=f"OpDecorate %s Block\n{annotations}"))


@pytest.mark.parametrize(
    "lines",
    [
        "%a = OpTypeArray %float %two\n%t = OpTypeRuntimeArray %a",
        "%a = OpTypeRuntimeArray %float\n%t = OpTypeArray %a %two ; error: vulkan/runtime-array-in-array `%a`",
        "%a = OpTypeRuntimeArray %float\n%t = OpTypeStruct %a %uint ; error: vulkan/runtime-array-last-member `%a`",
        "%a = OpTypeRuntimeArray %float\n%t = OpTypeStruct %uint %a ; error: vulkan/runtime-array-last-member `%a`",
        "%i2d = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t = OpTypeStruct %i2d ; error: vulkan/struct-no-opaque `%i2d`",
    ],
)
def test_vulkan_types(lines: str) -> None:
    check(shader("", lines), env="vulkan1.2")


def test_forward_pointers_in_vulkan_are_physical() -> None:
    lines = (
        "OpTypeForwardPointer %p StorageBuffer ; error: vulkan/forward-pointer-class `StorageBuffer`\n"
        "%s = OpTypeStruct %uint\n%p = OpTypePointer StorageBuffer %s"
    )
    check(shader("", lines, capabilities="PhysicalStorageBufferAddresses"), env="vulkan1.2")


def test_untyped_pointers_in_vulkan_are_laid_out() -> None:
    text = (
        "%p = OpTypeUntypedPointerKHR StorageBuffer\n"
        "%q = OpTypeUntypedPointerKHR Private ; error: vulkan/untyped-pointer-class `Private`"
    )
    check(shader("", text, capabilities="UntypedPointersKHR", extensions="SPV_KHR_untyped_pointers"), env="vulkan1.2")


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("%t = OpTypeStruct %uint %uint %uint ; error: limit/struct-members `%t`", "max_struct_members"),
        ("%t = OpTypeFunction %void %uint %uint %uint ; error: limit/function-parameters `%uint`", "max_function_args"),
    ],
)
def test_limits(line: str, option: str) -> None:
    check(shader("", line), options={option: 2})
    check(shader("", line.partition(";")[0]), options={option: 3})


def test_structures_nest_only_so_deep() -> None:
    lines = (
        "%s1 = OpTypeStruct %uint\n%s2 = OpTypeStruct %s1\n%s3 = OpTypeStruct %s2 ; error: limit/struct-nesting `%s3`\n"
        "%s4 = OpTypeStruct %s3"
    )
    check(shader("", lines), options={"max_struct_depth": 2})


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpIAdd %uint %u %uint ; error: ssa/operand-is-value `%uint`",
        "%r = OpIAdd %uint %u %entry ; error: ssa/operand-is-value `%entry`",
        "%r = OpIAdd %uint %u %main ; error: ssa/operand-is-value `%main` ; error: arithmetic/integer `%main`",
        "%r = OpIAdd %uint %u %u",
    ],
)
def test_values(line: str) -> None:
    check(shader(line))


@pytest.mark.parametrize(
    "line",
    [
        "%t = OpTypeCooperativeMatrixKHR %float %three %four %four %zero",
        "%t = OpTypeCooperativeMatrixKHR %vec2 %three %four %four %zero ; error: "
        "opcode/OpTypeCooperativeMatrixKHR/operands `%vec2`",
        "%t = OpTypeCooperativeMatrixKHR %float %u %four %four %zero ; error: "
        "opcode/OpTypeCooperativeMatrixKHR/operands `%u`",
        "%t = OpTypeCooperativeMatrixKHR %float %three %true %four %zero ; error: "
        "opcode/OpTypeCooperativeMatrixKHR/operands `%true`",
    ],
)
def test_cooperative_matrices(line: str) -> None:
    text = shader("", line, capabilities="CooperativeMatrixKHR VulkanMemoryModel", memory_model="Vulkan",
                  extensions="SPV_KHR_cooperative_matrix")  # fmt: skip
    check(text, env="spv1.6")
