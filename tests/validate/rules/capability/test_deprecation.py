"""Rules of `capability/deprecation`: what versions and extensions deprecate."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.shaders import shader
from tests.validate.sources.advice import ADVICE, advice_function
from tests.validate.sources.annotation import ANNOTATION_ROUNDED


def test_an_instruction_is_deprecated_by_an_extension() -> None:
    body = "%v = OpVariable %pointer Function\n%u = OpUndef %float\nOpStore %v %u Volatile"
    declared = 'OpExtension "SPV_KHR_poison_freeze"'
    (found,) = spvls.validate(advice_function(body, more=declared), options=ADVICE)
    assert found.tags == ("deprecated",)
    assert found.message == "OpUndef is deprecated by SPV_KHR_poison_freeze; use OpPoisonKHR with OpFreezeKHR"


def test_only_who_asks_is_given_advice() -> None:
    assert spvls.validate(advice_function("%sum = OpFAdd %float %one %one")) == []


@pytest.mark.parametrize(("mode", "fits"), [("RTE", True), ("RTP", False)])
def test_rounding_modes_in_vulkan(mode: str, fits: bool) -> None:
    text = shader(
        "%r = OpFConvert %half %f\nOpStore %o %r",
        ANNOTATION_ROUNDED.format("%half"),
        annotations=f"OpDecorate %r FPRoundingMode {mode}\nOpDecorate %o Location 0",
        capabilities="Float16 StorageInputOutput16",
        model="Vertex",
    ).replace('"main"', '"main" %o')
    found = [d.vuid for d in spvls.validate(text, target_env="vulkan1.3")]
    assert found == ([] if fits else ["VUID-StandaloneSpirv-FPRoundingMode-04675"])
