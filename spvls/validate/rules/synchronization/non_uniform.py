"""Non-uniform group operations (SPIR-V 3.3.24)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import GroupOperation
from spvls.grammar.operand_index import (
    OpGroupNonUniformAllEqual_Value,
    OpGroupNonUniformBallot_Predicate,
    OpGroupNonUniformBallotBitCount_Operation,
    OpGroupNonUniformBallotBitCount_Value,
    OpGroupNonUniformBallotBitExtract_Index,
    OpGroupNonUniformBallotBitExtract_Value,
    OpGroupNonUniformInverseBallot_Value,
    OpGroupNonUniformQuadSwap_Direction,
    OpGroupNonUniformRotateKHR_ClusterSize,
    OpGroupNonUniformShuffleXor_Mask,
    OpSubgroupAllKHR_Predicate,
)
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.constant_operand import out_of_range
from spvls.validate.checks.kinds import ANY_SCALARS, BOOL, BOOLS, FLOATS, INTS, UINT, UINTS, UVEC4, VECTORS, Kind
from spvls.validate.checks.operation import (
    Check,
    Operation,
    first_fault,
    is_constant,
    is_constant_id,
    is_result_type,
    operand_is,
    result_is,
)
from spvls.validate.checks.wording import made_by, operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_LAST_DIRECTION = 2
_CLUSTERED = GroupOperation.ClusteredReduce
_PARTITIONED = frozenset(
    {
        GroupOperation.PartitionedReduceNV, GroupOperation.PartitionedInclusiveScanNV,
        GroupOperation.PartitionedExclusiveScanNV,
    }
)  # fmt: skip
_WHOLE = frozenset({GroupOperation.Reduce, GroupOperation.InclusiveScan, GroupOperation.ExclusiveScan})
_BALLOT = Kind("a vector of four integers", "Int", VECTORS, count=4)


@instruction_rule(
    "synchronization/quad-index-is-below-4",
    spv.OpGroupNonUniformQuadBroadcast,
    section=sections.NON_UNIFORM_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def quad_index_is_below_4(inst: Instruction, context: RuleContext) -> Findings:
    """The Index of OpGroupNonUniformQuadBroadcast must be 0, 1, 2 or 3.

    A quad has four invocations. Another index selects no invocation, so the result is undefined. Only constants that cannot be
    specialized are checked.
    """
    yield from out_of_range(3, "expected 0 to 3", inst, context)


@instruction_rule(
    "synchronization/quad-direction-is-below-3",
    spv.OpGroupNonUniformQuadSwap,
    section=sections.NON_UNIFORM_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def quad_direction_is_below_3(inst: Instruction, context: RuleContext) -> Findings:
    """The Direction of OpGroupNonUniformQuadSwap must be 0, 1 or 2.

    A quad is swapped horizontally (0), vertically (1) or diagonally (2); other directions have no meaning. Only constants that
    cannot be specialized are checked.
    """
    yield from out_of_range(_LAST_DIRECTION, "expected 0 (horizontal), 1 (vertical) or 2 (diagonal)", inst, context)


_COMBINES = frozenset(
    {
        spv.OpPhi, spv.OpIAdd, spv.OpISub, spv.OpIMul, spv.OpUDiv, spv.OpSDiv, spv.OpUMod, spv.OpSRem, spv.OpSMod,
        spv.OpShiftLeftLogical, spv.OpShiftRightLogical, spv.OpShiftRightArithmetic, spv.OpBitwiseAnd,
        spv.OpBitwiseOr, spv.OpBitwiseXor, spv.OpNot, spv.OpSNegate, spv.OpBitcast, spv.OpCopyObject,
    }
)  # fmt: skip
_FARTHEST = 64


@instruction_rule(
    "synchronization/shuffle-mask-is-constant",
    spv.OpGroupNonUniformShuffleXor,
    section=sections.NON_UNIFORM_INSTRUCTIONS,
    severity=Severity.WARNING,
    apis="vulkan",
)
def shuffle_mask_is_constant(inst: Instruction, context: RuleContext) -> Findings:
    """In early Vulkan 1.1, the Mask of OpGroupNonUniformShuffleXor must be computed from constants only.

    Early editions of Vulkan 1.1 permitted only constants and, in a loop, what is computed from them, such as its counter. Later
    editions permit any mask, but one that is known at compile time may still be faster. The rule checks modules for all versions of
    Vulkan.

    Constants may be specialized, and OpUndef counts as one. The rule accepts what is computed from them by OpPhi, OpCopyObject,
    OpBitcast, shifts, integer sums, differences, products, quotients, remainders and negation, and bitwise And, Or, Xor and Not,
    even outside of loops. Everything else is reported, for example what is loaded, selected or extracted, even from constants. Only
    the first 64 ids are checked, that of the mask among them.

    A warning, because only early editions of Vulkan 1.1 require this.
    """
    module = context.module
    seen: set[str] = set()
    waiting = [name for name in (id_at(inst, OpGroupNonUniformShuffleXor_Mask),) if name is not None]
    while waiting and len(seen) < _FARTHEST:
        name = waiting.pop()
        definition = module.definition(name) if name not in seen else None
        seen.add(name)
        if definition is None or definition.opcode.value in CONSTANT_OPCODES or definition.opcode.value == spv.OpUndef:
            continue
        if definition.opcode.value not in _COMBINES:
            made = made_by(definition)
            note = Note(definition, OPCODE, f"%{name} is {made}")
            at = OpGroupNonUniformShuffleXor_Mask
            source = made if name == id_at(inst, at) else f"computed from %{name}, {made}"
            message = f"{operand(inst, at)} is {source}; early editions of Vulkan 1.1 require a mask computed only from constants"
            yield Finding(inst, at, message, (note,))
            return
        phi = definition.opcode.value == spv.OpPhi
        waiting += [o for o in definition.operands[:: 2 if phi else 1] if isinstance(o, str)]


def _operation_name(operation: int) -> str:
    found = enumerants("GroupOperation", operation)
    return found[0].name if found else str(operation)


def _constant_before_1_5(at: int) -> Check:
    constant = is_constant(at)

    def check(op: Operation) -> Finding | None:
        fault = constant(op) if op.module.version < (1, 5) else None
        return fault and fault._replace(message=f"{op.subject(at)} is not a constant; before SPIR-V 1.5, {op.name} requires one")

    return check


def _cluster(op: Operation) -> Finding | None:
    """A clustered operation has the size of its clusters, a constant; a partitioned one a ballot."""
    operation = op.word(1)
    if operation is None:
        return None
    if len(op.operands) < 4:
        if operation == _CLUSTERED:
            return op.fault(OPCODE, f"{op.name} with ClusteredReduce requires the operand ClusterSize after the operand Value")
        if operation in _PARTITIONED:
            partitioned = f"{op.name} with a partitioned group operation"
            return op.fault(OPCODE, f"{partitioned} requires the operand ballot after the operand Value")
        return None
    if operation in _PARTITIONED:
        type_ = op.type(3)
        wrong = type_ is not None and not _BALLOT.holds(type_)
        return op.fault(3, f"operand ballot (%{op.id(3)}) is {op.spell(type_)}, expected {_BALLOT.name}") if wrong else None
    return _CLUSTER_IS_UNSIGNED(op) or _CLUSTER_IS_CONSTANT(op)


_CLUSTER_IS_UNSIGNED = operand_is(3, UINT)
_CLUSTER_IS_CONSTANT = is_constant(3)


def _counts_whole(op: Operation) -> Finding | None:
    """In Vulkan bits are counted in the whole group."""
    operation = op.word(OpGroupNonUniformBallotBitCount_Operation)
    if op.module.environment.api != "vulkan" or operation is None or operation in _WHOLE:
        return None
    message = f"operand Operation is {_operation_name(operation)}, expected Reduce, InclusiveScan or ExclusiveScan in Vulkan"
    return op.fault(
        OpGroupNonUniformBallotBitCount_Operation, message, (), "VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685"
    )


def _rotated_cluster(op: Operation) -> Finding | None:
    return (_CLUSTER_IS_UNSIGNED(op) or _CLUSTER_IS_CONSTANT(op)) if len(op.operands) > 3 else None


_VOTE = (result_is(BOOL), operand_is(1, BOOL))
_MOVE = (result_is(ANY_SCALARS), is_result_type(1, retype=True))
_MOVE_BY = (*_MOVE, operand_is(2, UINT))
_FIND = (result_is(UINT), operand_is(1, UVEC4))


def _arithmetic(kind: Kind, names: str) -> dict[int, tuple[Check, ...]]:
    return dict.fromkeys(traits.opcodes(names, "OpGroupNonUniform"), (result_is(kind), is_result_type(2), _cluster))


_OPERATIONS: dict[int, tuple[Check, ...]] = {
    spv.OpGroupNonUniformElect: (result_is(BOOL),),
    spv.OpGroupNonUniformAll: _VOTE,
    spv.OpGroupNonUniformAny: _VOTE,
    spv.OpGroupNonUniformAllEqual: (result_is(BOOL), operand_is(OpGroupNonUniformAllEqual_Value, ANY_SCALARS)),
    spv.OpGroupNonUniformBroadcast: (*_MOVE_BY, _constant_before_1_5(2)),
    spv.OpGroupNonUniformBroadcastFirst: _MOVE,
    spv.OpGroupNonUniformBallot: (result_is(UVEC4), operand_is(OpGroupNonUniformBallot_Predicate, BOOL)),
    spv.OpGroupNonUniformInverseBallot: (result_is(BOOL), operand_is(OpGroupNonUniformInverseBallot_Value, UVEC4)),
    spv.OpGroupNonUniformBallotBitExtract: (
        result_is(BOOL),
        operand_is(OpGroupNonUniformBallotBitExtract_Value, UVEC4),
        operand_is(OpGroupNonUniformBallotBitExtract_Index, UINT),
    ),
    spv.OpGroupNonUniformBallotBitCount: (result_is(UINT), operand_is(OpGroupNonUniformBallotBitCount_Value, UVEC4), _counts_whole),
    spv.OpGroupNonUniformBallotFindLSB: _FIND,
    spv.OpGroupNonUniformBallotFindMSB: _FIND,
    spv.OpGroupNonUniformShuffle: _MOVE_BY,
    spv.OpGroupNonUniformShuffleXor: _MOVE_BY,
    spv.OpGroupNonUniformShuffleUp: _MOVE_BY,
    spv.OpGroupNonUniformShuffleDown: _MOVE_BY,
    spv.OpGroupNonUniformQuadBroadcast: (*_MOVE_BY, _constant_before_1_5(2)),
    spv.OpGroupNonUniformQuadSwap: (*_MOVE_BY, is_constant(OpGroupNonUniformQuadSwap_Direction)),
    spv.OpGroupNonUniformRotateKHR: (*_MOVE_BY, _rotated_cluster),
    **_arithmetic(INTS, "IAdd IMul SMin SMax BitwiseAnd BitwiseOr BitwiseXor"),
    **_arithmetic(UINTS, "UMin UMax"),
    **_arithmetic(FLOATS, "FAdd FMul FMin FMax"),
    **_arithmetic(BOOLS, "LogicalAnd LogicalOr LogicalXor"),
}

NON_UNIFORM = tuple(_OPERATIONS)
"""The opcodes of non-uniform group operations."""


@instruction_rule("synchronization/non-uniform-types-match", *_OPERATIONS, section=sections.NON_UNIFORM_INSTRUCTIONS)
def non_uniform_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """A non-uniform group operation must have operands and a result of the types that its opcode requires.

    The operation combines or moves the values of the tangled invocations, without conversion. The opcode says which values:
    integers (unsigned ones for UMin and UMax), floats or Booleans, as scalars or vectors; moves and OpGroupNonUniformAllEqual take
    all of these, but other votes and OpGroupNonUniformBallot a Boolean scalar. For floats with another encoding than IEEE 754 see
    `computation/encoded-floats-are-not-computed`. What combines or moves values has a result of their type. Votes,
    OpGroupNonUniformElect, OpGroupNonUniformInverseBallot and OpGroupNonUniformBallotBitExtract return a Boolean. A ballot is a
    vector of four unsigned 32-bit integers, one bit for each invocation; as in spirv-val, their width is not checked. What is found
    or counted in it is an unsigned integer.

    Where values are combined, ClusteredReduce requires a ClusterSize, and a partitioned operation
    (SPV_NV_shader_subgroup_partitioned, SPV_EXT_shader_subgroup_partitioned) a ballot, whose integers may be signed here. Ids of
    invocations, indexes, masks, deltas, directions and cluster sizes must be unsigned integers. A cluster size, the direction of a
    quad swap and, before SPIR-V 1.5, the id or index of a broadcast must be constant. In Vulkan, bits of a ballot may only be
    counted with Reduce, InclusiveScan or ExclusiveScan.

    OpGroupNonUniformRotateKHR (SPV_KHR_subgroup_rotate) is checked as well; OpGroupNonUniformQuadAllKHR,
    OpGroupNonUniformQuadAnyKHR and OpGroupNonUniformPartitionEXT are not.
    """
    return first_fault(Operation(inst, context), _OPERATIONS[inst.opcode.value])


_CLUSTERS = (spv.OpGroupNonUniformRotateKHR, *(name for name, checks in _OPERATIONS.items() if _cluster in checks))


@instruction_rule(
    "synchronization/cluster-size-is-power-of-two", *_CLUSTERS, section=sections.NON_UNIFORM_INSTRUCTIONS, severity=Severity.WARNING
)
def cluster_size_is_power_of_two(inst: Instruction, context: RuleContext) -> Findings:
    """The ClusterSize of a group operation must be a power of two.

    A device may have instructions only for halves, quarters and so on of a subgroup; for other sizes, the behavior is undefined.
    The rule checks ClusteredReduce and OpGroupNonUniformRotateKHR, with constants that cannot be specialized. It does not compare
    them with the size of the scope, beyond which the behavior is undefined too.

    A warning, because SPIR-V says only that the behavior is undefined; spirv-val rejects such sizes only in
    OpGroupNonUniformRotateKHR.
    """
    name = inst.operands[OpGroupNonUniformRotateKHR_ClusterSize] if len(inst.operands) > 3 else None
    if inst.opcode.value != _CLUSTERS[0] and inst.operands[1:2] != (_CLUSTERED,):
        return
    if not isinstance(name, str) or not is_constant_id(context.module, name):
        return
    size = context.module.integer(name)
    if size is not None and (size <= 0 or size & (size - 1)):
        at = OpGroupNonUniformRotateKHR_ClusterSize
        yield Finding(inst, at, f"{operand(inst, at)} is {size}, expected a power of two")


@instruction_rule(
    "synchronization/vote-takes-boolean",
    spv.OpSubgroupAllKHR,
    spv.OpSubgroupAnyKHR,
    spv.OpSubgroupAllEqualKHR,
    section=sections.GROUP_AND_SUBGROUP_INSTRUCTIONS,
)
def vote_takes_boolean(inst: Instruction, context: RuleContext) -> Findings:
    """The predicate and the result of a vote of a subgroup must be Booleans (SPV_KHR_subgroup_vote).

    A vote takes one truth value from each invocation. To vote on a number, compare it first. The rule checks OpSubgroupAllKHR,
    OpSubgroupAnyKHR and OpSubgroupAllEqualKHR, unlike spirv-val; for the votes of SPIR-V 1.3 see
    `synchronization/non-uniform-types-match`.
    """
    return first_fault(Operation(inst, context), _SUBGROUP_VOTE)


_SUBGROUP_VOTE: tuple[Check, ...] = (result_is(BOOL), operand_is(OpSubgroupAllKHR_Predicate, BOOL))
