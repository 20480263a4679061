"""What to read about a finding: the section of the specification, extensions, valid usages of Vulkan."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections
from spvls.grammar.sections import Section
from spvls.grammar.vulkan import valid_usage_address
from spvls.record import NamedTuple
from spvls.validate.engine.rule import find_rule
from spvls.validate.engine.rule_facts import RuleFacts

TEXT_SYNTAX = "https://github.com/KhronosGroup/SPIRV-Tools/blob/main/docs/syntax.md"

#: Sections of findings that no rule makes; None stands for the instruction itself.
READING: dict[str, Section | None] = {
    "link/export-is-unique": sections.LINKAGE,
    "link/import-is-exported": sections.LINKAGE,
    "link/types-match": sections.LINKAGE,
    "syntax/duplicate-definition": sections.UNIVERSAL_VALIDATION_RULES,
    "physical/malformed": sections.PHYSICAL_LAYOUT,
    "syntax/extended-set": None,
    "syntax/missing-operand": None,
    "syntax/missing-result": None,
    "syntax/number-type": None,
    "syntax/operand-kind": None,
    "syntax/specialized-opcode": None,
    "syntax/surplus-operand": None,
    "syntax/surplus-result": None,
    "syntax/too-long": sections.PHYSICAL_LAYOUT,
    "syntax/unknown-enumerant": None,
    "syntax/unknown-extended-instruction": None,
    "syntax/unavailable-opcode": None,
}


class Reference(NamedTuple):
    """Something to read."""

    text: str
    address: str


def references(id_: str, facts: RuleFacts) -> Iterator[Reference]:
    """What to read about the findings with that id: their section, then extensions and extended sets, then valid usages."""
    rule = find_rule(id_)
    section = rule.section if rule is not None else READING.get(id_)
    if section is not None:
        yield Reference(f"SPIR-V {section.number}, {section.title}", section.address)
    elif id_.startswith("syntax/") and id_ not in READING:
        yield Reference("The assembly language of SPIRV-Tools", TEXT_SYNTAX)
    for source in facts.sources:
        yield Reference(source.name, source.address)
    for vuid in facts.vuids:
        yield Reference(vuid, valid_usage_address(vuid))
