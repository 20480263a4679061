"""Rules of `entry_point/execution_mode`: form, target and model of execution modes."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.sources.entry_point import ENTRY_POINT_ORIGIN, entry_point_module
from tests.validate.sources.literal_form import LITERAL_FORM_TEXT


def test_the_origin_of_a_fragment_shader_can_be_set() -> None:
    (diagnostic,) = spvls.validate(entry_point_module("Fragment"))
    (fix,) = diagnostic.fixes
    assert [edit.text for edit in fix.edits] == ["\nOpExecutionMode %main OriginUpperLeft"]


@pytest.mark.parametrize(
    ("env", "model", "modes", "fault"),
    [
        ("vulkan1.0", "Fragment", "OpExecutionMode %main OriginLowerLeft", "OriginLowerLeft-04653"),
        ("vulkan1.0", "Fragment", f"{ENTRY_POINT_ORIGIN}\nOpExecutionMode %main PixelCenterInteger", "PixelCenterInteger-04654"),
        ("vulkan1.0", "Fragment", ENTRY_POINT_ORIGIN, None),
        ("vulkan1.3", "GLCompute", "OpExecutionModeId %main LocalSizeId %two %two %two", None),
        ("spv1.6", "Fragment", "OpExecutionMode %main OriginLowerLeft", None),
    ],
)
def test_modes_in_vulkan(env: str, model: str, modes: str, fault: str | None) -> None:
    found = spvls.validate(
        entry_point_module(model, modes).replace("OpCapability Float16\n", "").replace("%half = OpTypeFloat 16\n", ""), target_env=env
    )
    assert [(d.rule, d.vuid) for d in found] == (
        [("entry-point/mode-fits-vulkan", f"VUID-StandaloneSpirv-{fault}")] if fault else []
    )


def test_local_size_id_before_vulkan_1_3() -> None:
    text = entry_point_module(
        "GLCompute", "OpExecutionModeId %main LocalSizeId %two %two %two"
    )
    assert not spvls.validate(text, target_env="vulkan1.2", options={"allow_localsizeid": True})


MESH = {"capabilities": "MeshShadingEXT", "extensions": "SPV_EXT_mesh_shader"}
OUTPUT = "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputPoints\nOpExecutionMode %main OutputVertices {}\n"
OUTPUT += "OpExecutionMode %main OutputPrimitivesEXT 1"


@pytest.mark.parametrize(("vertices", "fits"), [("3", True), ("0", False)])
def test_mesh_shaders_have_vertices(vertices: str, fits: bool) -> None:
    found = spvls.validate(entry_point_module("MeshEXT", OUTPUT.format(vertices), **MESH), target_env="vulkan1.3")
    assert [d.vuid for d in found] == ([] if fits else ["VUID-StandaloneSpirv-MeshEXT-07330"])


@pytest.mark.parametrize(
    ("modes", "vuid"),
    [
        ("OpExecutionMode %main LocalSize 1 1 1", None),
        ("", "VUID-StandaloneSpirv-None-10685"),
        (
            "OpExecutionMode %main LocalSize 3 4 1\nOpExecutionMode %main DerivativeGroupQuadsKHR",
            "VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151",
        ),
        ("OpExecutionMode %main LocalSize 4 4 1\nOpExecutionMode %main DerivativeGroupQuadsKHR", None),
        (
            "OpExecutionMode %main LocalSize 3 3 1\nOpExecutionMode %main DerivativeGroupLinearKHR",
            "VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152",
        ),
        ("OpExecutionMode %main LocalSize 2 2 1\nOpExecutionMode %main DerivativeGroupLinearKHR", None),
    ],
)
def test_sizes_of_workgroups_in_vulkan(modes: str, vuid: str | None) -> None:
    derivatives = "ComputeDerivativeGroupQuadsKHR ComputeDerivativeGroupLinearKHR"
    text = entry_point_module("GLCompute", modes, capabilities=f"Shader {derivatives}", extensions="SPV_KHR_compute_shader_derivatives")
    assert [d.vuid for d in spvls.validate(text, target_env="vulkan1.3")] == ([vuid] if vuid else [])


@pytest.mark.parametrize(
    ("model", "modes", "vuid"),
    [
        ("GLCompute", "OpExecutionMode %main TileShadingRateQCOM 2 2 1", None),
        (
            "GLCompute",
            "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main TileShadingRateQCOM 2 2 1",
            "TileShadingRateQCOM-10692",
        ),
        ("Vertex", "", "TileShadingQCOM-10686"),
        ("Vertex", "OpExecutionMode %main TileShadingRateQCOM 2 2 1", "Execution-10688"),
        (
            "GLCompute",
            "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main NonCoherentTileAttachmentReadQCOM",
            "Execution-10687",
        ),
    ],
)
def test_tile_shading(model: str, modes: str, vuid: str | None) -> None:
    text = entry_point_module(model, modes, capabilities="Shader TileShadingQCOM", extensions="SPV_QCOM_tile_shading")
    found = [d.vuid for d in spvls.validate(text, target_env="vulkan1.4")]
    assert found == ([f"VUID-StandaloneSpirv-{vuid}"] if vuid else [])


@pytest.mark.parametrize(("count", "expected"), [(254, False), (255, True)])
def test_the_number_of_execution_modes(count: int, expected: bool) -> None:
    mode = "OpExecutionMode %main LocalSize 1 1 1\n"
    more = "".join(f"OpExecutionMode %main DenormPreserve {width}\n" for width in range(count))
    found = {diagnostic.rule for diagnostic in spvls.validate(LITERAL_FORM_TEXT.replace(mode, mode + more))}
    assert ("entry-point/modes-are-within-limit" in found) is expected
