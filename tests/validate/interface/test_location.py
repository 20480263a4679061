"""Rules of `interface/location`: locations and components."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.sources.annotation import annotation_module
from tests.validate.sources.interface import INTERFACE_IN, interface_at, interface_module


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


_B = "%b = OpVariable %in_float Input"
_SHARED = "; error: interface/locations-are-distinct `%b`"


@pytest.mark.parametrize(
    ("decorations", "variables", "entry"),
    [
        (interface_at(a=0, b=1), f"{INTERFACE_IN}\n{_B}", ""),
        (interface_at(a=0, b=0), f"{INTERFACE_IN}\n{_B}", _SHARED),
        (interface_at(a=0, b=0) + "\nOpDecorate %b Component 1", f"{INTERFACE_IN}\n{_B}", ""),
        (interface_at(a=0, b=3), f"%a = OpVariable %in_mat Input\n{_B}", _SHARED),
        (interface_at(a=0, b=4), f"%a = OpVariable %in_mat Input\n{_B}", ""),
        (interface_at(a=0, b=1), f"%a = OpVariable %in_array Input\n{_B}", _SHARED),
        (interface_at(a=0, b=0), f"{INTERFACE_IN}\n%b = OpVariable %out_float Output", ""),
        (interface_at(a=0), f"{INTERFACE_IN}\n{_B} ; error: interface/locations-are-distinct `%b`", ""),
        (interface_at(a=0, b=1) + "\nOpDecorate %b PerVertexKHR", f"{INTERFACE_IN}\n{_B} ; error: interface/locations-are-distinct `%b`", ""),
    ],
)
def test_locations(decorations: str, variables: str, entry: str) -> None:
    text = interface_module("%a %b", decorations, variables, entry=entry)
    if "PerVertexKHR" in decorations:
        capability = 'OpCapability FragmentBarycentricKHR\nOpExtension "SPV_KHR_fragment_shader_barycentric"\nOpMemoryModel'
        text = text.replace("OpMemoryModel", capability, 1)
    check(text, env="vulkan1.0")


def test_locations_of_members() -> None:
    block = "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 0\n"
    variables = (
        "%block = OpTypeStruct %float %float{}\n%ptr = OpTypePointer Output %block\n%a = OpVariable %ptr Output"
    )
    good = block + "OpMemberDecorate %block 1 Location 1"
    check(interface_module("%a", good, variables.format(""), model="Vertex"), env="vulkan1.0")
    missing = variables.format(" ; error: interface/locations-are-distinct `%float`")
    check(interface_module("%a", block, missing, model="Vertex"), env="vulkan1.0")


def test_tile_images() -> None:
    def text(location: int, error: str) -> str:
        variables = (
            "%image = OpTypeImage %float TileImageDataEXT 0 0 0 2 Unknown\n%ptr = OpTypePointer TileImageEXT %image\n"
            f"%a = OpVariable %ptr TileImageEXT\n%b = OpVariable %ptr TileImageEXT {error}"
        )
        capability = 'OpCapability TileImageColorReadAccessEXT\nOpExtension "SPV_EXT_shader_tile_image"\nOpMemoryModel'
        return interface_module("%a %b", interface_at(a=0, b=location), variables).replace("OpMemoryModel", capability, 1)

    check(text(1, ""), env="vulkan1.3")
    check(text(0, "; error: interface/tile-image-locations-are-distinct `%b`"), env="vulkan1.3")
