"""Comments that set findings aside."""

from __future__ import annotations

import spvls

_HEAD = "OpCapability Linkage\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"


def _rules(text: str) -> list[tuple[str, int]]:
    return [(d.rule, d.range.start.line) for d in spvls.validate(_HEAD + text) if d.range is not None]


def test_on_the_line_and_above_it() -> None:
    assert _rules('OpName %x "x"\n') == [("ssa/id-defined", 3)]
    assert _rules('OpName %x "x" ; spvls: ignore[ssa/id-defined]\n') == []
    assert _rules('; spvls: ignore[ssa/id-defined]\nOpName %x "x"\n') == []


def test_another_rule_stays_and_the_comment_is_told() -> None:
    assert _rules('OpName %x "x" ; spvls: ignore[phi/parents]\n') == [("ssa/id-defined", 3), ("suppression/unused", 3)]


def test_a_rule_that_does_not_exist() -> None:
    found = spvls.validate(_HEAD + "; spvls: ignore[phi/parent]\n")
    assert [(d.rule, d.severity.value) for d in found] == [("suppression/unknown-rule", "warning")]
    assert found[0].fixes[0].edits[0].text == "phi/parents"
