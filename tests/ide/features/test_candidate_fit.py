"""Whether ids would do for an operand: what stands in valid modules does, and what rules refuse does not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from spvls.diagnostic import Position
from spvls.ide.features import candidate_fit
from spvls.ide.features.completion import complete
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import texts
from spvls.validate.trial import Trial
from tests.corpus import name_of, text_of
from tests.fuzz.cycles import clean_fixtures

PLACES = 8
"""Operands that are looked at in a fixture."""

MODULE = """OpCapability Shader
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v2 = OpTypeVector %float 2
%fn = OpTypeFunction %void
%ptr = OpTypePointer Private %float
%var = OpVariable %ptr Private
%true = OpConstantTrue %bool
%one = OpConstant %float 1
%two = OpConstant %int 2
%pair = OpConstantComposite %v2 %one %one
%main = OpFunction %void None %fn
%entry = OpLabel
%before = OpFAdd %float %one %one
OpSelectionMerge %merge None
OpBranchConditional %true %arm %merge
%arm = OpLabel
%inside = OpFAdd %float %one %one
OpBranch %merge
%merge = OpLabel
‸
%after = OpFAdd %float %one %one
OpReturn
OpFunctionEnd
"""


def marked(line: str) -> tuple[SourceModule, Position]:
    """`MODULE` with a line at its cursor, and where `‸` stands in that."""
    text = MODULE.replace("‸", line)
    at = text.index("‸")
    before = text[:at]
    return SourceModule(text.replace("‸", "")), Position(before.count("\n"), at - before.rfind("\n") - 1)


def judged(line: str) -> tuple[set[str], set[str]]:
    """The ids that fit, and those that are marked as not fitting."""
    found = complete(*marked(line))
    assert found is not None
    bad = {candidate.label for candidate in found.candidates if candidate.detail.endswith("does not fit here")}
    return {candidate.label for candidate in found.candidates} - bad, bad


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("%x = OpFAdd %float %one ‸", {"%one", "%before"}, {"%two", "%pair", "%true", "%var", "%inside", "%after"}),
        ("%x = OpFAdd %float ‸", {"%one", "%before"}, {"%two", "%pair", "%inside", "%after"}),
        ("%x = OpFAdd ‸", {"%float", "%v2"}, {"%void", "%bool", "%int", "%fn", "%ptr"}),
        ("%x = OpFAdd %float ‸ %one", {"%one", "%before"}, {"%two", "%inside"}),
        ("OpStore %var ‸", {"%one", "%before"}, {"%two", "%pair", "%after"}),
        ("OpStore ‸ %one", {"%var"}, {"%one", "%before"}),
        ("%x = OpCompositeExtract %float ‸ 0", {"%pair"}, {"%one", "%var"}),
        ("%x = OpPhi %float %one %entry ‸ %arm", {"%one", "%before", "%inside"}, {"%two"}),
        ("%x = OpSelect %float ‸ %one %one", {"%true"}, {"%one", "%two"}),
    ],
)
def test_rules_dominance_and_order_decide(line: str, some: set[str], none: set[str]) -> None:
    good, bad = judged(line)
    assert some <= good
    assert none <= bad


def test_what_cannot_be_completed_refuses_nothing() -> None:
    good, bad = judged("%x = OpFAdd %nothing ‸")
    assert bad <= {"%inside", "%after"}
    assert good


def operands(source: SourceModule) -> Iterator[tuple[Position, str]]:
    """Where an instruction names an id as an operand, and the id."""
    for chunk in source.document.chunks:
        for line, record in source.placed(chunk):
            spans = record.words()
            for span, word in zip(spans, texts(record, spans), strict=True):
                if word.startswith("%") and span.start > record.start and "\n" not in record.text:
                    yield Position(line, span.start), word[1:]


@pytest.mark.parametrize("path", clean_fixtures(), ids=name_of)
def test_what_stands_in_a_valid_module_fits(path: Path) -> None:
    source = SourceModule(text_of(path))
    places = list(operands(source))
    for position, name in random.Random(path.name).sample(places, min(PLACES, len(places))):
        found = complete(source, position)
        known = {candidate.label: candidate.detail for candidate in found.candidates} if found is not None else {}
        assert not known.get(f"%{name}", "").endswith("does not fit here"), (position, name)


def test_few_kinds_of_ids_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids that are alike are tried once, and no more kinds than the limit."""
    tried: list[str] = []
    verdict = Trial.verdict
    monkeypatch.setattr(Trial, "verdict", lambda *given: tried.append("") or verdict(*given))
    constants = "".join(f"%c{i} = OpConstant %float {i}\n" for i in range(500))
    types = "".join(f"%t{i} = OpTypeArray %float %two\n" for i in range(200))
    text = MODULE.replace("%main =", constants + types + "%main =").replace("‸", "%x = OpFAdd %float %one ")
    source = SourceModule(text)
    line = text[: text.index("%x = OpFAdd")].count("\n")
    assert complete(source, Position(line, len("%x = OpFAdd %float %one "))) is not None
    assert 0 < len(tried) < 12
    tried.clear()
    assert complete(source, Position(line, len("%x = OpFAdd "))) is not None
    assert len(tried) == candidate_fit.MOST_TRIALS
