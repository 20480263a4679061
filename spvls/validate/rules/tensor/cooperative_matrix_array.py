"""Cooperative matrices from and to arrays (SPV_QCOM_cooperative_matrix_conversion)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Scope
from spvls.grammar.operand_index import (
    OpBitCastArrayQCOM_SourceArray,
    OpCompositeConstructCoopMatQCOM_SourceArray,
    OpCompositeExtractCoopMatQCOM_SourceCooperativeMatrix,
    OpExtractSubArrayQCOM_Index,
    OpExtractSubArrayQCOM_SourceArray,
)
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.cooperative import ACCUMULATOR, COLUMNS, MATRIX_A, MATRIX_B, ROWS, SCOPE, USE, counted_part, part, shown
from spvls.validate.checks.kinds import ARRAY, INT32, UINT32, Declared
from spvls.validate.checks.operation import Check, Operation, first_fault, operand_is, result_is
from spvls.validate.checks.wording import counted, listed
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_MATRIX = Declared("a cooperative matrix (OpTypeCooperativeMatrixKHR)", "CooperativeMatrixKHR")
_SUBGROUP = Scope.Subgroup
_FLOATS = "16- or 32-bit IEEE 754 floats"
_VECTOR_BITS = 256
"""Bits of a row of A, or a column of B: what one invocation holds."""


def _is_word_like(type_: Type, bits: int = 32) -> bool:
    """An integer of so many bits, or an IEEE 754 float of 16 or 32 bits."""
    return (type_.is_int and type_.width == bits) or (type_.is_float and type_.width in (16, 32) and type_.encoding is None)


def _elements_are_words(at: int) -> Check:
    def check(op: Operation) -> Finding | None:
        array = op.result if at == TYPE else op.type(at)
        element = array.element if array is not None else None
        if element is None or _is_word_like(element):
            return None
        expected = f"an array of 32-bit integers or of {_FLOATS}"
        return op.result_fault(expected) if at == TYPE else op.operand_fault(at, expected)

    return check


def _as_many_bits(op: Operation) -> Finding | None:
    array, result = op.type(OpBitCastArrayQCOM_SourceArray), op.result
    if array is None or result is None or array.element is None or result.element is None:
        return None
    have, want = op.module.integer(array.length_id), op.module.integer(result.length_id)
    if have is None or want is None:
        return None
    bits = want * result.element.width
    if have * array.element.width == bits:
        return None
    expected = f"{bits} bits to match the result type {op.spell(result)}"
    return op.operand_fault(OpBitCastArrayQCOM_SourceArray, expected, have=f"{have * array.element.width} bits")


def _same_elements(op: Operation) -> Finding | None:
    array, result = op.type(OpExtractSubArrayQCOM_SourceArray), op.result
    if array is None or result is None or array.element_id == result.element_id:
        return None
    expected = f"an array of {op.spell(result.element)} to match the result type {op.spell(result)}"
    return op.operand_fault(OpExtractSubArrayQCOM_SourceArray, expected)


_ARRAYS: dict[int, tuple[Check, ...]] = {
    spv.OpBitCastArrayQCOM: (
        result_is(ARRAY),
        operand_is(OpBitCastArrayQCOM_SourceArray, ARRAY),
        _elements_are_words(0),
        _elements_are_words(TYPE),
        _as_many_bits,
    ),
    spv.OpExtractSubArrayQCOM: (
        result_is(ARRAY),
        operand_is(OpExtractSubArrayQCOM_SourceArray, ARRAY),
        _same_elements,
        _elements_are_words(0),
        operand_is(OpExtractSubArrayQCOM_Index, INT32),
    ),
}


@instruction_rule("tensor/matrix-array-types-match", *_ARRAYS, section=sections.CONVERSION_INSTRUCTIONS)
def matrix_array_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Arrays cast or cut for cooperative matrices must be of 32-bit integers, or 16- or 32-bit floats.

    The rule checks OpBitCastArrayQCOM and OpExtractSubArrayQCOM, which SPV_QCOM_cooperative_matrix_conversion defines for such
    elements only. Floats must be IEEE 754, not bfloat16. For arrays made into or from matrices see `tensor/array-fits-matrix`.

    OpBitCastArrayQCOM must keep the total number of bits (not checked where a length can be specialized), and OpExtractSubArrayQCOM
    the type of the elements. The index must be a 32-bit integer; the extension requires a signed one, but the rule accepts both.
    Whether the subarray is within the source array is not checked.
    """
    return first_fault(Operation(inst, context), _ARRAYS[inst.opcode.value])


def _use_and_size(module: Module, matrix: Type) -> tuple[int | None, int | None]:
    """What a matrix is for, and the length of what one invocation holds of it: a row, or for MatrixB a column."""
    use = part(module, matrix, USE)
    return use, part(module, matrix, ROWS if use == MATRIX_B else COLUMNS)


def _fits(matrix_at: int, array_at: int) -> Check:
    """A matrix is of a scope, component type and size that an array can hold of it."""

    def check(op: Operation) -> Finding | None:
        matrix = op.result if matrix_at == TYPE else op.type(matrix_at)
        array = op.result if array_at == TYPE else op.type(array_at)
        if matrix is None or array is None or matrix.element is None or array.element is None:
            return None
        return _misfit(op, matrix, array, matrix_at, array_at)

    return check


def _misfit(op: Operation, matrix: Type, array: Type, matrix_at: int, array_at: int) -> Finding | None:
    module, component, element = op.module, matrix.element, array.element
    if component is None or element is None:
        return None

    def fault(at: int, expected: str, have: str = "") -> Finding:
        return op.result_fault(expected, have=have) if at == TYPE else op.operand_fault(at, expected, have=have)

    scope = part(module, matrix, SCOPE)
    if scope is not None and scope != _SUBGROUP:
        return fault(matrix_at, "the scope Subgroup", counted_part(SCOPE, scope))
    packed = UINT32.holds(element)
    if component.id != element.id and not packed:
        return fault(array_at, f"an array of {listed(sorted({op.spell(component), 'u32'}))}")
    use, size = _use_and_size(module, matrix)
    if use is None:
        return None
    if use not in (MATRIX_A, MATRIX_B, ACCUMULATOR):
        return fault(matrix_at, "the use MatrixAKHR, MatrixBKHR or MatrixAccumulatorKHR", counted_part(USE, use))
    for_use = f"for the use {shown(USE, use)}"
    length = module.integer(array.length_id)
    if use == ACCUMULATOR:
        if not _is_word_like(component):
            return fault(matrix_at, f"a cooperative matrix of 32-bit integers or of {_FLOATS} {for_use}")
        if size is None or length is None:
            return None
        halved = size // 2 if component.is_float and component.width == 16 else size
        if (length == size and (component.id == element.id or matrix_at == TYPE)) or (packed and length == halved):
            return None
        lengths = dict.fromkeys((f"{halved} u32", f"{size} {op.spell(component)}"))
        return fault(array_at, f"an array of {listed([*lengths])}")
    if not _is_word_like(component, 8):
        return fault(matrix_at, f"a cooperative matrix of 8-bit integers or of {_FLOATS} {for_use}")
    if size is not None and size * component.width != _VECTOR_BITS:
        what = "row" if use == MATRIX_B else "column"
        wanted = counted(_VECTOR_BITS // component.width, what)
        return fault(matrix_at, f"{wanted} of {op.spell(component)} {for_use}", counted(size, what))
    if length is None or (packed and length == _VECTOR_BITS // 32) or size is None:
        return None
    if length == size and (component.id == element.id or matrix_at == TYPE):
        return None
    return fault(array_at, f"an array of {_VECTOR_BITS // 32} u32 or {size} {op.spell(component)}")


_MATRICES: dict[int, tuple[Check, ...]] = {
    spv.OpCompositeConstructCoopMatQCOM: (
        result_is(_MATRIX),
        operand_is(OpCompositeConstructCoopMatQCOM_SourceArray, ARRAY),
        _fits(TYPE, 0),
    ),
    spv.OpCompositeExtractCoopMatQCOM: (
        result_is(ARRAY),
        operand_is(OpCompositeExtractCoopMatQCOM_SourceCooperativeMatrix, _MATRIX),
        _fits(0, TYPE),
    ),
}


@instruction_rule("tensor/array-fits-matrix", *_MATRICES, section=sections.COMPOSITE_INSTRUCTIONS)
def array_fits_matrix(inst: Instruction, context: RuleContext) -> Findings:
    """The array that a cooperative matrix is made of or extracted to must hold one row or column.

    In OpCompositeConstructCoopMatQCOM and OpCompositeExtractCoopMatQCOM, an invocation of the subgroup supplies or receives a row
    of A or of an accumulator, or a column of B, as its components or packed into 32-bit unsigned integers. An array of another
    length omits components or has too many.

    The matrix must have scope Subgroup, and be for one of these uses. A row of A and a column of B must have 256 bits, of 8-bit
    integers or IEEE 754 floats of 16 or 32 bits; an accumulator must have 32-bit integers or such floats. What can be specialized
    is not compared. Like spirv-val, the rule accepts a few arrays of 32-bit unsigned integers that the extension does not permit,
    for example 16 of them to make a row of 16 half floats.
    """
    return first_fault(Operation(inst, context), _MATRICES[inst.opcode.value])
