"""Rules of `memory/memory_operand`: memory operands."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader


def test_the_alignment_is_written_for_you() -> None:
    declarations = "%p = OpTypePointer PhysicalStorageBuffer %ulong\n%address = OpUndef %p"
    line = "%r = OpLoad %ulong %address"
    text = shader(line, declarations, capabilities="PhysicalStorageBufferAddresses")
    [found] = spvls.validate(text.replace("Logical", "PhysicalStorageBuffer64"), target_env="spv1.5")
    assert [edit.text for fix in found.fixes for edit in fix.edits] == [" Aligned 8"]
