"""Rules of `interface/location`: locations and components."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.sources.annotation import annotation_module


@pytest.mark.parametrize(
    ("component", "type_", "vuid"),
    [
        (2, "%float2", None),
        (3, "%float2", "04921"),
        (4, "%float", "04920"),
        (2, "%double", None),
        (1, "%double", "04923"),
        (2, "%double2", "04922"),
        (0, "%double3", "07703"),
        (0, "%mat", "10583"),
    ],
)
def test_components_in_vulkan(component: int, type_: str, vuid: str | None) -> None:
    more = "%double = OpTypeFloat 64\n%double2 = OpTypeVector %double 2\n%double3 = OpTypeVector %double 3\n"
    more += f"%float2 = OpTypeVector %float 2\n%po = OpTypePointer Output {type_}\n%o = OpVariable %po Output"
    text = annotation_module(f"OpDecorate %o Location 0\nOpDecorate %o Component {component}", more, capabilities="Float64")
    found = [d.vuid for d in spvls.validate(text, target_env="vulkan1.3") if d.rule == "interface/component-fits-location"]
    assert found == ([f"VUID-StandaloneSpirv-Component-{vuid}"] if vuid else [])
