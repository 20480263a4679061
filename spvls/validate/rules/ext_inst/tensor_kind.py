"""Sets of tensor types that an operand or a result of an instruction in a graph may be asked to belong to."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.validate.checks.operation import is_constant_id
from spvls.validate.checks.wording import counted, listed


def rank(module: Module, type_: Type) -> int | None:
    """The rank of a tensor type; None where it has none, or where it is not known before specialization."""
    return module.integer(type_.name(1))


def extent(module: Module, type_: Type) -> int | None:
    """How many elements a tensor type of rank 1 has; None where that is not known."""
    shape = module.constant(type_.name(2))
    sizes = shape.record.operands if shape is not None and shape.record.opcode.value == spv.OpConstantComposite else ()
    return module.integer(sizes[0]) if len(sizes) == 1 else None


def is_constant_in_graph(module: Module, name: str) -> bool:
    """Whether an id is made by a constant instruction, or is a constant of the graph that the application supplies."""
    return is_constant_id(module, name) or module.opcode_of(name) == spv.OpGraphConstantARM


class TensorKind(NamedTuple):
    """Tensors of some element types, as messages spell these, with a rank and, where that is 1, a length; None for any."""

    elements: tuple[str, ...]
    rank: int | None = None
    length: int | None = None

    @property
    def name(self) -> str:
        """What messages call them, with the article."""
        if self.length is not None:
            return f"a rank-1 tensor with {counted(self.length, 'element')} of type {listed(self.elements)}"
        shown = f"tensor of {listed(self.elements)}"
        return f"a {shown}" if self.rank is None else f"a rank-{self.rank} {shown}"

    def holds(self, module: Module, type_: Type) -> bool:
        """Whether a type belongs to it; what is not known of a type counts as right."""
        if type_.kind != spv.OpTypeTensorARM:
            return False
        element = type_.element
        if element is not None and module.spell(element) not in self.elements:
            return False
        known = rank(module, type_)
        if known is not None and self.rank is not None and known != self.rank:
            return False
        length = extent(module, type_) if self.length is not None else None
        return length is None or length == self.length


def tensors(elements: str, rank: int | None = None, length: int | None = None) -> TensorKind:
    """Tensors of element types that are named one behind the other; with a length, of rank 1."""
    return TensorKind(tuple(elements.split()), 1 if length is not None else rank, length)
