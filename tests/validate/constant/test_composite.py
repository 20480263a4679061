"""Rules of `constant/composite`: constant composites."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.constant import CONSTANT_DECLARATIONS


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantFalse %bool",
        "%k = OpConstantFalse %int ; error: constant/boolean-constant-is-bool `%int`",
        "%k = OpSpecConstantTrue %float ; error: constant/boolean-constant-is-bool `%float`",
        "%k = OpConstantComposite %array %c %c",
        "%k = OpConstantComposite %struct %c %c2",
        "%k = OpConstantComposite %mat2x2 %c2 %c2",
        "%k = OpSpecConstantComposite %uvec2 %spec %zero",
        "%k = OpConstantComposite %float %c ; error: constant/composite-has-composite-type `%float`",
        "%k = OpConstantComposite %vec2 %c %c %c ; error: constant/constituent-count-matches-type `%c`",
        "%k = OpConstantComposite %vec3 %c %c ; error: constant/constituent-count-matches-type",
        "%k = OpConstantComposite %struct %c2 %c ; error: constant/constituent-types-match `%c2`",
        "%k = OpConstantComposite %mat2x2 %c2 %c3 ; error: constant/constituent-types-match `%c3`",
        "%k = OpConstantComposite %array %c %ci ; error: constant/constituent-types-match `%ci`",
        "%k = OpConstantNull %struct",
        "%k = OpConstantNull %image ; error: constant/null-constant-type-is-nullable `%image`",
        "%k = OpConstantNull %holder ; error: constant/null-constant-type-is-nullable `%holder`",
        "%k = OpConstantNull %open ; error: constant/null-constant-type-is-nullable `%open`",
    ],
)
def test_constants(line: str) -> None:
    check(shader("", CONSTANT_DECLARATIONS + line))


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantCompositeReplicateEXT %vec4 %c",
        "%k = OpConstantCompositeReplicateEXT %vec4 %ci ; error: constant/replicated-value-matches-elements `%ci`",
    ],
)
def test_replicated_constants(line: str) -> None:
    text = shader(
        "", CONSTANT_DECLARATIONS + line, capabilities="ReplicatedCompositesEXT", extensions="SPV_EXT_replicated_composites"
    )
    check(text)
