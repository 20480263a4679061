"""Rules of `module/section`: order of the sections, and what stands once in a module."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.sources.layout import LAYOUT_HEAD, LAYOUT_MODEL, LAYOUT_TYPES


@pytest.mark.parametrize(
    "text",
    [
        LAYOUT_MODEL + 'OpName %void "v"\nOpDecorate %s SpecId 1\n' + LAYOUT_TYPES + "%s = OpSpecConstantTrue %bool",
        LAYOUT_MODEL + LAYOUT_TYPES + 'OpName %void "v" ; error: module/sections-are-in-order `OpName`\nOpName %bool "b"\n',
        LAYOUT_MODEL + "%void = OpTypeVoid\nOpCapability Int64 ; error: module/sections-are-in-order `OpCapability`",
        'OpName %void "v" ; error: module/sections-are-in-order `OpName`\n' + LAYOUT_MODEL + LAYOUT_TYPES,
        LAYOUT_MODEL + LAYOUT_TYPES + "OpReturn ; error: module/sections-are-in-order `OpReturn`",
        LAYOUT_MODEL + LAYOUT_TYPES + "%l = OpLabel ; error: module/sections-are-in-order `OpLabel`",
    ],
)
def test_sections_stand_in_their_order(text: str) -> None:
    check(LAYOUT_HEAD + text)


@pytest.mark.parametrize(
    "text",
    [
        LAYOUT_HEAD + LAYOUT_MODEL,
        "OpCapability Linkage ; error: module/memory-model-is-declared-once",
        LAYOUT_HEAD + "%void = OpTypeVoid ; error: module/memory-model-is-declared-once `OpTypeVoid`\n%bool = OpTypeBool",
        LAYOUT_HEAD + LAYOUT_MODEL + "OpMemoryModel Logical GLSL450 ; error: module/memory-model-is-declared-once",
    ],
)
def test_there_is_one_memory_model(text: str) -> None:
    check(text)


def test_an_empty_text_lacks_its_memory_model_at_its_beginning() -> None:
    (diagnostic,) = spvls.validate("; nothing")
    assert diagnostic.rule == "module/memory-model-is-declared-once"
    assert diagnostic.range is not None
    assert diagnostic.range.start == (0, 0)


def test_the_addressing_mode_of_samplers_is_set_once() -> None:
    text = LAYOUT_HEAD + 'OpCapability BindlessTextureNV\nOpExtension "SPV_NV_bindless_texture"\n' + LAYOUT_MODEL
    check(text + "OpSamplerImageAddressingModeNV 32")
    once = "OpSamplerImageAddressingModeNV 32\nOpSamplerImageAddressingModeNV 32 ; error: module/sampler-addressing-is-declared-once"
    check(text + once)
