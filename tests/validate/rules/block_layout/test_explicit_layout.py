"""Rules of `block_layout/explicit_layout`: explicit layout: offsets and strides where a storage class wants them, and none where it does not."""

from __future__ import annotations

import spvls
from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.report import diagnostics
from tests.validate.sources.block_layout import (
    BLOCK_LAYOUT_MAIN,
    BLOCK_LAYOUT_TYPES,
    block_layout_buffer,
    block_layout_offsets,
)

_LAYOUT = "block-layout/layout-follows-storage-class"


def test_a_better_offset_is_offered() -> None:
    found = spvls.validate(block_layout_buffer(block_layout_offsets(0, 4), "%float %vec4"), target_env="vulkan1.0")
    assert [(fix.title, [edit.text for edit in fix.edits]) for fix in found[0].fixes] == [
        ("Place the member at 16", ["16"]),
        ("Lay %block out by the extended (std140) rules", ["16"]),
    ]


def test_every_fault_offers_its_own_correction_and_a_whole_layout() -> None:
    text = block_layout_buffer(block_layout_offsets(0, 48, 80, 96, 3), "%vec4 %array %vec4 %vec4 %float").replace(
        "OpTypeArray %float", "OpTypeArray %vec4"
    )
    found = spvls.validate(text, target_env="vulkan1.2", options={"uniform_buffer_standard_layout": True})
    layout = "Lay %block out by the standard (std430) rules"
    assert [(finding.message.split(",")[0], [fix.title for fix in finding.fixes]) for finding in found] == [
        ("%array is array<vec4<f32>", [layout]),
        ("member 4 of %block is at offset 3", ["Place the member at 112", layout]),
    ]
    text = text.replace("OpDecorate %block Block", "OpDecorate %block Block\nOpDecorate %array ArrayStride 16")
    found = spvls.validate(text, target_env="vulkan1.2", options={"uniform_buffer_standard_layout": True})
    assert [(finding.message, [fix.title for fix in finding.fixes]) for finding in found] == [
        (
            "member 1 of %block is at offset 48, ends at byte 111 and overlaps member 2, which is at offset 80",
            ["Place the member at 16", layout],
        ),
        ("member 4 of %block is at offset 3, but f32 requires a multiple of 4", ["Place the member at 112", layout]),
    ]


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
