"""Memory operands: masks with what follows them, and the pointers that they speak of (SPIR-V 3.2.25)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.grammar.enumerants import MemoryAccess
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction

VOLATILE = MemoryAccess.Volatile
ALIGNED = MemoryAccess.Aligned
AVAILABLE = MemoryAccess.MakePointerAvailable
VISIBLE = MemoryAccess.MakePointerVisible
NON_PRIVATE = MemoryAccess.NonPrivatePointer
_WITH_PARAMETER = (
    MemoryAccess.Aligned, MemoryAccess.MakePointerAvailable, MemoryAccess.MakePointerVisible,
    MemoryAccess.AliasScopeINTELMask, MemoryAccess.NoAliasINTELMask,
)  # fmt: skip


class Access(NamedTuple):
    """How an instruction goes about memory: the places of its pointers, and where its masks may begin.

    Of a copy, the first pointer is the target and the second the source.
    """

    pointers: tuple[int, ...]
    masks: int
    reads: bool
    writes: bool


ACCESSES: dict[int, Access] = {
    spv.OpLoad: Access((0,), 1, True, False),
    spv.OpStore: Access((0,), 2, False, True),
    spv.OpCopyMemory: Access((0, 1), 2, True, True),
    spv.OpCopyMemorySized: Access((0, 1), 3, True, True),
    spv.OpCooperativeMatrixLoadKHR: Access((0,), 3, True, False),
    spv.OpCooperativeMatrixStoreKHR: Access((0,), 4, False, True),
    spv.OpCooperativeMatrixLoadNV: Access((0,), 3, True, False),
    spv.OpCooperativeMatrixStoreNV: Access((0,), 4, False, True),
    spv.OpCooperativeMatrixLoadTensorNV: Access((0,), 3, True, False),
    spv.OpCooperativeMatrixStoreTensorNV: Access((0,), 3, False, True),
    spv.OpCooperativeVectorLoadNV: Access((0,), 2, True, False),
    spv.OpCooperativeVectorStoreNV: Access((0,), 3, False, True),
    spv.OpPredicatedLoadINTEL: Access((0,), 3, True, False),
    spv.OpPredicatedStoreINTEL: Access((0,), 3, False, True),
}
"""The instructions that take memory operands."""


class Mask(NamedTuple):
    """A mask at a place; `parameters` are the places of what follows it, by bit."""

    operand_index: int
    bits: int
    parameters: dict[int, int]

    @property
    def end(self) -> int:
        """The place after the last parameter."""
        return self.operand_index + 1 + len(self.parameters)


def has_masks(inst: Instruction) -> bool:
    """Whether an instruction has memory operands."""
    return len(inst.operands) > ACCESSES[inst.opcode.value].masks


def masks(inst: Instruction) -> Iterator[Mask]:
    """The memory operands of an instruction; a copy may have two."""
    access = ACCESSES[inst.opcode.value]
    operand_index = access.masks
    for _ in access.pointers:
        bits = inst.operands[operand_index] if operand_index < len(inst.operands) else None
        if not isinstance(bits, int):
            return
        mask = mask_at(operand_index, bits)
        yield mask
        operand_index = mask.end


def mask_at(operand_index: int, bits: int) -> Mask:
    """The mask at a place."""
    present = (bit for bit in _WITH_PARAMETER if bits & bit)
    return Mask(operand_index, bits, {bit: at for at, bit in enumerate(present, operand_index + 1)})
