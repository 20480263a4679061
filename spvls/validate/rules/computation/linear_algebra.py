"""Products of vectors and matrices (SPIR-V 3.3.13), and OpTranspose (3.3.12)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import (
    OpDot_Vector1,
    OpDot_Vector2,
    OpMatrixTimesMatrix_LeftMatrix,
    OpMatrixTimesMatrix_RightMatrix,
    OpMatrixTimesScalar_Matrix,
    OpMatrixTimesVector_Matrix,
    OpMatrixTimesVector_Vector,
    OpOuterProduct_Vector2,
    OpVectorTimesMatrix_Matrix,
    OpVectorTimesMatrix_Vector,
    OpVectorTimesScalar_Vector,
)
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.kinds import (
    COOPERATIVE,
    FLOAT,
    FLOAT_MATRIX,
    FLOAT_VECTOR,
    MATRIX,
    Kind,
    capabilities_to_compute,
    dimension,
)
from spvls.validate.checks.operation import Check, Operation, first_fault, is_result_type, operand_is, result_is
from spvls.validate.checks.wording import the_capabilities
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.declare import every_capability_fix

_MATRICES = Kind(FLOAT_MATRIX.name, "Float Int", f"Matrix {COOPERATIVE}")


def _type(op: Operation, at: int) -> Type | None:
    return op.result if at == TYPE else op.type(at)


def _whose(op: Operation, at: int) -> str:
    return "the result type" if at == TYPE else op.subject(at)


def _components_are_of(at: int, other: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, wanted = op.type(at), _type(op, other)
        have, want = type_.scalar if type_ else None, wanted.scalar if wanted else None
        if have is None or want is None or have.id == want.id:
            return None
        return op.operand_fault(at, f"components of type {op.spell(want)} to match {_whose(op, other)}")

    return check


def _is_component_of(at: int, other: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, whole = op.type(at), op.type(other)
        want = whole.scalar if whole is not None else None
        if type_ is None or want is None or type_.id == want.id:
            return None
        return op.operand_fault(at, f"{op.spell(want)}, the component type of {op.subject(other)}")

    return check


def _count(op: Operation, type_: Type, what: str) -> int | None:
    """The `columns` of a matrix, its `rows`, or the `components` of a vector, 0 where these can be specialized."""
    measured = type_.element if what == "rows" else type_
    return dimension(op.module, measured) if measured is not None else None


def _as_many(at: int, what: str, other: int, of_other: str) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, wanted = op.type(at), _type(op, other)
        if type_ is None or wanted is None:
            return None
        have, want = _count(op, type_, what), _count(op, wanted, of_other)
        if have == want or have is None or want is None:
            return None
        if not want:
            whose = f"{_whose(op, other)}, which is {op.spell(wanted)}"
            return op.operand_fault(at, f"a number of {what} given by the same specialization constant as in {whose}")
        counted = "" if what == of_other else f" {of_other}"
        given = f"{have} {what}" if have else f"a number of {what} that can be specialized"
        return op.operand_fault(at, f"{want} {what}, as many as {_whose(op, other)} has{counted}", have=given)

    return check


def _columns_are(at: int, other: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, wanted = op.type(at), _type(op, other)
        if type_ is None or wanted is None:
            return None
        column = wanted.element if wanted.is_matrix else wanted
        if column is None or type_.element_id == column.id:
            return None
        return op.operand_fault(at, f"columns of type {op.spell(column)} to match {_whose(op, other)}")

    return check


def _is_column_of_result(at: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, column = op.type(at), op.result.element if op.result is not None else None
        if type_ is None or column is None or type_.id == column.id:
            return None
        return op.operand_fault(at, f"{op.spell(column)}, the column type of the result type {op.spell(op.result)}")

    return check


def _dot_gives_float(op: Operation) -> Finding | None:
    if op.result is None or FLOAT.holds(op.result):
        return None
    vector = op.type(OpDot_Vector1)
    component = vector.element if vector is not None and FLOAT_VECTOR.holds(vector) else None
    return op.result_fault(FLOAT.name, op.retype(component) if component is not None else ())


def _needs(op: Operation, needed: tuple[int, ...]) -> Finding:
    message = f"{op.name} with the result type {op.spell(op.result)} requires {the_capabilities(needed)}"
    return op.fault(TYPE, message, every_capability_fix(op.module, needed))


def _dot_takes_float(op: Operation) -> Finding | None:
    if op.result is None or "BFloat16KHR" not in op.module.contents(op.result.id):
        return None
    if op.module.has_capability(Capability.BFloat16DotProductKHR):
        return None
    return _needs(op, (Capability.BFloat16DotProductKHR,))


def _may_compute(op: Operation) -> Finding | None:
    needed = capabilities_to_compute(op.module, op.inst.type) if op.module.has_capability(Capability.Shader) else ()
    if not needed:
        return None
    return _needs(op, needed)


_PRODUCTS: dict[int, tuple[Check, ...]] = {
    spv.OpDot: (
        _dot_gives_float,
        _dot_takes_float,
        operand_is(OpDot_Vector1, FLOAT_VECTOR),
        _components_are_of(0, TYPE),
        operand_is(OpDot_Vector2, FLOAT_VECTOR),
        _components_are_of(1, TYPE),
        _as_many(1, "components", 0, "components"),
    ),
    spv.OpVectorTimesScalar: (result_is(FLOAT_VECTOR), is_result_type(OpVectorTimesScalar_Vector), _is_component_of(1, 0)),
    spv.OpMatrixTimesScalar: (result_is(_MATRICES), is_result_type(OpMatrixTimesScalar_Matrix), _is_component_of(1, 0)),
    spv.OpVectorTimesMatrix: (
        result_is(FLOAT_VECTOR),
        operand_is(OpVectorTimesMatrix_Vector, FLOAT_VECTOR),
        _components_are_of(0, TYPE),
        operand_is(OpVectorTimesMatrix_Matrix, MATRIX),
        _components_are_of(1, TYPE),
        _as_many(1, "columns", TYPE, "components"),
        _as_many(1, "rows", 0, "components"),
    ),
    spv.OpMatrixTimesVector: (
        result_is(FLOAT_VECTOR),
        operand_is(OpMatrixTimesVector_Matrix, MATRIX),
        _columns_are(0, TYPE),
        operand_is(OpMatrixTimesVector_Vector, FLOAT_VECTOR),
        _components_are_of(1, 0),
        _as_many(1, "components", 0, "columns"),
    ),
    spv.OpMatrixTimesMatrix: (
        result_is(FLOAT_MATRIX),
        operand_is(OpMatrixTimesMatrix_LeftMatrix, MATRIX),
        operand_is(OpMatrixTimesMatrix_RightMatrix, MATRIX),
        _columns_are(0, TYPE),
        _components_are_of(1, TYPE),
        _as_many(1, "columns", TYPE, "columns"),
        _as_many(1, "rows", 0, "columns"),
    ),
    spv.OpOuterProduct: (
        result_is(MATRIX),
        _is_column_of_result(0),
        operand_is(OpOuterProduct_Vector2, FLOAT_VECTOR),
        _components_are_of(1, TYPE),
        _as_many(1, "components", TYPE, "columns"),
    ),
}

_TRANSPOSE: tuple[Check, ...] = (
    result_is(MATRIX),
    operand_is(0, MATRIX),
    _components_are_of(0, TYPE),
    _as_many(0, "columns", TYPE, "rows"),
    _as_many(0, "rows", TYPE, "columns"),
    _may_compute,
)


@instruction_rule("computation/product-sizes-match", *_PRODUCTS, section=sections.ARITHMETIC_INSTRUCTIONS)
def product_sizes_match(inst: Instruction, context: RuleContext) -> Findings:
    """The rows, columns and component types in a product of vectors and matrices must match.

    Each component of the result is a product, or a sum of products, of pairs of components. If the sizes differ, some components
    have no counterpart, and a driver may read outside of the matrix.

    A matrix of C columns with R rows times a vector of C components gives R components; a vector of R components times that matrix
    gives C components. In OpMatrixTimesMatrix, LeftMatrix has as many columns as RightMatrix has rows; the result has the rows of
    the left and the columns of the right. OpOuterProduct gives a row for each component of Vector 1, and a column for each of
    Vector 2. OpDot multiplies two vectors of the same size, and its result type is their component type. In OpVectorTimesScalar and
    OpMatrixTimesScalar, the vector or matrix has the result type, and Scalar has its component type.

    Components must be floats. Only OpMatrixTimesScalar takes cooperative matrices (SPV_KHR_cooperative_matrix), which may have
    integers too. On bfloat16 (SPV_KHR_bfloat16), OpDot requires the capability BFloat16DotProductKHR;
    `computation/encoded-floats-are-not-computed` reports other products of floats with an encoding. Integer dot products are
    checked by `computation/dot-product-inputs-match`.
    """
    return first_fault(Operation(inst, context), _PRODUCTS[inst.opcode.value])


@instruction_rule("computation/transpose-swaps-rows-and-columns", spv.OpTranspose, section=sections.COMPOSITE_INSTRUCTIONS)
def transpose_swaps_rows_and_columns(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpTranspose must have as many columns as its operand has rows, and the reverse.

    Row n of the operand becomes column n of the result, without conversion. With other sizes some components have no source or no
    place. Both must be matrices of the same component type; cooperative matrices are not permitted. With Shader, matrices of 16-bit
    IEEE 754 floats require the capability Float16.
    """
    return first_fault(Operation(inst, context), _TRANSPOSE)
