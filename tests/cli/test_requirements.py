"""`spvls requirements`: what it lists, how it ends; devices on the command line and in the configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import spvls
from tests.cli.conftest import Run

_TEXT = """\
; Version: 1.4
OpCapability Shader
OpCapability Linkage
OpCapability Int64
OpCapability Float16
OpMemoryModel Logical GLSL450
"""


@pytest.fixture
def text(tmp_path: Path) -> str:
    (tmp_path / "a.spvasm").write_text(_TEXT)
    return "a.spvasm"


def test_needs_are_listed_with_what_asks_for_them(run: Run, text: str) -> None:
    assert run("requirements", text) == (
        0,
        "Vulkan 1.2, or extension VK_KHR_spirv_1_4\n"
        "    a.spvasm:1:1: SPIR-V 1.4\n"
        "feature shaderInt64 (VkPhysicalDeviceFeatures: Vulkan 1.0)\n"
        "    a.spvasm:4:14: the capability Int64\n"
        "feature shaderFloat16 (VkPhysicalDeviceVulkan12Features: Vulkan 1.2 or VK_KHR_shader_float16_int8), "
        "or extension VK_AMD_gpu_shader_half_float\n"
        "    a.spvasm:5:14: the capability Float16\n"
        "not available in Vulkan\n"
        "    a.spvasm:3:14: the capability Linkage\n",
        "",
    )


def test_a_binary_tells_instructions_by_number(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.spv").write_bytes(spvls.assemble(_TEXT))
    done = run("requirements", "a.spv")
    assert (done.code, done.err) == (0, "")
    assert "    a.spv: SPIR-V 1.4\n" in done.out
    assert "    a.spv: instruction 3: the capability Int64\n" in done.out


def test_several_files_share_their_needs(run: Run, text: str, tmp_path: Path) -> None:
    (tmp_path / "b.spvasm").write_text(_TEXT)
    done = run("requirements", ".")
    assert "    a.spvasm:4:14: the capability Int64\n    b.spvasm:4:14: the capability Int64\n" in done.out


def test_json(run: Run, text: str) -> None:
    done = run("requirements", text, "--format=json")
    report = json.loads(done.out)
    assert report["failures"] == []
    by_subject = {asker["subject"]: (need["any"], asker) for need in report["requirements"] for asker in need["asked"]}
    ways, asker = by_subject["the capability Int64"]
    assert ways == [{"kind": "feature", "name": "shaderInt64", "structure": "VkPhysicalDeviceFeatures", "from": ["1.0"]}]
    assert asker == {
        "path": "a.spvasm",
        "by": "capability",
        "subject": "the capability Int64",
        "range": {"start": {"line": 3, "column": 13}, "end": {"line": 3, "column": 18}},
        "instruction": 3,
        "vuid": None,
    }
    assert by_subject["the capability Linkage"][0] == []


def test_the_environment_counts(run: Run, text: str, tmp_path: Path) -> None:
    assert "Vulkan 1.1\n    a.spvasm:1:1: SPIR-V 1.3\n" in run("requirements", text, "--target-env=vulkan1.1").out
    (tmp_path / "spvls.toml").write_text('target-env = "vulkan1.2"\n')
    assert "Vulkan 1.2, or extension VK_KHR_spirv_1_4\n    a.spvasm:1:1: SPIR-V 1.4\n" in run("requirements", text).out


def test_what_cannot_be_read_ends_with_two(run: Run, text: str) -> None:
    done = run("requirements", "none.spvasm", text)
    assert (done.code, "none.spvasm" in done.err, "Int64" in done.out) == (2, True, True)
    (Path("b.spv")).write_bytes(b"\x03\x02\x23\x07\0")
    assert run("requirements", "b.spv").code == 2


def test_lint_for_a_device(run: Run, text: str) -> None:
    sound = run("lint", text, "--device=1.2,shaderInt64,shaderFloat16")
    assert (sound.code, sound.out) == (0, "no findings in 1 file\n")
    done = run("lint", text, "--device=1.1,shaderInt64,extensions")
    assert done.code == 1
    assert done.out.count("[capability/device-") == 2
    assert "[capability/device-has-features]" in done.out
    assert "[capability/device-supports-version]" in done.out


def test_lint_for_the_device_of_the_configuration(run: Run, text: str, tmp_path: Path) -> None:
    config = tmp_path / "spvls.toml"
    config.write_text('[device]\nversion = "1.2"\nfeatures = ["shaderFloat16"]\n')
    done = run("lint", text)
    assert done.code == 1
    assert "the capability Int64 requires the feature shaderInt64; the device does not provide it" in done.out
    assert run("lint", text, "--device=1.2").code == 0
    profile = {"capabilities": {"a": {"features": {"VkPhysicalDeviceFeatures": {"shaderInt64": True}}}}}
    (tmp_path / "device.json").write_text(json.dumps(profile))
    config.write_text('[device]\nprofile = "device.json"\nfeatures = ["shaderFloat16"]\n')
    assert run("lint", text).code == 0
    assert run("lint", text, "--device=device.json").code == 1


@pytest.mark.parametrize(
    ("table", "line", "message"),
    [
        ('version = "two"', 2, "version is 'two', and must be one of Vulkan"),
        ('profile = "none.json"', 2, "the profile none.json cannot be read: No such file or directory"),
        ("features = 1", 2, "features is 1, and must be a list of names"),
    ],
)
def test_a_device_that_is_told_wrong_is_a_finding(
    run: Run, text: str, tmp_path: Path, table: str, line: int, message: str
) -> None:
    (tmp_path / "spvls.toml").write_text(f"[device]\n{table}\n")
    done = run("lint", text)
    assert done.code == 1
    assert f"spvls.toml:{line}:1: error: {message}" in done.out
    assert "[config/device]" in done.out


_SUBGROUP = """\
OpCapability Shader
OpCapability Int64
OpCapability Float64
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformBallot
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%long = OpTypeInt 64 0
%double = OpTypeFloat 64
%v2long = OpTypeVector %long 2
%subgroup = OpConstant %uint 3
%one = OpConstant %uint 1
%big = OpConstant %long 1
%real = OpConstant %double 1
%pair = OpConstantComposite %v2long %big %big
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpGroupNonUniformIAdd %uint %subgroup Reduce %one
%b = OpGroupNonUniformFAdd %double %subgroup Reduce %real
%c = OpGroupNonUniformAllEqual %bool %subgroup %one
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("instruction", "subject"),
    [
        ("%d = OpGroupNonUniformIAdd %v2long %subgroup Reduce %pair", "the OpGroupNonUniformIAdd on u64"),
        ("%d = OpGroupNonUniformAllEqual %bool %subgroup %big", "the OpGroupNonUniformAllEqual on u64"),
        ("%d = OpGroupNonUniformBroadcastFirst %long %subgroup %big", "the OpGroupNonUniformBroadcastFirst on u64"),
        ("%d = OpIAdd %long %big %big", None),
    ],
)
def test_group_operations_on_other_scalars_than_of_32_bits_need_a_feature(
    run: Run, tmp_path: Path, instruction: str, subject: str | None
) -> None:
    (tmp_path / "a.spvasm").write_text(_SUBGROUP.replace("OpReturn", f"{instruction}\nOpReturn"))
    out = run("requirements", "a.spvasm").out
    feature = "feature shaderSubgroupExtendedTypes (VkPhysicalDeviceVulkan12Features: Vulkan 1.2 or VK_KHR_shader_subgroup_extended_types)"
    wanted = f"{feature}\n    a.spvasm:27:6: {subject}\n"
    assert (wanted in out) == (subject is not None)
    assert (feature in out) == (subject is not None)
    assert run("reflect", "a.spvasm").out.count("shaderSubgroupExtendedTypes") == (subject is not None)


def test_a_device_without_the_types_of_group_operations(run: Run, tmp_path: Path) -> None:
    text = _SUBGROUP.replace("OpReturn", "%d = OpGroupNonUniformIAdd %long %subgroup Reduce %big\nOpReturn")
    (tmp_path / "a.spvasm").write_text(text)
    device = "1.2,shaderInt64,shaderFloat64"
    found = run("lint", "--no-cache", "--target-env", "vulkan1.2", "--device", device, "a.spvasm").out
    assert "a.spvasm:27:6: error: the OpGroupNonUniformIAdd on u64 requires the feature shaderSubgroupExtendedTypes" in found
    assert "ExtendedTypes" not in run("lint", "--no-cache", "--device", f"{device},shaderSubgroupExtendedTypes", "a.spvasm").out
