"""All cases: what the validator finds is what is marked, and the fixes of what it finds remove it."""

from __future__ import annotations

import sys
from difflib import unified_diff
from pathlib import Path

import pytest

import spvls
from spvls.diagnostic import Diagnostic
from spvls.validate.validator import validate_for_list
from tests import wording
from tests.validate.cases import Case, case_files, found_in, marks, read_cases, replace_case, settings, with_marks
from tests.validate.catalogue import requirements_of
from tests.validate.fixes import broken

MESSAGES = {**wording.WORDS, **wording.STRICTER}

_CASES = [case for path in case_files() for case in read_cases(path)]


def _id(case: Case) -> str:
    """The name of a case without what all names have."""
    name = case.name.removeprefix("tests/").removeprefix("fixtures/").removeprefix("validate/").replace(".spvasm", "", 1)
    return name.replace("#", ": ", 1)


@pytest.mark.parametrize("case", _CASES, ids=_id)
def test_case(case: Case, request: pytest.FixtureRequest) -> None:
    found = found_in(case.text)
    actual = {mark for mark, _ in found}
    text = with_marks(case.text, actual, requirements_of)
    if request.config.getoption("update"):
        if text != case.text:
            replace_case(case, text)
    elif actual != {*marks(case.text)}:
        diff = "\n".join(unified_diff(case.text.split("\n"), text.split("\n"), "marked", "found", lineterm=""))
        said = "\n".join(f"[{diagnostic.rule}] {diagnostic.message}" for _, diagnostic in found)
        pytest.fail(f"{case.name}\n{diff}\n\n{said}\n\n`--update` writes these marks", pytrace=False)
    asked = settings(case.text)
    diagnostics = [diagnostic for _, diagnostic in found]
    unclear = [fault for diagnostic in diagnostics for fault in wording.faults(diagnostic.message, MESSAGES)]
    assert unclear == []
    faults = list(broken(case.text, diagnostics, options=asked.options, revealed=asked.revealed))
    assert not faults, "\n\n".join(faults)


def _without_edits(found: list[Diagnostic]) -> list[Diagnostic]:
    return [one._replace(fixes=tuple(fix._replace(edits=()) for fix in one.fixes)) for one in found]


@pytest.mark.parametrize("path", case_files(), ids=lambda path: path.stem)
def test_a_list_has_the_findings_and_the_fixes_without_their_edits(path: Path) -> None:
    for case in read_cases(path):
        options = settings(case.text).options
        found = spvls.validate(case.text, options=options)
        listed = validate_for_list(case.text, sys.maxsize, options=options)
        assert _without_edits(listed) == _without_edits(found)
