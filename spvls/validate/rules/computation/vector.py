"""Vector shuffles, dynamic indexes (SPIR-V 3.3.12)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.operand_index import (
    OpVectorExtractDynamic_Index,
    OpVectorExtractDynamic_Vector,
    OpVectorInsertDynamic_Index,
    OpVectorInsertDynamic_Vector,
    OpVectorShuffle_Vector1,
    OpVectorShuffle_Vector2,
)
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import ANY_SCALAR, INT, VECTOR, dimension
from spvls.validate.checks.operation import Check, Operation, counted, first_fault, is_result_type, operand_is, result_is
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import last_constant_index
from spvls.validate.rules.computation.composite import may_be_computed

_UNDEFINED_COMPONENT = 0xFFFFFFFF
_INDEX_AT = {spv.OpVectorExtractDynamic: 1, spv.OpVectorInsertDynamic: 2}


def _component_is_result(op: Operation) -> Finding | None:
    type_ = op.type(OpVectorExtractDynamic_Vector)
    if type_ is None or op.result is None or type_.element_id == op.result.id:
        return None
    component = type_.element
    expected = f"{op.spell(component)}, the component type of {op.subject(OpVectorExtractDynamic_Vector)}"
    return op.result_fault(expected, op.retype(component) if component is not None else ())


def _is_a_scalar(op: Operation) -> Finding | None:
    if op.result is None or ANY_SCALAR.holds(op.result):
        return None
    type_ = op.type(OpVectorExtractDynamic_Vector)
    component = type_.element if type_ is not None and VECTOR.holds(type_) else None
    fault = _component_is_result(op) if component is not None and ANY_SCALAR.holds(component) else None
    return fault or op.result_fault(ANY_SCALAR.name)


def _is_component_of_result(at: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, result = op.type(at), op.result
        if type_ is None or result is None or result.element_id == type_.id:
            return None
        return op.operand_fault(at, f"{op.spell(result.element)}, the component type of the result type {op.spell(result)}")

    return check


def _has_components_of_result(at: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, result = op.type(at), op.result
        if type_ is None or result is None or type_.element_id == result.element_id:
            return None
        return op.operand_fault(at, f"a vector of {op.spell(result.element)} to match the result type {op.spell(result)}")

    return check


def _one_literal_for_each(op: Operation) -> Finding | None:
    wanted = dimension(op.module, op.result) if op.result is not None else 0
    given = len(op.operands) - 2
    if not wanted or given == wanted:
        return None
    return op.result_fault(f"a vector of {counted(given)}, one for each literal of operand Components")


def _literals_in_range(op: Operation) -> Finding | None:
    first, second = op.type(OpVectorShuffle_Vector1), op.type(OpVectorShuffle_Vector2)
    if first is None or second is None:
        return None
    left, right = dimension(op.module, first), dimension(op.module, second)
    if not left or not right:
        return None
    for at, literal in enumerate(op.operands[2:], 2):
        if isinstance(literal, int) and literal != _UNDEFINED_COMPONENT and literal >= left + right:
            numbers = f"the components of Vector 1 and Vector 2 together are numbered 0 to {left + right - 1}"
            return op.fault(at, f"operand Components selects component {literal}, but {numbers}")
    return None


_VECTOR_OPERATIONS: dict[int, tuple[Check, ...]] = {
    spv.OpVectorExtractDynamic: (
        _is_a_scalar,
        operand_is(OpVectorExtractDynamic_Vector, VECTOR),
        _component_is_result,
        operand_is(OpVectorExtractDynamic_Index, INT),
        may_be_computed,
    ),
    spv.OpVectorInsertDynamic: (
        result_is(VECTOR),
        is_result_type(OpVectorInsertDynamic_Vector, retype=True),
        _is_component_of_result(1),
        operand_is(OpVectorInsertDynamic_Index, INT),
        may_be_computed,
    ),
    spv.OpVectorShuffle: (
        result_is(VECTOR),
        _one_literal_for_each,
        operand_is(OpVectorShuffle_Vector1, VECTOR),
        operand_is(OpVectorShuffle_Vector2, VECTOR),
        _has_components_of_result(0),
        _has_components_of_result(1),
        _literals_in_range,
        may_be_computed,
    ),
}


@instruction_rule(
    "computation/vector-operands-match", *_VECTOR_OPERATIONS, spv.OpSpecConstantOp, section=sections.COMPOSITE_INSTRUCTIONS
)
def vector_operands_match(inst: Instruction, context: RuleContext) -> Findings:
    """Vector shuffles and dynamic accesses must not change the type of the components.

    These instructions move components and convert nothing. A component of another type would be read as another value.

    OpVectorExtractDynamic, OpVectorInsertDynamic and OpVectorShuffle are checked, the last also in OpSpecConstantOp. The first two
    need an integer scalar as Index, and Vector of OpVectorInsertDynamic must have the result type. OpVectorShuffle needs one
    literal for each component of the result, each less than the number of components of both vectors together; 0xFFFFFFFF leaves a
    component undefined. Lengths that can be specialized are not compared. With Shader, 8- and 16-bit integers and 16-bit IEEE 754
    floats in the result require their capability (Int8, Int16 or Float16).

    As in spirv-val, a pointer as the result of OpVectorExtractDynamic is reported, which SPV_INTEL_masked_gather_scatter permits.
    """
    op = Operation(inst, context)
    if inst.opcode is op.opcode or op.code == spv.OpVectorShuffle:
        yield from first_fault(op, _VECTOR_OPERATIONS.get(op.code, ()))


@instruction_rule(
    "computation/vector-index-is-in-bounds", *_INDEX_AT, section=sections.COMPOSITE_INSTRUCTIONS, severity=Severity.WARNING
)
def vector_index_is_in_bounds(inst: Instruction, context: RuleContext) -> Findings:
    """A constant Index of a dynamic access must be less than the number of components of the vector.

    OpVectorExtractDynamic and OpVectorInsertDynamic are checked. Out of bounds, also with a negative Index, the behavior is
    undefined: a device may return any value, or overwrite another register. An index that is computed at run time or can be
    specialized is not checked, and neither is one of an OpTypeVectorIdEXT.
    """
    module = context.module
    at = _INDEX_AT[inst.opcode.value]
    index = module.integer(id_at(inst, at))
    vector = module.type_of(id_at(inst, OpVectorExtractDynamic_Vector))
    if index is None or vector is None or not vector.count or 0 <= index < vector.count:
        return
    numbered = f"the components of {module.spell(vector)} are numbered 0 to {vector.count - 1}"
    message = f"{operand(inst, at)} is {index}, but {numbered}"
    yield Finding(inst, at, message, fixes=last_constant_index(inst, at, vector.count, module))
