"""Every finding leads to a page, and every rule is explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import spvls
from spvls.diagnostic import Diagnostic, Position, Range, Severity
from spvls.grammar import docs
from spvls.ide.documentation.rule_page import page_of
from spvls.ide.source.source_module import SourceModule
from spvls.validate.engine.explanation import explained, explanation
from spvls.validate.engine.rule import rules

_SPECIFICATION = "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#"
_ASSEMBLY = SourceModule("OpStore %a %b\n%r = OpRayQueryProceedKHR %bool %q\n")


def _page(rule: str, line: int = 0, vuid: str | None = None) -> str | None:
    where = Range(Position(line, 8), Position(line, 10))
    return page_of(_ASSEMBLY, Diagnostic(rule, Severity.ERROR, "", where, vuid=vuid))


@pytest.mark.parametrize(
    ("rule", "line", "page"),
    [
        ("id/is-defined-before-use", 0, f"{_SPECIFICATION}_universal_validation_rules"),
        ("module/sections-are-in-order", 0, f"{_SPECIFICATION}LogicalLayout"),
        ("syntax/surplus-operand", 0, f"{_SPECIFICATION}OpStore"),
        (
            "execution-model/ray-query-types-match",
            1,
            "https://github.khronos.org/SPIRV-Registry/extensions/KHR/SPV_KHR_ray_query.html#OpRayQueryProceedKHR",
        ),
        ("interface/used-variables-are-listed", 0, f"{_SPECIFICATION}_mode_setting_instructions"),
        ("syntax/string", 0, "https://github.com/KhronosGroup/SPIRV-Tools/blob/main/docs/syntax.md"),
        ("suppression/unused", 0, None),
    ],
)
def test_pages(rule: str, line: int, page: str | None) -> None:
    assert _page(rule, line) == page


def test_a_valid_usage_of_vulkan_has_its_own_place() -> None:
    vuid = "VUID-StandaloneSpirv-None-04633"
    assert _page("id/is-defined-before-use", vuid=vuid) == f"https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#{vuid}"


def test_every_rule_has_a_page_and_an_explanation() -> None:
    assert [rule for rule in rules() if not (_page(rule) or "").startswith("https://")] == []
    for rule in rules():
        about = explanation(rule)
        assert about is not None and about.title and about.about.startswith(rules()[rule].severity.value), rule


def test_findings_that_no_rule_makes_are_explained() -> None:
    own = r'"((?:syntax|version|id|physical|suppression|comment|text|host|config|report|internal|link)/[a-z0-9-]+)"'
    sources = Path(spvls.__file__).parent.rglob("*.py")
    found = {name for path in sources for name in re.findall(own, path.read_text("utf-8"))}
    assert found > {"syntax/id", "config/option", "suppression/unused"}
    assert sorted(found - set(explained())) == []
    assert sorted(set(docs.texts("findings.md")) - found) == []
    assert explanation("no/rule") is None
