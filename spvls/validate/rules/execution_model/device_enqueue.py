"""Kernels that enqueue kernels: queues, events, ND-ranges, and the function that is invoked (SPIR-V 3.3.22).

spirv-val checks none of this, so these are warnings."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import AddressingModel, StorageClass
from spvls.grammar.operand_index import (
    OpBuildNDRange_GlobalWorkOffset,
    OpBuildNDRange_GlobalWorkSize,
    OpBuildNDRange_LocalWorkSize,
    OpCaptureEventProfilingInfo_ProfilingInfo,
    OpEnqueueKernel_Flags,
    OpEnqueueKernel_Invoke,
    OpEnqueueKernel_NumEvents,
    OpEnqueueMarker_NumEvents,
    OpGetKernelLocalSizeForSubgroupCount_SubgroupCount,
    OpIsValidEvent_Event,
    OpReleaseEvent_Event,
    OpRetainEvent_Event,
    OpSetUserEventStatus_Status,
)
from spvls.module.types import Type
from spvls.module.variable import the_class
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import BOOL, INT, INT32, TYPED_POINTER, AnyKind, Declared
from spvls.validate.checks.operation import Check, Operation, first_fault, is_type_of, operand_is, result_is
from spvls.validate.checks.wording import are_given, counted, made_by
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_QUEUE = Declared("a queue", "Queue")
_EVENT = Declared("a device event", "DeviceEvent")
_CROSS_WORKGROUP, _WORKGROUP = StorageClass.CrossWorkgroup, StorageClass.Workgroup
_PHYSICAL_64 = AddressingModel.Physical64


def _points_to(at: int, held: AnyKind) -> Check:
    """A pointer to what belongs to a kind."""

    def check(op: Operation) -> Finding | None:
        pointer = op.type(at)
        if pointer is None or (TYPED_POINTER.holds(pointer) and (pointer.pointee is None or held.holds(pointer.pointee))):
            return None
        return op.operand_fault(at, f"a pointer to {held.name}")

    return check


def _is_byte(type_: Type | None) -> bool:
    return type_ is not None and type_.is_int and type_.width == 8


def _points_to_bytes(at: int, class_: int | None = None) -> Check:
    def check(op: Operation) -> Finding | None:
        pointer = op.type(at)
        pointee = pointer.pointee if pointer is not None else None
        if pointer is None or (pointee is None and TYPED_POINTER.holds(pointer)):
            return None
        if _is_byte(pointee) and class_ in (None, pointer.storage):
            return None
        where = f" in {the_class(class_)}" if class_ else ""
        return op.operand_fault(at, f"a pointer to an 8-bit integer{where}")

    return check


def _event_is_made(at: int, makers: tuple[int, ...]) -> Check:
    """An event that may come from certain instructions: not one that is a constant, or made by another instruction on events."""
    is_event = operand_is(at, _EVENT)
    wanted = " or ".join(map(tables.opcode_name, makers))

    def check(op: Operation) -> Finding | None:
        name = op.id(at)
        fault = is_event(op)
        opcode = op.module.opcode_of(name)
        if fault is not None or opcode not in {spv.OpConstantNull, spv.OpUndef, spv.OpCreateUserEvent} - set(makers):
            return fault
        have = f"{op.subject(at)} is the result of {tables.opcode_name(opcode)}"
        return op.fault(at, f"{have}, expected an event produced by {wanted}")

    return check


def _address_width(op: Operation) -> int:
    return 64 if op.module.addressing_model == _PHYSICAL_64 else 32


def _is_range(op: Operation, type_: Type) -> bool:
    """A structure of the number of dimensions, and of the offset and the sizes in each of up to three (OpBuildNDRange)."""
    members = type_.members
    if type_.kind != spv.OpTypeStruct or len(members) != 4:
        return False
    first, *sizes = members
    if first is not None and not INT32.holds(first):
        return False
    return all(size is None or _is_sizes(op, size, (3,)) for size in sizes)


def _is_sizes(op: Operation, type_: Type, lengths: tuple[int, ...]) -> bool:
    """An array of so many integers as wide as addresses."""
    element = type_.element
    return (
        type_.kind == spv.OpTypeArray
        and element is not None
        and element.is_int
        and element.width == _address_width(op)
        and op.module.integer(type_.length_id) in (None, *lengths)
    )


def _range_shape(op: Operation) -> str:
    return f"a structure of a 32-bit integer and three arrays of three {_address_width(op)}-bit integers (as wide as addresses)"


def _result_is_range(op: Operation) -> Finding | None:
    return None if op.result is None or _is_range(op, op.result) else op.result_fault(_range_shape(op))


def _is_range_at(at: int) -> Check:
    """An ND-range, or a pointer to one, which is what compilers pass."""

    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        held = type_.pointee if type_ is not None and type_.is_pointer else type_
        return None if held is None or _is_range(op, held) else op.operand_fault(at, _range_shape(op))

    return check


def _is_global_size(op: Operation) -> Finding | None:
    type_ = op.type(OpBuildNDRange_GlobalWorkSize)
    wide = _address_width(op)
    if type_ is None or (type_.is_int and type_.width == wide) or _is_sizes(op, type_, (2, 3)):
        return None
    expected = f"a {wide}-bit integer or an array of two or three {wide}-bit integers (as wide as addresses)"
    return op.operand_fault(OpBuildNDRange_GlobalWorkSize, expected)


def _invoked(at: int) -> tuple[Check, ...]:
    """The function, and behind it the pointer to its parameters, their size and their alignment."""
    return (_is_invoked(at), _points_to_bytes(at + 1), operand_is(at + 2, INT32), operand_is(at + 3, INT32))


def _function_type(op: Operation, at: int) -> Type | None:
    name = op.id(at)
    maker = op.module.definition(name) if name is not None else None
    named = maker.operands[1] if maker is not None and maker.opcode.value == spv.OpFunction and len(maker.operands) > 1 else None
    return op.module.type(named) if isinstance(named, str) else None


def _is_invoked(at: int) -> Check:
    """A function that returns nothing, and takes a pointer to its parameters and then pointers to local memory."""

    def check(op: Operation) -> Finding | None:
        name = op.id(at)
        maker = op.module.defining_instruction(name) if name is not None else None
        if maker is not None and maker.opcode.value != spv.OpFunction:
            return op.fault(at, f"{op.subject(at)} is {made_by(maker)}, expected a function")
        type_ = _function_type(op, at)
        if type_ is None or type_.kind != spv.OpTypeFunction:
            return None
        returned = type_.element
        if returned is not None and returned.kind != spv.OpTypeVoid:
            return op.fault(at, f"{op.subject(at)} returns {op.spell(returned)}, expected void")
        parameters = type_.members
        first = parameters[0] if parameters else None
        if not parameters or (first is not None and not (first.is_pointer and _is_byte(first.pointee))):
            if not parameters:
                return op.fault(at, f"%{name} has no parameters, expected a first parameter that is a pointer to an 8-bit integer")
            return op.fault(at, f"parameter 0 of %{name} is {op.spell(first)}, expected a pointer to an 8-bit integer")
        for number, parameter in enumerate(parameters[1:], 1):
            if parameter is not None and not (parameter.is_pointer and parameter.storage == _WORKGROUP):
                subject = f"parameter {number} of %{name} is {op.spell(parameter)}"
                return op.fault(at, f"{subject}, expected a pointer to the storage class Workgroup")
        return None

    return check


def _local_sizes(op: Operation) -> Finding | None:
    """One size for each parameter behind the first."""
    type_ = _function_type(op, 6)
    if type_ is None:
        return None
    wanted, given = max(len(type_.member_ids) - 1, 0), len(op.operands) - 10
    if given == wanted:
        return None
    what = f"{are_given(given, 'Local Size operand')}, expected {wanted}"
    return op.fault(
        OpEnqueueKernel_Invoke, f"{what}: %{op.id(OpEnqueueKernel_Invoke)} has {counted(wanted, 'parameter')} after the first"
    )


_ENQUEUED = (result_is(INT32), operand_is(0, _QUEUE))
_DEVICE_ENQUEUE: dict[int, tuple[Check, ...]] = {
    spv.OpEnqueueMarker: (*_ENQUEUED, operand_is(OpEnqueueMarker_NumEvents, INT32), _points_to(2, _EVENT), _points_to(3, _EVENT)),
    spv.OpEnqueueKernel: (
        *_ENQUEUED,
        operand_is(OpEnqueueKernel_Flags, INT),
        _is_range_at(2),
        operand_is(OpEnqueueKernel_NumEvents, INT32),
        _points_to(4, _EVENT),
        _points_to(5, _EVENT),
        *_invoked(6),
        _local_sizes,
    ),
    spv.OpGetKernelNDrangeSubGroupCount: (result_is(INT32), _is_range_at(0), *_invoked(1)),
    spv.OpGetKernelNDrangeMaxSubGroupSize: (result_is(INT32), _is_range_at(0), *_invoked(1)),
    spv.OpGetKernelWorkGroupSize: (result_is(INT32), *_invoked(0)),
    spv.OpGetKernelPreferredWorkGroupSizeMultiple: (result_is(INT32), *_invoked(0)),
    spv.OpGetKernelLocalSizeForSubgroupCount: (
        result_is(INT32),
        operand_is(OpGetKernelLocalSizeForSubgroupCount_SubgroupCount, INT32),
        *_invoked(1),
    ),
    spv.OpGetKernelMaxNumSubgroups: (result_is(INT32), *_invoked(0)),
    spv.OpRetainEvent: (operand_is(OpRetainEvent_Event, _EVENT),),
    spv.OpReleaseEvent: (operand_is(OpReleaseEvent_Event, _EVENT),),
    spv.OpCreateUserEvent: (result_is(_EVENT),),
    spv.OpIsValidEvent: (result_is(BOOL), operand_is(OpIsValidEvent_Event, _EVENT)),
    spv.OpSetUserEventStatus: (_event_is_made(0, (spv.OpCreateUserEvent,)), operand_is(OpSetUserEventStatus_Status, INT32)),
    spv.OpCaptureEventProfilingInfo: (
        _event_is_made(0, (spv.OpEnqueueKernel, spv.OpEnqueueMarker)),
        operand_is(OpCaptureEventProfilingInfo_ProfilingInfo, INT),
        _points_to_bytes(2, _CROSS_WORKGROUP),
    ),
    spv.OpGetDefaultQueue: (result_is(_QUEUE),),
    spv.OpBuildNDRange: (
        _result_is_range,
        _is_global_size,
        is_type_of(OpBuildNDRange_LocalWorkSize, 0),
        is_type_of(OpBuildNDRange_GlobalWorkOffset, 0),
    ),
}


@instruction_rule(
    "execution-model/device-enqueue-types-match",
    *_DEVICE_ENQUEUE,
    section=sections.DEVICE_SIDE_ENQUEUE_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def device_enqueue_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Operands and results of device-side enqueue must have the types that the instruction requires.

    The runtime copies the parameters and starts the function with the sizes of the ND-range. With operands of other types it may
    read other memory than intended, or start a function with wrong parameters.

    Invoke must be a function that returns void. Its first parameter must be a pointer to 8-bit integers, as must be the operand
    Param; its other parameters must be pointers to Workgroup, one for each Local Size of OpEnqueueKernel. Results that are
    numbers, Num Events, Subgroup Count, Status, Param Size and Param Align must be 32-bit integers. Flags and Profiling Info may
    be integers of any width. The result of OpIsValidEvent must be Boolean. Queues must be of type OpTypeQueue, and events of
    OpTypeDeviceEvent. Pointers to events and to 8-bit integers must be typed. The types of Local Size operands are not checked.

    An ND-range is a structure of a 32-bit integer and three arrays of three integers, which have 64 bits with Physical64 and else
    32. As an operand, a pointer to an ND-range, which compilers pass, is accepted too. Global Work Size of OpBuildNDRange must be
    an integer of that width, or an array of two or three of these; Local Work Size and Global Work Offset must have the same type.
    Lengths that can be specialized are not checked.

    The Event of OpSetUserEventStatus must be one that OpCreateUserEvent made, and that of OpCaptureEventProfilingInfo one that
    OpEnqueueKernel or OpEnqueueMarker made. Of other events, the rule reports the results of OpUndef and OpConstantNull, and for
    OpCaptureEventProfilingInfo those of OpCreateUserEvent. The Value of OpCaptureEventProfilingInfo must be a pointer to 8-bit
    integers in CrossWorkgroup. Of each instruction, only the first fault is reported.
    """
    return first_fault(Operation(inst, context), _DEVICE_ENQUEUE[inst.opcode.value])
