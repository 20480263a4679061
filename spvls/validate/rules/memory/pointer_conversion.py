"""Conversions from, to and between pointers, and OpBitcast (SPIR-V 3.3.11)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.cooperative import difference, vector_difference
from spvls.validate.finding import Finding
from spvls.validate.kinds import (
    COOPERATIVE,
    INT,
    INTS,
    POINTER,
    SCALARS_AND_VECTORS,
    UINTS,
    VECTORS,
    Declared,
    Kind,
    dimension,
    width,
)
from spvls.validate.operation import Check, Operation, first_fault, has_count_of_result, operand_is, result_is
from spvls.validate.pointers import LOGICAL_MODELS
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.rules.computation.conversion import may_change_value
from spvls.validate.storage_class import storage, storage_name, storages

_LOGICAL = value("AddressingModel", "Logical")
_PHYSICAL_STORAGE_BUFFER_64 = value("AddressingModel", "PhysicalStorageBuffer64")
_PHYSICAL_STORAGE_BUFFER = storage("PhysicalStorageBuffer")
_GENERIC = storage("Generic")
_SPECIFIC = storages("Workgroup CrossWorkgroup Function CodeSectionINTEL")
_SPECIFIC_NAMES = "Workgroup, CrossWorkgroup, Function or CodeSectionINTEL"
_POINTERS = Kind("a vector of pointers", "Pointer UntypedPointerKHR", VECTORS)


def _pointer_for_integer(op: Operation) -> Finding | None:
    """A pointer for an integer, a vector of pointers for a vector of integers."""
    type_, result = op.type(0), op.result
    if type_ is None or result is None:
        return None
    kind = _POINTERS if result.is_vector else POINTER
    if not kind.holds(type_):
        return op.operand_fault(0, kind.name)
    return _COUNT_OF_RESULT(op) if result.is_vector else None


_COUNT_OF_RESULT = has_count_of_result(0)


def _integer_for_pointer(op: Operation) -> Finding | None:
    type_, result = op.type(0), op.result
    if type_ is None or result is None:
        return None
    if not (POINTER.holds(result) or _POINTERS.holds(result)):
        return op.result_fault(POINTER.name)
    kind = INTS if result.is_vector else INT
    if not kind.holds(type_):
        return op.operand_fault(0, kind.name)
    return _COUNT_OF_RESULT(op) if result.is_vector else None


def _is_physical(pointer_at: int, integer_at: int) -> Check:
    """The addressing model has pointers that are numbers; TYPE stands for the result."""

    def check(op: Operation) -> Finding | None:
        model = op.module.addressing_model
        given, result = op.type(0), op.result
        if given is None or result is None:
            return None
        if (_is_logical(given) or _is_logical(result)) and not op.scene.options.relax_logical_pointer:
            return None  # the rules on logical pointers speak of those
        if model == _LOGICAL:
            return op.fault(OPCODE, f"{op.name} takes pointers that are numbers, and the addressing model is Logical")
        if model != _PHYSICAL_STORAGE_BUFFER_64:
            return None
        pointer, integer = (result, given) if pointer_at == TYPE else (given, result)
        if pointer.is_pointer and pointer.storage != _PHYSICAL_STORAGE_BUFFER:
            message = f"here is {op.spell(pointer)}, expected a pointer of storage class PhysicalStorageBuffer"
            return op.fault(pointer_at, message)
        if op.module.environment.api == "vulkan" and width(integer) != 64:
            message = f"here is {op.spell(integer)}, expected 64 bits: addresses have those under PhysicalStorageBuffer64"
            return op.fault(integer_at, message, (), "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710")
        return None

    return check


def _is_logical(type_: Type) -> bool:
    return type_.is_pointer and type_.storage != _PHYSICAL_STORAGE_BUFFER


def _points_to(type_: Type) -> str | None:
    return type_.element_id if type_.kind == "Pointer" else None


def _same_pointee(op: Operation) -> Finding | None:
    type_, result = op.type(0), op.result
    if type_ is None or result is None or _points_to(type_) == _points_to(result):
        return None
    return op.operand_fault(0, f"a pointer to the same type as the result, {op.spell(result)}")


def _result_is_generic(op: Operation) -> Finding | None:
    if op.result is None or op.result.storage == _GENERIC:
        return None
    return op.result_fault("a pointer of storage class Generic")


def _operand_is_generic(op: Operation) -> Finding | None:
    type_ = op.type(0)
    if type_ is None or type_.storage == _GENERIC:
        return None
    return op.operand_fault(0, "a pointer of storage class Generic")


def _result_is_specific(op: Operation) -> Finding | None:
    if op.result is None or op.result.storage in _SPECIFIC:
        return None
    return op.result_fault(f"a pointer of storage class {_SPECIFIC_NAMES}")


def _operand_is_specific(op: Operation) -> Finding | None:
    type_ = op.type(0)
    if type_ is None or type_.storage in _SPECIFIC:
        return None
    return op.operand_fault(0, f"a pointer of storage class {_SPECIFIC_NAMES}")


def _has_named_class(op: Operation) -> Finding | None:
    named = op.word(1)
    if named is None or op.result is None or op.result.storage == named:
        return None
    return op.result_fault(f"a pointer of storage class {storage_name(named)}, which the instruction names")


def _named_class_is_specific(op: Operation) -> Finding | None:
    named = op.word(1)
    if named is None or named in _SPECIFIC:
        return None
    return op.fault(1, f"the storage class is {storage_name(named)}, expected {_SPECIFIC_NAMES}")


_BOTH_POINTERS = (result_is(POINTER), operand_is(0, POINTER))

_POINTER_CONVERSIONS: dict[str, tuple[Check, ...]] = {
    "OpConvertPtrToU": (result_is(UINTS), _pointer_for_integer, _is_physical(0, TYPE)),
    "OpConvertUToPtr": (_integer_for_pointer, _is_physical(TYPE, 0)),
    "OpPtrCastToGeneric": (*_BOTH_POINTERS, _result_is_generic, _operand_is_specific, _same_pointee),
    "OpGenericCastToPtr": (*_BOTH_POINTERS, _result_is_specific, _operand_is_generic, _same_pointee),
    "OpGenericCastToPtrExplicit": (
        *_BOTH_POINTERS,
        _has_named_class,
        _operand_is_generic,
        _same_pointee,
        _named_class_is_specific,
    ),
}


@instruction_rule("conversion/pointers", *_POINTER_CONVERSIONS, section="3.3.11")
def pointers(inst: Instruction, scene: Scene) -> Findings:
    """Pointers become integers, and integers pointers, under physical addressing; casts to and from Generic keep the pointee.

    OpConvertPtrToU gives an unsigned integer. Under PhysicalStorageBuffer64 the pointers are of storage class
    PhysicalStorageBuffer, and Vulkan wants integers of 64 bits. What is cast to Generic, or from it, is of storage class
    Workgroup, CrossWorkgroup, Function or CodeSectionINTEL.

    Bad:  `%g = OpPtrCastToGeneric %ptr_generic_float %p` where `%p` points to an integer
    Good: `%g = OpPtrCastToGeneric %ptr_generic_int %p`
    """
    return first_fault(Operation(inst, scene), _POINTER_CONVERSIONS[inst.opcode.name])


_CASTABLE = Kind(
    "a pointer, or an integer or float scalar or vector",
    "Int Float Pointer UntypedPointerKHR",
    f"{SCALARS_AND_VECTORS} {COOPERATIVE}",
)


def _containers_agree(op: Operation) -> Finding | None:
    """Cooperative matrices are cast to such of the same shape, and so are vectors of SPV_NV_cooperative_vector."""
    type_, result, module = op.type(0), op.result, op.module
    if type_ is None or result is None:
        return None
    if type_.is_cooperative_matrix != result.is_cooperative_matrix:
        return op.operand_fault(0, f"no cooperative matrix on one side alone: the result type is {op.spell(result)}")
    why = None
    if result.is_cooperative_matrix:
        why = difference(module, result, type_)
    elif "VectorIdEXT" in (type_.kind, result.kind) and not module.has_capability("LongVectorEXT"):
        if type_.kind != result.kind:
            return op.operand_fault(0, f"no cooperative vector on one side alone: the result type is {op.spell(result)}")
        why = vector_difference(module, result, type_)
    return None if why is None else op.fault(0, f"{op.subject(0)}: {why}")


_WORD_VECTOR = Kind("a vector of 32-bit integers", "Int", VECTORS, width=32)
_ADDRESS = Declared("", "Int Pointer UntypedPointerKHR")


def _pointer_from_address(op: Operation) -> Finding | None:
    """A pointer is cast from and to pointers and integers; since SPIR-V 1.5 also vectors of 32-bit integers."""
    type_, result, module = op.type(0), op.result, op.module
    if type_ is None or result is None or type_.is_pointer == result.is_pointer:
        return None
    vectors = module.version >= (1, 5) or module.has_extension("SPV_KHR_physical_storage_buffer")
    other = type_ if result.is_pointer else result
    if _ADDRESS.holds(other) or (vectors and _WORD_VECTOR.holds(other)):
        return None
    what = "a pointer, an integer scalar or a vector of 32-bit integers" if vectors else "a pointer or an integer scalar"
    if result.is_pointer:
        return op.operand_fault(0, f"{what}: the result type is a pointer")
    return op.result_fault(f"{what}: %{op.id(0)} is a pointer")


def _as_many_bits(op: Operation) -> Finding | None:
    type_, result = op.type(0), op.result
    if type_ is None or result is None or type_.is_pointer or result.is_pointer:
        return None
    have = width(type_) * dimension(op.module, type_)
    want = width(result) * dimension(op.module, result)
    if have == want:
        return None
    return op.fault(
        0, f"{op.subject(0)} has {have} bits ({op.spell(type_)}), expected the {want} of the result type, {op.spell(result)}"
    )


_BITCAST: tuple[Check, ...] = (
    result_is(_CASTABLE),
    operand_is(0, _CASTABLE),
    _containers_agree,
    _pointer_from_address,
    _as_many_bits,
    may_change_value,
)


@instruction_rule("conversion/bitcast", "OpBitcast", section="3.3.11")
def bitcast(inst: Instruction, scene: Scene) -> Findings:
    """OpBitcast keeps the bits: both sides are numbers or vectors of numbers of the same total size, or pointers.

    A pointer is cast to and from pointers and integer scalars; vectors of 32-bit integers come with SPIR-V 1.5 or
    SPV_KHR_physical_storage_buffer. A cast to the same type is taken as harmless.

    Bad:  `%b = OpBitcast %uint %v2` where `%v2` is a vec2<f32>
    Good: `%b = OpBitcast %uvec2 %v2`
    """
    return first_fault(Operation(inst, scene), _BITCAST)


@instruction_rule("opcode/OpBitcast/changes-type", "OpBitcast", section="3.3.11", severity=Severity.WARNING)
def bitcast_changes(inst: Instruction, scene: Scene) -> Findings:
    """OpBitcast gives another type than it takes, and leaves a pointer in its storage class.

    The reference validator does not look.

    Bad:  `%b = OpBitcast %uint %u`
    Good: `%b = OpBitcast %float %u`
    """
    op = Operation(inst, scene)
    type_, result = op.type(0), op.result
    if type_ is None or result is None or any(bitcast(inst, scene)):
        return
    if type_.is_pointer and op.module.addressing_model in LOGICAL_MODELS:
        return  # see pointer/logical-operand-whitelist
    if type_.id == result.id:
        yield op.operand_fault(0, "another type than the result: there are no bits to cast")
    elif type_.is_pointer and result.is_pointer and type_.storage != result.storage:
        yield op.operand_fault(0, f"a pointer of the storage class of the result, {storage_name(result.storage)}")


_HANDLE = Kind("", "Int", width=64, signed=False)
_HANDLE_WORDS = Kind("", "Int", VECTORS, width=32, signed=False, count=2)


def _is_handle(op: Operation) -> Finding | None:
    type_ = op.type(0)
    if type_ is None or _HANDLE.holds(type_) or _HANDLE_WORDS.holds(type_):
        return None
    return op.operand_fault(0, "a u64 or a vec2<u32>")


_ACCELERATION_STRUCTURE: tuple[Check, ...] = (
    result_is(Declared("an acceleration structure", "AccelerationStructureKHR")),
    _is_handle,
)


@instruction_rule("conversion/acceleration-structure", "OpConvertUToAccelerationStructureKHR", section="3.3.11")
def acceleration_structure(inst: Instruction, scene: Scene) -> Findings:
    """OpConvertUToAccelerationStructureKHR makes an acceleration structure of its address: a u64, or two u32.

    Bad:  `%as = OpConvertUToAccelerationStructureKHR %accel %u32_value`
    Good: `%as = OpConvertUToAccelerationStructureKHR %accel %u64_value`
    """
    return first_fault(Operation(inst, scene), _ACCELERATION_STRUCTURE)
