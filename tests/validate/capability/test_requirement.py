"""Rules of `capability/requirement`: capabilities: those that the instructions call for, and those that a client API takes."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.shaders import kernel, shader


@pytest.mark.parametrize(
    ("line", "capabilities"),
    [
        ("%r = OpDPdxFine %float %f ; error: capability/uses-are-enabled `OpDPdxFine`", ""),
        ("%r = OpDPdxFine %float %f", "DerivativeControl"),
    ],
)
def test_an_opcode_needs_one_of_its_capabilities(line: str, capabilities: str) -> None:
    check(shader(line, capabilities=capabilities, model="Fragment"))


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


def test_storage_of_16_bits_frees_the_rounding_mode() -> None:
    declarations = "%half = OpTypeFloat 16\n%ptr = OpTypePointer StorageBuffer %half\n%S = OpTypeStruct %half\n"
    declarations += "%ptrS = OpTypePointer StorageBuffer %S\n%buffer = OpVariable %ptrS StorageBuffer"
    body = "%p = OpAccessChain %ptr %buffer %zero\n%h = OpFConvert %half %f\nOpStore %p %h"
    annotations = "OpDecorate %h FPRoundingMode RTE\nOpDecorate %S Block\nOpMemberDecorate %S 0 Offset 0"
    text = shader(body, declarations, annotations=annotations, capabilities="StorageBuffer16BitAccess")
    text = text.replace('%main "main"', '%main "main" %buffer')
    check(text)


def test_group_operations_are_free_in_kernels() -> None:
    check(kernel("%r = OpGroupFAdd %float %two Reduce %f", capabilities="Groups Int64"))


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


def test_opencl_takes_more_along_with_images() -> None:
    text = (
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability ImageBasic\nOpCapability Sampled1D\n"
    )
    check(text + "OpMemoryModel Physical32 OpenCL", env="opencl2.0")


def test_cooperative_matrices_of_shaders_need_the_vulkan_memory_model() -> None:
    text = "OpCapability Linkage\nOpCapability Shader\nOpCapability CooperativeMatrixKHR{}\n"
    text += 'OpExtension "SPV_KHR_cooperative_matrix"\n'
    check(text.format(" ; error: capability/cooperative-matrix-requires-vulkan-model") + "OpMemoryModel Logical GLSL450")
    check(text.format("\nOpCapability VulkanMemoryModel") + "OpMemoryModel Logical Vulkan")


def test_one_lack_is_reported_once() -> None:
    text = shader("%r = OpDPdxFine %float %f ; error: capability/uses-are-enabled\n%s = OpDPdyFine %float %f", model="Fragment")
    check(text)
    declared = "OpCapability Shader\nOpCapability Linkage\nOpCapability DrawParameters ; error: capability/uses-exist-in-version\n"
    built_in = "OpDecorate %v BuiltIn BaseInstance\n%int = OpTypeInt 32 1\n%p = OpTypePointer Input %int\n"
    built_in += "%v = OpVariable %p Input"
    check(f"{declared}OpMemoryModel Logical GLSL450\n{built_in}", env="spv1.0")
