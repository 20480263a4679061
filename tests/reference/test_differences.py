"""Deliberate differences from the reference: each is documented and pinned, and goes by an option where it is an error of ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import spvls
from spvls.validate.engine.rule import rules
from spvls.validate.reference_verdicts import DIFFERENCES
from tests.corpus import text_of
from tests.reference.inventory import reported_elsewhere
from tests.validate.cases import cases_in

_HERE = Path(__file__).parent
_FILES = sorted((_HERE / "differences").glob("*.spvasm"))
_TEXT = (_HERE / "differences.md").read_text("utf-8")
_ERRORS, _ACCEPTED = (re.findall(r"^\| `([\w-]+)` \|", part, re.MULTILINE) for part in _TEXT.split("## Errors of the reference"))


def _errors(path: Path, **options: bool) -> set[str]:
    modules = [case.text for case in cases_in(text_of(path), path)]
    return {one.rule for module in modules for one in spvls.validate(module, options=options) if one.severity.value == "error"}


def test_each_difference_is_documented_and_pinned() -> None:
    assert sorted(_ERRORS + _ACCEPTED) == [path.stem for path in _FILES]


def test_each_rule_that_differs_is_pinned() -> None:
    pinned = set().union(*(_errors(path) for path in _FILES if path.stem in _ERRORS))
    assert pinned == set(DIFFERENCES)
    assert DIFFERENCES.keys() <= rules().keys()


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_the_option_makes_warnings_of_our_errors(path: Path) -> None:
    assert bool(_errors(path)) == (path.stem in _ERRORS)
    assert _errors(path, reference_verdicts=True) == set()


def test_the_option_leaves_other_errors() -> None:
    text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%int = OpTypeInt 32 2\n"
    found = spvls.validate(text, options={"reference_verdicts": True})
    assert [one.rule for one in found if one.severity.value == "error"] == ["type/signedness-is-0-or-1"]


def test_rules_that_report_another_instruction_are_rules() -> None:
    assert reported_elsewhere() <= rules().keys()
    assert "module/sections-are-in-order" in reported_elsewhere()
