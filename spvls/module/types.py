"""Types as the module declares them (SPIR-V 2.2.2, 3.3.6)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.grammar import spv
from spvls.syntax.instruction import Instruction
from spvls.typed import Final

Lookup = Callable[[str], "Type | None"]
Integer = Callable[[str | None], int | None]


class Type:
    """One type declaration.

    `kind` is the value of the opcode (`spv.OpTypeInt`, `spv.OpTypeStruct`, …). SPIR-V compares types by
    their id: two types are the same when `id` is. Parts are looked up when asked for, so that a type stays good when a part
    of it changes; a part that is not declared is None.
    """

    __slots__ = ("_find", "_integer", "_member_ids", "id", "kind", "operands", "record")

    def __init__(self, record: Instruction, find: Lookup, integer: Integer) -> None:
        self.record: Final = record
        self.id: Final = record.result or ""
        self.kind: Final = record.opcode.value
        self.operands: Final = record.operands
        self._find = find
        self._integer = integer
        self._member_ids: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"<Type %{self.id} {self.record.opcode.name}>"

    # Scalars

    @property
    def width(self) -> int:
        """Bits of an Int or Float; 0 for others."""
        return self.word(0) if self.kind in (spv.OpTypeInt, spv.OpTypeFloat) else 0

    @property
    def signed(self) -> bool:
        return self.kind == spv.OpTypeInt and self.word(1) == 1

    @property
    def encoding(self) -> int | None:
        """The FPEncoding of a Float that is not IEEE 754."""
        return self.word(1) if self.kind == spv.OpTypeFloat and len(self.operands) > 1 else None

    @property
    def is_bool(self) -> bool:
        return self.kind == spv.OpTypeBool

    @property
    def is_int(self) -> bool:
        return self.kind == spv.OpTypeInt

    @property
    def is_float(self) -> bool:
        return self.kind == spv.OpTypeFloat

    @property
    def is_numeric(self) -> bool:
        """A scalar Int or Float."""
        return self.kind in (spv.OpTypeInt, spv.OpTypeFloat)

    @property
    def is_scalar(self) -> bool:
        return self.kind in (spv.OpTypeBool, spv.OpTypeInt, spv.OpTypeFloat)

    # Composites

    @property
    def is_vector(self) -> bool:
        """A vector of any way of declaring it."""
        return self.kind in (spv.OpTypeVector, spv.OpTypeVectorIdEXT)

    @property
    def is_matrix(self) -> bool:
        return self.kind == spv.OpTypeMatrix

    @property
    def is_array(self) -> bool:
        """An array with or without a length."""
        return self.kind in (spv.OpTypeArray, spv.OpTypeRuntimeArray)

    @property
    def is_struct(self) -> bool:
        return self.kind == spv.OpTypeStruct

    @property
    def is_composite(self) -> bool:
        return self.kind in _COMPOSITES

    @property
    def is_cooperative_matrix(self) -> bool:
        return self.kind in (spv.OpTypeCooperativeMatrixKHR, spv.OpTypeCooperativeMatrixNV)

    @property
    def element_id(self) -> str | None:
        """The id of what the type is made of: component, column, element, pointee, sampled image or sampled type."""
        at = _ELEMENT_AT.get(self.kind)
        return self.name(at) if at is not None else None

    @property
    def element(self) -> Type | None:
        """What the type is made of; see `element_id`. For a function type, what it returns."""
        name = self.element_id
        return self._find(name) if name is not None else None

    @property
    def scalar(self) -> Type | None:
        """The scalar at the bottom of a scalar, vector, matrix or cooperative type; None for others."""
        type_: Type | None = self
        for _ in range(_MOST_SCALARS_DOWN):  # a faulty type may be made of itself
            if type_ is None or not (type_.is_vector or type_.is_matrix or type_.is_cooperative_matrix):
                break
            type_ = type_.element
        return type_ if type_ is not None and type_.is_scalar else None

    @property
    def count(self) -> int:
        """Components of a Vector, columns of a Matrix; 0 for others (an Array's length is the constant `length_id`)."""
        return self.word(1) if self.kind in (spv.OpTypeVector, spv.OpTypeMatrix) else 0

    @property
    def length(self) -> int:
        """As `count`, with the components of a VectorIdEXT that cannot be specialized."""
        return (self._integer(self.length_id) or 0) if self.kind == spv.OpTypeVectorIdEXT else self.count

    @property
    def length_id(self) -> str | None:
        """The id of the constant that says how long an Array or a VectorIdEXT is."""
        return self.name(1) if self.kind in (spv.OpTypeArray, spv.OpTypeVectorIdEXT) else None

    @property
    def member_ids(self) -> tuple[str, ...]:
        """The ids of a Struct's members, or of a Function's parameters."""
        if self._member_ids is None:
            start = {spv.OpTypeStruct: 0, spv.OpTypeFunction: 1}.get(self.kind)
            self._member_ids = () if start is None else tuple([o for o in self.operands[start:] if isinstance(o, str)])
        return self._member_ids

    @property
    def members(self) -> tuple[Type | None, ...]:
        """A Struct's members, or a Function's parameters."""
        found = {name: self._find(name) for name in dict.fromkeys(self.member_ids)}  # of many members, few are of different types
        return tuple(map(found.__getitem__, self.member_ids))

    @property
    def member_types(self) -> tuple[Type, ...]:
        """The types of the `members`, each once."""
        return tuple([found for name in dict.fromkeys(self.member_ids) if (found := self._find(name)) is not None])

    def member(self, index: int) -> Type | None:
        """One of the `members`, where the others are not asked for."""
        return self._find(self.member_ids[index])

    # Pointers

    @property
    def is_pointer(self) -> bool:
        """A pointer, typed or untyped."""
        return self.kind in (spv.OpTypePointer, spv.OpTypeUntypedPointerKHR)

    @property
    def storage(self) -> int:
        """The storage class of a pointer; -1 for others."""
        return self.word(0) if self.is_pointer else -1

    @property
    def pointee(self) -> Type | None:
        """What a typed pointer points to."""
        return self.element if self.kind == spv.OpTypePointer else None

    # Operands

    def word(self, index: int) -> int:
        """A literal or enumerant among the operands; -1 where there is none."""
        operand = self.operands[index] if index < len(self.operands) else None
        return operand if isinstance(operand, int) else -1

    def name(self, index: int) -> str | None:
        """An id among the operands."""
        operand = self.operands[index] if index < len(self.operands) else None
        return operand if isinstance(operand, str) else None


_COMPOSITES = frozenset(
    {
        spv.OpTypeVector,
        spv.OpTypeVectorIdEXT,
        spv.OpTypeMatrix,
        spv.OpTypeArray,
        spv.OpTypeRuntimeArray,
        spv.OpTypeStruct,
        spv.OpTypeCooperativeMatrixKHR,
        spv.OpTypeCooperativeMatrixNV,
    }
)

_MOST_SCALARS_DOWN = 4

_ELEMENT_AT = {
    spv.OpTypeVector: 0,
    spv.OpTypeVectorIdEXT: 0,
    spv.OpTypeMatrix: 0,
    spv.OpTypeArray: 0,
    spv.OpTypeRuntimeArray: 0,
    spv.OpTypePointer: 1,
    spv.OpTypeImage: 0,
    spv.OpTypeSampledImage: 0,
    spv.OpTypeFunction: 0,
    spv.OpTypeCooperativeMatrixKHR: 0,
    spv.OpTypeCooperativeMatrixNV: 0,
    spv.OpTypeTensorARM: 0,
    spv.OpTypeNodePayloadArrayAMDX: 0,
}
