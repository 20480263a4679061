"""Conversion to and from integers and Generic (SPIR-V 3.3.11)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AddressingModel, Capability, StorageClass
from spvls.grammar.operand_index import (
    OpConvertPtrToU_Pointer,
    OpConvertUToPtr_IntegerValue,
    OpGenericCastToPtr_Pointer,
    OpGenericCastToPtrExplicit_Storage,
    OpPtrCastToGeneric_Pointer,
)
from spvls.module.types import Type
from spvls.module.variable import storage_name, the_class
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.checks.kinds import INT, INTS, POINTER, UINT, UINTS, VECTORS, Kind, width
from spvls.validate.checks.operation import Check, Operation, first_fault, has_count_of_result, operand_is, result_is
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.function.declaration import spelled_apart

_LOGICAL = AddressingModel.Logical
_PHYSICAL_STORAGE_BUFFER_64 = AddressingModel.PhysicalStorageBuffer64
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_GENERIC = StorageClass.Generic
_SPECIFIC = frozenset({StorageClass.Workgroup, StorageClass.CrossWorkgroup, StorageClass.Function, StorageClass.CodeSectionINTEL})
_POINTERS = Kind("a vector of pointers", "Pointer UntypedPointerKHR", VECTORS)


def _integer_result(op: Operation) -> Finding | None:
    if op.result is None or UINTS.holds(op.result):
        return None
    vectors = op.module.has_capability(Capability.MaskedGatherScatterINTEL)
    return op.result_fault(UINTS.name if vectors else UINT.name)


def _pointer_for_integer(op: Operation) -> Finding | None:
    """A pointer for an integer, a vector of pointers for a vector of integers."""
    type_, result = op.type(OpConvertPtrToU_Pointer), op.result
    if type_ is None or result is None:
        return None
    if result.is_vector and not op.module.has_capability(Capability.MaskedGatherScatterINTEL) and not _POINTERS.holds(type_):
        if not POINTER.holds(type_):
            return op.operand_fault(OpConvertPtrToU_Pointer, POINTER.name)
        message = f"{op.subject(OpConvertPtrToU_Pointer)} is {op.spell(type_)}, "
        message += f"but the result type of {op.name} is {op.spell(result)}, expected {UINT.name}"
        return op.fault(OpConvertPtrToU_Pointer, message)
    kind = _POINTERS if result.is_vector else POINTER
    if not kind.holds(type_):
        why = f" to match the result type {op.spell(result)}" * result.is_vector
        return op.operand_fault(OpConvertPtrToU_Pointer, kind.name + why)
    return _COUNT_OF_RESULT(op) if result.is_vector else None


_COUNT_OF_RESULT = has_count_of_result(0)


def _integer_for_pointer(op: Operation) -> Finding | None:
    type_, result = op.type(OpConvertUToPtr_IntegerValue), op.result
    if type_ is None or result is None:
        return None
    if not (POINTER.holds(result) or _POINTERS.holds(result)):
        return op.result_fault(POINTER.name)
    kind = INTS if result.is_vector else INT
    if not kind.holds(type_):
        wanted = f"a vector of integers to match the result type {op.spell(result)}" if result.is_vector else kind.name
        return op.operand_fault(OpConvertUToPtr_IntegerValue, wanted)
    return _COUNT_OF_RESULT(op) if result.is_vector else None


def _is_physical(pointer_at: int, integer_at: int) -> Check:
    """The addressing model has pointers that are numbers; TYPE stands for the result."""

    def check(op: Operation) -> Finding | None:
        model = op.module.addressing_model
        given, result = op.type(0), op.result
        if given is None or result is None:
            return None
        if (_is_logical(given) or _is_logical(result)) and not op.context.options.relax_logical_pointer:
            return None  # the rules on logical pointers speak of those
        if model == _LOGICAL:
            return op.fault(OPCODE, f"{op.name} requires physical addressing, but the addressing model is Logical")
        if model != _PHYSICAL_STORAGE_BUFFER_64:
            return None
        pointer, integer = (result, given) if pointer_at == TYPE else (given, result)
        part = pointer.element if pointer.is_vector else pointer
        if part is not None and part.is_pointer and part.storage != _PHYSICAL_STORAGE_BUFFER:
            wanted = "a pointer to the storage class PhysicalStorageBuffer"
            wanted = f"a vector of components that are each {wanted}" if pointer.is_vector else wanted
            return op.result_fault(wanted) if pointer_at == TYPE else op.operand_fault(pointer_at, wanted)
        if op.module.environment.api == "vulkan" and width(integer) != 64:
            kind = "unsigned integer" if integer_at == TYPE else "integer"
            wanted = f"a 64-bit {kind} scalar for the addressing model PhysicalStorageBuffer64"
            finding = op.result_fault(wanted) if integer_at == TYPE else op.operand_fault(integer_at, wanted)
            return finding._replace(vuid="VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710")
        return None

    return check


def _is_logical(type_: Type) -> bool:
    return type_.is_pointer and type_.storage != _PHYSICAL_STORAGE_BUFFER


def _points_to(type_: Type) -> str | None:
    return type_.element_id if type_.kind == spv.OpTypePointer else None


def _same_pointee(op: Operation) -> Finding | None:
    type_, result = op.type(OpPtrCastToGeneric_Pointer), op.result
    if type_ is None or result is None or _points_to(type_) == _points_to(result):
        return None
    pointee = result.pointee if _points_to(result) is not None else None
    _, need = spelled_apart(op.module, type_.element_id, result.element_id)
    wanted = "an untyped pointer" if pointee is None else f"a pointer to {need}"
    return op.operand_fault(OpPtrCastToGeneric_Pointer, f"{wanted} to match the result type {op.spell(result)}")


def _result_is_generic(op: Operation) -> Finding | None:
    if op.result is None or op.result.storage == _GENERIC:
        return None
    return op.result_fault("a pointer to the storage class Generic")


def _operand_is_generic(op: Operation) -> Finding | None:
    type_ = op.type(OpGenericCastToPtr_Pointer)
    if type_ is None or type_.storage == _GENERIC:
        return None
    return op.operand_fault(OpGenericCastToPtr_Pointer, "a pointer to the storage class Generic")


def _specific_names(op: Operation) -> str:
    """What Generic is cast from and to, as messages name it; CodeSectionINTEL only where the module can have it."""
    if op.module.has_capability(Capability.FunctionPointersINTEL):
        return "Workgroup, CrossWorkgroup, Function or CodeSectionINTEL"
    return "Workgroup, CrossWorkgroup or Function"


def _result_is_specific(op: Operation) -> Finding | None:
    if op.result is None or op.result.storage in _SPECIFIC:
        return None
    return op.result_fault(f"a pointer to the storage class {_specific_names(op)}")


def _operand_is_specific(op: Operation) -> Finding | None:
    type_ = op.type(OpPtrCastToGeneric_Pointer)
    if type_ is None or type_.storage in _SPECIFIC:
        return None
    return op.operand_fault(OpPtrCastToGeneric_Pointer, f"a pointer to the storage class {_specific_names(op)}")


def _has_named_class(op: Operation) -> Finding | None:
    named = op.word(OpGenericCastToPtrExplicit_Storage)
    if named is None or op.result is None or op.result.storage == named:
        return None
    if named not in _SPECIFIC:  # nor would the result be right with it
        return op.fault(TYPE, _wrong_storage(op, named))
    return op.result_fault(f"a pointer to {the_class(named)} to match operand Storage")


def _wrong_storage(op: Operation, named: int) -> str:
    wanted = _specific_names(op)
    if op.result is not None and op.result.storage in _SPECIFIC:
        wanted = f"{storage_name(op.result.storage)} to match the result type {op.spell(op.result)}"
    return f"operand Storage is {storage_name(named)}, expected {wanted}"


def _named_class_is_specific(op: Operation) -> Finding | None:
    named = op.word(OpGenericCastToPtrExplicit_Storage)
    if named is None or named in _SPECIFIC:
        return None
    return op.fault(OpGenericCastToPtrExplicit_Storage, _wrong_storage(op, named))


_BOTH_POINTERS = (result_is(POINTER), operand_is(0, POINTER))

_POINTER_CONVERSIONS: dict[int, tuple[Check, ...]] = {
    spv.OpConvertPtrToU: (_integer_result, _pointer_for_integer, _is_physical(0, TYPE)),
    spv.OpConvertUToPtr: (_integer_for_pointer, _is_physical(TYPE, 0)),
    spv.OpPtrCastToGeneric: (*_BOTH_POINTERS, _result_is_generic, _operand_is_specific, _same_pointee),
    spv.OpGenericCastToPtr: (*_BOTH_POINTERS, _result_is_specific, _operand_is_generic, _same_pointee),
    spv.OpGenericCastToPtrExplicit: (
        *_BOTH_POINTERS,
        _has_named_class,
        _operand_is_generic,
        _same_pointee,
        _named_class_is_specific,
    ),
}


@instruction_rule("pointer/conversion-types-match", *_POINTER_CONVERSIONS, section=sections.CONVERSION_INSTRUCTIONS)
def conversion_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Conversions between pointers and integers, or to and from Generic, must have matching types.

    An integer can only hold a pointer that is an address. A cast to Generic or from it changes only the storage class: if the type
    that is pointed to changes as well, later loads read bits of another type.

    OpConvertPtrToU must result in an unsigned integer. OpConvertUToPtr requires one as well, but as in spirv-val the signedness is
    not checked. Neither is permitted with the addressing model Logical. With PhysicalStorageBuffer64, the pointer must be to
    PhysicalStorageBuffer, and in Vulkan the integer must have 64 bits. Vectors of pointers (SPV_INTEL_masked_gather_scatter) are
    converted to or from vectors of as many integers. Logical pointers are left to `pointer/logical-operand-is-permitted` and
    `pointer/logical-result-is-permitted`, except with the option `relax-logical-pointer`.

    OpPtrCastToGeneric, OpGenericCastToPtr and OpGenericCastToPtrExplicit must be between Generic and Workgroup, CrossWorkgroup,
    Function or, as in spirv-val, CodeSectionINTEL; operand Storage of OpGenericCastToPtrExplicit must be the storage class of the
    result. Typed pointers must be to the same type. As in spirv-val, casts between typed and untyped pointers, which
    SPV_KHR_untyped_pointers permits, are reported, and so are casts of vectors of pointers, which SPV_INTEL_masked_gather_scatter
    permits. For OpBitcast see `computation/bitcast-keeps-bit-count`.
    """
    return first_fault(Operation(inst, context), _POINTER_CONVERSIONS[inst.opcode.value])
