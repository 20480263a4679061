"""The sections of a module in the text (SPIR-V 2.4): runs of instructions of one kind."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.grammar import spv, traits
from spvls.grammar.tables import NO_OPCODE
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction

_SECTIONS = {
    "Capabilities": "OpCapability OpConditionalCapabilityINTEL",
    "Extensions": "OpExtension OpConditionalExtensionINTEL",
    "Imports": "OpExtInstImport",
    "Memory model": "OpMemoryModel",
    "Entry points": "OpEntryPoint OpConditionalEntryPointINTEL OpGraphEntryPointARM",
    "Execution modes": "OpExecutionMode OpExecutionModeId",
    "Debug": "OpString OpSourceExtension OpSource OpSourceContinued OpName OpMemberName OpModuleProcessed",
    "Annotations": "OpDecorate OpMemberDecorate OpDecorationGroup OpGroupDecorate OpGroupMemberDecorate OpDecorateId"
    " OpDecorateString OpMemberDecorateString OpMemberDecorateIdEXT",
}

_BY_OPCODE = {opcode: title for title, names in _SECTIONS.items() for opcode in traits.opcodes(names, "")}

DECLARATIONS = "Types, constants and variables"


class Section(NamedTuple):
    """A run of instructions with the lines they start on."""

    title: str
    records: list[tuple[int, Instruction]]


def section_title(record: Instruction) -> str:
    """The section that a global instruction belongs to."""
    return _BY_OPCODE.get(record.opcode.value, DECLARATIONS)


def sections(placed: Iterable[tuple[int, Instruction]]) -> list[Section]:
    """The sections of the global instructions, as they follow each other in the text.

    OpLine, OpNoLine and words that are not instructions belong to the section around them.
    """
    found: list[Section] = []
    for line, record in placed:
        neutral = record.opcode.value in (NO_OPCODE, spv.OpLine, spv.OpNoLine)
        title = found[-1].title if neutral and found else section_title(record)
        if not found or found[-1].title != title:
            found.append(Section(title, []))
        found[-1].records.append((line, record))
    return found
