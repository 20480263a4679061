"""Instructions that do nothing but give their result, so that one whose result nothing uses can go."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration, MemoryAccess
from spvls.grammar.operand_index import OpLoad_Pointer
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.type_walks import parts
from spvls.syntax.instruction import Instruction

_CLASSES = frozenset(
    {
        "Arithmetic", "Bit", "Composite", "Constant-Creation", "Conversion", "Relational_and_Logical", "Type-Declaration",
    }
)  # fmt: skip
_OPCODES = frozenset(
    {
        spv.OpUndef, spv.OpVariable, spv.OpAccessChain, spv.OpInBoundsAccessChain, spv.OpString, spv.OpExtInstImport,
        spv.OpCooperativeMatrixMulAddNV,
    }
)  # fmt: skip
"""Others: the class of the last is Reserved in the grammar, and its extension has it among arithmetic."""
_VOLATILE = MemoryAccess.Volatile


def is_pure(record: Instruction, module: Module) -> bool:
    """Whether an instruction only gives its result. A load does, unless it is volatile (SPIR-V 3.2.20, 3.2.25)."""
    if record.opcode.value == spv.OpLoad:
        access = record.operands[1] if len(record.operands) > 1 else 0
        return isinstance(access, int) and not access & _VOLATILE and not _is_volatile(id_at(record, OpLoad_Pointer), module)
    return record.opcode.class_ in _CLASSES or record.opcode.value in _OPCODES


def _is_volatile(pointer: str | None, module: Module) -> bool:
    """Whether a pointer leads into a variable or a structure that is decorated with Volatile."""
    if not module.uses_decoration(Decoration.Volatile):
        return False
    seen: set[str] = set()
    while pointer is not None and pointer not in seen:
        seen.add(pointer)
        type_, definition = module.type_of(pointer), module.definition(pointer)
        held = [part.id for part in parts(type_.pointee if type_ is not None else None)]
        if any(found.value == Decoration.Volatile for name in (pointer, *held) for found in module.decorations(name)):
            return True
        operands = definition.operands if definition is not None else ()
        types = ((name, module.type_of(name)) for name in operands if isinstance(name, str))
        pointer = next((name for name, of in types if of is not None and of.is_pointer), None)
    return False
