"""Findings of a rule that a function has many of are shown as one."""

from __future__ import annotations

import spvls
from spvls.diagnostic import Diagnostic, Position, Range, Severity
from spvls.ide.features.grouping import MANY
from spvls.ide.features.grouping import grouped as grouping_steps
from spvls.steps import completed


def grouped(found: list[Diagnostic], functions: list[int], *, errors: bool) -> list[Diagnostic]:
    return completed(grouping_steps(found, functions, errors=errors))


def _finding(line: int, rule: str = "folder/rule", severity: Severity = Severity.WARNING, tags: tuple[str, ...] = ()) -> Diagnostic:
    return Diagnostic(rule, severity, f"message {line}", Range(Position(line, 0), Position(line, 1)), tags=tags)


def test_more_than_ten_in_a_function_are_one_with_the_other_places() -> None:
    found = [_finding(line) for line in range(5, 5 + MANY + 1)]
    (one,) = grouped(found, [5], errors=False)
    assert one.message == "message 5; this rule has 10 more findings in this function"
    assert [(place.range.start.line, place.message) for place in one.related] == [(line, f"message {line}") for line in range(6, 16)]


def test_at_most_a_hundred_places_are_shown_and_all_are_counted() -> None:
    (one,) = grouped([_finding(line) for line in range(5, 256)], [5], errors=False)
    assert one.message == "message 5; this rule has 250 more findings in this function"
    assert [place.range.start.line for place in one.related] == list(range(6, 106))
    (few,) = grouped([_finding(line) for line in range(5, 106)], [5], errors=False)
    assert len(few.related) == 100


def test_what_is_not_alike_stays_apart() -> None:
    few = [_finding(line) for line in range(5, 5 + MANY)]
    two_functions = [_finding(line) for line in range(20)]
    two_rules = [_finding(line, f"folder/rule-{line % 2}") for line in range(2 * MANY)]
    tagged = [_finding(line, tags=("unnecessary",)) for line in range(2 * MANY)]
    before = [_finding(line) for line in range(2 * MANY)]
    whole = [Diagnostic("folder/rule", Severity.WARNING, "of the module")] * (2 * MANY)
    assert grouped(few, [5], errors=False) == few
    assert grouped(two_functions, [0, 10], errors=False) == two_functions
    assert grouped(two_rules, [0], errors=False) == two_rules
    assert grouped(tagged, [0], errors=False) == tagged
    assert grouped(before, [2 * MANY], errors=False) == before
    assert grouped(whole, [0], errors=False) == whole


def test_errors_are_grouped_where_that_is_wanted() -> None:
    found = [_finding(line, severity=Severity.ERROR) for line in range(2 * MANY)]
    assert grouped(found, [0], errors=False) == found
    assert len(grouped(found, [0], errors=True)) == 1


def test_order_is_kept() -> None:
    found = [_finding(line, "folder/many" if line % 2 else f"folder/rule-{line}") for line in range(40)]
    shown = grouped(found, [0], errors=False)
    assert shown == sorted(shown, key=lambda finding: finding.range or Range(Position(0, 0), Position(0, 0)))
    assert len(shown) == 21


_SAMPLER = """\
; spvls: target-env=spv1.5
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %image
OpExecutionMode %main OriginUpperLeft
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%i = OpTypeImage %float 2D 0 0 0 1 Unknown
%si = OpTypeSampledImage %i
%p = OpTypePointer UniformConstant %si
%image = OpVariable %p UniformConstant
%at = OpConstantNull %vec2
%main = OpFunction %void None %fn
%entry = OpLabel
%l = OpLoad %si %image
OpBranch %next
%next = OpLabel
"""


def test_rules_that_compilers_break_often_are_hints_one_a_function() -> None:
    text = _SAMPLER + "".join(f"%x{at} = OpImageSampleImplicitLod %vec4 %l %at None\n" for at in range(12)) + "OpReturn\nOpFunctionEnd\n"
    found = spvls.validate(text, options={"advice": True})
    hints = {finding.rule: finding for finding in found if finding.severity is Severity.HINT and finding.rule.startswith("image/")}
    assert len([finding for finding in found if finding.rule in hints]) == len(hints)
    assert "image/image-operands-are-not-empty" in hints and len(hints["image/loaded-image-stays-in-block"].related) == 12
    assert [finding.rule for finding in found if finding.severity is Severity.INFORMATION] == []
