"""Sets of types that an operand or a result may be asked to belong to."""

from __future__ import annotations

from spvls.grammar import spv, traits
from spvls.grammar.enumerants import Capability
from spvls.module.module import Module
from spvls.module.types import Type

SCALAR = "Scalar"
VECTORS = "Vector VectorIdEXT"
SCALARS_AND_VECTORS = f"Scalar {VECTORS}"
COOPERATIVE = "CooperativeMatrixKHR CooperativeMatrixNV"

MICROSCALING = frozenset({"Float6E2M3EXT", "Float6E3M2EXT", "Float4E2M1EXT", "Float8UnsignedE8M0EXT", "MXInt8EXT"})
"""Encodings of SPV_EXT_ocp_microscaling_types."""


class Kind:
    """Scalars of some kinds, alone or in some containers; `name` is how messages call them, with its article.

    `scalars` and `shapes` are opcodes of types without their OpType, or `SCALAR`; `width` is in bits, `count` the
    components of a vector.
    """

    __slots__ = ("_alone", "_count", "_scalars", "_shapes", "_signed", "_width", "name")

    def __init__(
        self,
        name: str,
        scalars: str,
        shapes: str = SCALAR,
        *,
        width: int | None = None,
        signed: bool | None = None,
        count: int | None = None,
    ) -> None:
        self.name = name
        self._scalars = frozenset(traits.opcodes(scalars, "OpType"))
        containers = [shape for shape in shapes.split() if shape != SCALAR]
        self._alone = len(containers) < len(shapes.split())
        self._shapes = frozenset(traits.opcodes(" ".join(containers), "OpType"))
        self._width = width
        self._signed = signed
        self._count = count

    def holds(self, type_: Type) -> bool:
        """Whether a type belongs to it; what a type is made of counts as right as long as it is unknown."""
        kind = type_.kind
        if kind in self._scalars:
            return self._alone and self._holds_scalar(type_)
        if kind not in self._shapes:
            return False
        if self._count is not None and type_.length != self._count:
            return False
        element = type_.element
        if kind == spv.OpTypeMatrix and element is not None:
            element = element.element
        return element is None or (element.kind in self._scalars and self._holds_scalar(element))

    def takes(self, opcode: int) -> bool:
        """Whether types of an opcode may belong to it."""
        return opcode in self._shapes or (self._alone and opcode in self._scalars)

    def _holds_scalar(self, scalar: Type) -> bool:
        return (self._width is None or scalar.width == self._width) and (
            self._signed is None or scalar.signed == self._signed
        )


class Declared:
    """Types of one or several opcodes, which are named without their OpType."""

    __slots__ = ("_kinds", "name")

    def __init__(self, name: str, kinds: str) -> None:
        self.name = name
        self._kinds = frozenset(traits.opcodes(kinds, "OpType"))

    def holds(self, type_: Type) -> bool:
        return self.takes(type_.kind)

    def takes(self, opcode: int) -> bool:
        return opcode in self._kinds


AnyKind = Kind | Declared

BOOL = Kind("bool", "Bool")
BOOLS = Kind("a Boolean or a vector of Booleans", "Bool", SCALARS_AND_VECTORS)
BOOL_VECTOR = Kind("a vector of Booleans", "Bool", VECTORS)
INT = Kind("an integer scalar", "Int")
INT32 = Kind("a 32-bit integer scalar", "Int", width=32)
UINT = Kind("an unsigned integer scalar", "Int", signed=False)
UINT32 = Kind("a 32-bit unsigned integer scalar", "Int", width=32, signed=False)
INTS = Kind("an integer scalar or vector", "Int", SCALARS_AND_VECTORS)
UINTS = Kind("an unsigned integer scalar or vector", "Int", SCALARS_AND_VECTORS, signed=False)
UVEC4 = Kind("a vector of four unsigned integers", "Int", VECTORS, signed=False, count=4)
FLOAT = Kind("a float scalar", "Float")
FLOAT32 = Kind("a 32-bit float scalar", "Float", width=32)
FLOATS = Kind("a float scalar or vector", "Float", SCALARS_AND_VECTORS)
FLOAT_VECTOR = Kind("a vector of floats", "Float", VECTORS)
FLOAT_MATRIX = Kind("a matrix of floats", "Float", "Matrix")
VEC2_F32 = Kind("vec2<f32>", "Float", VECTORS, width=32, count=2)
VEC3_F32 = Kind("vec3<f32>", "Float", VECTORS, width=32, count=3)
NUMBER = Kind("an integer or float scalar", "Int Float")
ANY_SCALAR = Kind("a Boolean, an integer or a float", "Bool Int Float")
ANY_SCALARS = Kind("a scalar or vector of Booleans, integers or floats", "Bool Int Float", SCALARS_AND_VECTORS)
VECTOR = Declared("a vector", VECTORS)
MATRIX = Declared("a matrix", "Matrix")
ARRAY = Declared("an array", "Array")
POINTER = Declared("a pointer", "Pointer UntypedPointerKHR")
TYPED_POINTER = Declared("a typed pointer (OpTypePointer)", "Pointer")


def dimension(module: Module, type_: Type) -> int:
    """The components of a scalar or vector, the columns of a matrix; 0 where they are not known before specialization."""
    match type_.kind:
        case spv.OpTypeBool | spv.OpTypeInt | spv.OpTypeFloat:
            return 1
        case spv.OpTypeVectorIdEXT:
            return module.integer(type_.length_id) or 0
    return type_.count


def part_name(type_: Type) -> str:
    """What a part of a composite is: `column`, `member`."""
    if type_.is_matrix or type_.is_struct:
        return "column" if type_.is_matrix else "member"
    return "component" if type_.is_vector or type_.is_cooperative_matrix else "element"


def part_type(type_: Type, number: int) -> str:
    """The type of a part of a composite in words: `the column type`, `the type of member 1`."""
    return f"the type of member {number}" if type_.is_struct else f"the {part_name(type_)} type"


def width(type_: Type) -> int:
    """The bits of a scalar, or of the scalars of a vector, matrix or cooperative matrix; 1 for truth values."""
    scalar = type_.scalar
    return 0 if scalar is None else 1 if scalar.is_bool else scalar.width


def bits_wide(type_: Type) -> str:
    """Its `width` in words."""
    return f"{width(type_)} bits{'' if type_.is_scalar else ' per component'}"


def has_small_types(module: Module, name: str | None) -> bool:
    """Whether a type holds 8- or 16-bit numbers that the module may store and convert but not compute with."""
    return bool(capabilities_to_compute(module, name))


def capabilities_to_compute(module: Module, name: str | None) -> tuple[int, ...]:
    """The capabilities that the module lacks to compute with the 8- and 16-bit numbers of a type (SPIR-V 2.16.1)."""
    contents = module.contents(name)
    return tuple(needed for small, needed in _SMALL.items() if small in contents and not module.has_capability(needed))


_SMALL = {"Int8": Capability.Int8, "Int16": Capability.Int16, "Float16": Capability.Float16}
"""Small numbers as `Module.contents` calls them, and the capabilities to compute with them."""
