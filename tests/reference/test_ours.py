"""What spvls makes of a module, exceptions included."""

from __future__ import annotations

import re

import pytest

import spvls
from tests.reference import ours
from tests.reference.ours import assembled, listed, validated, validated_in_full

WORDS = spvls.assemble("OpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpTypeVector %2 9\n%2 = OpTypeFloat 32\n")


def test_errors_and_warnings_are_kept_apart() -> None:
    found = validated(WORDS, "spv1.6")
    assert not found.ok
    assert found.rules_at(3) == {one.rule for one in found.errors if one.instruction == 3} != frozenset()
    assert found.rules_at(None) == {one.rule for one in found.errors}
    assert found.rules_at(1) == frozenset()


def test_what_follows_from_another_error_is_had_as_well() -> None:
    text = """\
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%vec2 = OpTypeVector %float 2
%one = OpConstant %float 1
%sum = OpSpecConstantComposite %uint %one %one
%pair = OpSpecConstantComposite %vec2 %sum %one
"""
    words = spvls.assemble(text)
    assert not validated(words, "spv1.6").rules_at(9)
    assert validated_in_full(words, "spv1.6").rules_at(9)


def test_a_text_with_errors_has_no_words() -> None:
    assert assembled("OpCapability Shader", "spv1.6")[1].ok
    words, found = assembled("OpCapability Shadr", "spv1.6")
    assert (words, found.ok, len(found.errors)) == (b"", False, 1)


def test_a_binary_that_cannot_be_listed_has_no_listing() -> None:
    assert listed(WORDS, False)[0] is not None
    assert listed(WORDS[:-4], False) == (None, "")


def test_an_exception_is_reported_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: object, **options: object) -> None:
        re.compile("(")

    for name in ("validate", "assemble", "disassemble"):
        monkeypatch.setattr(spvls, name, fails)
    for raised in (validated(b"", "spv1.6").raised, assembled("", "spv1.6")[1].raised, listed(b"", True)[1]):
        assert re.fullmatch(r"(PatternError|error) in \w+ \(\w+\.py:\d+\), called by \w+ \(\w+\.py:\d+\)", raised)
    assert not ours.Verdict(raised="x").ok
