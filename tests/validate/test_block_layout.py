"""Explicit layout, blocks and what interfaces may hold."""

from __future__ import annotations

import pytest

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.checker import Checker
from spvls.validate.report import diagnostics
from tests.validate.check import check

_HEAD = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
"""

_TYPES = """
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%n = OpConstant %uint 4
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%mat = OpTypeMatrix %vec3 3
%array = OpTypeArray %float %n
"""

_BLOCK = """
OpDecorate %block Block
OpDecorate %var DescriptorSet 0
OpDecorate %var Binding 0
"""

_MAIN = """
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def _buffer(decorations: str, members: str, storage: str = "Uniform", rule: str = "", array: str = "") -> str:
    block = f"; error: {rule}" if rule else ""
    inner = f"; error: {array}" if array else ""
    types = _TYPES.replace("%float %n", f"%float %n {inner}")
    return (
        f"{_HEAD}{_BLOCK}{decorations}{types}%block = OpTypeStruct {members} {block}\n"
        f"%ptr = OpTypePointer {storage} %block\n%var = OpVariable %ptr {storage}\n{_MAIN}"
    )


def _offsets(*offsets: int) -> str:
    return "".join(f"OpMemberDecorate %block {at} Offset {offset}\n" for at, offset in enumerate(offsets))


_LAYOUT = "memory/explicit-layout"
_MATRIX = "OpMemberDecorate %block 0 ColMajor\nOpMemberDecorate %block 0 MatrixStride 16\n"
_STRIDE = "OpDecorate %array ArrayStride 16\n"


@pytest.mark.parametrize(
    ("decorations", "members", "options"),
    [
        (_offsets(0, 16), "%float %vec4", {}),
        (_offsets(0, 4), "%float %vec4", {"scalar_block_layout": True}),
        (_offsets(0, 4), "%float %vec2", {"relax_block_layout": True}),
        (_offsets(16, 0), "%float %vec4", {}),
        (_offsets(0) + _MATRIX, "%mat", {}),
        (_offsets(0, 64) + _STRIDE, "%array %float", {}),
        (_offsets(0) + _STRIDE.replace("16", "4"), "%array", {"uniform_buffer_standard_layout": True}),
        ("", "%float %vec4", {"skip_block_layout": True}),
    ],
)
def test_laid_out(decorations: str, members: str, options: dict[str, bool]) -> None:
    check(_buffer(decorations, members), env="vulkan1.0", options=options)


@pytest.mark.parametrize(
    ("decorations", "members", "underlined"),
    [
        (_offsets(0), "%float %vec4", "%vec4"),
        (_offsets(0, 4), "%float %vec4", "%vec4"),
        (_offsets(0, 0), "%float %uint", "%uint"),
        (_offsets(0), "%mat", "%mat"),
        (_offsets(0) + "OpMemberDecorate %block 0 ColMajor\n", "%mat", "%mat"),
    ],
)
def test_badly_laid_out(decorations: str, members: str, underlined: str) -> None:
    check(_buffer(decorations, members, rule=f"{_LAYOUT} `{underlined}`"), env="vulkan1.0")


def test_relaxed_layout_lets_no_vector_straddle() -> None:
    text = _buffer(_offsets(0, 12), "%float %vec2", "PushConstant", rule=f"{_LAYOUT} `%vec2`")
    text = text.replace("OpDecorate %var DescriptorSet 0\nOpDecorate %var Binding 0\n", "")
    check(text, env="vulkan1.1")


@pytest.mark.parametrize("stride", ["", _STRIDE.replace("16", "8"), _STRIDE.replace("16", "0")])
def test_stride(stride: str) -> None:
    check(_buffer(_offsets(0) + stride, "%array", array=_LAYOUT), env="vulkan1.0")


def test_matrix_stride() -> None:
    text = _buffer(_offsets(0) + _MATRIX.replace("16", "12"), "%mat")
    check(text.replace("%vec3 3\n", f"%vec3 3 ; error: {_LAYOUT}\n"), env="vulkan1.0")


def test_a_better_offset_is_offered() -> None:
    found = check(_buffer(_offsets(0, 4), "%float %vec4", rule=_LAYOUT), env="vulkan1.0")
    assert [(fix.title, [edit.text for edit in fix.edits]) for fix in found[0].fixes] == [
        ("Place the member at 16", ["16"]),
        ("Lay %block out by the extended (std140) rules", ["16"]),
    ]


def test_each_structure_is_blamed_once() -> None:
    text = _buffer(_offsets(0, 4), "%float %vec4", rule=_LAYOUT)
    text = text.replace("OpDecorate %var", "OpDecorate %two DescriptorSet 0\nOpDecorate %two Binding 1\nOpDecorate %var", 1)
    check(text.replace("%var = OpVariable", "%two = OpVariable %ptr Uniform\n%var = OpVariable"), env="vulkan1.0")


_LOCAL = f"{_HEAD}OpDecorate %array ArrayStride 16\n{_TYPES}%ptr = OpTypePointer Workgroup %array\n"


def test_memory_without_layout() -> None:
    plain = _LOCAL.replace("OpDecorate %array ArrayStride 16", "")
    check(plain + f"%var = OpVariable %ptr Workgroup\n{_MAIN}", env="vulkan1.0")
    wrong = "%var = OpVariable %ptr Workgroup ; error: memory/no-explicit-layout `%ptr`\n"
    check(_LOCAL + wrong + _MAIN, env="vulkan1.0")


@pytest.mark.parametrize("storage", ["Uniform", "StorageBuffer"])
def test_block_decoration(storage: str) -> None:
    text = _buffer(_offsets(0), "%vec4", storage, rule="vulkan/block-decorated `%block`")
    check(text.replace("OpDecorate %block Block\n", ""), env="vulkan1.1")
    check(_buffer(_offsets(0), "%vec4", storage), env="vulkan1.1")


def test_buffer_block_in_storage_buffer() -> None:
    text = _buffer(_offsets(0), "%vec4", "StorageBuffer").replace("Block\n", "BufferBlock\n", 1)
    text = text.replace("%ptr StorageBuffer", "%ptr StorageBuffer ; error: vulkan/block-decorated `%ptr`")
    check(text, env="vulkan1.1")


def test_vector_of_specialized_length() -> None:
    def text(constant: str, error: str) -> str:
        text = _buffer(_offsets(0), "%long").replace("OpMemoryModel", 'OpExtension "SPV_EXT_long_vector"\nOpMemoryModel')
        text = text.replace("OpCapability Shader", "OpCapability Shader\nOpCapability LongVectorEXT")
        vector = f"%length = {constant} %uint 8\n%long = OpTypeVectorIdEXT %float %length\n%block ="
        return text.replace("%block =", vector, 1).replace("%ptr Uniform", f"%ptr Uniform {error}")

    check(text("OpConstant", ""), env="vulkan1.0")
    check(text("OpSpecConstant", "; error: vulkan/long-vector-layout `%ptr`"), env="vulkan1.0")


_POINTERS = f"""
OpCapability Shader
OpCapability PhysicalStorageBufferAddresses
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
OpDecorate %block Block
{_TYPES}
%block = OpTypeStruct %float
%ptr = OpTypePointer PhysicalStorageBuffer %block
"""


def test_physical_pointers_by_what_has_them() -> None:
    check(_POINTERS + _MAIN, env="vulkan1.3")
    wrong = _POINTERS.replace("OpTypeStruct %float", f"OpTypeStruct %float ; error: {_LAYOUT} `%float`")
    null = "%null = OpUndef %ptr\n"
    check(wrong + null + _MAIN, env="vulkan1.3")
    placed = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0"
    check(_POINTERS.replace("OpDecorate %block Block", placed) + null + _MAIN, env="vulkan1.3")


def test_physical_pointers_under_edits() -> None:
    target = environment("vulkan1.3")
    document = Document(_POINTERS + _MAIN)
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
            f"{_BLOCK}OpMemberDecorate %other 0 Offset {offset}\nOpMemberDecorate %block 0 Offset 0\n{_TYPES}"
            f"%block = OpTypeStruct %vec4\n%other = OpTypeStruct %float {error}\n"
            "%ptr = OpTypeUntypedPointerKHR StorageBuffer\n%var = OpUntypedVariableKHR %ptr StorageBuffer %block\n"
            "%zero = OpConstant %uint 0\n%main = OpFunction %void None %fn\n%entry = OpLabel\n"
            "%to = OpUntypedAccessChainKHR %ptr %other %var %zero\n%x = OpLoad %float %to\nOpReturn\nOpFunctionEnd\n"
        )

    check(text(4, ""), env="vulkan1.2")
    check(text(6, f"; error: {_LAYOUT} `%float`"), env="vulkan1.2")
