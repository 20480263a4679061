"""Rules of `type/pointer`: pointer types and forward pointers."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader


def test_a_forward_pointer_takes_the_class_of_its_declaration() -> None:
    lines = (
        "OpTypeForwardPointer %p StorageBuffer\n"
        "%s = OpTypeStruct %uint %p\n%p = OpTypePointer PhysicalStorageBuffer %s"
    )
    text = shader("", lines, capabilities="PhysicalStorageBufferAddresses").replace("Logical", "PhysicalStorageBuffer64")
    [found] = spvls.validate(text, target_env="spv1.5")
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["PhysicalStorageBuffer"]
