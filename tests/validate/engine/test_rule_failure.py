"""A rule that fails is named, once, and the other rules go on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from spvls.cli.main import main
from spvls.diagnostic import RULE_FAILED, Severity
from spvls.validate.engine import rule as registry
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import RuleTarget
from spvls.validate.engine.rule_index import NEEDS
from spvls.validate.validator import validate

_MODULE = """OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid ; spvls: ignore[internal/rule-failed]
%fn = OpTypeFunction %void
%s = OpTypeStruct %void
%main = OpFunction %void None %fn
%entry = OpLabel
%x = OpIAdd %void %gone %gone
OpReturn
OpFunctionEnd
"""


def _fails(*given: object) -> Iterator[Finding]:
    yield from ()
    raise RecursionError("too deep")


@pytest.fixture(autouse=True)
def _selected_anew() -> Iterator[None]:
    """Rules that a test replaces are not those that checkers before and after it have."""
    registry.selection_of.cache_clear()
    yield
    registry.selection_of.cache_clear()


@pytest.mark.parametrize("stage", list(RuleTarget))
def test_a_rule_that_fails_is_named_and_the_others_go_on(stage: RuleTarget, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {(found.rule, found.range) for found in validate(_MODULE) if not found.rule.startswith("suppression/")}
    rules = registry.rules()
    told = {id_ for id_, _ in before}
    alike = (rule for rule in rules.values() if rule.target is stage and not rule.apis and rule.where is None and rule.id not in NEEDS)
    broken = next(rule for rule in alike if not rule.opcodes and rule.id not in told)
    registry.selection_of.cache_clear()
    monkeypatch.setitem(registry.registered(), broken.id, broken._replace(check=_fails))
    found = validate(_MODULE)
    failed = [item for item in found if item.rule == RULE_FAILED]
    assert len(failed) == 1
    assert failed[0].severity is Severity.ERROR
    assert f"the rule {broken.id} failed" in failed[0].message
    assert {(item.rule, item.range) for item in found} >= before


def test_the_exit_code_says_that_a_rule_failed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.spvasm"
    path.write_text("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n")
    assert main(["lint", str(path)]) == 0
    rules = registry.rules()
    broken = next(rule for rule in rules.values() if rule.target is RuleTarget.MODULE and not rule.apis and rule.id not in NEEDS)
    registry.selection_of.cache_clear()
    monkeypatch.setitem(registry.registered(), broken.id, broken._replace(check=_fails))
    assert main(["lint", str(path)]) == 3
    assert RULE_FAILED in capsys.readouterr().out
