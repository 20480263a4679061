"""Shapes of cooperative matrices and vectors (SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix, SPV_EXT_long_vector)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import Capability, CooperativeMatrixUse
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.validate.checks.kinds import dimension

SCOPE, ROWS, COLUMNS, USE = 1, 2, 3, 4
"""Places among the operands of a cooperative matrix type."""

MATRIX_A = CooperativeMatrixUse.MatrixAKHR
MATRIX_B = CooperativeMatrixUse.MatrixBKHR
ACCUMULATOR = CooperativeMatrixUse.MatrixAccumulatorKHR

_NAMES = {SCOPE: "scope", ROWS: "number of rows", COLUMNS: "number of columns", USE: "use"}
_USES = {MATRIX_A: "MatrixA", MATRIX_B: "MatrixB", ACCUMULATOR: "MatrixAccumulator"}


def part(module: Module, matrix: Type, which: int) -> int | None:
    """The scope, rows, columns or use of a matrix type; None where it can be specialized."""
    return module.integer(matrix.name(which))


def use_is(module: Module, matrix: Type, use: int) -> bool:
    """Whether a matrix is for that use; True where that can be specialized."""
    return part(module, matrix, USE) in (use, None)


def shown(which: int, number: int) -> str:
    """The value of a part, as messages show it."""
    return _USES.get(number, str(number)) if which == USE else str(number)


def converts(module: Module, have: int, wanted: int) -> bool:
    """Whether the module declares a capability that lets conversions turn a matrix of one use into one of another.

    CooperativeMatrixConversionsNV turns accumulators into operands, CooperativeMatrixConversionsEXT those back as well.
    """
    if have == ACCUMULATOR and module.has_capability(Capability.CooperativeMatrixConversionsNV):
        return True
    return ACCUMULATOR in (have, wanted) and module.has_capability(Capability.CooperativeMatrixConversionsEXT)


def difference(
    module: Module, result: Type, operand: Type, *, conversion: bool = False, transposed: bool = False
) -> str | None:
    """What keeps an operand's shape from being that of the result, as the end of a message; None where nothing does.

    A `conversion` may change the use, where the module declares what it takes. With `transposed`, rows stand for columns.
    """
    if operand.kind != result.kind:
        return "expected a cooperative matrix of the same extension as the result type"
    converts_any = module.has_capability(Capability.CooperativeMatrixConversionsEXT)
    if transposed and converts_any and result.kind == spv.OpTypeCooperativeMatrixKHR:
        wanted, have = part(module, result, USE), part(module, operand, USE)
        if wanted == ACCUMULATOR or have not in (ACCUMULATOR, None) or result.name(USE) == operand.name(USE):
            return "a transposing conversion requires a MatrixAccumulator, and its result must be a MatrixA or MatrixB"
    pairs = {SCOPE: SCOPE, ROWS: ROWS, COLUMNS: COLUMNS}
    if transposed:
        pairs |= {ROWS: COLUMNS, COLUMNS: ROWS}
    if result.kind == spv.OpTypeCooperativeMatrixKHR:
        pairs[USE] = USE
    for of_result, of_operand in pairs.items():
        wanted, have = part(module, result, of_result), part(module, operand, of_operand)
        if wanted is None or have is None or wanted == have:
            continue
        if of_result == USE and conversion and converts(module, have, wanted):
            continue
        return (
            f"its {_NAMES[of_operand]} is {shown(of_operand, have)}, expected {shown(of_result, wanted)}, "
            f"the {_NAMES[of_result]} of the result type"
        )
    return None


def vector_difference(module: Module, result: Type, operand: Type) -> str | None:
    """The same for vectors whose length is a constant."""
    wanted, have = dimension(module, result), dimension(module, operand)
    if not wanted or not have or wanted == have:
        return None
    return f"it has {have} components; the result type has {wanted}"
