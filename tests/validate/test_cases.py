"""All cases: what the validator finds is what is marked, and the fixes of what it finds remove it."""

from __future__ import annotations

from difflib import unified_diff

import pytest

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
