"""Operands of ray tracing and ray query instructions, by what they are for.

Tables give the operands of an opcode as a row of letters; `[…]` are operands that come together or not at all.
"""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import StorageClass
from spvls.grammar.operand_index import OpVariable_StorageClass
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.types import Type
from spvls.module.variable import storage_name, the_class
from spvls.syntax.instruction import OPCODE
from spvls.validate.checks.kinds import FLOAT32, INT32, UINT32, VEC3_F32, VECTORS, AnyKind, Declared, Kind
from spvls.validate.checks.operation import Check, Operation, is_constant, operand_is
from spvls.validate.checks.wording import listed, made_by
from spvls.validate.engine.finding import Finding

UVEC2_32 = Kind("a vector of two 32-bit integers", "Int", VECTORS, width=32, count=2)
_CONSTANT = Kind("a constant 32-bit integer scalar", "Int", width=32)
ACCELERATION_STRUCTURE = Declared("an acceleration structure", "AccelerationStructureKHR")

_MEMORY_OBJECTS = frozenset({spv.OpVariable, spv.OpFunctionParameter, spv.OpAccessChain, spv.OpInBoundsAccessChain})


def points_to(at: int, pointee: int, what: str, makers: frozenset[int] | None) -> Check:
    """An operand is a pointer to an opaque object, which one of these opcodes makes."""

    def check(op: Operation) -> Finding | None:
        name = op.id(at)
        definition = op.module.definition(name) if name is not None else None
        pointer = op.type(at)
        if definition is None or pointer is None:
            return None
        element = pointer.element if pointer.kind == spv.OpTypePointer else None
        if element is None or element.kind != pointee:
            return op.operand_fault(at, f"a pointer to {what}")
        if makers is None or definition.opcode.value in makers:
            return None
        have = f"{op.subject(at)} is {made_by(definition)}"
        return op.fault(at, f"{have}, expected a variable, a function parameter or an access chain")

    return check


def is_variable(at: int, classes: tuple[int, ...]) -> Check:
    """An operand is a variable in one of the storage classes."""
    expected = f"expected a variable in the storage class {listed([*map(storage_name, classes)])}"

    def check(op: Operation) -> Finding | None:
        name = op.id(at)
        definition = op.module.definition(name) if name is not None else None
        if definition is None or definition.opcode.is_type:
            return None
        class_ = word_at(definition, OpVariable_StorageClass) if definition.opcode.value == spv.OpVariable else None
        if class_ in classes:
            return None
        have = made_by(definition) if class_ is None else f"a variable in {the_class(class_)}"
        return op.fault(at, f"{op.subject(at)} is {have}, {expected}")

    return check


_VARIABLES: dict[str, tuple[int, ...]] = {
    "p": (StorageClass.RayPayloadKHR, StorageClass.IncomingRayPayloadKHR),
    "P": (StorageClass.RayPayloadKHR,),
    "c": (StorageClass.CallableDataKHR, StorageClass.IncomingCallableDataKHR),
    "t": (StorageClass.HitObjectAttributeNV, StorageClass.HitObjectAttributeEXT),
    "tN": (StorageClass.HitObjectAttributeNV,),
    "tE": (StorageClass.HitObjectAttributeEXT,),
}
_OBJECTS: dict[str, tuple[int, str, frozenset[int] | None]] = {
    "q": (spv.OpTypeRayQueryKHR, "a ray query", _MEMORY_OBJECTS),
    "Q": (spv.OpTypeRayQueryKHR, "a ray query", None),
    "N": (spv.OpTypeHitObjectNV, "a hit object (OpTypeHitObjectNV)", None),
    "E": (spv.OpTypeHitObjectEXT, "a hit object (OpTypeHitObjectEXT)", None),
}
_KINDS: dict[str, AnyKind] = {"i": INT32, "u": UINT32, "f": FLOAT32, "v": VEC3_F32, "a": ACCELERATION_STRUCTURE}


def _checks(letter: str, at: int) -> tuple[Check, ...]:
    if letter in _VARIABLES:
        return (is_variable(at, _VARIABLES[letter]),)
    if letter in _OBJECTS:
        return (points_to(at, *_OBJECTS[letter]),)
    if letter in _KINDS:
        return (operand_is(at, _KINDS[letter]),)
    return (operand_is(at, _CONSTANT), is_constant(at)) if letter == "k" else ()


def row(letters: str) -> tuple[Check, ...]:
    """The checks of an opcode's operands. `i` 32-bit integer, `u` the same without sign, `f` 32-bit float, `v` vec3<f32>,
    `a` acceleration structure, `k` constant 32-bit integer, `q` ray query, `Q` the same from any instruction,
    `N` and `E` hit object of either extension, `p` payload, `P` payload that is not incoming, `c` callable data, `t` hit
    attributes, `tN` and `tE` those of one extension, `-` anything."""
    plain, _, together = letters.rstrip("]").partition("[")
    first = plain.split()
    pair = together.split()
    checks = [check for at, letter in enumerate(first) for check in _checks(letter, at)]
    if pair:
        checks.append(_together(len(first), pair))
    return tuple(checks)


def _together(start: int, letters: list[str]) -> Check:
    checks = [check for at, letter in enumerate(letters, start) for check in _checks(letter, at)]

    def check(op: Operation) -> Finding | None:
        given = len(op.operands) - start
        if given <= 0:
            return None
        if given != len(letters):
            has = f"{op.name} has the operand {op.role(start)} but not the operand {op.role(start + 1)}"
            return op.fault(OPCODE, f"{has}; both or neither must be given")
        return next((fault for each in checks if (fault := each(op)) is not None), None)

    return check


def gives_transform(op: Operation) -> Finding | None:
    """The result is a matrix of four columns of vec3<f32>: where an object is in the world."""
    result = op.result
    if result is None:
        return None
    column = result.element
    if result.is_matrix and result.count == 4 and (column is None or VEC3_F32.holds(column)):
        return None
    return op.result_fault("mat4x3<f32>")


def gives_array(length: int, element: AnyKind) -> Check:
    """The result is an array of so many elements."""

    def check(op: Operation) -> Finding | None:
        result = op.result
        if result is None or _is_array(op.module, result, length, element):
            return None
        return op.result_fault(f"array<{'f32' if element is FLOAT32 else element.name}, {length}>")

    return check


def _is_array(module: Module, type_: Type, length: int, element: AnyKind) -> bool:
    if type_.kind != spv.OpTypeArray or module.integer(type_.length_id) != length:
        return False
    return type_.element is None or element.holds(type_.element)
