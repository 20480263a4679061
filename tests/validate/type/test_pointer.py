"""Rules of `type/pointer`: pointer types and forward pointers."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "lines",
    [
        "OpTypeForwardPointer %p PhysicalStorageBuffer\n%s = OpTypeStruct %uint %p\n"
        "%p = OpTypePointer PhysicalStorageBuffer %s",
        "OpTypeForwardPointer %p StorageBuffer ; error: type/forward-pointer-is-declared-later `StorageBuffer`\n"
        "%s = OpTypeStruct %uint %p\n%p = OpTypePointer PhysicalStorageBuffer %s",
        "OpTypeForwardPointer %p PhysicalStorageBuffer ; error: type/forward-pointer-is-declared-later `%p`\n"
        "%s = OpTypeStruct %uint %p\n%p = OpTypePointer PhysicalStorageBuffer %uint",
        "%s = OpTypeStruct %uint %p ; error: type/struct-members-are-declared-first `%p`\n"
        "%p = OpTypePointer PhysicalStorageBuffer %uint",
    ],
)
def test_forward_pointers(lines: str) -> None:
    text = shader("", lines, capabilities="PhysicalStorageBufferAddresses")
    check(text.replace("Logical", "PhysicalStorageBuffer64"), env="spv1.5")


def test_a_forward_pointer_takes_the_class_of_its_declaration() -> None:
    lines = (
        "OpTypeForwardPointer %p StorageBuffer ; error: type/forward-pointer-is-declared-later\n"
        "%s = OpTypeStruct %uint %p\n%p = OpTypePointer PhysicalStorageBuffer %s"
    )
    text = shader("", lines, capabilities="PhysicalStorageBufferAddresses").replace("Logical", "PhysicalStorageBuffer64")
    [found] = check(text, env="spv1.5")
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["PhysicalStorageBuffer"]


def test_forward_pointers_in_vulkan_are_physical() -> None:
    lines = (
        "OpTypeForwardPointer %p StorageBuffer ; error: type/forward-pointer-is-physical `StorageBuffer`\n"
        "%s = OpTypeStruct %uint\n%p = OpTypePointer StorageBuffer %s"
    )
    check(shader("", lines, capabilities="PhysicalStorageBufferAddresses"), env="vulkan1.2")


def test_untyped_pointers_in_vulkan_are_laid_out() -> None:
    text = (
        "%p = OpTypeUntypedPointerKHR StorageBuffer\n"
        "%q = OpTypeUntypedPointerKHR Private ; error: type/untyped-pointer-has-explicit-layout `Private`"
    )
    check(shader("", text, capabilities="UntypedPointersKHR", extensions="SPV_KHR_untyped_pointers"), env="vulkan1.2")
