"""Rules of `interface/interpolation`: interpolation decorations."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.sources.interface import interface_at, interface_module


def test_interpolation() -> None:
    flat = "\nOpDecorate %a Flat"
    index = "%a = OpVariable %in_uint Input"
    check(interface_module("%a", interface_at(a=0) + flat, index), env="vulkan1.0")
    check(interface_module("%a", interface_at(a=0), f"{index} ; error: interface/interpolation-fits-stage `%a`"), env="vulkan1.0")
    check(interface_module("%a", interface_at(a=0), index, model="Vertex"), env="vulkan1.0")
    check(interface_module("%a", interface_at(a=0) + flat, f"{index} ; error: interface/interpolation-fits-stage `%a`", model="Vertex"), env="vulkan1.0")
