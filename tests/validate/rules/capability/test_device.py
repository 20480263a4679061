"""What a module asks of a device, and what is told where the device does not have it."""

from __future__ import annotations

import pytest

import spvls
from spvls.syntax.document import Document
from spvls.validate.requirements import needs
from spvls.validate.validator import module_of_binary, module_of_text

_BODY = """\
%void = OpTypeVoid
%fn = OpTypeFunction %void
{declarations}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"""


def module(
    head: str = "",
    *,
    model: str = "GLCompute",
    modes: str = "OpExecutionMode %main LocalSize 1 1 1",
    declarations: str = "",
    body: str = "",
    version: str = "1.3",
) -> str:
    """A shader; `head` are the lines behind `OpCapability Shader`."""
    lines = [f"; Version: {version}", "OpCapability Shader", head, "OpMemoryModel Logical GLSL450"]
    lines += [f'OpEntryPoint {model} %main "main"', modes]
    return "\n".join([*filter(None, lines), _BODY.format(declarations=declarations, body=body)])


def asked(text: str, env: str | None = None) -> list[tuple[str, list[str]]]:
    """What a text asks for: the subject, and the names of what would do."""
    found = needs(module_of_text(Document(text), env))
    return [(need.subject, [enabler.name for enabler in need.enablers]) for need in found]


def test_what_every_device_has_is_no_need() -> None:
    assert asked(module(version="1.0")) == []


@pytest.mark.parametrize(
    ("version", "wanted"),
    [("1.1", ["1.1"]), ("1.3", ["1.1"]), ("1.4", ["1.2", "VK_KHR_spirv_1_4"]), ("1.5", ["1.2"]), ("1.6", ["1.3"])],
)
def test_versions_of_spirv(version: str, wanted: list[str]) -> None:
    assert asked(module(version=version)) == [(f"SPIR-V {version}", wanted)]


def test_a_version_that_nobody_chose_is_no_need() -> None:
    text = module().partition("\n")[2]
    assert asked(text) == []
    assert asked(text, "vulkan1.2") == [("SPIR-V 1.5", ["1.2"])]


def test_capabilities_and_what_they_imply() -> None:
    assert asked(module("OpCapability GeometryStreams\nOpCapability Int64", version="1.0")) == [
        ("the capability GeometryStreams", ["geometryStreams"]),
        ("the capability Int64", ["shaderInt64"]),
        ("the capability Geometry, which GeometryStreams implies,", ["geometryShader"]),
    ]


def test_what_vulkan_does_not_have_is_needed_in_vain() -> None:
    assert ("the capability Kernel", []) in asked("OpCapability Kernel\n")


def test_extensions() -> None:
    assert asked(module('OpExtension "SPV_KHR_variable_pointers"', version="1.0")) == [
        ("the extension SPV_KHR_variable_pointers", ["1.1", "VK_KHR_variable_pointers"])
    ]


def test_execution_modes_ask_by_width() -> None:
    text = module(
        "OpCapability DenormPreserve",
        modes="OpExecutionMode %main LocalSizeId %one %one %one\nOpExecutionMode %main DenormPreserve 32",
        declarations="%uint = OpTypeInt 32 0\n%one = OpConstant %uint 1",
    )
    found = dict(asked(text))
    assert found["the execution mode LocalSizeId"] == ["maintenance4"]
    assert found["the execution mode DenormPreserve 32"] == ["shaderDenormPreserveFloat32"]
    assert "the execution mode DenormPreserve 16" not in found


_BUFFER = """\
%uint = OpTypeInt 32 0
%Data = OpTypeStruct %uint
%ptr = OpTypePointer StorageBuffer %Data
%data = OpVariable %ptr StorageBuffer"""
_LOAD = "%all = OpLoad %Data %data"
_PLACED = "OpDecorate %Data Block\nOpMemberDecorate %Data 0 Offset 0\nOpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 0"


@pytest.mark.parametrize(
    ("model", "more", "wanted"),
    [
        ("Fragment", "", ["fragmentStoresAndAtomics"]),
        ("Vertex", "", ["vertexPipelineStoresAndAtomics"]),
        ("GLCompute", "", None),
        ("Fragment", "OpDecorate %data NonWritable", None),
        ("Fragment", "OpMemberDecorate %Data 0 NonWritable", None),
    ],
)
def test_storage_that_may_be_written(model: str, more: str, wanted: list[str] | None) -> None:
    modes = "OpExecutionMode %main OriginUpperLeft" if model == "Fragment" else ""
    text = module(model=model, modes=f"{modes}\n{_PLACED}\n{more}", declarations=_BUFFER, body=_LOAD)
    found = dict(asked(text))
    assert found.get(f"%data, which {model} shaders may write as it is not decorated with NonWritable,") == wanted
    unused = module(model=model, modes=f"{modes}\n{_PLACED}\n{more}", declarations=_BUFFER)
    assert all(not subject.startswith("%data") for subject, _ in asked(unused))


def test_storage_images_that_may_be_written() -> None:
    def subjects(sampled: int) -> list[str]:
        image = f"""\
%float = OpTypeFloat 32
%Image = OpTypeImage %float 2D 0 0 0 {sampled} Rgba8
%ptr = OpTypePointer UniformConstant %Image
%image = OpVariable %ptr UniformConstant"""
        text = module(
            model="Fragment", modes="OpExecutionMode %main OriginUpperLeft", declarations=image, body="%i = OpLoad %Image %image"
        )
        return [subject for subject, _ in asked(text) if "%image" in subject]

    assert len(subjects(2)) == 1
    assert subjects(1) == []


def test_workgroup_memory_with_a_value() -> None:
    declarations = """\
%uint = OpTypeInt 32 0
%null = OpConstantNull %uint
%ptr = OpTypePointer Workgroup %uint
%w = OpVariable %ptr Workgroup %null"""
    found = dict(asked(module(declarations=declarations)))
    assert found["the initializer of %w in the storage class Workgroup"] == ["shaderZeroInitializeWorkgroupMemory"]


def test_a_binary_asks_for_the_same() -> None:
    text = module("OpCapability Int64")
    binary = spvls.assemble(text)
    found = [need.subject for need in needs(module_of_binary(binary, None))]
    assert found == [subject for subject, _ in asked(text)]


def test_missing_versions() -> None:
    text = module(version="1.5")
    found = spvls.validate(text, options={"device": "1.1"})
    assert [(d.rule, d.range and d.range.start.line) for d in found] == [("capability/device-supports-version", 0)]


def test_any_of_several_ways_will_do() -> None:
    text = module("OpCapability Float16")
    (found,) = spvls.validate(text, options={"device": "1.1,features,extensions"})
    assert found.rule == "capability/device-has-features"
    assert "the feature shaderFloat16 or the extension VK_AMD_gpu_shader_half_float" in found.message


def test_the_environment_tells_the_version_where_the_device_does_not() -> None:
    text = module('OpCapability ShaderNonUniform\nOpExtension "SPV_EXT_descriptor_indexing"')
    options = {"device": "extensions"}
    assert spvls.validate(text, target_env="vulkan1.2", options=options) == []
    found = spvls.validate(text, target_env="vulkan1.1", options=options)
    assert [d.rule for d in found] == ["capability/device-has-extensions", "capability/device-has-extensions"]


def test_other_clients_have_no_device() -> None:
    text = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Linkage\nOpMemoryModel Physical32 OpenCL\n"
    assert spvls.validate(text, target_env="opencl2.0", options={"device": "1.0,features,extensions"}) == []


def test_a_device_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="'\\?' is not a version"):
        spvls.validate("", options={"device": "1.1,?"})
