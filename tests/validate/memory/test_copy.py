"""Rules of `memory/copy`: copies."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader


@pytest.mark.parametrize(
    "line",
    [
        "OpCopyMemorySized %x %y %four",
        "OpCopyMemorySized %x %y %zero ; error: memory/copy-size-is-positive-integer `%zero`",
        "OpCopyMemorySized %x %y %f ; error: memory/copy-size-is-positive-integer `%f`",
    ],
)
def test_sized_copies(line: str) -> None:
    declarations = """
        %four = OpConstant %uint 4
        %p = OpTypePointer CrossWorkgroup %float
        %x = OpVariable %p CrossWorkgroup
        %y = OpVariable %p CrossWorkgroup
    """
    check(kernel(line, declarations, capabilities="Int64"))


@pytest.mark.parametrize(
    ("line", "capabilities"),
    [
        ("OpCopyMemorySized %to %from %four", ""),
        ("OpCopyMemorySized %to %from %three", "Int8"),
        ("OpCopyMemorySized %to %from %two", "Int16"),
        ("OpCopyMemorySized %to %from %three ; error: memory/copy-size-fits-access-width `%three`", "Int16"),
        ("OpCopyMemorySized %to %from %two ; error: memory/copy-size-fits-access-width `%two`", ""),
    ],
)
def test_sized_copies_in_shaders(line: str, capabilities: str) -> None:
    declarations = """
        %p = OpTypeUntypedPointerKHR StorageBuffer
        %to = OpUntypedVariableKHR %p StorageBuffer %uint
        %from = OpUntypedVariableKHR %p StorageBuffer %uint
    """
    text = shader(
        line, declarations, capabilities=f"UntypedPointersKHR {capabilities}", extensions="SPV_KHR_untyped_pointers"
    )
    check(text, env="spv1.3")
