"""Rules of `capability/requirement`: capabilities: those that the instructions call for, and those that a client API takes."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    ("built_in", "needs"), [("PointSize", False), ("ClipDistance", False), ("SampleId", True), ("ViewportIndex", True)]
)
def test_an_enumerant_needs_one_of_its_capabilities(built_in: str, needs: bool) -> None:
    declarations = "%ptr = OpTypePointer Input %int\n%x = OpVariable %ptr Input"
    text = shader("", declarations, annotations=f"OpDecorate %x BuiltIn {built_in}", model="Vertex")
    assert ("capability/uses-are-enabled" in {d.rule for d in spvls.validate(text)}) is needs


def test_a_lacking_capability_can_be_declared() -> None:
    text = shader("%r = OpDPdxFine %float %f", model="Fragment")
    (diagnostic,) = spvls.validate(text)
    (fix,) = diagnostic.fixes
    assert fix.title == "Declare the capability DerivativeControl"
    assert fix.preferred
    assert [edit.text for edit in fix.edits] == ["\nOpCapability DerivativeControl"]


@pytest.mark.parametrize(
    ("env", "capability", "takes"),
    [
        ("vulkan1.0", "Kernel", False),
        ("vulkan1.0", "GroupNonUniform", False),
        ("vulkan1.1", "GroupNonUniform", True),
        ("vulkan1.1", "ShaderNonUniform", False),
        ("vulkan1.2", "ShaderNonUniform", True),
        ("vulkan1.2", "DotProduct", False),
        ("vulkan1.3", "DotProduct", True),
        ("vulkan1.3", "FloatControls2", False),
        ("vulkan1.4", "FloatControls2", True),
        ("vulkan1.1spv1.4", "Kernel", True),
        ("opengl4.5", "Kernel", True),
        ("spv1.0", "Kernel", True),
    ],
)
def test_vulkan_takes_what_its_version_has(env: str, capability: str, takes: bool) -> None:
    text = f"OpCapability Shader\nOpCapability {capability}\nOpMemoryModel Logical GLSL450"
    found = {d.rule for d in spvls.validate(text, target_env=env) if d.range and d.range.start.line == 1}
    assert ("capability/is-supported-by-environment" not in found) if takes else found


@pytest.mark.parametrize(
    ("env", "capability", "takes"),
    [
        ("opencl1.2", "Int64", True),
        ("opencl1.2embedded", "Int64", False),
        ("opencl1.2", "Pipes", False),
        ("opencl2.0", "Pipes", True),
        ("opencl2.0", "SubgroupDispatch", False),
        ("opencl2.2", "SubgroupDispatch", True),
        ("opencl2.0", "Sampled1D", False),
        ("opencl2.0", "Matrix", False),
    ],
)
def test_opencl_takes_what_its_version_and_profile_have(env: str, capability: str, takes: bool) -> None:
    text = f"OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability {capability}\n"
    text += "OpMemoryModel Physical32 OpenCL"
    assert (not spvls.validate(text, target_env=env)) is takes
