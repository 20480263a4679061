"""Where to read on about a finding: the page, and the place on it, that speaks of its rule."""

from __future__ import annotations

from spvls.diagnostic import Diagnostic
from spvls.grammar.records import Opcode
from spvls.ide import links
from spvls.ide.source_module import SourceModule
from spvls.syntax.instruction import UNKNOWN
from spvls.validate.engine.rule import rules

VALID_USAGE = "https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#"
TEXT_SYNTAX = "https://github.com/KhronosGroup/SPIRV-Tools/blob/main/docs/syntax.md"

#: Anchors of sections on the page of the specification.
_SECTIONS = {
    "2.2.1": "_instructions",
    "2.2.2": "_types",
    "2.2.5": "_control_flow",
    "2.3": "PhysicalLayout",
    "2.4": "LogicalLayout",
    "2.11.1": "StructuredControlFlow",
    "2.11.2": "StructuredControlFlow",
    "2.11.3": "StructuredControlFlow",
    "2.16.1": "_universal_validation_rules",
    "2.17": "_universal_limits",
    "2.21": "_deprecation",
    "2.22": "Unified",
    "3.2.3": "Addressing_Model",
    "3.2.5": "Execution_Mode",
    "3.2.6": "Storage_Class",
    "3.2.19": "Decoration",
    "3.2.20": "BuiltIn",
    "3.2.22": "Loop_Control",
    "3.2.24": "Memory_Semantics_-id-",
    "3.2.25": "Memory_Operands",
    "3.2.26": "Scope_-id-",
    "3.2.30": "Capability",
}

#: Groups of instructions by their sections.
_GROUPS = {
    f"3.3.{at}": group
    for at, group in enumerate(
        (
            "Miscellaneous", "Debug", "Annotation", "Extension", "Mode-Setting", "Type-Declaration", "Constant-Creation", "Memory",
            "Function", "Image", "Conversion", "Composite", "Arithmetic", "Bit", "Relational_and_Logical", "Derivative",
            "Control-Flow", "Atomic", "Primitive", "Barrier", "Group", "Device-Side_Enqueue", "Pipe", "Non-Uniform", "Tensor",
            "Graph", "Reserved",
        ),
        1,
    )
}  # fmt: skip

#: Sections of findings that no rule makes; "" stands for the instruction itself.
_READING = {
    "syntax/duplicate-definition": "2.16.1",
    "physical/malformed": "2.3",
    "syntax/extended-set": "",
    "syntax/missing-operand": "",
    "syntax/missing-result": "",
    "syntax/number-type": "",
    "syntax/operand-kind": "",
    "syntax/specialized-opcode": "",
    "syntax/surplus-operand": "",
    "syntax/surplus-result": "",
    "syntax/too-long": "2.17",
    "syntax/unknown-enumerant": "",
    "syntax/unknown-extended-instruction": "",
    "syntax/unavailable-opcode": "",
}


def page_of(source: SourceModule, finding: Diagnostic) -> str | None:
    """The address to open for a finding; None for what only these tools know of, such as comments that suppress findings."""
    if finding.vuid is not None:
        return VALID_USAGE + finding.vuid
    return _page(finding.rule, _opcode_at(source, finding))


def page_of_rule(id_: str) -> str | None:
    """The address to open for a rule, whatever its findings are about."""
    rule = rules().get(id_)
    return VALID_USAGE + rule.vuid if rule is not None and rule.vuid is not None else _page(id_, None)


def _page(id_: str, opcode: Opcode | None) -> str | None:
    rule = rules().get(id_)
    section = rule.section if rule is not None else _READING.get(id_)
    if section is None:
        return TEXT_SYNTAX if id_.startswith("syntax/") else None
    anchor = _SECTIONS.get(section)
    if anchor is not None:
        return f"{links.SPECIFICATION}#{anchor}"
    group = _GROUPS.get(section)
    named = rule.opcodes or () if rule is not None else ()
    if opcode is not None and (not section or opcode.value in named or opcode.class_ == group):
        address = links.of_entity(opcode)
        if address is not None:
            return address
    if group is not None:
        words = {"Group": "group_and_subgroup"}.get(group, group.lower().replace("-", "_"))
        return f"{links.SPECIFICATION}#_{words}_instructions"
    return f"{links.SPECIFICATION}#{_SECTIONS['2.16.1'] if section.startswith('2.16') else '_instructions_3'}"


def _opcode_at(source: SourceModule, finding: Diagnostic) -> Opcode | None:
    """The opcode of the instruction that a finding is about."""
    found = source.document.record_at(finding.range.start) if finding.range is not None else None
    return found[1].opcode if found is not None and found[1].opcode is not UNKNOWN else None
