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

#: What is said of files as such and of files of other languages, of the header of a binary, and of an instruction of 65,536 words, a string of as many
#: characters or 256 execution modes, which are no small modules.
_OF_FILES = ("config/", "host/", "text/", "internal/", "module/reserved-header-word-is-zero")
_TOO_LARGE = {"syntax/too-long", "module/string-length-is-within-limit", "entry-point/modes-are-within-limit"}
_IDS = sorted({id_ for id_ in explained() if not id_.startswith(_OF_FILES)} - _TOO_LARGE)


def _stem(path: Path) -> str:
    return path.relative_to(RULES).as_posix().removesuffix(".spvasm")


_FAULTY = {_stem(path): path for path in _FILES if not _stem(path).endswith(_CLEAN)}
_TWINS = {_stem(path).removesuffix(_CLEAN): path for path in _FILES if _stem(path).endswith(_CLEAN)}


@pytest.mark.parametrize("rule", _IDS)
def test_a_rule_has_both(rule: str) -> None:
    assert (rule in _FAULTY, rule in _TWINS) == (True, True)


@pytest.mark.parametrize("path", _FILES, ids=_stem)
def test_a_fixture_is_that_of_a_rule(path: Path) -> None:
    assert path.suffix == ".spvasm"
    assert _stem(path).removesuffix(_CLEAN) in explained()


@pytest.mark.parametrize("rule", _FAULTY)
def test_a_faulty_module_violates_its_rule(rule: str) -> None:
    assert rule in {mark.rule for mark in marks(text_of(_FAULTY[rule]))}


@pytest.mark.parametrize("rule", _TWINS)
def test_a_fixed_module_has_no_marks(rule: str) -> None:
    assert not marks(text_of(_TWINS[rule]))


@pytest.mark.parametrize("rule", sorted({*_FAULTY} & {*_TWINS}))
def test_both_are_checked_alike(rule: str) -> None:
    faulty, mended = text_of(_FAULTY[rule]), text_of(_TWINS[rule])
    assert faulty != mended
    if rule != "module/version-fits-environment":  # the one fault that lies in the settings
        assert settings(faulty) == settings(mended)
    if not rule.startswith("comment/"):  # the fault is what the target is called
        assert read_header(faulty.split("\n")).target == read_header(mended.split("\n")).target


@pytest.mark.parametrize("rule", _FAULTY)
def test_a_faulty_module_says_what_is_wrong(rule: str) -> None:
    comments = [line for line in text_of(_FAULTY[rule]).split("\n") if line.startswith("; ")]
    assert any(line.endswith(".") for line in comments)
