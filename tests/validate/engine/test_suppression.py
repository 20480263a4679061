"""Comments that set findings aside."""

from __future__ import annotations

import pytest

import spvls

_HEAD = "OpCapability Linkage\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"


def _rules(text: str) -> list[tuple[str, int]]:
    return [(d.rule, d.range.start.line) for d in spvls.validate(_HEAD + text) if d.range is not None]


def test_on_the_line_and_above_it() -> None:
    assert _rules('OpName %x "x"\n') == [("id/is-defined-before-use", 3)]
    assert _rules('OpName %x "x" ; spvls: ignore[id/is-defined-before-use]\n') == []
    assert _rules('; spvls: ignore[id/is-defined-before-use]\nOpName %x "x"\n') == []


def test_another_rule_stays_and_the_comment_is_told() -> None:
    assert _rules('OpName %x "x" ; spvls: ignore[control-flow/phi-names-each-predecessor-once]\n') == [("id/is-defined-before-use", 3), ("suppression/unused", 3)]


def test_a_rule_that_does_not_exist() -> None:
    found = spvls.validate(_HEAD + "; spvls: ignore[control-flow/phi-names-each-predecesor-once]\n")
    assert [(d.rule, d.severity.value) for d in found] == [("suppression/unknown-rule", "warning")]
    assert found[0].fixes[0].edits[0].text == "control-flow/phi-names-each-predecessor-once"


def test_findings_that_comments_do_not_reach() -> None:
    (found,) = spvls.validate(_HEAD + "; spvls: ignore[suppression/unused]\n")
    assert found.rule == "suppression/unknown-rule"
    assert found.message == "a comment cannot ignore findings of suppression/unused; remove this id"


@pytest.mark.parametrize(
    ("comment", "rule", "underlined", "better"),
    [
        ("; spvls: target-env=vulkn1.2", "comment/unknown-environment", "vulkn1.2", "vulkan1.2"),
        ("; spvls: target-env = spirv9", "comment/unknown-environment", "spirv9", None),
        ("; spvls: target-env", "comment/unknown-environment", "target-env", None),
        ("; spvls: header schema=0, target-env=vulkn1.2", "comment/unknown-environment", "vulkn1.2", "vulkan1.2"),
        ("; spvls: target-evn=vulkan1.2", "comment/unknown-word", "target-evn", "target-env"),
        ("; spvls: ignroe[id/is-defined-before-use]", "comment/unknown-word", "ignroe", "ignore"),
        ("; spvls: ignore id/is-defined-before-use", "comment/unknown-word", "ignore", None),
    ],
)
def test_what_spvls_does_not_understand(comment: str, rule: str, underlined: str, better: str | None) -> None:
    (found,) = spvls.validate(f"{comment}\n{_HEAD}")
    assert found.rule == rule
    assert found.range is not None
    assert comment[found.range.start.column : found.range.end.column].split(" ")[0] == underlined
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ([better] if better else [])


def test_a_string_is_no_comment() -> None:
    assert _rules('%s = OpString "; spvls: what"\n') == []


def test_what_is_said_of_a_comment_can_be_set_aside() -> None:
    text = "; spvls: ignore[comment/unknown-word]\n; spvls: what\n"
    assert _rules(text) == []


@pytest.mark.parametrize(
    ("environment", "rule", "options", "is_told"),
    [
        ("spv1.6", "id/result-is-used", {}, False),
        ("spv1.6", "id/result-is-used", {"advice": True}, True),
        ("spv1.6", "memory/variable-is-needed", {"advice": True}, False),
        ("spv1.6", "capability/device-has-features", {}, False),
        ("spv1.6", "block-layout/buffer-struct-is-block", {}, False),
        ("vulkan1.3", "block-layout/buffer-struct-is-block", {}, True),
        ("vulkan1.3", "block-layout/layout-is-complete", {}, False),
        ("spv1.6", "syntax/unknown-opcode", {}, True),
    ],
)
def test_only_rules_that_run_are_told_to_find_nothing(environment: str, rule: str, options: dict[str, bool], is_told: bool) -> None:
    text = f"{_HEAD}; spvls: ignore[{rule}]\n"
    found = {each.rule for each in spvls.validate(text, target_env=environment, options=options)}
    assert ("suppression/unused" in found) == is_told
