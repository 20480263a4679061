"""Where to read on about a finding: the page, and the place on it, that speaks of its rule."""

from __future__ import annotations

from collections.abc import Callable

from spvls.diagnostic import Diagnostic
from spvls.grammar.records import Opcode
from spvls.grammar.sections import SPECIFICATION, Section
from spvls.grammar.vulkan import valid_usage_address
from spvls.ide.documentation import links
from spvls.ide.source.source_module import SourceModule
from spvls.syntax.instruction import UNKNOWN
from spvls.validate.engine.rule import Rule, find_rule
from spvls.validate.engine.rule_references import READING, TEXT_SYNTAX


def page_of(source: SourceModule, finding: Diagnostic) -> str | None:
    """The address to open for a finding; None for what only these tools know of, such as comments that suppress findings."""
    if finding.vuid is not None:
        return valid_usage_address(finding.vuid)
    return _page(finding.rule, lambda: _opcode_at(source, finding))


def page_of_rule(id_: str) -> str | None:
    """The address to open for a rule, whatever its findings are about."""
    rule = find_rule(id_)
    return valid_usage_address(rule.vuid) if rule is not None and rule.vuid is not None else _page(id_, lambda: None)


def _page(id_: str, opcode_at: Callable[[], Opcode | None]) -> str | None:
    rule = find_rule(id_)
    if rule is None and id_ not in READING:
        return TEXT_SYNTAX if id_.startswith("syntax/") else None
    section = rule.section if rule is not None else READING[id_]
    opcode = opcode_at() if section is None or section.number.startswith("3.3.") else None
    if opcode is not None and (section is None or _is_about(section, opcode, rule)):
        address = links.of_entity(opcode)
        if address is not None:
            return address
    return section.address if section is not None else f"{SPECIFICATION}#_instructions_3"


def _is_about(section: Section, opcode: Opcode, rule: Rule | None) -> bool:
    """Whether a section of instructions describes an opcode, or is of a rule that the opcode has."""
    class_ = {"Group": "Group and Subgroup"}.get(opcode.class_, opcode.class_.replace("_", " "))
    is_named = rule is not None and opcode.value in (rule.opcodes or ())
    return is_named or section.title.lower() == f"{class_} instructions".lower()


def _opcode_at(source: SourceModule, finding: Diagnostic) -> Opcode | None:
    """The opcode of the instruction that a finding is about."""
    found = source.document.record_at(finding.range.start) if finding.range is not None else None
    return found[1].opcode if found is not None and found[1].opcode is not UNKNOWN else None
