"""Cards hold all that is known of an entry."""

from __future__ import annotations

import re

import pytest

from spvls.grammar.deprecation import deprecations
from spvls.grammar.keys import keys, resolve
from spvls.grammar.registry import page
from spvls.ide.documentation import availability
from spvls.ide.documentation.docs_markdown import docs_markdown
from spvls.ide.documentation.links import extensions_of
from spvls.ide.source.source_module import SourceModule
from spvls.module.module import Module


def _card(key: str, module: Module | None = None) -> str:
    subject = resolve(key)
    assert subject is not None
    return docs_markdown(subject.record, module, subject.set)


def test_every_entry_has_a_card_and_a_page() -> None:
    without = set()
    for key in keys():
        text = _card(key)
        assert text.startswith("```spirv\n"), key
        assert not re.search(r"\n\n\n|  $|``(?!`)(?<!```)", text, re.MULTILINE), key
        if "](https://" not in text.rpartition("\n")[2]:
            subject = resolve(key)
            assert subject is not None
            without |= {subject.set.name} if subject.set is not None else {*extensions_of(subject.record)}
    assert {name for name in without if page(name) is not None} == set()
    assert {name for name in without if not name.startswith("SPV_")} == {
        *("Arm.MotionEngine.100", "NonSemantic.VkspReflection", "TOSA.001000.1"),
    }


def test_parameters_of_one_name_have_their_own_texts() -> None:
    text = _card("OpenCL.DebugInfo.100.DebugOperation.Fragment")
    assert "offset in bits" in text and "size of the piece" in text


def test_a_card_of_an_instruction_in_its_order() -> None:
    blocks = _card("OpFDiv").split("\n\n")
    assert blocks[0] == "```spirv\n%result = OpFDiv %Result_Type %Operand_1 %Operand_2\n```"
    assert blocks[1].startswith("Divides")
    assert "- *Operand 1* (`IdRef`): dividend.\n- *Operand 2* (`IdRef`): divisor." in blocks
    assert blocks[-2].split("\n")[:2] == ["- Opcode 136, arithmetic", "- Since SPIR-V 1.0"]
    address = "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#OpFDiv"
    assert blocks[-1] == f"[OpFDiv in the specification]({address})"


@pytest.mark.parametrize(
    ("key", "address"),
    [
        ("MemoryAccess.Volatile", "registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#Memory_Operands"),
        ("Decoration.Location", "registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#Decoration"),
        ("GLSL.std.450.Sqrt", "registry.khronos.org/SPIR-V/specs/unified1/GLSL.std.450.html"),
        (
            "NonSemantic.DebugPrintf.DebugPrintf",
            "github.khronos.org/SPIRV-Registry/nonsemantic/NonSemantic.DebugPrintf.html#DebugPrintf",
        ),
        (
            "OpRayQueryProceedKHR",
            "github.khronos.org/SPIRV-Registry/extensions/KHR/SPV_KHR_ray_query.html#OpRayQueryProceedKHR",
        ),
        (
            "OpFragmentFetchAMD",
            "github.khronos.org/SPIRV-Registry/extensions/AMD/SPV_AMD_shader_fragment_mask.html",
        ),
    ],
)
def test_the_page_of_an_entry(key: str, address: str) -> None:
    assert _card(key).endswith(f"(https://{address})")


def test_deprecated_entries_are_struck_through_and_name_what_replaces_them() -> None:
    text = _card("OpKill")
    assert "~~OpKill~~ is deprecated: use [`OpTerminateInvocation`](https://" in text
    assert "or [`OpDemoteToHelperInvocation`](https://" in text
    assert "~~" not in _card("OpReturn")


def test_an_extension_deprecates_where_it_is_declared() -> None:
    assert "Deprecated where `SPV_KHR_poison_freeze` is declared: use [`OpPoisonKHR`]" in _card("OpUndef")
    module = SourceModule('OpExtension "SPV_KHR_poison_freeze"\n').module
    assert "~~OpUndef~~ is deprecated by `SPV_KHR_poison_freeze`: use [`OpPoisonKHR`]" in _card("OpUndef", module)


def test_deprecations_are_of_entries_and_name_entries() -> None:
    for key, known in deprecations().items():
        subject = resolve(key)
        assert subject is not None and subject.key == key
        assert known.replacements and [len(way) for way in known.replacements] == [len(way) for way in known.entities()]


def test_a_signature_keeps_the_names_of_operands_and_shows_how_an_extended_instruction_is_written() -> None:
    assert "%SBT_Offset %SBT_Stride %Miss_Index %Ray_Origin %Ray_Tmin" in _card("OpTraceRayKHR").partition("\n```\n")[0]
    assert _card("GLSL.std.450.FMix").startswith("```spirv\n%result = OpExtInst %Result_Type %Set FMix %x %y %a\n```")
    module = SourceModule('%std = OpExtInstImport "GLSL.std.450"\n').module
    assert "OpExtInst %Result_Type %std FMix %x" in _card("GLSL.std.450.FMix", module)


def test_a_card_says_once_where_an_entry_comes_from() -> None:
    text = _card("OpCooperativeMatrixMulAddKHR")
    assert "- Only with extension `SPV_KHR_cooperative_matrix`" in text and "In no version" not in text
    assert text.count("`SPV_KHR_cooperative_matrix`") == 1 and "optional: optional" not in text
    assert "- Before SPIR-V 1.3 by extension `SPV_KHR_storage_buffer_storage_class`" in _card("StorageClass.StorageBuffer")
    assert "- In no version of the core" in _card("OpImageSparseSampleProjImplicitLod")


@pytest.mark.parametrize(
    ("key", "conditions"),
    [
        ("CooperativeMatrixReduce.Row", ["Only with extension `SPV_EXT_cooperative_matrix_maintenance1` or `SPV_NV_cooperative_matrix2`"]),
        ("TensorAddressingOperands.None", ["Only with extension `SPV_NV_cooperative_matrix2`"]),
        ("BuiltIn.CoreIDARM", ["Enabled by `CoreBuiltinsARM`", "Only with extension `SPV_ARM_core_builtins`"]),
        ("SPV_AMD_gcn_shader.TimeAMD", ["Only with extension `SPV_AMD_gcn_shader`"]),
        ("DebugInfo.DebugInfoFlags.FlagIsPublic", []),
        ("Capability.DescriptorHeapEXT", ["Implies `UntypedPointersKHR`", "Only with extension `SPV_EXT_descriptor_heap`"]),
        (
            "OpHitObjectTraceRayMotionEXT",
            [
                "Enabled by `ShaderInvocationReorderEXT` or `RayTracingMotionBlurNV`",
                "Only with extension `SPV_EXT_shader_invocation_reorder`",
            ],
        ),
        (
            "ExecutionMode.StencilRefLessBackAMD",
            ["Enabled by `StencilExportEXT`", "Only with extension `SPV_AMD_shader_early_and_late_fragment_tests`"],
        ),
        (
            "Scope.QueueFamily",
            ["Enabled by `VulkanMemoryModel`", "Before SPIR-V 1.5 by extension `SPV_KHR_vulkan_memory_model`", "Since SPIR-V 1.5"],
        ),
        ("GroupOperation.ClusteredReduce", ["Enabled by `GroupNonUniformClustered`", "Since SPIR-V 1.3"]),
    ],
)
def test_an_entry_of_an_extension_or_a_set_names_no_version_of_the_core(key: str, conditions: list[str]) -> None:
    subject = resolve(key)
    assert subject is not None and availability.conditions(subject.record, None) == conditions


def test_what_the_module_has_is_ticked() -> None:
    module = SourceModule("; Version: 1.0\nOpCapability Shader\n").module
    assert "- Enabled by `Shader` ✓" in _card("OpKill", module)
    assert "- Declared in this module ✓" in _card("Capability.Shader", module)
    assert "- Implied by what this module declares ✓" in _card("Capability.Matrix", module)
    assert "- Since SPIR-V 1.0, until 1.3" in _card("OpAtomicCompareExchangeWeak", module)
    assert "- Since SPIR-V 1.3 (this module: 1.0)" in _card("OpGroupNonUniformElect", module)


@pytest.mark.parametrize(
    ("name", "is_tangled"),
    [
        ("OpControlBarrier", True), ("OpDPdxFine", True), ("OpGroupNonUniformElect", True), ("OpSubgroupBallotKHR", True),
        ("OpImageSampleImplicitLod", True), ("OpGroupReserveReadPipePackets", True), ("OpImageQueryLod", True),
        ("OpMemoryBarrier", False), ("OpReadPipe", False), ("OpImageSampleExplicitLod", False), ("OpFAdd", False),
    ],
)  # fmt: skip
def test_tangled_instructions_are_named_so(name: str, is_tangled: bool) -> None:
    facts = [line for line in _card(name).split("\n") if line.startswith("- [Tangled instruction](")]
    assert len(facts) == is_tangled
    assert all("glossary/#tangled-instruction)" in fact for fact in facts)
