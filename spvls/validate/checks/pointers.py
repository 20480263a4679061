"""Where pointers come from."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.grammar.enumerants import AddressingModel, StorageClass
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction

LOGICAL_MODELS = frozenset({AddressingModel.Logical, AddressingModel.PhysicalStorageBuffer64})
"""Addressing models with which pointers, but for those to PhysicalStorageBuffer, are not addresses."""

_CHOSEN = {
    StorageClass.StorageBuffer: "VariablePointersStorageBuffer",
    StorageClass.Workgroup: "VariablePointers",
}
"""The storage classes of variable pointers with logical addressing, and the capabilities for them (SPIR-V 2.16.1)."""

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


def chosen_requirement(storage: int | None, this: str, only: str) -> str:
    """What an instruction requires that gives a variable pointer to a storage class with logical addressing, as the end of a
    message: `this` names what it does, and `only` begins the sentence on the pointers that it may do so with."""
    capability = _CHOSEN.get(storage) if storage is not None else None
    if capability is not None:
        return f"{this} requires the capability {capability}"
    classes = "StorageBuffer (with the capability VariablePointersStorageBuffer) or Workgroup (with VariablePointers)"
    return f"{only} pointers to {classes}"


def root(module: Module, name: object) -> Instruction | None:
    """What the first of these pointers comes from: a variable, a parameter, a load and the like."""
    chain = list(bases(module, name))
    return chain[-1] if chain else None
