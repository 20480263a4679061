"""The parts of access chains."""

from __future__ import annotations

from spvls.grammar import spv, traits
from spvls.grammar.enumerants import Decoration
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction

_TYPED = (spv.OpAccessChain, spv.OpInBoundsAccessChain, spv.OpPtrAccessChain, spv.OpInBoundsPtrAccessChain)
UNTYPED_CHAINS = (
    spv.OpUntypedAccessChainKHR, spv.OpUntypedInBoundsAccessChainKHR, spv.OpUntypedPtrAccessChainKHR,
    spv.OpUntypedInBoundsPtrAccessChainKHR,
)  # fmt: skip
CHAINS = (*_TYPED, *UNTYPED_CHAINS)


class Chain(NamedTuple):
    """An access chain: the type that it steps through, its base, and the places of its operands."""

    into: Type | None
    base: Type | None
    base_place: int
    element_place: int | None
    first_index: int


def chain(inst: Instruction, module: Module) -> Chain:
    """The parts of an access chain."""
    opcode = inst.opcode.value
    at = 1 if opcode in UNTYPED_CHAINS else 0
    base = module.type_of(id_at(inst, at))
    into = module.type(id_at(inst, 0)) if at else base.pointee if base is not None else None
    element = at + 1 if opcode in traits.POINTER_ACCESS_CHAINS else None
    return Chain(into, base, at, element, at + 1 + (element is not None))


def is_block(module: Module, type_: Type | None) -> bool:
    return (
        type_ is not None
        and type_.is_struct
        and (module.has_decoration(type_.id, Decoration.Block) or module.has_decoration(type_.id, Decoration.BufferBlock))
    )
