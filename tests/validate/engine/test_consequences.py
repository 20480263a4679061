"""One fault is one finding: what follows from another error is left out, and what does not is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

import pytest

import spvls
from spvls.diagnostic import Diagnostic, Severity
from spvls.steps import Steps, completed
from spvls.syntax.document import Document
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.engine import consequences
from spvls.validate.engine.explanation import explained
from spvls.validate.engine.report import Reported
from spvls.validate.engine.rule_patterns import patterns_of
from tests.corpus import FIXTURES, text_of
from tests.fuzz.mutation import mutate
from tests.fuzz.words import Words

_HEAD = "OpCapability Linkage\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"
_TYPES = """\
%void = OpTypeVoid
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%float_p = OpTypePointer Private %float
%uint_p = OpTypePointer Private %uint
%one = OpConstant %uint 1
%half = OpConstant %float 0.5
%floats = OpVariable %float_p Private
%uints = OpVariable %uint_p Private
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
"""
_TABLES = (consequences.ON_INSTRUCTION, consequences.ON_OPERAND, consequences.ON_DEFINITION, consequences.ON_ENTRY_POINT)


MUTANTS = 80


def _errors(text: str) -> list[str]:
    return [one.rule for one in spvls.validate(text) if one.severity is Severity.ERROR]


def _in_function(lines: str) -> list[str]:
    return _errors(f"{_HEAD}{_TYPES}{lines}\nOpReturn\nOpFunctionEnd\n")


@pytest.mark.parametrize("table", _TABLES)
def test_tables_name_rules(table: Mapping[str, frozenset[str]]) -> None:
    known = {pattern for rule in explained() for pattern in patterns_of(rule)}
    assert {*table, *frozenset().union(*table.values())} <= known


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("%l = OpLoad %uint %floats\n%s = OpFAdd %float %l %half", ["memory/load-matches-pointee"]),
        ("%l = OpLoad %uint %floats\n%s = OpFAdd %float %l %half\nOpStore %uints %s", ["memory/load-matches-pointee"]),
        ("%l = OpLoad %uint %floats\nOpStore %uints %half", ["memory/load-matches-pointee", "memory/store-matches-pointee"]),
        (
            "%l = OpLoad %uint %floats\n%s = OpFAdd %float %one %half",
            ["memory/load-matches-pointee", "computation/float-operands-match-result"],
        ),
        (
            "%l = OpLoad %uint %floats\nOpStore %one %l",
            ["memory/load-matches-pointee", "memory/access-takes-pointer"],
        ),
    ],
)
def test_what_uses_a_result_of_another_type_follows(lines: str, expected: list[str]) -> None:
    assert _in_function(lines) == expected


@pytest.mark.parametrize(
    "line",
    [
        "OpStore %main %half",
        "%x = OpLoad %float %main",
        "%x = OpAccessChain %float_p %main",
        "OpControlBarrier %one %main %one",
        "OpBranch %next\n%next = OpLabel\n%x = OpPhi %float %main %entry",
        "OpBranch %next\n%next = OpLabel\n%x = OpPhi %float %half %main",
    ],
)
def test_a_function_or_a_type_in_place_of_a_value_is_one_error(line: str) -> None:
    assert _in_function(line) == ["id/operand-is-value"]
    assert _in_function(line.replace("%main", "%void")) == ["id/operand-is-value"]


def test_a_wrong_storage_class_is_one_error() -> None:
    text = f"""{_HEAD}
        %float = OpTypeFloat 32
        %in = OpTypePointer Input %float
        %variable = OpVariable %in AtomicCounter
    """
    assert _errors(text) == ["capability/uses-are-enabled"]


def test_what_follows_is_told_by_the_instruction_itself_where_verdicts_are_shared() -> None:
    """Comparisons of one signature have one finding between them; each is used."""
    both = "".join(
        f"%c{number} = OpFOrdLessThan %uint %half %half\n%s{number} = OpSelect %float %c{number} %half %half\n" for number in range(6)
    )
    assert _in_function(both) == ["computation/compared-operands-match"] * 6


def test_an_id_that_no_literal_or_set_can_have_is_one_error() -> None:
    constants = "".join(f"%c{number} = OpConstant %gone {number}\n" for number in range(3))
    assert _errors(f"{_HEAD}{constants}%other = OpConstant %none 1\n").count("syntax/number-type") == 2
    calls = "".join(f"%e{number} = OpExtInst %float %gone {number + 1} %half\n" for number in range(3))
    assert _in_function(calls) == ["syntax/extended-set"]


def test_what_follows_from_an_error_that_is_set_aside_is_reported() -> None:
    ignored = "%l = OpLoad %uint %floats ; spvls: ignore[memory/load-matches-pointee]\n"
    assert _in_function(f"{ignored}%s = OpFAdd %float %l %half") == ["computation/float-operands-match-result"]


def _reported(rule: str, instruction: int, line: str, operand_index: int, severity: Severity = Severity.ERROR) -> Reported:
    (record,) = Document(line).records()
    return Reported(Diagnostic(rule, severity, "", instruction=instruction), record, operand_index)


def _left(*reported: Reported) -> list[Diagnostic]:
    return completed(consequences.without_consequences([each.diagnostic for each in reported], reported, lambda record: record))


@pytest.mark.parametrize("severity", [Severity.WARNING, Severity.HINT])
def test_nothing_follows_from_a_finding_that_is_no_error(severity: Severity) -> None:
    cause = _reported("memory/load-matches-pointee", 1, "%a = OpLoad %float %p", TYPE, severity)
    other = _reported("memory/store-matches-pointee", 2, "OpStore %q %a", 1)
    assert _left(cause, other) == [cause.diagnostic, other.diagnostic]


def test_of_errors_that_follow_from_each_other_one_stays() -> None:
    one = _reported("computation/float-operands-match-result", 1, "%a = OpFAdd %float %b %b", 0)
    other = _reported("computation/float-operands-match-result", 2, "%b = OpFAdd %float %a %a", 0)
    itself = _reported("computation/float-operands-match-result", 3, "%c = OpFAdd %float %c %c", 0)
    far = _reported("memory/store-matches-pointee", 4, "OpStore %p %a", 1)
    assert _left(one, other, itself, far) == [other.diagnostic, itself.diagnostic]


def test_no_verdict_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over mutants of shaders: what is left out is of a rule that a table has, and some error stays."""
    seen: list[tuple[list[Diagnostic], list[Diagnostic]]] = []
    real = consequences.without_consequences

    def noted(found: list[Diagnostic], reported: Sequence[Reported], read: Callable[[Instruction], Instruction]) -> Steps[list[Diagnostic]]:
        left = yield from real(found, reported, read)
        seen.append((found, left))
        return left

    monkeypatch.setattr(consequences, "without_consequences", noted)
    bases = [spvls.assemble(text_of(path)) for path in sorted((FIXTURES / "shaders").glob("*.spvasm"))]
    for seed in range(MUTANTS):
        chance = Random(seed)
        module = Words.parse(chance.choice(bases))
        mutate(module, chance, 1)
        spvls.validate(module.data(), target_env="vulkan1.3")
    assert sum(len(found) > len(left) for found, left in seen) > MUTANTS // 20
    for found, left in seen:
        assert [one for one in found if one in left] == left
        gone = {one.rule for one in found if one not in left}
        assert all(any(pattern in table for table in _TABLES for pattern in patterns_of(rule)) for rule in gone)
        assert _has_errors(found) == _has_errors(left)


def _has_errors(found: list[Diagnostic]) -> bool:
    return any(one.severity is Severity.ERROR for one in found)
