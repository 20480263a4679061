"""Repair: each finding with a fix is gone, nothing new is there, and a second run changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

import spvls
from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Severity
from spvls.validate.repair import Judge, apart, fix_of, repaired
from tests.corpus import FIXTURES, name_of, text_of

ALL = sorted(FIXTURES.rglob("*.spvasm"))


def kinds(findings: Iterable[Diagnostic]) -> Counter[tuple[str, Severity]]:
    return Counter((finding.rule, finding.severity) for finding in findings)


@pytest.mark.parametrize("folder", sorted({path.parent for path in ALL}), ids=name_of)
def test_repair_of_fixtures(folder: Path) -> None:
    for path in folder.glob("*.spvasm"):
        text = text_of(path)
        before = spvls.validate(text)
        for unsafe in (False, True):
            if not any(fix_of(finding, unsafe=unsafe) for finding in before):
                continue
            result = repaired(text, spvls.validate, wanted=lambda _: True, unsafe=unsafe)
            assert result.findings == spvls.validate(result.text)
            assert [finding for finding in result.findings if fix_of(finding, unsafe=unsafe)] == [], path
            assert kinds(result.findings) - kinds(before) == Counter(), path
            assert result.fixed == kinds(before) - kinds(result.findings)
            assert result.refused == 0
            again = repaired(result.text, spvls.validate, wanted=lambda _: True, unsafe=unsafe)
            assert (again.text, again.fixed) == (result.text, Counter())


def test_there_are_fixtures_with_fixes() -> None:
    assert sum(bool(finding.fixes) for path in FIXTURES.glob("*/*/*.spvasm") for finding in spvls.validate(text_of(path))) > 50


# What may go wrong, with judges that find letters


def judge_of(fixes: dict[str, str | tuple[str, bool]], severities: dict[str, Severity] | None = None) -> Judge:
    """Finds each of some letters, with a fix that puts others in its place, and each `E`, an error without a fix."""

    def judge(text: str) -> list[Diagnostic]:
        found = []
        for at, letter in enumerate(text):
            place = Range(Position(0, at), Position(0, at + 1))
            if letter in fixes:
                fix = fixes[letter]
                new, sure = fix if isinstance(fix, tuple) else (fix, True)
                severity = (severities or {}).get(letter, Severity.ERROR)
                found.append(Diagnostic(f"x/{letter}", severity, f"{letter} at {text[:at].count(letter)}", place, fixes=(Fix("f", (Edit(place, new),), sure),)))
            elif letter == "E":
                found.append(Diagnostic("x/E", Severity.ERROR, "E", place))
        return found

    return judge


def run(text: str, judge: Judge, unsafe: bool = False) -> tuple[str, int]:
    result = repaired(text, judge, wanted=lambda _: True, unsafe=unsafe)
    again = repaired(result.text, judge, wanted=lambda _: True, unsafe=unsafe)
    assert again.text == result.text
    return result.text, result.refused


def test_a_fix_that_brings_another_finding_is_followed() -> None:
    light = {"a": Severity.ERROR, "b": Severity.HINT}
    assert run("-a-", judge_of({"a": "b", "b": "."}, light)) == ("-.-", 0)


def test_a_fix_that_would_add_an_error_is_refused_and_others_are_not() -> None:
    assert run("a-b-c-d-e", judge_of({"a": ".", "b": "E", "c": ".", "d": "E", "e": "."})) == (".-b-.-d-.", 2)


def test_fixes_that_undo_each_other_come_to_an_end() -> None:
    light = {"a": Severity.HINT, "b": Severity.HINT}
    assert run("a-b", judge_of({"a": "b", "b": "a"}, light)) == ("a-b", 2)


def test_a_fix_that_changes_nothing_is_refused() -> None:
    assert run("a", judge_of({"a": "a"})) == ("a", 1)


def test_what_is_no_good_at_first_may_be_after_the_others() -> None:
    def judge(text: str) -> list[Diagnostic]:
        found = judge_of({"a": "", "b": "."})(text)
        place = Range(Position(0, 0), Position(0, 1))
        return [*found, Diagnostic("x/pair", Severity.ERROR, "m", place)] if "b" not in text and "a" in text else found

    assert run("a-b", judge) == ("-.", 0)


def test_fixes_that_are_not_sure_wait_to_be_asked_for() -> None:
    judge = judge_of({"a": (".", False), "b": "."})
    assert run("ab", judge) == ("a.", 0)
    assert run("ab", judge, unsafe=True) == ("..", 0)


def test_only_what_is_wanted_is_repaired() -> None:
    judge = judge_of({"a": ".", "b": "."})
    assert repaired("ab", judge, wanted=lambda finding: finding.rule == "x/a").text == ".b"


def test_few_tries_for_many_fixes() -> None:
    """A bad fix among many costs the logarithm of their number."""
    calls = 0
    judge = judge_of({"a": ".", "b": "E"})

    def counted(text: str) -> list[Diagnostic]:
        nonlocal calls
        calls += 1
        return judge(text)

    assert repaired("a" * 500 + "b" + "a" * 500, counted, wanted=lambda _: True).text == "." * 500 + "b" + "." * 500
    assert calls < 60


def test_fixes_that_keep_apart() -> None:
    def fix(start: int, end: int, text: str) -> Fix:
        return Fix("f", (Edit(Range(Position(0, start), Position(0, end)), text),))

    fixes = [fix(0, 2, "x"), fix(1, 3, "y"), fix(5, 5, "a"), fix(5, 5, "b"), fix(5, 5, "a"), fix(7, 8, "")]
    assert list(apart(fixes, sharing=True)) == [0, 2, 3, 5]
    assert list(apart(fixes, sharing=False)) == [0, 2, 5]
