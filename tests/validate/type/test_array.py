"""Rules of `type/array`: arrays."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "lines",
    [
        "%a = OpTypeArray %float %two\n%t = OpTypeRuntimeArray %a",
        "%a = OpTypeRuntimeArray %float\n%t = OpTypeArray %a %two ; error: type/runtime-array-is-outermost `%a`",
        "%a = OpTypeRuntimeArray %float\n%t = OpTypeStruct %a %uint ; error: type/runtime-array-is-last-member `%a`",
        "%a = OpTypeRuntimeArray %float\n%t = OpTypeStruct %uint %a ; error: type/runtime-array-is-last-member `%a`",
        "%i2d = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t = OpTypeStruct %i2d ; error: type/struct-holds-no-opaque-types `%i2d`",
    ],
)
def test_vulkan_types(lines: str) -> None:
    check(shader("", lines), env="vulkan1.2")
