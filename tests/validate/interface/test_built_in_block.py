"""Rules of `interface/built_in_block`: blocks of built-ins."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.interface import interface_at, interface_module


def test_built_ins() -> None:
    position = "OpDecorate %a BuiltIn Position\n"
    variable = "%a = OpVariable %out_vec4 Output"
    check(interface_module("%a", position, variable, model="Vertex"), env="vulkan1.0")
    twice = f"{variable}\n%b = OpVariable %out_vec4 Output ; error: interface/built-in-block-is-unique `%b`"
    check(interface_module("%a %b", position + position.replace("%a", "%b"), twice, model="Vertex"), env="vulkan1.0")
    placed = f"{variable} ; error: interface/built-in-has-no-location `%a`"
    check(interface_module("%a", position + interface_at(a=0), placed, model="Vertex"), env="vulkan1.0")


@pytest.mark.parametrize(
    ("lines", "annotations"),
    [
        ("%s = OpTypeStruct %vec4 %float", "OpMemberDecorate %s 0 BuiltIn Position\nOpMemberDecorate %s 1 BuiltIn PointSize"),
        (
            "%s = OpTypeStruct %vec4 %float ; error: interface/built-in-members-stand-alone `%float`",
            "OpMemberDecorate %s 0 BuiltIn Position",
        ),
    ],
)
def test_members_are_all_built_in_or_none(lines: str, annotations: str) -> None:
    check(shader("", lines, annotations=f"OpDecorate %s Block\n{annotations}"))
