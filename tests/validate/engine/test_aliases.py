"""Ids that rules had before are still understood wherever a user writes one."""

from __future__ import annotations

from pathlib import Path

import pytest

import spvls
from spvls.validate.config import config_for
from spvls.validate.engine import aliases
from spvls.validate.engine.aliases import current_id, current_settings, is_former
from spvls.validate.engine.explanation import explained, explanation
from tests.rule_pages.facts import former_ids

_FORMER = former_ids()
_UNDEFINED = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOpName %nothing \"\" ; spvls: ignore[{}]\n"


def test_former_ids_lead_to_findings_and_are_none_themselves() -> None:
    known = set(explained())
    assert [former for former, _ in _FORMER if former in known] == []
    assert [current for _, current in _FORMER if current not in known] == []
    assert [former for former, _ in _FORMER] == sorted({former for former, _ in _FORMER})


def test_an_id_is_current_or_was() -> None:
    assert current_id("ssa/id-defined") == "id/is-defined-before-use"
    assert current_id("id/is-defined-before-use") == "id/is-defined-before-use"
    assert current_id("no/such-rule") == "no/such-rule"
    assert [is_former(name) for name in ("ssa/id-defined", "cfg/*", "id/is-defined-before-use", "no/*")] == [True, True, False, False]


def test_a_comment_may_name_a_former_id() -> None:
    assert spvls.validate(_UNDEFINED.format("ssa/id-defined")) == []
    found = spvls.validate(_UNDEFINED.format("ssa/id-defined, ssa/single-definition"))
    assert [(d.rule, d.message) for d in found] == [
        ("suppression/unused", "line 4 has no findings of ssa/single-definition; remove this comment")
    ]


def test_former_families_are_their_rules() -> None:
    settings = current_settings({"ssa/*": "off", "ssa/id-defined": "hint", "type/*": "warning", "comment/*": "off"})
    assert settings["id/is-defined-before-use"] == "hint"
    assert settings["id/is-defined-once"] == "off"
    assert (settings["type/*"], settings["comment/*"]) == ("warning", "off")
    assert not any(name.startswith("ssa/") for name in settings)


@pytest.mark.parametrize("name", ["ssa/id-defined", "ssa/*", "id/is-defined-before-use", "id/*"])
def test_a_configuration_may_name_a_former_id(name: str, tmp_path: Path) -> None:
    (tmp_path / "spvls.toml").write_text(f'[rules]\n"{name}" = "off"\n')
    config = config_for(str(tmp_path / "a.spvasm"))
    assert config.problems == ()
    text = _UNDEFINED.partition(" ;")[0] + "\n"
    assert [d.rule for d in spvls.validate(text)] == ["id/is-defined-before-use"]
    assert config.applied(spvls.validate(text)) == []


def test_the_explanation_of_a_former_id_is_that_of_the_current_one() -> None:
    found = explanation("ssa/id-defined")
    assert found is not None
    assert found == explanation("id/is-defined-before-use")
    assert found.id == "id/is-defined-before-use"


def test_former_ids_are_read_only_where_one_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"id/*": "off", "id/is-defined-before-use": "error"}
    before = current_settings(given | {"ssa/single-definition": "off"})
    monkeypatch.setattr(aliases, "_current_by_former", lambda: pytest.fail("former ids are read"))
    assert current_settings(given) == given
    assert before == given | {"id/is-defined-once": "off"}
