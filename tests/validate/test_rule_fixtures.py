"""Each rule has a module that violates it, `fixtures/rules/<rule>.spvasm`, and the same module fixed, `<rule>.clean.spvasm`.

`test_cases` holds both against the validator.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from spvls.syntax.header import read_header
from spvls.validate.engine.explanation import explained
from tests.corpus import RULES, text_of
from tests.validate.cases import marks, settings

_CLEAN = ".clean"
_FILES = sorted(path for path in RULES.rglob("*") if path.is_file())

#: What is said of files as such, of several files and of files of other languages, of the header of a binary, and of an instruction of 65,536 words, which is no small
#: module.
_OF_FILES = ("config/", "host/", "link/", "report/", "text/", "internal/", "module/reserved-header-word-is-zero")
_TOO_LARGE = {"syntax/too-long"}
_IDS = sorted({id_ for id_ in explained() if not id_.startswith(_OF_FILES)} - _TOO_LARGE)


def _stem(path: Path) -> str:
    return path.relative_to(RULES).as_posix().removesuffix(".spvasm")


_FAULTY = {_stem(path): path for path in _FILES if not _stem(path).endswith(_CLEAN)}
_TWINS = {_stem(path).removesuffix(_CLEAN): path for path in _FILES if _stem(path).endswith(_CLEAN)}


def test_a_rule_has_both() -> None:
    assert [rule for rule in _IDS if rule not in _FAULTY or rule not in _TWINS] == []


def test_a_fixture_is_that_of_a_rule() -> None:
    known = {*explained()}
    assert [path for path in _FILES if path.suffix != ".spvasm" or _stem(path).removesuffix(_CLEAN) not in known] == []


def test_a_faulty_module_violates_its_rule() -> None:
    marked = {rule: {mark.rule for mark in marks(text_of(path))} for rule, path in _FAULTY.items()}
    assert [rule for rule, found in marked.items() if rule not in found] == []


def test_a_fixed_module_has_no_marks() -> None:
    assert [rule for rule, path in _TWINS.items() if marks(text_of(path))] == []


def test_a_faulty_module_says_what_is_wrong() -> None:
    def explains(path: Path) -> bool:
        return any(line.startswith("; ") and line.endswith(".") for line in text_of(path).split("\n"))

    assert [rule for rule, path in _FAULTY.items() if not explains(path)] == []


@pytest.mark.parametrize("rule", sorted({*_FAULTY} & {*_TWINS}))
def test_both_are_checked_alike(rule: str) -> None:
    faulty, fixed = text_of(_FAULTY[rule]), text_of(_TWINS[rule])
    assert faulty != fixed
    if rule != "module/version-fits-environment":  # the one fault that lies in the settings
        assert settings(faulty) == settings(fixed)
    if not rule.startswith(("comment/", "capability/extension-fits-version")):  # the fault is in the target
        assert read_header(faulty.split("\n")).target == read_header(fixed.split("\n")).target
