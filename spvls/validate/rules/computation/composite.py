"""Composites and copies (SPIR-V 3.3.12)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import (
    OpAbortKHR_Message,
    OpAbortKHR_MessageType,
    OpCompositeConstructReplicateEXT_Value,
    OpCompositeInsert_Composite,
    OpCompositeInsert_Object,
    OpCopyLogical_Operand,
    OpCopyObject_Operand,
)
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.type_walks import alike
from spvls.module.types import Type
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.validate.checks.kinds import capabilities_to_compute, dimension, part_name, part_type
from spvls.validate.checks.operation import Check, Operation, counted, first_fault, is_result_type
from spvls.validate.checks.wording import are_given, only_stored
from spvls.validate.engine.finding import PAUSE, Delete, Finding, FindingFix
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule
from spvls.validate.fixes.common import last_index
from spvls.validate.fixes.declare import every_capability_fix


def may_be_computed(op: Operation) -> Finding | None:
    """The module may do more than store the numbers of the result."""
    needed = capabilities_to_compute(op.module, op.inst.type) if op.module.has_capability(Capability.Shader) else ()
    if not needed:
        return None
    message = f"the result type of {op.name} is {op.spell(op.result)}; {only_stored(needed)}"
    return op.fault(TYPE, message, every_capability_fix(op.module, needed))


def array_length(module: Module, array: Type) -> int | None:
    """The length of an OpTypeArray; None where it can be specialized."""
    return module.integer(array.length_id)


def _constructs(op: Operation) -> Finding | None:
    if op.result is None:
        return None
    construct = _CONSTRUCT.get(op.result.kind)
    return construct(op, op.result) if construct is not None else _not_composite(op, op.result)


def _not_composite(op: Operation, result: Type) -> Finding:
    return op.result_fault(f"a composite type{_LEFT_OUT.get(result.kind, '')}")


_LEFT_OUT = {
    spv.OpTypeRuntimeArray: " other than a run-time array",
    spv.OpTypeNodePayloadArrayAMDX: " other than an array of node payloads",
    spv.OpTypeTensorARM: " other than a tensor",
}


def _constituent_fault(op: Operation, at: int, expected: str, have: str = "") -> Finding:
    subject = f"constituent {at} (%{op.id(at)}) is {op.spell(op.type(at))}{have and f' ({have})'}"
    return op.fault(at, f"{subject}, expected {expected} of the result type {op.spell(op.result)}")


def _constructs_vector(op: Operation, vector: Type) -> Finding | None:
    module, component = op.module, vector.element_id
    if vector.kind == spv.OpTypeVector and len(op.operands) < 2 and not module.has_capability(Capability.LongVectorEXT):
        return op.fault(OPCODE, f"{op.name} of a vector requires at least 2 constituents; {are_given(len(op.operands))}")
    given = 0
    for at in range(len(op.operands)):
        type_ = op.type(at)
        if type_ is None:
            return None
        if type_.id == component:
            given += 1
        elif type_.kind == spv.OpTypeVector and type_.element_id == component:
            given += type_.count
        else:
            wanted = op.spell(vector.element)
            return _constituent_fault(op, at, f"{wanted} or a vector of {wanted}, for the components")
    wanted_count = dimension(module, vector)
    if wanted_count and given != wanted_count:
        return op.result_fault(f"a vector of {counted(given)}, as many as the constituents have in total")
    return None


def _constructs_parts(op: Operation, count: int | None, parts: Callable[[int], Type | None], what: str) -> Finding | None:
    continued = len(op.operands) < (count or 0) and op.context.is_continued
    if count is not None and len(op.operands) != count and not continued:
        at = count if len(op.operands) > count else OPCODE
        needed = "1 constituent" if count == 1 else f"{count} constituents"
        message = f"the result type {op.spell(op.result)} requires {needed}, {what}; {are_given(len(op.operands))}"
        return op.fault(at, message)
    for at in range(len(op.operands)):
        type_, wanted = op.type(at), parts(at)
        if type_ is not None and wanted is not None and type_.id != wanted.id and op.result is not None:
            have, expected = op.told_apart(type_, wanted)
            return _constituent_fault(op, at, f"{expected}, {part_type(op.result, at)}", have)
    return None


def _constructs_matrix(op: Operation, matrix: Type) -> Finding | None:
    return _constructs_parts(op, matrix.count, lambda at: matrix.element, "one for each column")


def _constructs_array(op: Operation, array: Type) -> Finding | None:
    length = array_length(op.module, array)
    if length is None:
        return None
    return _constructs_parts(op, length, lambda at: array.element, "one for each element")


def _constructs_struct(op: Operation, struct: Type) -> Finding | None:
    members = struct.members
    return _constructs_parts(op, len(members), lambda at: members[at], "one for each member")


def _constructs_cooperative(op: Operation, matrix: Type) -> Finding | None:
    return _constructs_parts(op, 1, lambda at: matrix.element, "which is the value of every component")


_CONSTRUCT: dict[int, Callable[[Operation, Type], Finding | None]] = {
    spv.OpTypeVector: _constructs_vector,
    spv.OpTypeVectorIdEXT: _constructs_vector,
    spv.OpTypeMatrix: _constructs_matrix,
    spv.OpTypeArray: _constructs_array,
    spv.OpTypeStruct: _constructs_struct,
    spv.OpTypeCooperativeMatrixKHR: _constructs_cooperative,
    spv.OpTypeCooperativeMatrixNV: _constructs_cooperative,
}


@instruction_rule("computation/constituents-match-parts", spv.OpCompositeConstruct, section=sections.COMPOSITE_INSTRUCTIONS)
def constituents_match_parts(inst: Instruction, context: RuleContext) -> Findings:
    """OpCompositeConstruct must have a constituent of the matching type for each part of its result type.

    The constituents become the parts in order, without conversion. With too few of them the last parts have no value; a constituent
    of another type may have other bits than the part needs.

    The result must be a vector, matrix, array, structure or cooperative matrix; run-time arrays are not among these, and neither
    are tensors, as in spirv-val, although SPV_ARM_tensors counts those with a Shape among the composite types. A vector is made of
    scalars and vectors with its number of components in total, which is not compared if it can be specialized; like spirv-val, the
    rule accepts no OpTypeVectorIdEXT among the constituents of a vector. An OpTypeVector requires at least two constituents; with
    LongVectorEXT (SPV_EXT_long_vector), one is sufficient. A cooperative matrix (SPV_KHR_cooperative_matrix) is made of one scalar,
    which is the value of each component. The constituents of an array whose length can be specialized are not checked.

    If OpCompositeConstructContinuedINTEL (SPV_INTEL_long_composites) follows directly, too few constituents are only reported for
    vectors, unlike in spirv-val; those of the continuation are not checked. With Shader, 8- and 16-bit integers and 16-bit IEEE 754
    floats, and pointers to them (not of OpTypeForwardPointer), require their capability (Int8, Int16 or Float16).
    """
    return first_fault(Operation(inst, context), (_constructs, may_be_computed))


def _replicates(op: Operation) -> Finding | None:
    result, type_ = op.result, op.type(OpCompositeConstructReplicateEXT_Value)
    if result is None or type_ is None:
        return None
    match result.kind:
        case (
            spv.OpTypeVector
            | spv.OpTypeVectorIdEXT
            | spv.OpTypeMatrix
            | spv.OpTypeArray
            | spv.OpTypeCooperativeMatrixKHR
            | spv.OpTypeCooperativeMatrixNV
            | spv.OpTypeTensorARM
        ):
            parts: tuple[Type | None, ...] = (result.element,)
        case spv.OpTypeStruct:
            parts = result.members
        case _:
            return _not_composite(op, result)
    if result.kind == spv.OpTypeTensorARM and len(result.operands) < 3:
        return op.result_fault("a tensor type with the operand Shape", have="without the operand Shape")
    for number, part in enumerate(parts):
        if part is not None and part.id != type_.id:
            have, expected = op.told_apart(type_, part)
            expected += f", {part_type(result, number)} of the result type {op.spell(result)}"
            return op.operand_fault(OpCompositeConstructReplicateEXT_Value, expected, have=have)
    return None


@instruction_rule(
    "computation/replicated-value-matches-parts", spv.OpCompositeConstructReplicateEXT, section=sections.COMPOSITE_INSTRUCTIONS
)
def replicated_value_matches_parts(inst: Instruction, context: RuleContext) -> Findings:
    """OpCompositeConstructReplicateEXT must make a composite whose parts all have the type of Value.

    The value is copied to each part without conversion; a part of another type would receive bits of another type. The parts of a
    tensor are its elements, as in spirv-val, whatever its rank. A tensor as the result type must have a shape (SPV_ARM_tensors):
    without one its number of parts is not known. Run-time arrays are not permitted. With Shader, 8- and 16-bit integers and 16-bit
    IEEE 754 floats in the result, and pointers to them (not of OpTypeForwardPointer), require their capability (Int8, Int16 or
    Float16); for a tensor, `capability/small-values-are-only-stored` reports operand Value instead.
    """
    return first_fault(Operation(inst, context), (_replicates, may_be_computed))


def _walk(op: Operation, first: int) -> tuple[Type | None, Finding | None]:
    """The part that the indexes of an instruction lead to, from the composite that stands before them."""
    indexes = op.operands[first:]
    if not indexes:
        return None, op.fault(OPCODE, f"{op.name} requires at least one index")
    if len(indexes) > _MOST_INDEXES:
        message = f"{op.name} has {len(indexes)} indexes; the limit is {_MOST_INDEXES}"
        return None, op.fault(first + _MOST_INDEXES, message)
    type_ = op.type(first - 1)
    for at, index in enumerate(indexes, first):
        if type_ is None or not isinstance(index, int):
            return None, None
        size: int | None = None
        part: Type | None = None
        match type_.kind:
            case spv.OpTypeVector | spv.OpTypeMatrix:
                size, part = type_.count, type_.element
            case spv.OpTypeArray:
                size, part = array_length(op.module, type_), type_.element
            case spv.OpTypeStruct:
                size = len(type_.member_ids)
                part = type_.member(index) if index < size else None
            case (
                spv.OpTypeRuntimeArray
                | spv.OpTypeNodePayloadArrayAMDX
                | spv.OpTypeVectorIdEXT
                | spv.OpTypeCooperativeMatrixKHR
                | spv.OpTypeCooperativeMatrixNV
            ):
                part = type_.element
            case _:
                is_tensor = type_.kind == spv.OpTypeTensorARM
                why = "; indexes must not select a part of a tensor" if is_tensor else ", which is not a composite type"
                return None, op.fault(at, f"operand Indexes has {index} as an index into {op.spell(type_)}{why}")
        if size is not None and index >= size:
            name = part_name(type_)
            last = f"its {name}s are numbered 0 to {size - 1}" if size else f"it has no {name}s"
            message = f"operand Indexes selects {name} {index} of {op.spell(type_)}, but {last}"
            fixes = () if type_.is_struct or at + 1 < first + len(indexes) else last_index(op.inst, op.place(at), size)
            return None, op.fault(at, message, fixes)
        type_ = part
    return type_, None


_MOST_INDEXES = 255


def _extracts(op: Operation) -> Finding | None:
    part, fault = _walk(op, 1)
    if fault is not None or part is None or op.result is None or part.id == op.result.id:
        return fault
    have, expected = op.told_apart(op.result, part)
    return op.result_fault(f"{expected}, the type of the part that the indexes select in {op.subject(0)}", op.retype(part), have)


def _inserts(op: Operation) -> Finding | None:
    part, fault = _walk(op, 2)
    type_ = op.type(OpCompositeInsert_Object)
    if fault is not None or part is None or type_ is None or part.id == type_.id:
        return fault
    have, expected = op.told_apart(type_, part)
    selected = f"{expected}, the type of the part that the indexes select in {op.subject(OpCompositeInsert_Composite)}"
    return op.operand_fault(OpCompositeInsert_Object, selected, have=have)


def _keeps_composite(op: Operation) -> Finding | None:
    fault = _COMPOSITE_IS_RESULT(op)
    if fault is None or op.result is None or not op.result.is_scalar:
        return fault
    composite = f"{op.subject(OpCompositeInsert_Composite)} is {op.spell(op.type(OpCompositeInsert_Composite))}"
    why = f"but the result type is {op.spell(op.result)}; both must be the same composite type"
    return fault._replace(message=f"{composite}, {why}")


_COMPOSITE_IS_RESULT = is_result_type(OpCompositeInsert_Composite, retype=True)

_ACCESSES: dict[int, tuple[Check, ...]] = {
    spv.OpCompositeExtract: (_extracts, may_be_computed),
    spv.OpCompositeInsert: (_keeps_composite, _inserts, may_be_computed),
}


@instruction_rule("computation/indexes-lead-to-part", *_ACCESSES, spv.OpSpecConstantOp, section=sections.COMPOSITE_INSTRUCTIONS)
def indexes_lead_to_part(inst: Instruction, context: RuleContext) -> Findings:
    """The literal indexes of OpCompositeExtract and OpCompositeInsert must select a part of the composite.

    The part is known when the module is compiled, so a compiler may select registers directly. An index that is out of bounds
    may make it read or overwrite another value, or fail. The bounds of cooperative matrices, OpTypeVectorIdEXT, run-time arrays,
    arrays of node payloads, and arrays whose length can be specialized are not checked. Each instruction may have at most 255
    indexes. As in spirv-val, it must have at least one, and indexes must not lead into tensors.

    The extracted part must have the result type; the inserted object must have the type of the part, and the composite that of the
    result. Indexes and types are also checked in OpSpecConstantOp. With Shader, a result with 8- or 16-bit integers or 16-bit IEEE
    754 floats, or with pointers to them (not of OpTypeForwardPointer), requires the capability to compute with them.
    """
    op = Operation(inst, context)
    return first_fault(op, _ACCESSES.get(op.code, ()))


def _copies_value(op: Operation) -> Finding | None:
    if op.result is None or op.result.kind != spv.OpTypeVoid:
        return None
    fix = FindingFix(f"Delete the copy %{op.inst.result}", (Delete(op.inst),), preferred=False)
    return op.fault(TYPE, "the result type of OpCopyObject must not be void", (fix,))


@instruction_rule("computation/copy-object-keeps-type", spv.OpCopyObject, section=sections.COMPOSITE_INSTRUCTIONS)
def copy_object_keeps_type(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpCopyObject must be the type of its operand and must not be void.

    The result has the same value as the operand, without conversion. Use OpBitcast or a conversion for another type, and (since
    SPIR-V 1.4) OpCopyLogical for a structure or array with another layout. A value of type void does not exist, so there is nothing
    to copy.
    """
    return first_fault(Operation(inst, context), (is_result_type(OpCopyObject_Operand, retype=True), _copies_value))


@function_rule(
    "computation/copy-is-needed",
    spv.OpCopyObject,
    section=sections.COMPOSITE_INSTRUCTIONS,
    severity=Severity.HINT,
    tags="unnecessary",
)
def copy_is_needed(function: Function, context: RuleContext) -> Findings:
    """OpCopyObject must not copy a value that can be used in its place.

    The copy has the type and the value of the original, so it only makes the module longer. An action of editors puts the original
    in its place.

    A copy with a decoration other than RelaxedPrecision, with one from a decoration group, or of another type than its operand is
    not reported. Nor is a copy of OpUndef, because each use of OpUndef may have another value. Reported only with the option
    `advice`.
    """
    if not context.options.advice or not function.whole:
        return
    from spvls.validate.checks.simplification import Origins, origin_of

    known: Origins = {}
    for at, record in enumerate(function.records):
        if not at % PORTION:
            yield PAUSE
        origin = origin_of(record, context.module, known) if record.opcode.value == spv.OpCopyObject else None
        if origin is not None:
            yield Finding(record, RESULT, f"%{record.result} is only a copy of %{origin}; use %{origin} instead")


def _match_but_for_parts(first: Type, second: Type) -> bool | None:
    """Whether two types match logically (SPIR-V 3.3.12, OpCopyLogical); None where it is for their parts to match."""
    if first.id == second.id:
        return True
    if first.kind == second.kind == spv.OpTypeArray and first.length_id == second.length_id:
        return None
    return None if first.is_struct and second.is_struct else False


def _matches_logically(op: Operation) -> Finding | None:
    type_, result = op.type(OpCopyLogical_Operand), op.result
    if type_ is None or result is None:
        return None
    if type_.id == result.id:
        message = f"{op.subject(OpCopyLogical_Operand)} already has the result type {op.spell(result)}; use OpCopyObject instead"
        return op.fault(OpCopyLogical_Operand, message)
    if alike(type_, result, _match_but_for_parts):
        return None
    if result.kind not in (spv.OpTypeArray, spv.OpTypeStruct):
        types = f"{op.subject(OpCopyLogical_Operand)} is {op.spell(type_)} and the result type is {op.spell(result)}"
        return op.fault(OpCopyLogical_Operand, f"{types}; OpCopyLogical requires types declared by OpTypeArray or OpTypeStruct")
    return _of_other_structure(op, OpCopyLogical_Operand, result, "the result type ")


def _of_other_structure(op: Operation, at: int, wanted: Type, whose: str) -> Finding:
    have, expected = (op.spell(type_) for type_ in (op.type(at), wanted))
    why = ""
    if have.split("{", 1)[-1] == expected.split("{", 1)[-1]:  # but for the names of structures
        why = "; arrays must have the same id as Length, and all parts but arrays and structures the same id as type"
    return op.operand_fault(at, f"a type that logically matches {whose}{expected}{why}")


def _passes_message(op: Operation) -> Finding | None:
    given, wanted = op.type(OpAbortKHR_Message), op.module.type(op.id(OpAbortKHR_MessageType))
    if given is None or wanted is None or alike(given, wanted, _match_but_for_parts):
        return None
    if not wanted.is_composite:
        return op.operand_fault(OpAbortKHR_Message, f"{op.spell(wanted)} to match {op.subject(OpAbortKHR_MessageType)}")
    return _of_other_structure(op, OpAbortKHR_Message, wanted, f"{op.subject(OpAbortKHR_MessageType)}, which is ")


@instruction_rule("computation/message-matches-its-type", spv.OpAbortKHR, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def message_matches_its_type(inst: Instruction, context: RuleContext) -> Findings:
    """The Message of OpAbortKHR must have a type with the same structure as its Message Type.

    The application reads the message by the layout of the Message Type. The types may differ in their decorations: arrays must have
    the same id as Length, structures the same number of members, and all other parts, run-time arrays included, the same type.
    """
    return first_fault(Operation(inst, context), (_passes_message,))


@instruction_rule("computation/copy-logical-keeps-structure", spv.OpCopyLogical, section=sections.COMPOSITE_INSTRUCTIONS)
def copy_logical_keeps_structure(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpCopyLogical must be another type with the same structure as the operand's type.

    OpCopyLogical copies between types that differ in their decorations, such as a structure with and without offsets. Both
    types must be arrays (OpTypeArray), or both structures. The copy is part by part: arrays must have the same id as Length,
    structures the same number of members, and all other parts the same type. Otherwise a part may have no counterpart, or one of
    another type. Use OpCopyObject where the types are the same.

    With Shader, a type that contains 8- or 16-bit integers or 16-bit IEEE 754 floats requires the capability to compute with them,
    such as Int16; so does one with a pointer to them or to a type that contains them (not of OpTypeForwardPointer).
    """
    return first_fault(Operation(inst, context), (_matches_logically, may_be_computed))
