"""OpBitcast (SPIR-V 3.3.11)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import OpBitcast_Operand
from spvls.module.types import Type
from spvls.module.variable import storage_name
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.cooperative import difference, vector_difference
from spvls.validate.checks.kinds import COOPERATIVE, SCALARS_AND_VECTORS, VECTORS, Declared, Kind, dimension, width
from spvls.validate.checks.operation import Check, Operation, first_fault, operand_is, result_is
from spvls.validate.checks.pointers import LOGICAL_MODELS
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.computation.conversion import may_change_value

_CASTABLE = Kind(
    "a pointer, or a scalar, vector or cooperative matrix of integers or floats",
    "Int Float Pointer UntypedPointerKHR",
    f"{SCALARS_AND_VECTORS} {COOPERATIVE}",
)


def _one_sided(op: Operation, what: str) -> Finding:
    types = f"{op.subject(0)} is {op.spell(op.type(0))} and the result type is {op.spell(op.result)}"
    return op.fault(0, f"{types}; both or neither must be {what}")


def _containers_agree(op: Operation) -> Finding | None:
    type_, result, module = op.type(0), op.result, op.module
    if type_ is None or result is None:
        return None
    if type_.is_cooperative_matrix != result.is_cooperative_matrix:
        return _one_sided(op, "cooperative matrices")
    if _holds_pointers(type_) != _holds_pointers(result):
        return _one_sided(op, "vectors of pointers")
    why = None
    if result.is_cooperative_matrix:
        why = difference(module, result, type_)
    elif spv.OpTypeVectorIdEXT in (type_.kind, result.kind) and not module.has_capability(Capability.LongVectorEXT):
        if type_.kind != result.kind:
            return _one_sided(op, "declared by OpTypeVectorIdEXT")
        why = vector_difference(module, result, type_)
    return None if why is None else op.fault(0, f"{op.subject(0)} {why}")


def _holds_pointers(type_: Type) -> bool:
    return type_.is_vector and type_.element is not None and type_.element.is_pointer


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
    later = "; vectors of 32-bit integers require SPIR-V 1.5 or the extension SPV_KHR_physical_storage_buffer"
    why = f"is a pointer{later if not vectors and _WORD_VECTOR.holds(other) else ''}"
    if result.is_pointer:
        return op.operand_fault(0, f"{what}, because the result type {why}")
    return op.result_fault(f"{what}, because {op.subject(0)} {why}")


def _as_many_bits(op: Operation) -> Finding | None:
    type_, result = op.type(0), op.result
    if type_ is None or result is None or type_.is_pointer or result.is_pointer:
        return None
    have = width(type_) * dimension(op.module, type_)
    want = width(result) * dimension(op.module, result)
    if have == want:
        return None
    subject = f"{op.subject(0)}, which is {op.spell(type_)}"
    if not want:
        unknown = f"the number of bits of the result type {op.spell(result)} depends on a specialization constant"
        return op.fault(0, f"{unknown}, expected {have}, that of {subject}")
    given = f"{op.subject(0)} is {op.spell(type_)} ({have or 'a number of'} bits{'' if have else ' that can be specialized'})"
    return op.fault(0, f"{given}, expected {want} bits to match the result type {op.spell(result)}")


_BITCAST: tuple[Check, ...] = (
    result_is(_CASTABLE),
    operand_is(0, _CASTABLE),
    _containers_agree,
    _pointer_from_address,
    _as_many_bits,
    may_change_value,
)


@instruction_rule("computation/bitcast-keeps-bit-count", spv.OpBitcast, section=sections.CONVERSION_INSTRUCTIONS)
def bitcast_keeps_bit_count(inst: Instruction, context: RuleContext) -> Findings:
    """OpBitcast must be between numbers or vectors of the same total size, or from or to a pointer.

    The bits are copied without conversion. If the result is larger, some of its bits have no value; if it is smaller, some bits are
    lost. OpUConvert, OpSConvert and OpFConvert change the width of a number.

    A pointer may be cast to and from a pointer or an integer scalar, and since SPIR-V 1.5, or with SPV_KHR_physical_storage_buffer,
    also a vector of 32-bit integers (SPIR-V 2.16.1); the sizes are then not compared. For logical pointers see
    `pointer/logical-operand-is-permitted` and `pointer/logical-result-is-permitted`, for casts to the same type or to another
    storage class `computation/bitcast-changes-type`. The rule accepts casts of vectors of pointers
    (SPV_INTEL_masked_gather_scatter) only to each other, and does not compare their lengths. A cooperative matrix may only be cast
    to one of the same shape, scope and use; SPV_KHR_cooperative_matrix permits only integer components of the same width, which the
    rule, like spirv-val, does not check. An OpTypeVectorIdEXT without LongVectorEXT, as in SPV_NV_cooperative_vector, may only be
    cast to one of the same length. Two lengths that can be specialized, and what can be specialized in matrices, are not compared.

    With Shader, 8- and 16-bit integers and 16-bit IEEE 754 floats, and pointers to types with them (not of OpTypeForwardPointer),
    require their capability (Int8, Int16 or Float16). Other types, such as Booleans, matrices, structures and arrays, must not be
    cast. Operations in OpSpecConstantOp are checked by `constant/spec-operation-is-valid`.
    """
    return first_fault(Operation(inst, context), _BITCAST)


@instruction_rule(
    "computation/bitcast-changes-type",
    spv.OpBitcast,
    section=sections.CONVERSION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(bitcast_keeps_bit_count,),
)
def bitcast_changes_type(inst: Instruction, context: RuleContext) -> Findings:
    """OpBitcast must change the type of its operand, and keep the storage class of a pointer.

    A cast to the same type does nothing and is not valid; use the operand itself. With another storage class, the same address may
    refer to other memory, so a load through the new pointer may read other data or fault. Casts of pointers are only checked with
    the addressing models Physical32 and Physical64; for logical pointers see `pointer/logical-operand-is-permitted`. The storage
    classes of vectors of pointers are not compared, and OpSpecConstantOp is not checked.

    A warning, because spirv-val permits both.
    """
    op = Operation(inst, context)
    type_, result = op.type(OpBitcast_Operand), op.result
    if type_ is None or result is None:
        return
    if type_.is_pointer and op.module.addressing_model in LOGICAL_MODELS:
        return  # see pointer/logical-operand-is-permitted
    if type_.id == result.id:
        message = f"{op.subject(OpBitcast_Operand)} already has the result type {op.spell(result)}; OpBitcast must change the type"
        yield op.fault(OpBitcast_Operand, message)
    elif type_.is_pointer and result.is_pointer and type_.storage != result.storage:
        storage = storage_name(result.storage)
        yield op.operand_fault(OpBitcast_Operand, f"a pointer to the storage class {storage}, that of the result type")
