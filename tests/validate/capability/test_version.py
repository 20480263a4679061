"""Rules of `capability/version`: what a version of SPIR-V has, and what extensions add to it."""

from __future__ import annotations

import pytest

from tests.validate.check import check


@pytest.mark.parametrize(
    ("env", "line"),
    [
        ("spv1.3", "OpCapability ShaderNonUniform ; error: capability/uses-exist-in-version `ShaderNonUniform`"),
        ("spv1.3", 'OpCapability ShaderNonUniform\nOpExtension "SPV_EXT_descriptor_indexing"'),
        ("spv1.5", "OpCapability ShaderNonUniform"),
    ],
)
def test_a_later_capability_comes_with_its_version_or_extension(env: str, line: str) -> None:
    check(f"OpCapability Shader\nOpCapability Linkage\n{line}\nOpMemoryModel Logical GLSL450", env=env)


@pytest.mark.parametrize(
    ("env", "annotation"),
    [
        ("spv1.3", "OpDecorate %S BufferBlock"),
        ("spv1.4", "OpDecorate %S BufferBlock ; error: capability/uses-are-not-removed `BufferBlock`"),
    ],
)
def test_what_was_removed_is_not_used(env: str, annotation: str) -> None:
    text = f"OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n{annotation}\n"
    check(text + "OpMemberDecorate %S 0 Offset 0\n%int = OpTypeInt 32 0\n%S = OpTypeStruct %int", env=env)


def test_a_later_instruction_and_a_later_enumerant() -> None:
    text = 'OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOpModuleProcessed "x"'
    check(text + " ; error: capability/uses-exist-in-version", env="spv1.0")
    check(text, env="spv1.1")
