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


@pytest.mark.parametrize(
    "lines",
    [
        "%s = OpTypeStruct %s ; error: type/is-not-recursive `%s`\n%t = OpTypeStruct %s",
        "%q = OpTypeArray %r %two ; error: type/is-not-recursive `%r`\n%r = OpTypeStruct %q\n%t = OpTypeStruct %r %q",
        "%m = OpTypeMatrix %m 2 ; error: type/is-not-recursive `%m`",
        "%v = OpTypeVector %v 2 ; error: type/is-not-recursive `%v`",
        "%p = OpTypePointer Private %p ; error: id/is-defined-before-use `%p`",
        "%p = OpTypePointer Private %s ; error: id/is-defined-before-use `%s`\n%s = OpTypeStruct %p",
        "%t = OpTypeStruct %s %s\n%s = OpTypeStruct %s ; error: type/is-not-recursive `%s`",
        "%s = OpTypeStruct %t %float ; error: type/is-not-recursive `%t`\n%t = OpTypeStruct %s",
    ],
)
def test_types_do_not_contain_themselves(lines: str) -> None:
    check(shader("", lines))


def test_what_uses_a_recursive_type_is_not_blamed() -> None:
    check(
        """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %x
OpExecutionMode %main OriginUpperLeft
OpName %s "s"
OpDecorate %s Block
OpMemberDecorate %s 0 Offset 0
OpDecorate %in Location 0
%s = OpTypeStruct %s ; error: type/is-not-recursive `%s`
%t = OpTypeStruct %s
%pointer = OpTypePointer Input %t
%in = OpVariable %pointer Input
%private = OpTypePointer Private %s
%x = OpVariable %private Private
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%got = OpLoad %s %x
OpStore %x %got
OpReturn
OpFunctionEnd
""",
        env="vulkan1.2",
    )
