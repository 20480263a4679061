"""Instructions that do nothing but give their result, so that one whose result nothing uses can go."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import MemoryAccess
from spvls.syntax.instruction import Instruction

_CLASSES = frozenset(
    {
        "Arithmetic", "Bit", "Composite", "Constant-Creation", "Conversion", "Relational_and_Logical", "Type-Declaration",
    }
)  # fmt: skip
_OPCODES = frozenset({spv.OpUndef, spv.OpVariable, spv.OpAccessChain, spv.OpInBoundsAccessChain, spv.OpString, spv.OpExtInstImport})
_VOLATILE = MemoryAccess.Volatile


def is_pure(record: Instruction) -> bool:
    """Whether an instruction only gives its result. A load does, unless it is volatile (SPIR-V 3.2.25)."""
    if record.opcode.value == spv.OpLoad:
        access = record.operands[1] if len(record.operands) > 1 else 0
        return isinstance(access, int) and not access & _VOLATILE
    return record.opcode.class_ in _CLASSES or record.opcode.value in _OPCODES
