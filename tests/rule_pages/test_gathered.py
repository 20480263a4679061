"""What is gathered from code and fixtures is what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from spvls.diagnostic import Severity
from spvls.grammar import sections
from spvls.validate.engine.explanation import explained
from spvls.validate.engine.rule import Rule, RuleTarget
from spvls.validate.engine.rule_facts import facts_of
from tests.rule_pages import code
from tests.rule_pages.code import RuleCode, code_of
from tests.rule_pages.examples import MOST_LINES, examples
from tests.validate.cases import found_in

_TABLE = {"a": ("VUID-Table-a-00001", 1)}
_PREFIX = "VUID-Module-Prefix-"


def _helper(context: object) -> str:
    return f"{_PREFIX}0000{2 if context else 3}"


def _check(context: Any) -> Iterator[object]:
    number = "00004" if context else "00005"
    yield _TABLE
    yield _helper(context)
    yield "VUID-Local-x-" + number
    yield context.options.max_struct_depth


def _unknown(context: object, number: str) -> Iterator[object]:
    yield f"VUID-{context}-x-{number}"


def _code(check: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> RuleCode:
    monkeypatch.setattr(code, "_WALKED", re.compile(re.escape(__name__)))
    target, section = RuleTarget.MODULE, sections.TYPES
    return code_of(Rule("a/b", target, check, section, Severity.ERROR, "VUID-Own-x-00009", (), frozenset()))


def test_vuids_and_options_are_those_of_reached_code(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _code(_check, monkeypatch)
    assert sorted(vuid[-5:] for vuid in found.vuids) == ["00001", "00002", "00003", "00004", "00005", "00009"]
    assert found.options == {"max_struct_depth"}
    assert not found.open


def test_what_is_put_together_from_arguments_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _code(_unknown, monkeypatch)
    assert found.vuids == {"VUID-Own-x-00009"}
    assert len(found.open) == 1


_FAULTY = """\
; A word too much.
               OpCapability Shader
               OpMemoryModel Logical GLSL450
       %bool = OpTypeBool
        %int = OpTypeInt 32 1
          %k = OpConstantFalse %int
    ;                          ^^^^ error: constant/boolean-constant-is-bool
"""


def test_an_example_has_the_lines_that_differ_and_what_they_name() -> None:
    rule = "constant/boolean-constant-is-bool"
    bad, good = examples(rule, _FAULTY, _FAULTY.replace("False %int", "False %bool"), found_in(_FAULTY))
    assert bad == ["%int = OpTypeInt 32 1", "  %k = OpConstantFalse %int", ";                      ^^^^"]
    assert good == ["%bool = OpTypeBool", "   %k = OpConstantFalse %bool"]


def test_an_example_without_a_line_in_the_twin_shows_what_is_left() -> None:
    rule = "constant/boolean-constant-is-bool"
    clean = "\n".join(line for line in _FAULTY.split("\n") if "%k" not in line)
    assert examples(rule, _FAULTY, clean, found_in(_FAULTY))[1] == ["%int = OpTypeInt 32 1"]


def test_an_example_whose_twin_shows_nothing_has_the_lines_around() -> None:
    facts = facts_of("module/sampler-addressing-is-declared-once")
    assert facts.example.count("OpSamplerImageAddressingModeNV") == 2
    assert facts.instead.count("OpSamplerImageAddressingModeNV") == 1


def test_no_example_is_long() -> None:
    found = {id_: facts_of(id_) for id_ in explained()}
    most = MOST_LINES + 1
    assert [
        id_ for id_, facts in found.items() if max(len(text.split("\n")) for text in (facts.example, facts.instead)) > most
    ] == []


def test_an_example_shows_the_limit_that_it_exceeds() -> None:
    facts = facts_of("type/struct-members-are-within-limit")
    assert facts.example.startswith("; --max-struct-members 2\n")
    assert facts.instead.startswith("; --max-struct-members 2\n")


def test_what_a_title_names_refers_to_its_extension() -> None:
    facts = facts_of("control-flow/reconvergence-points-are-declared")
    assert [source.name for source in facts.sources] == ["SPV_KHR_maximal_reconvergence"]
