"""The sections of a module, in the order that they stand in (SPIR-V 2.4)."""

from __future__ import annotations

from functools import cache

from spvls.grammar import spv
from spvls.grammar.records import Opcode
from spvls.record import IntEnum


class Section(IntEnum):
    """The sections of the global part; FUNCTIONS stands for function definitions, and graphs after them."""

    CAPABILITIES = 1
    EXTENSIONS = 2
    IMPORTS = 3
    MEMORY_MODEL = 4
    SAMPLER_ADDRESSING = 5
    ENTRY_POINTS = 6
    EXECUTION_MODES = 7
    SOURCES = 8
    NAMES = 9
    PROCESSED = 10
    ANNOTATIONS = 11
    TYPES = 12
    FUNCTIONS = 13

    @property
    def title(self) -> str:
        """What stands there, as messages name it."""
        return _TITLES[self]


_TITLES = {
    Section.CAPABILITIES: "capabilities",
    Section.EXTENSIONS: "extensions",
    Section.IMPORTS: "imports of extended instruction sets",
    Section.MEMORY_MODEL: "the memory model",
    Section.SAMPLER_ADDRESSING: "the addressing mode of bindless samplers",
    Section.ENTRY_POINTS: "entry points",
    Section.EXECUTION_MODES: "execution modes",
    Section.SOURCES: "strings and sources",
    Section.NAMES: "names",
    Section.PROCESSED: "the OpModuleProcessed instructions",
    Section.ANNOTATIONS: "decorations",
    Section.TYPES: "types, constants and global variables",
    Section.FUNCTIONS: "functions",
}

_BY_OPCODE = {
    spv.OpCapability: Section.CAPABILITIES,
    spv.OpConditionalCapabilityINTEL: Section.CAPABILITIES,
    spv.OpExtension: Section.EXTENSIONS,
    spv.OpConditionalExtensionINTEL: Section.EXTENSIONS,
    spv.OpExtInstImport: Section.IMPORTS,
    spv.OpMemoryModel: Section.MEMORY_MODEL,
    spv.OpSamplerImageAddressingModeNV: Section.SAMPLER_ADDRESSING,
    spv.OpEntryPoint: Section.ENTRY_POINTS,
    spv.OpConditionalEntryPointINTEL: Section.ENTRY_POINTS,
    spv.OpExecutionMode: Section.EXECUTION_MODES,
    spv.OpExecutionModeId: Section.EXECUTION_MODES,
    spv.OpString: Section.SOURCES,
    spv.OpSource: Section.SOURCES,
    spv.OpSourceContinued: Section.SOURCES,
    spv.OpSourceExtension: Section.SOURCES,
    spv.OpName: Section.NAMES,
    spv.OpMemberName: Section.NAMES,
    spv.OpModuleProcessed: Section.PROCESSED,
    spv.OpAsmTargetINTEL: Section.TYPES,
    spv.OpAsmINTEL: Section.TYPES,
    spv.OpAliasDomainDeclINTEL: Section.ANNOTATIONS,
    spv.OpAliasScopeDeclINTEL: Section.ANNOTATIONS,
    spv.OpAliasScopeListDeclINTEL: Section.ANNOTATIONS,
    spv.OpGraphConstantARM: Section.TYPES,
}

FLOATING = frozenset(
    {
        spv.OpVariable, spv.OpUntypedVariableKHR, spv.OpUndef, spv.OpPoisonKHR, spv.OpConstantPipeStorage, spv.OpLine, spv.OpNoLine,
        spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR,
    }
)  # fmt: skip
"""What stands among the types as well as in functions."""

SOURCE_LINES = frozenset({spv.OpLine, spv.OpNoLine})
"""What stands between any two instructions from the types on."""


@cache
def section_of(opcode: Opcode) -> Section:
    """The section of the global part that an opcode belongs to; FUNCTIONS for one that belongs into functions.

    TYPES for those in `FLOATING`, which functions have too.
    """
    if opcode.value in _BY_OPCODE:
        return _BY_OPCODE[opcode.value]
    if opcode.value in FLOATING or opcode.is_type or opcode.is_constant:
        return Section.TYPES
    return Section.ANNOTATIONS if opcode.class_ == "Annotation" else Section.FUNCTIONS
