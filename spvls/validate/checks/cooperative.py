"""Shapes of cooperative matrices and vectors (SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix, SPV_EXT_long_vector)."""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Capability, CooperativeMatrixUse
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.kinds import dimension
from spvls.validate.checks.wording import counted

SCOPE, ROWS, COLUMNS, USE = 1, 2, 3, 4
"""Places among the operands of a cooperative matrix type."""

MATRIX_A = CooperativeMatrixUse.MatrixAKHR
MATRIX_B = CooperativeMatrixUse.MatrixBKHR
ACCUMULATOR = CooperativeMatrixUse.MatrixAccumulatorKHR

_NAMES = {SCOPE: "scope", ROWS: "number of rows", COLUMNS: "number of columns", USE: "use"}
_KINDS = {SCOPE: "Scope", USE: "CooperativeMatrixUse"}


def part(module: Module, matrix: Type, which: int) -> int | None:
    """The scope, rows, columns or use of a matrix type; None where it can be specialized."""
    return module.integer(matrix.name(which))


def use_is(module: Module, matrix: Type, use: int) -> bool:
    """Whether a matrix is for that use; True where that can be specialized."""
    return part(module, matrix, USE) in (use, None)


def shown(which: int, number: int) -> str:
    """The value of a part, as messages show it."""
    return enumerant_name(_KINDS[which], number) if which in _KINDS else str(number)


def use_shown(module: Module, matrix: Type) -> str:
    """The use of a matrix type, or the id of one that can be specialized."""
    use = part(module, matrix, USE)
    return f"%{matrix.name(USE)}" if use is None else shown(USE, use)


def counted_part(which: int, number: int) -> str:
    """A part and its value: `8 rows`, `the use MatrixAKHR`."""
    if which in _KINDS:
        return f"the {_NAMES[which]} {shown(which, number)}"
    return counted(number, "row" if which == ROWS else "column")


def converts(module: Module, have: int, wanted: int) -> bool:
    """Whether the module declares a capability that lets conversions turn a matrix of one use into one of another.

    CooperativeMatrixConversionsNV turns accumulators into operands, CooperativeMatrixConversionsEXT those back as well.
    """
    if have == ACCUMULATOR and module.has_capability(Capability.CooperativeMatrixConversionsNV):
        return True
    return ACCUMULATOR in (have, wanted) and module.has_capability(Capability.CooperativeMatrixConversionsEXT)


TRANSPOSES = "the decoration CooperativeMatrixTransposeEXT of the result"


def difference(
    module: Module, result: Type, operand: Type, *, conversion: bool = False, uses: bool = True, transposed: str = ""
) -> str | None:
    """What keeps an operand's shape from being that of the result, as the predicate of a message; None where nothing does.

    A `conversion` may change the use, where the module declares what it takes; without `uses`, they are not compared. With
    `transposed`, which names what transposes, rows stand for columns.
    """
    if operand.kind != result.kind:
        declared = f"a type declared by {tables.opcode_name(result.kind)}"
        given = f"is {module.spell(operand)} ({tables.opcode_name(operand.kind)})"
        return f"{given}, expected {declared} to match the result type {module.spell(result)}"
    converts_any = module.has_capability(Capability.CooperativeMatrixConversionsEXT)
    if transposed and converts_any and result.kind == spv.OpTypeCooperativeMatrixKHR:
        wanted, have = part(module, result, USE), part(module, operand, USE)
        if wanted == ACCUMULATOR or have not in (ACCUMULATOR, None) or result.name(USE) == operand.name(USE):
            have_use, want_use = (use_shown(module, one) for one in (operand, result))
            other = "like the result type" if have_use == want_use else f"and the result type the use {want_use}"
            to = "MatrixAKHR or MatrixBKHR" if transposed == TRANSPOSES else "MatrixBKHR"
            required = f"{transposed} requires a conversion from MatrixAccumulatorKHR to {to}"
            return f"has the use {have_use}{',' if have_use == want_use else ''} {other}; {required}"
    pairs = {SCOPE: SCOPE, ROWS: ROWS, COLUMNS: COLUMNS}
    if transposed:
        pairs |= {ROWS: COLUMNS, COLUMNS: ROWS}
    if uses and result.kind == spv.OpTypeCooperativeMatrixKHR:
        pairs[USE] = USE
    for of_result, of_operand in pairs.items():
        wanted, have = part(module, result, of_result), part(module, operand, of_operand)
        if wanted is None or have is None or wanted == have:
            continue
        if of_result == USE and conversion and converts(module, have, wanted):
            continue
        expected = counted_part(of_operand, wanted)
        given, type_ = f"is {module.spell(operand)} ({counted_part(of_operand, have)})", f"the result type {module.spell(result)}"
        if of_result == of_operand:
            return f"{given}, expected {expected} to match {type_}"
        swapped = f"because {transposed} swaps rows and columns and {type_} has {counted_part(of_result, wanted)}"
        return f"{given}, expected {expected}, {swapped}"
    return None


def vector_difference(module: Module, result: Type, operand: Type) -> str | None:
    """The same for vectors whose length is a constant."""
    wanted, have = dimension(module, result), dimension(module, operand)
    if not wanted or not have or wanted == have:
        return None
    given = f"is {module.spell(operand)} ({counted(have, 'component')})"
    expected = "a scalar" if result.is_scalar else counted(wanted, "component")
    return f"{given}, expected {expected} to match the result type {module.spell(result)}"
