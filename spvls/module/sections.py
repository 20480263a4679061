"""The sections of a module, in the order that they stand in (SPIR-V 2.4)."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

from spvls.grammar.records import Opcode


class Section(IntEnum):
    """The sections of the global part; FUNCTIONS stands for function definitions, and graphs behind them."""

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
    Section.PROCESSED: "module-processed notes",
    Section.ANNOTATIONS: "decorations",
    Section.TYPES: "types, constants and global variables",
    Section.FUNCTIONS: "functions",
}

_BY_NAME = {
    "OpCapability": Section.CAPABILITIES,
    "OpConditionalCapabilityINTEL": Section.CAPABILITIES,
    "OpExtension": Section.EXTENSIONS,
    "OpConditionalExtensionINTEL": Section.EXTENSIONS,
    "OpExtInstImport": Section.IMPORTS,
    "OpMemoryModel": Section.MEMORY_MODEL,
    "OpSamplerImageAddressingModeNV": Section.SAMPLER_ADDRESSING,
    "OpEntryPoint": Section.ENTRY_POINTS,
    "OpConditionalEntryPointINTEL": Section.ENTRY_POINTS,
    "OpExecutionMode": Section.EXECUTION_MODES,
    "OpExecutionModeId": Section.EXECUTION_MODES,
    "OpString": Section.SOURCES,
    "OpSource": Section.SOURCES,
    "OpSourceContinued": Section.SOURCES,
    "OpSourceExtension": Section.SOURCES,
    "OpName": Section.NAMES,
    "OpMemberName": Section.NAMES,
    "OpModuleProcessed": Section.PROCESSED,
    "OpAsmTargetINTEL": Section.TYPES,
    "OpAsmINTEL": Section.TYPES,
    "OpAliasDomainDeclINTEL": Section.TYPES,
    "OpAliasScopeDeclINTEL": Section.TYPES,
    "OpAliasScopeListDeclINTEL": Section.TYPES,
    "OpGraphConstantARM": Section.TYPES,
}

FLOATING = frozenset(
    {
        "OpVariable", "OpUntypedVariableKHR", "OpUndef", "OpPoisonKHR", "OpConstantPipeStorage", "OpLine", "OpNoLine",
        "OpExtInst", "OpExtInstWithForwardRefsKHR",
    }
)  # fmt: skip
"""What stands among the types as well as in functions."""

SOURCE_LINES = frozenset({"OpLine", "OpNoLine"})
"""What stands between any two instructions from the types on."""


@cache
def section_of(opcode: Opcode) -> Section:
    """The section of the global part that an opcode belongs to; FUNCTIONS for one that belongs into functions.

    TYPES for those in `FLOATING`, which functions have too.
    """
    name = opcode.name
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name in FLOATING or name.startswith(("OpType", "OpConstant", "OpSpecConstant")):
        return Section.TYPES
    return Section.ANNOTATIONS if opcode.class_ == "Annotation" else Section.FUNCTIONS
