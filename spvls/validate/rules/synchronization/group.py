"""Uniform group operations (SPIR-V 3.3.21)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import AddressingModel, StorageClass
from spvls.grammar.operand_index import (
    OpGroupAsyncCopy_Destination,
    OpGroupAsyncCopy_Event,
    OpGroupAsyncCopy_Source,
    OpGroupBroadcast_LocalId,
    OpGroupBroadcast_Value,
    OpGroupWaitEvents_EventsList,
    OpGroupWaitEvents_NumEvents,
)
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.kinds import (
    ANY_SCALARS,
    BOOL,
    FLOATS,
    INT32,
    INTS,
    SCALARS_AND_VECTORS,
    TYPED_POINTER,
    Declared,
    Kind,
    dimension,
)
from spvls.validate.checks.operation import Check, Operation, first_fault, is_result_type, operand_is, result_is
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_VOTE = (result_is(BOOL), operand_is(1, BOOL))
_FLOAT = (result_is(FLOATS), is_result_type(2, retype=True))
_INTEGER = (result_is(INTS), is_result_type(2, retype=True))

_GROUP: dict[int, tuple[Check, ...]] = {
    spv.OpGroupAll: _VOTE,
    spv.OpGroupAny: _VOTE,
    spv.OpGroupBroadcast: (result_is(ANY_SCALARS), is_result_type(OpGroupBroadcast_Value, retype=True)),
    **dict.fromkeys((spv.OpGroupFAdd, spv.OpGroupFMin, spv.OpGroupFMax), _FLOAT),
    **dict.fromkeys(traits.opcodes("IAdd UMin SMin UMax SMax", "OpGroup"), _INTEGER),
}


@instruction_rule("synchronization/group-types-match", *_GROUP, section=sections.GROUP_AND_SUBGROUP_INSTRUCTIONS)
def group_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of a group operation must be the type of the value that it combines.

    The operation combines values of invocations in the group, without conversion. OpGroupIAdd, OpGroupUMin, OpGroupSMin,
    OpGroupUMax and OpGroupSMax combine integers, and OpGroupFAdd, OpGroupFMin and OpGroupFMax floats, as scalars or vectors.
    OpGroupAll and OpGroupAny combine Boolean scalars, and OpGroupBroadcast moves numbers, Booleans or vectors of these. For other
    types no such operation is defined.

    The rule checks these group instructions of core SPIR-V, and not those of extensions, such as
    SPV_KHR_uniform_group_instructions. For non-uniform group operations see `synchronization/non-uniform-types-match`, for
    asynchronous copies `synchronization/async-copy-types-match`.
    """
    return first_fault(Operation(inst, context), _GROUP[inst.opcode.value])


_PLACE = Kind("an integer scalar or a vector of two or three integers", "Int", SCALARS_AND_VECTORS)


@instruction_rule(
    "synchronization/broadcast-id-is-integer",
    spv.OpGroupBroadcast,
    section=sections.GROUP_AND_SUBGROUP_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=("pointer/logical-operand-is-permitted",),
)
def broadcast_id_is_integer(inst: Instruction, context: RuleContext) -> Findings:
    """The LocalId of OpGroupBroadcast must be an integer or a vector of two or three integers.

    It selects the invocation whose value all others receive, by its local id in up to three dimensions. A float or a longer vector
    does not identify an invocation.
    """
    op = Operation(inst, context)
    type_ = op.type(OpGroupBroadcast_LocalId)
    if type_ is not None and not (_PLACE.holds(type_) and dimension(op.module, type_) <= 3):
        yield op.operand_fault(OpGroupBroadcast_LocalId, _PLACE.name)


_EVENT = Declared("an event", "Event")
_WORKGROUP = StorageClass.Workgroup
_CROSS_WORKGROUP = StorageClass.CrossWorkgroup
_PHYSICAL_64 = AddressingModel.Physical64
_COPIED = Kind("an integer, a float, or a vector of either", "Int Float", SCALARS_AND_VECTORS)


def _destination(op: Operation) -> Finding | None:
    pointer = op.type(OpGroupAsyncCopy_Destination)
    if pointer is None:
        return None
    if pointer.storage not in (_WORKGROUP, _CROSS_WORKGROUP):
        return op.operand_fault(OpGroupAsyncCopy_Destination, "a pointer to the storage class Workgroup or CrossWorkgroup")
    pointee = pointer.element
    if pointee is not None and not _COPIED.holds(pointee):
        return op.operand_fault(OpGroupAsyncCopy_Destination, f"a pointer to {_COPIED.name}")
    return None


def _source(op: Operation) -> Finding | None:
    pointer, destination = op.type(OpGroupAsyncCopy_Source), op.type(OpGroupAsyncCopy_Destination)
    if pointer is None or destination is None:
        return None
    if pointer.element_id != destination.element_id:
        return op.operand_fault(
            OpGroupAsyncCopy_Source,
            f"a pointer to {op.spell(destination.element)} to match {op.subject(OpGroupAsyncCopy_Destination)}",
        )
    other = _CROSS_WORKGROUP if destination.storage == _WORKGROUP else _WORKGROUP
    if pointer.storage != other:
        name = "CrossWorkgroup" if other == _CROSS_WORKGROUP else "Workgroup"
        return op.operand_fault(
            OpGroupAsyncCopy_Source, f"a pointer to the storage class {name}: the copy must be between Workgroup and CrossWorkgroup"
        )
    return None


def _is_size(at: int) -> Check:
    """An integer as wide as addresses."""

    def check(op: Operation) -> Finding | None:
        type_: Type | None = op.type(at)
        model = op.module.addressing_model
        bits = 64 if model == _PHYSICAL_64 else 32
        if type_ is None or (type_.is_int and type_.width == bits):
            return None
        name = enumerant_name("AddressingModel", model)
        return op.operand_fault(at, f"a {bits}-bit integer scalar for the addressing model {name}")

    return check


def _points_to_event(op: Operation) -> Finding | None:
    pointer = op.type(OpGroupWaitEvents_EventsList)
    pointee = pointer.element if pointer is not None else None
    if pointee is None or _EVENT.holds(pointee):
        return None
    return op.operand_fault(OpGroupWaitEvents_EventsList, "a pointer to an event")


_ASYNCHRONOUS: dict[int, tuple[Check, ...]] = {
    spv.OpGroupAsyncCopy: (
        result_is(_EVENT),
        operand_is(OpGroupAsyncCopy_Destination, TYPED_POINTER),
        _destination,
        operand_is(OpGroupAsyncCopy_Source, TYPED_POINTER),
        _source,
        _is_size(3),
        _is_size(4),
        operand_is(OpGroupAsyncCopy_Event, _EVENT),
    ),
    spv.OpGroupWaitEvents: (
        operand_is(OpGroupWaitEvents_NumEvents, INT32),
        operand_is(OpGroupWaitEvents_EventsList, TYPED_POINTER),
        _points_to_event,
    ),
}


@instruction_rule("synchronization/async-copy-types-match", *_ASYNCHRONOUS, section=sections.GROUP_AND_SUBGROUP_INSTRUCTIONS)
def async_copy_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """OpGroupAsyncCopy must copy between Workgroup and CrossWorkgroup, with elements of the same type.

    A device may copy with a unit that connects the two memories. Elements are copied without conversion, so both sides need the
    same type. A kernel waits for the copy by the event, with OpGroupWaitEvents, whose operands are checked as well.

    The pointers of OpGroupAsyncCopy must be typed ones to numbers or vectors of numbers. Num Elements and Stride must be integers
    of 64 bits with the addressing model Physical64, and otherwise of 32 bits. Event and the result must be of type OpTypeEvent. Of
    OpGroupWaitEvents, Num Events must be a 32-bit integer, and Events List a typed pointer to an event. OpUntypedGroupAsyncCopyKHR
    is not checked.
    """
    return first_fault(Operation(inst, context), _ASYNCHRONOUS[inst.opcode.value])
