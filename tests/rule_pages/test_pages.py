"""The pages of rules have their parts, and these are those of the rules."""

from __future__ import annotations

import re
from functools import cache

import pytest

from spvls.diagnostic import Severity
from spvls.validate.engine.explanation import SEVERITY_REASONS, explained, explanation
from spvls.validate.engine.rule import rules
from spvls.validate.engine.rule_facts import facts_of
from spvls.validate.engine.rule_markdown import MOST_VUIDS, OF_THE_ASSEMBLER, hover_markdown, page_markdown
from tests.corpus import RULES
from tests.reference.table import read_table
from tests.rule_pages.code import code_of
from tests.rule_pages.facts import OTHERS, case_fixes, fix_form, fix_title, fixture_findings
from tests.rule_pages.writing import FOLDER, faults, unwritten
from tests.validate.cases import case_files, found_in, read_cases

#: The fault is in the settings of the fixture: no lines of it can show what is wrong.
_IN_SETTINGS = {"module/version-fits-environment"}


@pytest.mark.parametrize("id_", explained())
def test_a_page_is_well_written(id_: str) -> None:
    found = explanation(id_)
    assert found is not None
    wrong = [f"{part}: {fault}" for part, fault in faults(found) if part not in unwritten().get(id_, ())]
    assert not wrong, "\n".join(wrong)


def test_an_example_and_its_correction_differ() -> None:
    carets = re.compile(r"^\s*;[ ^]*$", re.MULTILINE)
    pages = [found for id_ in rules() if (found := explanation(id_)) is not None and found.example and found.instead]
    shown = {page.id: [carets.sub("", text).split() for text in (page.example, page.instead)] for page in pages}
    assert len(shown) > 400 and [id_ for id_, (example, instead) in shown.items() if example == instead] == []


def test_what_is_written_is_not_listed() -> None:
    written = {
        id_: sorted(parts - {part for part, _ in faults(found)})
        for id_, parts in unwritten().items()
        if (found := explanation(id_)) is not None
    }
    assert written.keys() == unwritten().keys()
    folders = sorted({id_.partition("/")[0] for id_, parts in written.items() if parts})
    assert not folders, f"run python -m tests.rule_pages {' '.join(folders)}"
    assert {path.stem for path in FOLDER.glob("*")} == {id_.partition("/")[0] for id_ in unwritten()}


@pytest.mark.parametrize("id_", explained())
def test_a_page_has_what_is_gathered(id_: str) -> None:
    found = explanation(id_)
    assert found is not None
    page = page_markdown(found)
    own = [(mark, finding) for mark, finding in fixture_findings(id_) if mark.rule == id_]
    if own:
        assert found.example.startswith("```spirv\n") or id_ in _IN_SETTINGS
        assert ("^" in found.example) == any(mark.start is not None for mark, _ in own)
        assert found.instead
        assert {fix.title.removesuffix(OTHERS) for fix in found.fixes} >= {fix_title(fix.title) for _, finding in own for fix in finding.fixes}
    assert all(fix.title in page for fix in found.fixes)
    assert all(f"`--{option.flag}`" in page for option in found.options)
    assert all(reference.address.startswith("https://") for reference in found.references)
    rule = rules().get(id_)
    if rule is not None:
        assert {(fix_form(fix.title), fix.sure) for fix in found.fixes} == case_fixes().get(id_, {}).keys()
        assert rule.section.address in page
        assert all(f"#{vuid})" in page for vuid in code_of(rule).vuids)
        assert bool(found.severity_reason) == (rule.severity is not Severity.ERROR)
        assert found.severity_reason in page


def test_no_settings_are_named_for_what_the_assembler_always_reports() -> None:
    pages = {id_: page_markdown(found) for id_ in explained() if (found := explanation(id_))}
    always = {id_ for id_, page in pages.items() if "Only the assembler reports this" in " ".join(page.split())}
    assert always == set(OF_THE_ASSEMBLER)
    assert not any("**Settings**" in pages[id_] for id_ in always)


def test_examples_are_written_only_where_no_fixture_shows_them() -> None:
    written = {id_ for id_ in explained() if (found := explanation(id_)) and found.example and not facts_of(id_).example}
    documented = {id_ for id_, rule in rules().items() if "\n    Bad:" in rule.documentation}
    assert documented <= written
    assert [id_ for id_ in written if (RULES / f"{id_}.spvasm").exists()] == sorted(_IN_SETTINGS)


def test_spirv_val_checks_nothing_that_is_a_warning_for_that_reason() -> None:
    checked = {id_ for row in read_table().values() for id_ in row.rules}
    default = SEVERITY_REASONS[Severity.WARNING]
    assert [id_ for id_ in checked if (found := explanation(id_)) is not None and found.severity_reason == default] == []


@cache
def _emitted() -> dict[str, set[str]]:
    """The VUIDs of the findings in all cases, by rule."""
    findings = [finding for path in case_files() for case in read_cases(path) for _, finding in found_in(case.text)]
    found: dict[str, set[str]] = {}
    for finding in findings:
        if finding.vuid is not None:
            found.setdefault(finding.rule, set()).add(finding.vuid)
    return found


def test_each_emitted_vuid_is_shown() -> None:
    hidden = {id_: vuids - {*facts_of(id_).vuids} for id_, vuids in _emitted().items()}
    assert len(_emitted()) > 50
    assert {id_: sorted(vuids) for id_, vuids in hidden.items() if vuids} == {}


def test_each_vuid_in_the_code_of_a_rule_is_emitted() -> None:
    named = {id_: {*code_of(rule).vuids} for id_, rule in rules().items() if rule.vuids is None}
    missing = {id_: sorted(vuids - _emitted().get(id_, set())) for id_, vuids in named.items()}
    assert {id_: vuids for id_, vuids in missing.items() if vuids} == {}


def test_vuids_from_tables_are_declared() -> None:
    codes = {id_: code_of(rule) for id_, rule in rules().items()}
    undeclared = {id_: sorted(code.open) for id_, code in codes.items() if code.open and rules()[id_].vuids is None}
    assert undeclared == {}
    assert sum(bool(code.open) for code in codes.values()) > 1


def test_hover_shows_a_few_of_the_vuids() -> None:
    found = explanation("interface/built-in-fits-vulkan-model")
    assert found is not None
    vuids = facts_of(found.id).vuids
    assert page_markdown(found).count("[VUID-") == len(vuids) > MOST_VUIDS
    shown = hover_markdown(found)
    assert shown.count("[VUID-") == MOST_VUIDS
    assert f"- {len(vuids) - MOST_VUIDS} more, which `spvls explain` lists" in shown


def test_settings_are_those_that_work() -> None:
    def page(id_: str) -> str:
        found = explanation(id_)
        assert found is not None
        return page_markdown(found)

    assert "`--max-struct-members`" in page("type/struct-members-are-within-limit")
    assert "ignore[id/is-defined-before-use]" in page("id/is-defined-before-use")
    assert "**Settings**" not in page("config/option")
    assert "ignore[" not in page("text/nul")
