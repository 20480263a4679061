"""spvls: assembler, disassembler, validator and language server for SPIR-V assembly.

    assemble(text) -> bytes            raises AssembleError
    disassemble(binary) -> str         raises DisassembleError
    validate(module) -> list[Diagnostic]

The parts are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module

from spvls.typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spvls.binary.assemble import AssembleError, assemble, assemble_with_ids
    from spvls.binary.disassemble import DisassembleError, disassemble
    from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Related, Severity
    from spvls.validate.validator import validate

__version__ = "0.1.0"

_HOMES = {
    "assemble": "spvls.binary.assemble",
    "assemble_with_ids": "spvls.binary.assemble",
    "AssembleError": "spvls.binary.assemble",
    "disassemble": "spvls.binary.disassemble",
    "DisassembleError": "spvls.binary.disassemble",
    "validate": "spvls.validate.validator",
    "Diagnostic": "spvls.diagnostic",
    "Edit": "spvls.diagnostic",
    "Fix": "spvls.diagnostic",
    "Position": "spvls.diagnostic",
    "Range": "spvls.diagnostic",
    "Related": "spvls.diagnostic",
    "Severity": "spvls.diagnostic",
}

__all__ = [
    "AssembleError",
    "Diagnostic",
    "DisassembleError",
    "Edit",
    "Fix",
    "Position",
    "Range",
    "Related",
    "Severity",
    "assemble",
    "assemble_with_ids",
    "disassemble",
    "validate",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'spvls' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
