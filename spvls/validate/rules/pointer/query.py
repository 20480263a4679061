"""What is asked about memory: the size of what a pointer points to, and the storage class behind a generic one (SPIR-V 3.3)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import StorageClass
from spvls.grammar.tables import opcode_name
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import INT32, POINTER, TYPED_POINTER, UINT32
from spvls.validate.checks.operation import Operation, first_fault, operand_is, result_is
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_GENERIC = StorageClass.Generic

#: Types whose values have no size: they are not bits in memory (SPIR-V 2.2.2: abstract and opaque types).
_WITHOUT_SIZE = frozenset(
    {
        spv.OpTypeVoid, spv.OpTypeBool, spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage, spv.OpTypeOpaque,
        spv.OpTypeEvent, spv.OpTypeDeviceEvent, spv.OpTypeReserveId, spv.OpTypeQueue, spv.OpTypePipe,
        spv.OpTypePipeStorage, spv.OpTypeNamedBarrier, spv.OpTypeAccelerationStructureKHR, spv.OpTypeRayQueryKHR,
        spv.OpTypeHitObjectNV, spv.OpTypeHitObjectEXT, spv.OpTypeRuntimeArray, spv.OpTypeFunction,
    }
)  # fmt: skip


def _points_to_a_size(op: Operation) -> Finding | None:
    pointer = op.type(0)
    pointee = pointer.pointee if pointer is not None else None
    if pointee is None:
        return None
    without = _WITHOUT_SIZE & op.module.contents(pointee.id, behind_pointers=False)
    if not without:
        return None
    held = op.module.without_arrays(pointee)
    lacking = held.kind if held is not None and held.kind in without else max(without - {spv.OpTypeVoid} or without)
    return op.operand_fault(0, f"a pointer to a type that has a size; {opcode_name(lacking)} has none")


_SIZE_OF = (result_is(INT32), operand_is(0, TYPED_POINTER), _points_to_a_size)


@instruction_rule(
    "pointer/sized-pointee-has-size", spv.OpSizeOf, section=sections.MISCELLANEOUS_INSTRUCTIONS, severity=Severity.WARNING
)
def sized_pointee_has_size(inst: Instruction, context: RuleContext) -> Findings:
    """The operand of OpSizeOf must point to a type that has a size in memory.

    The result is the size of that type in bytes; the result type must be a 32-bit integer. Void, functions, Booleans, run-time
    arrays and opaque types such as images have no size that the module can know, so the result would have no meaning. This holds
    for vectors, structures and arrays that contain them too. The pointer must be a typed one; a type as the operand is not checked
    here. Of the types of extensions only acceleration structures, ray queries and hit objects are reported. Images, samplers and
    sampled images are reported even with BindlessTextureNV, where SPV_NV_bindless_texture permits them.
    """
    return first_fault(Operation(inst, context), _SIZE_OF)


def _is_generic(op: Operation) -> Finding | None:
    pointer = op.type(0)
    if pointer is None or pointer.storage == _GENERIC:
        return None
    return op.operand_fault(0, "a pointer to the storage class Generic")


_SEMANTICS = (result_is(UINT32), operand_is(0, POINTER), _is_generic)


@instruction_rule(
    "pointer/queried-pointer-is-generic",
    spv.OpGenericPtrMemSemantics,
    section=sections.MEMORY_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def queried_pointer_is_generic(inst: Instruction, context: RuleContext) -> Findings:
    """The operand of OpGenericPtrMemSemantics must be a pointer to Generic.

    The instruction returns Memory Semantics with the bits of the storage class that a generic pointer leads to; its result type
    must be a 32-bit unsigned integer. Other pointers name their storage class in their type, and a device may have no way to query
    it from the address. The pointer may be untyped.
    """
    return first_fault(Operation(inst, context), _SEMANTICS)
