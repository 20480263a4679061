"""Rules of `memory/memory_operand`: memory operands."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.memory import memory_module


@pytest.mark.parametrize(
    "line",
    [
        "OpStore %w %c MakePointerAvailable|NonPrivatePointer %two",
        "OpStore %w %c MakePointerAvailable %two ; error: memory/availability-fits-access `MakePointerAvailable`",
        "OpStore %w %c MakePointerVisible|NonPrivatePointer %two ; error: memory/availability-fits-access",
        "%r = OpLoad %float %w MakePointerVisible|NonPrivatePointer %two",
        "%r = OpLoad %float %w MakePointerVisible|NonPrivatePointer %one ; error: memory/availability-fits-access `%one`",
        "%r = OpLoad %float %x NonPrivatePointer ; error: memory/non-private-memory-is-shared `NonPrivatePointer`",
        "%r = OpLoad %float %x Aligned 4",
        "%r = OpLoad %float %x Aligned 3 ; error: memory/alignment-fits-access `3`",
        "OpCopyMemory %w %x Aligned 4 Volatile",
        "OpCopyMemory %w %w MakePointerVisible|NonPrivatePointer %two None ; error: memory/availability-fits-access",
    ],
)
def test_memory_operands(line: str) -> None:
    everything = "%x %y %b1 %u1 %in %w %j"
    check(memory_module(line, memory_model="Vulkan", capabilities="VulkanMemoryModel", interface=everything), env="spv1.5")


def test_a_second_mask_came_with_1_4() -> None:
    line = "OpCopyMemory %x %y Aligned 4 Volatile ; error: memory/second-mask-fits-version `Volatile`"
    check(memory_module(line), env="spv1.3")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpLoad %uint %address Aligned 4",
        "%r = OpLoad %uint %address ; error: memory/alignment-fits-access",
        "%r = OpLoad %uint %address Aligned 2 ; error: memory/alignment-fits-access `2`",
    ],
)
def test_addresses_say_their_alignment(line: str) -> None:
    declarations = "%p = OpTypePointer PhysicalStorageBuffer %uint\n%address = OpUndef %p"
    text = shader(line, declarations, capabilities="PhysicalStorageBufferAddresses")
    check(text.replace("Logical", "PhysicalStorageBuffer64"), env="spv1.5")


def test_the_alignment_is_written_for_you() -> None:
    declarations = "%p = OpTypePointer PhysicalStorageBuffer %ulong\n%address = OpUndef %p"
    line = "%r = OpLoad %ulong %address ; error: memory/alignment-fits-access"
    text = shader(line, declarations, capabilities="PhysicalStorageBufferAddresses")
    [found] = check(text.replace("Logical", "PhysicalStorageBuffer64"), env="spv1.5")
    assert [edit.text for fix in found.fixes for edit in fix.edits] == [" Aligned 8"]
