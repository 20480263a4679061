"""Atomics (SPIR-V 2.16.1, 3.2.30, 3.3.18)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.grammar.operand_index import OpAtomicExchange_Value, OpAtomicLoad_Pointer, OpAtomicStore_Pointer, OpAtomicStore_Value
from spvls.module.functions import Function
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.module.variable import storage_name, the_class
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.kinds import BOOL, FLOAT, INT, INT32, NUMBER, POINTER, VECTORS, Kind
from spvls.validate.checks.operation import Check, Operation, first_fault, is_result_type, operand_is, result_is
from spvls.validate.checks.pointers import bases
from spvls.validate.checks.wording import listed, operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule
from spvls.validate.fixes.declare import capability_fixes

_FLAGS = (spv.OpAtomicFlagTestAndSet, spv.OpAtomicFlagClear)
_ATOMIC_COUNTER = StorageClass.AtomicCounter
_UNIFORM = StorageClass.Uniform
_ON_COUNTERS = frozenset({spv.OpAtomicLoad, spv.OpAtomicIIncrement, spv.OpAtomicIDecrement})
_MORE_ON_COUNTERS = traits.opcodes("IAdd ISub UMin UMax And Or Xor Exchange CompareExchange", "OpAtomic")
"""Enabled by AtomicStorageOps."""

_INTEGER_OPERATIONS = traits.opcodes("IAdd ISub SMin UMin SMax UMax And Or Xor", "OpAtomic")
_FLOAT_CAPABILITIES = {
    spv.OpAtomicFAddEXT: {
        16: Capability.AtomicFloat16AddEXT,
        32: Capability.AtomicFloat32AddEXT,
        64: Capability.AtomicFloat64AddEXT,
    },
    spv.OpAtomicFMinEXT: {
        16: Capability.AtomicFloat16MinMaxEXT,
        32: Capability.AtomicFloat32MinMaxEXT,
        64: Capability.AtomicFloat64MinMaxEXT,
    },
    spv.OpAtomicFMaxEXT: {
        16: Capability.AtomicFloat16MinMaxEXT,
        32: Capability.AtomicFloat32MinMaxEXT,
        64: Capability.AtomicFloat64MinMaxEXT,
    },
}
_TEXEL_POINTERS = (spv.OpImageTexelPointer, spv.OpUntypedImageTexelPointerEXT)
_VECTOR_CAPABILITY = Capability.AtomicFloat16VectorNV


_FUNCTION = StorageClass.Function
_GENERIC = StorageClass.Generic
_VULKAN_CLASSES = frozenset(
    {
        StorageClass.Uniform,
        StorageClass.StorageBuffer,
        StorageClass.Workgroup,
        StorageClass.Image,
        StorageClass.PhysicalStorageBuffer,
        StorageClass.TaskPayloadWorkgroupEXT,
    }
)
_OPENCL_CLASSES = frozenset({StorageClass.Function, StorageClass.Workgroup, StorageClass.CrossWorkgroup, StorageClass.Generic})
_ALL_CLASSES = _VULKAN_CLASSES | _OPENCL_CLASSES | frozenset({StorageClass.AtomicCounter})

_HALF_PAIR = Kind("", "Float", VECTORS, width=16, count=2)
_HALF_QUAD = Kind("", "Float", VECTORS, width=16, count=4)


@function_rule(
    "synchronization/atomic-flag-is-not-overwritten",
    *_FLAGS,
    section=sections.ATOMIC_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def atomic_flag_is_not_overwritten(function: Function, context: RuleContext) -> Findings:
    """An atomic flag must only be changed by OpAtomicFlagTestAndSet and OpAtomicFlagClear.

    How a device represents a set flag is not defined. If another instruction modifies it, the resulting values are undefined, so a
    lock that is built on it may never be free or be free twice. The rule compares pointers by their ids in one function. It reports
    the first OpStore, OpAtomicStore or atomic instruction that computes or exchanges. Others that write, such as OpCopyMemory and
    OpAtomicCompareExchangeWeak, are not checked.
    """
    if not context.module.has_capability(Capability.Kernel):
        return
    used = {id_at(r, 0): r for r in reversed(function.records) if r.opcode.value in _FLAGS}
    for record in function.records:
        opcode = record.opcode.value
        if opcode != spv.OpStore and opcode != spv.OpAtomicStore and opcode not in traits.MODIFYING_ATOMICS:
            continue
        flag = used.get(id_at(record, 0))
        if flag is not None:
            note = Note(flag, OPCODE, f"%{record.operands[0]!s} is used as an atomic flag here")
            must_not = f"which {record.opcode.name} must not change; use OpAtomicFlagTestAndSet or OpAtomicFlagClear"
            message = f"{operand(record, 0)} points to an atomic flag, {must_not}"
            yield Finding(record, 0, message, (note,))
            return


@instruction_rule(
    "synchronization/atomic-counter-is-only-counted", section=sections.CAPABILITY, severity=Severity.WARNING,
    where=lambda opcode: opcode.value in (spv.OpLoad, spv.OpStore, spv.OpCopyMemory) or opcode.class_ == "Atomic",
)  # fmt: skip
def atomic_counter_is_only_counted(inst: Instruction, context: RuleContext) -> Findings:
    """An atomic counter must only be accessed by the atomic instructions that its capabilities permit.

    A device may keep atomic counters in special memory, which has few operations. The capability AtomicStorage permits
    OpAtomicLoad, OpAtomicIIncrement and OpAtomicIDecrement. AtomicStorageOps (SPV_KHR_shader_atomic_counter_ops) also permits
    atomic integer addition and subtraction, unsigned minimum and maximum, bitwise operations, OpAtomicExchange and
    OpAtomicCompareExchange. OpLoad, OpStore and OpCopyMemory are not permitted.

    The rule checks modules with the capability AtomicStorage. Of OpCopyMemory it checks the target only; OpCopyMemorySized is
    not checked.
    """
    if inst.opcode.value in _ON_COUNTERS:
        return
    module = context.module
    if not module.has_capability(Capability.AtomicStorage):
        return
    if inst.opcode.value in _MORE_ON_COUNTERS and module.has_capability(Capability.AtomicStorageOps):
        return
    type_ = module.type_of(id_at(inst, 0))
    if type_ is not None and type_.storage == _ATOMIC_COUNTER:
        instead = "must not access; use OpAtomicLoad, OpAtomicIIncrement or OpAtomicIDecrement"
        if inst.opcode.value in _MORE_ON_COUNTERS:
            instead = "must not access without the capability AtomicStorageOps"
        elif module.has_capability(Capability.AtomicStorageOps):
            instead = "must not access, even with the capability AtomicStorageOps"
        yield Finding(inst, OPCODE, f"{operand(inst, 0)} points to an atomic counter, which {inst.opcode.name} {instead}")


@instruction_rule(
    "synchronization/atomic-avoids-uniform-block", section=sections.UNIVERSAL_VALIDATION_RULES, severity=Severity.WARNING,
    where=lambda opcode: opcode.class_ == "Atomic",
)  # fmt: skip
def atomic_avoids_uniform_block(inst: Instruction, context: RuleContext) -> Findings:
    """An atomic instruction must not access a Block in the storage class Uniform.

    Such a Block is a uniform buffer, which devices may read through caches that do not see writes. What an atomic instruction
    writes may be lost, and an atomic load may return an old value. SPIR-V permits atomic instructions in Uniform with BufferBlock
    only. Use storage class StorageBuffer, or up to SPIR-V 1.3 BufferBlock. Arrays of blocks are checked as well; untyped variables,
    and pointers that are not made from a variable by access chains or copies, such as function parameters, are not.
    """
    module = context.module
    name = id_at(inst, 0)
    type_ = module.type_of(name)
    if type_ is None or type_.storage != _UNIFORM:
        return
    chain = list(bases(module, name))
    variable = chain[-1] if chain else None
    if variable is None or variable.opcode.value != spv.OpVariable:
        return
    pointer = module.type(variable.type)
    held = module.without_arrays(pointer.pointee) if pointer is not None else None
    if held is not None and module.has_decoration(held.id, Decoration.Block):
        note = Note(variable, OPCODE, f"%{variable.result} is defined here")
        message = f"{operand(inst, 0)} points into a Block in Uniform, and such a Block is read-only; use StorageBuffer"
        yield Finding(inst, 0, message, (note,))


def _is_half_vector(type_: Type) -> bool:
    return type_.encoding is None and (_HALF_PAIR.holds(type_) or _HALF_QUAD.holds(type_))


def _result_or_half_vector(kind: Kind) -> Check:
    plain = result_is(kind)

    def check(op: Operation) -> Finding | None:
        if op.result is not None and _is_half_vector(op.result):
            return None
        fault = plain(op)
        if fault is not None and op.module.has_capability(_VECTOR_CAPABILITY):
            return op.result_fault(f"{kind.name}, or a vector of two or four 16-bit floats")
        return fault

    return check


def _pointee(op: Operation) -> Type | None:
    """What the pointer points to; for an untyped pointer, what is read or written."""
    pointer = op.type(0)
    if pointer is None:
        return None
    if pointer.kind == spv.OpTypePointer:
        return pointer.element
    return op.type(3) if op.code == spv.OpAtomicStore else op.result


def _has_capability(op: Operation) -> Finding | None:
    """Atomics on 64-bit integers and on floats take capabilities."""
    module = op.module
    type_ = _pointee(op)
    if type_ is not None and type_.is_int and type_.width == 64 and not module.has_capability(Capability.Int64Atomics):
        message = f"{op.name} on {op.spell(type_)} requires the capability Int64Atomics"
        return op.fault(0, message, capability_fixes(module, (Capability.Int64Atomics,)))
    result = op.result
    if result is None:
        return None
    if result.is_vector:
        wanted: int | None = _VECTOR_CAPABILITY
    elif module.has_capability(Capability.Shader):
        wanted = _FLOAT_CAPABILITIES.get(op.code, {}).get(result.width)
    else:
        wanted = None
    if wanted is None or module.has_capability(wanted):
        return None
    message = f"{op.name} on {op.spell(result)} requires the capability {capability_name(wanted)}"
    return op.fault(TYPE, message, capability_fixes(module, (wanted,)))


def _in_storage_class(op: Operation) -> Finding | None:
    """The memory is of a storage class that can be shared between invocations."""
    pointer = op.type(0)
    if pointer is None:
        return None
    module, where = op.module, pointer.storage
    environment = module.environment
    subject = f"{op.subject(0)} points to {the_class(where)}"
    if where not in _ALL_CLASSES:
        return op.fault(0, f"{subject}, which does not support atomics")
    if module.has_capability(Capability.Shader):
        if environment.api == "vulkan" and where not in _VULKAN_CLASSES:
            names = listed(sorted(storage_name(s) for s in _VULKAN_CLASSES))
            return op.fault(0, f"{subject}, expected {names} in Vulkan", (), "VUID-StandaloneSpirv-None-04686")
        if environment.api != "vulkan" and where == _FUNCTION:
            return op.fault(0, f"{subject}; with the capability Shader, this storage class does not support atomics")
    if environment.api == "opencl":
        if where not in _OPENCL_CLASSES:
            names = "Function, Workgroup, CrossWorkgroup or Generic in OpenCL"
            if environment.api_version == (1, 2):
                names = "Function, Workgroup or CrossWorkgroup in OpenCL 1.2"
            return op.fault(0, f"{subject}, expected {names}")
        if where == _GENERIC and environment.api_version == (1, 2):
            return op.fault(0, f"{subject}, which does not support atomics in OpenCL 1.2")
    return None


def _points_to_result(op: Operation) -> Finding | None:
    pointee, result = _pointee(op), op.result
    if pointee is None or result is None or pointee.id == result.id:
        return None
    return op.operand_fault(OpAtomicLoad_Pointer, f"a pointer to {op.spell(result)} to match the result type", op.retype(pointee))


def _points_to(kind: Kind) -> Check:
    def check(op: Operation) -> Finding | None:
        pointee = _pointee(op) if op.code not in _FLAGS or _is_typed(op) else None
        if pointee is None or kind.holds(pointee):
            return None
        if not _is_typed(op):
            return op.operand_fault(OpAtomicStore_Value, kind.name)
        return op.operand_fault(OpAtomicStore_Pointer, f"a pointer to {kind.name}")

    return check


def _is_typed(op: Operation) -> bool:
    pointer = op.type(OpAtomicStore_Pointer)
    return pointer is not None and pointer.kind == spv.OpTypePointer


def _stores_pointee(op: Operation) -> Finding | None:
    pointee, type_ = _pointee(op), op.type(OpAtomicStore_Value)
    if pointee is None or type_ is None or pointee.id == type_.id:
        return None
    return op.operand_fault(OpAtomicStore_Value, f"{op.spell(pointee)}, which {op.subject(OpAtomicStore_Pointer)} points to")


def _is_faulty_texel(op: Operation) -> bool:
    """Whether the pointer is a texel's that is itself of the wrong type: `image/texel-pointer-fits-image` speaks of that."""
    pointer = op.type(OpAtomicLoad_Pointer)
    if pointer is None or op.module.opcode_of(op.id(OpAtomicLoad_Pointer)) not in _TEXEL_POINTERS:
        return False
    texel = pointer.element
    if texel is None or not pointer.is_pointer:
        return not pointer.is_pointer
    return not NUMBER.holds(texel) and not (op.module.has_capability(_VECTOR_CAPABILITY) and _is_half_vector(texel))


_POINTER = (operand_is(0, POINTER), _has_capability, _in_storage_class)
_LOAD = (_result_or_half_vector(NUMBER), *_POINTER, _points_to_result)
_FLOAT = (_result_or_half_vector(FLOAT), *_POINTER, _points_to_result, is_result_type(3))
_INTEGER = (result_is(INT), *_POINTER, _points_to_result)
_EXCHANGE = (*_INTEGER, is_result_type(4), is_result_type(5))

_ATOMIC: dict[int, tuple[Check, ...]] = {
    spv.OpAtomicLoad: (result_is(NUMBER), *_POINTER, _points_to_result),
    spv.OpAtomicStore: (*_POINTER, _points_to(NUMBER), _stores_pointee),
    spv.OpAtomicExchange: (*_LOAD, is_result_type(OpAtomicExchange_Value)),
    spv.OpAtomicCompareExchange: _EXCHANGE,
    spv.OpAtomicCompareExchangeWeak: _EXCHANGE,
    spv.OpAtomicIIncrement: _INTEGER,
    spv.OpAtomicIDecrement: _INTEGER,
    **{name: (*_INTEGER, is_result_type(3)) for name in _INTEGER_OPERATIONS},
    **dict.fromkeys(_FLOAT_CAPABILITIES, _FLOAT),
    spv.OpAtomicFlagTestAndSet: (result_is(BOOL), *_POINTER, _points_to(INT32)),
    spv.OpAtomicFlagClear: (*_POINTER, _points_to(INT32)),
}

@instruction_rule("synchronization/atomic-types-match", *_ATOMIC, section=sections.ATOMIC_INSTRUCTIONS)
def atomic_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """An atomic instruction must use the type that is in memory, in a storage class that has atomics.

    The instruction does not convert. With another type it may change other bits than intended, or the device may have no such
    instruction.

    Comparisons and integer operations require integer scalars, float operations float scalars, and loads, stores and exchanges
    either. OpAtomicExchange and float operations may also use vectors of two or four 16-bit floats, which require
    AtomicFloat16VectorNV (SPV_NV_shader_atomic_fp16_vector). Flags must be 32-bit integers, and OpAtomicFlagTestAndSet returns a
    Boolean. Except for flags, a typed pointer must point to the result type, which Value and Comparator must also have, or for a
    store to the type of Value. An untyped pointer (SPV_KHR_untyped_pointers) has no type to compare; the rule accepts it for flags
    too, unlike spirv-val. 64-bit integers require Int64Atomics. Sums, minima and maxima of scalar floats require a capability for
    the width, such as AtomicFloat32AddEXT (SPV_EXT_shader_atomic_float_add; for 16 bits SPV_EXT_shader_atomic_float16_add; for
    minima and maxima SPV_EXT_shader_atomic_float_min_max); as in spirv-val, this is checked with Shader only.

    In Vulkan with Shader the storage class must be Uniform, StorageBuffer, Workgroup, Image, PhysicalStorageBuffer or
    TaskPayloadWorkgroupEXT; in OpenCL Function, Workgroup, CrossWorkgroup or, except in OpenCL 1.2, Generic. Otherwise it must be
    one of all these or AtomicCounter. With Shader, Function is never permitted; for blocks in Uniform see
    `synchronization/atomic-avoids-uniform-block`, and for what texel pointers may point to `image/texel-pointer-fits-image`.
    """
    op = Operation(inst, context)
    checks = () if _is_faulty_texel(op) else _ATOMIC[inst.opcode.value]
    return first_fault(op, checks)
