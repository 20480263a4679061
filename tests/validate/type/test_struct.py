"""Rules of `type/struct`: structures."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("%t = OpTypeStruct %uint %uint %uint ; error: type/struct-members-are-within-limit `%t`", "max_struct_members"),
        ("%t = OpTypeFunction %void %uint %uint %uint ; error: type/parameters-are-within-limit `%uint`", "max_function_args"),
    ],
)
def test_limits(line: str, option: str) -> None:
    check(shader("", line), options={option: 2})
    check(shader("", line.partition(";")[0]), options={option: 3})


def test_structures_nest_only_so_deep() -> None:
    lines = (
        "%s1 = OpTypeStruct %uint\n%s2 = OpTypeStruct %s1\n%s3 = OpTypeStruct %s2 ; error: type/struct-nesting-is-within-limit `%s3`\n"
        "%s4 = OpTypeStruct %s3"
    )
    check(shader("", lines), options={"max_struct_depth": 2})
