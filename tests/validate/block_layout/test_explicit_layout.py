"""Rules of `block_layout/explicit_layout`: explicit layout: offsets and strides where a storage class wants them, and none where it does not."""

from __future__ import annotations

import pytest

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.report import diagnostics
from tests.validate.check import check
from tests.validate.sources.block_layout import (
    BLOCK_LAYOUT_BLOCK,
    BLOCK_LAYOUT_HEAD,
    BLOCK_LAYOUT_MAIN,
    BLOCK_LAYOUT_TYPES,
    block_layout_buffer,
    block_layout_offsets,
)

_LAYOUT = "block-layout/layout-follows-storage-class"
_MATRIX = "OpMemberDecorate %block 0 ColMajor\nOpMemberDecorate %block 0 MatrixStride 16\n"
_STRIDE = "OpDecorate %array ArrayStride 16\n"


@pytest.mark.parametrize(
    ("decorations", "members", "options"),
    [
        (block_layout_offsets(0, 16), "%float %vec4", {}),
        (block_layout_offsets(0, 4), "%float %vec4", {"scalar_block_layout": True}),
        (block_layout_offsets(0, 4), "%float %vec2", {"relax_block_layout": True}),
        (block_layout_offsets(16, 0), "%float %vec4", {}),
        (block_layout_offsets(0) + _MATRIX, "%mat", {}),
        (block_layout_offsets(0, 64) + _STRIDE, "%array %float", {}),
        (block_layout_offsets(0) + _STRIDE.replace("16", "4"), "%array", {"uniform_buffer_standard_layout": True}),
        ("", "%float %vec4", {"skip_block_layout": True}),
    ],
)
def test_laid_out(decorations: str, members: str, options: dict[str, bool]) -> None:
    check(block_layout_buffer(decorations, members), env="vulkan1.0", options=options)


@pytest.mark.parametrize(
    ("decorations", "members", "underlined"),
    [
        (block_layout_offsets(0), "%float %vec4", "%vec4"),
        (block_layout_offsets(0, 4), "%float %vec4", "%vec4"),
        (block_layout_offsets(0, 0), "%float %uint", "%uint"),
        (block_layout_offsets(0), "%mat", "%mat"),
        (block_layout_offsets(0) + "OpMemberDecorate %block 0 ColMajor\n", "%mat", "%mat"),
    ],
)
def test_badly_laid_out(decorations: str, members: str, underlined: str) -> None:
    check(block_layout_buffer(decorations, members, rule=f"{_LAYOUT} `{underlined}`"), env="vulkan1.0")


def test_relaxed_layout_lets_no_vector_straddle() -> None:
    text = block_layout_buffer(block_layout_offsets(0, 12), "%float %vec2", "PushConstant", rule=f"{_LAYOUT} `%vec2`")
    text = text.replace("OpDecorate %var DescriptorSet 0\nOpDecorate %var Binding 0\n", "")
    check(text, env="vulkan1.1")


@pytest.mark.parametrize("stride", ["", _STRIDE.replace("16", "8"), _STRIDE.replace("16", "0")])
def test_stride(stride: str) -> None:
    check(block_layout_buffer(block_layout_offsets(0) + stride, "%array", array=_LAYOUT), env="vulkan1.0")


def test_matrix_stride() -> None:
    text = block_layout_buffer(block_layout_offsets(0) + _MATRIX.replace("16", "12"), "%mat")
    check(text.replace("%vec3 3\n", f"%vec3 3 ; error: {_LAYOUT}\n"), env="vulkan1.0")


def test_a_better_offset_is_offered() -> None:
    found = check(block_layout_buffer(block_layout_offsets(0, 4), "%float %vec4", rule=_LAYOUT), env="vulkan1.0")
    assert [(fix.title, [edit.text for edit in fix.edits]) for fix in found[0].fixes] == [
        ("Place the member at 16", ["16"]),
        ("Lay %block out by the extended (std140) rules", ["16"]),
    ]


def test_each_structure_is_blamed_once() -> None:
    text = block_layout_buffer(block_layout_offsets(0, 4), "%float %vec4", rule=_LAYOUT)
    text = text.replace("OpDecorate %var", "OpDecorate %two DescriptorSet 0\nOpDecorate %two Binding 1\nOpDecorate %var", 1)
    check(text.replace("%var = OpVariable", "%two = OpVariable %ptr Uniform\n%var = OpVariable"), env="vulkan1.0")


_LOCAL = f"{BLOCK_LAYOUT_HEAD}OpDecorate %array ArrayStride 16\n{BLOCK_LAYOUT_TYPES}%ptr = OpTypePointer Workgroup %array\n"


def test_memory_without_layout() -> None:
    plain = _LOCAL.replace("OpDecorate %array ArrayStride 16", "")
    check(plain + f"%var = OpVariable %ptr Workgroup\n{BLOCK_LAYOUT_MAIN}", env="vulkan1.0")
    wrong = "%var = OpVariable %ptr Workgroup ; error: block-layout/layout-is-absent-outside-buffers `%ptr`\n"
    check(_LOCAL + wrong + BLOCK_LAYOUT_MAIN, env="vulkan1.0")


_POINTERS = f"""
OpCapability Shader
OpCapability PhysicalStorageBufferAddresses
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
OpDecorate %block Block
{BLOCK_LAYOUT_TYPES}
%block = OpTypeStruct %float
%ptr = OpTypePointer PhysicalStorageBuffer %block
"""


def test_physical_pointers_by_what_has_them() -> None:
    check(_POINTERS + BLOCK_LAYOUT_MAIN, env="vulkan1.3")
    wrong = _POINTERS.replace("OpTypeStruct %float", f"OpTypeStruct %float ; error: {_LAYOUT} `%float`")
    null = "%null = OpUndef %ptr\n"
    check(wrong + null + BLOCK_LAYOUT_MAIN, env="vulkan1.3")
    placed = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0"
    check(_POINTERS.replace("OpDecorate %block Block", placed) + null + BLOCK_LAYOUT_MAIN, env="vulkan1.3")


def test_physical_pointers_under_edits() -> None:
    target = environment("vulkan1.3")
    document = Document(_POINTERS + BLOCK_LAYOUT_MAIN)
    checker = Checker(Module(document.chunks, target))
    assert diagnostics(checker, document) == []
    line = next(at for at, text in enumerate(document.lines) if text.startswith("%entry"))
    use = Range(Position(line + 1, 0), Position(line + 1, 0))
    checker.update(document.edit([(use, "%value = OpUndef %ptr\n")]))
    assert [found.rule for found in diagnostics(checker, document)] == [_LAYOUT]
    checker.update(document.edit([(Range(Position(line + 1, 0), Position(line + 2, 0)), "")]))
    assert diagnostics(checker, document) == []


def test_untyped_pointers() -> None:
    def text(offset: int, error: str) -> str:
        return (
            'OpCapability Shader\nOpCapability UntypedPointersKHR\nOpExtension "SPV_KHR_untyped_pointers"\n'
            'OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main "main"\nOpExecutionMode %main OriginUpperLeft\n'
            f"{BLOCK_LAYOUT_BLOCK}OpMemberDecorate %other 0 Offset {offset}\nOpMemberDecorate %block 0 Offset 0\n{BLOCK_LAYOUT_TYPES}"
            f"%block = OpTypeStruct %vec4\n%other = OpTypeStruct %float {error}\n"
            "%ptr = OpTypeUntypedPointerKHR StorageBuffer\n%var = OpUntypedVariableKHR %ptr StorageBuffer %block\n"
            "%zero = OpConstant %uint 0\n%main = OpFunction %void None %fn\n%entry = OpLabel\n"
            "%to = OpUntypedAccessChainKHR %ptr %other %var %zero\n%x = OpLoad %float %to\nOpReturn\nOpFunctionEnd\n"
        )

    check(text(4, ""), env="vulkan1.2")
    check(text(6, f"; error: {_LAYOUT} `%float`"), env="vulkan1.2")
