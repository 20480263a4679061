"""Markdown about extensions and of imported sets."""

from __future__ import annotations

import pytest

from spvls.grammar import tables
from spvls.ide.documentation.extension_markdown import extension_markdown, set_markdown


def test_every_extension_has_its_facts() -> None:
    for name in tables.extension_names():
        title, facts = extension_markdown(name).split("\n\n")
        assert f"`{name}`" in title and facts.startswith("- "), name


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        (
            "SPV_KHR_storage_buffer_storage_class",
            [
                *("StorageClass: `StorageBuffer`", "In the core since SPIR-V 1.3"),
                "Vulkan: version 1.1, or `VK_KHR_storage_buffer_storage_class`",
            ],
        ),
        ("SPV_KHR_expect_assume", ["Instructions: `OpAssumeTrueKHR`, `OpExpectKHR`", "Capability: `ExpectAssumeKHR`"]),
        ("SPV_AMD_gcn_shader", ["Extended instructions: `CubeFaceIndexAMD`, `CubeFaceCoordAMD`, `TimeAMD`"]),
        ("SPV_KHR_non_semantic_info", ["Adds no names: it changes what is allowed, or what something means"]),
    ],
)
def test_what_an_extension_brings(name: str, facts: list[str]) -> None:
    lines = extension_markdown(name).split("\n\n")[1].splitlines()
    assert [line.removeprefix("- ") for line in lines][: len(facts)] == facts


def test_many_names_are_counted() -> None:
    text = extension_markdown("SPV_INTEL_device_side_avc_motion_estimation")
    assert "and 88 more" in text and text.count("`Op") == 30


def test_imported_sets() -> None:
    known = tables.extended_set("NonSemantic.DebugPrintf")
    assert known is not None
    text = set_markdown(known, "NonSemantic.DebugPrintf")
    assert "of 1 instruction\n\n`DebugPrintf`" in text and "Non-semantic" in text
    known = tables.extended_set("GLSL.std.450")
    assert known is not None and set_markdown(known, "GLSL.std.450").endswith("of 81 instructions")
