"""Rules of `memory/initializer`: initializers."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    ("lines", "env"),
    [
        ("%p = OpTypePointer Workgroup %uint\n%n = OpConstantNull %uint\n%x = OpVariable %p Workgroup %n", "vulkan1.3"),
        ("%p = OpTypePointer Workgroup %uint\n%x = OpVariable %p Workgroup %one ; error: memory/initializer-fits-vulkan-class", "vulkan1.3"),
        ("%p = OpTypePointer AtomicCounter %uint ; error: memory/storage-class-exists-in-vulkan ; error: capability/uses-are-enabled", "vulkan1.2"),
    ],
)
def test_initializers_and_classes_in_vulkan(lines: str, env: str) -> None:
    check(shader("", lines), env=env)
