"""Rules of `module/header`: the words of the header, and the version against the environment."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.sources.layout import LAYOUT_FUNCTION, LAYOUT_TYPES
from tests.validate.sources.literal_form import LITERAL_FORM_SCHEMA, literal_form_found, literal_form_words


@pytest.mark.parametrize(("env", "takes"), [("vulkan1.1", False), ("vulkan1.2", True), ("spv1.4", False), ("spv1.6", True)])
def test_an_environment_takes_versions_up_to_its_own(env: str, takes: bool) -> None:
    text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" + 'OpEntryPoint Vertex %f "main"\n' + LAYOUT_TYPES + LAYOUT_FUNCTION
    found = spvls.validate(spvls.assemble(text, target_env="spv1.5"), target_env=env)
    assert [d.rule for d in found] == ([] if takes else ["module/version-fits-environment"])


def test_the_reserved_word_of_the_header() -> None:
    words = literal_form_words()
    words[LITERAL_FORM_SCHEMA] = 1
    assert literal_form_found(words) == ["module/reserved-header-word-is-zero"]
