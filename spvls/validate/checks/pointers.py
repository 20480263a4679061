"""Where pointers come from."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.grammar.enumerants import AddressingModel
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction

LOGICAL_MODELS = frozenset({AddressingModel.Logical, AddressingModel.PhysicalStorageBuffer64})
"""Addressing models with which pointers, but for those to PhysicalStorageBuffer, are not addresses."""

BASE_PLACES = {
    spv.OpCopyObject: 0,
    spv.OpAccessChain: 0,
    spv.OpInBoundsAccessChain: 0,
    spv.OpPtrAccessChain: 0,
    spv.OpInBoundsPtrAccessChain: 0,
    spv.OpUntypedAccessChainKHR: 1,
    spv.OpUntypedInBoundsAccessChainKHR: 1,
    spv.OpUntypedPtrAccessChainKHR: 1,
    spv.OpUntypedInBoundsPtrAccessChainKHR: 1,
    spv.OpRawAccessChainNV: 0,
    spv.OpImageTexelPointer: 0,
    spv.OpUntypedImageTexelPointerEXT: 1,
}
"""The instructions that make a pointer from another one, and the place of that."""


def bases(module: Module, name: object) -> Iterator[Instruction]:
    """What defines a pointer, what defines the pointer that it is made from, and so on."""
    seen: set[str] = set()
    while isinstance(name, str) and name not in seen:
        seen.add(name)
        definition = module.definition(name)
        if definition is None:
            return
        yield definition
        operand_index = BASE_PLACES.get(definition.opcode.value)
        name = (
            definition.operands[operand_index] if operand_index is not None and operand_index < len(definition.operands) else None
        )


def root(module: Module, name: object) -> Instruction | None:
    """What the first of these pointers comes from: a variable, a parameter, a load and the like."""
    chain = list(bases(module, name))
    return chain[-1] if chain else None
