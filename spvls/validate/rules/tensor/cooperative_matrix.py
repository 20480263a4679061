"""Their arithmetic (SPIR-V 3.2.19, 3.3.11, 3.3.13)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, CooperativeMatrixReduce, Decoration, ExecutionMode, Scope
from spvls.grammar.operand_index import (
    OpCooperativeMatrixConvertUseEXT_Matrix,
    OpCooperativeMatrixTransposeNV_Matrix,
    OpDecorate_Decoration,
    OpDecorate_Target,
    OpTypeCooperativeMatrixKHR_Scope,
)
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.cooperative import (
    ACCUMULATOR,
    COLUMNS,
    MATRIX_A,
    MATRIX_B,
    ROWS,
    SCOPE,
    TRANSPOSES,
    USE,
    converts,
    counted_part,
    difference,
    part,
    shown,
    use_is,
    use_shown,
)
from spvls.validate.checks.kinds import INT32, Declared
from spvls.validate.checks.operation import Check, Operation, first_fault, operand_is, result_is
from spvls.validate.checks.wording import counted, made_by, operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_KHR = Declared("a cooperative matrix (OpTypeCooperativeMatrixKHR)", "CooperativeMatrixKHR")
_NV = Declared("a cooperative matrix (OpTypeCooperativeMatrixNV)", "CooperativeMatrixNV")


def _matrix(op: Operation, at: int) -> Type | None:
    return op.result if at == TYPE else op.type(at)


def _name(op: Operation, at: int) -> str:
    return "the result type" if at == TYPE else op.subject(at)


def _has_use(at: int, use: int) -> Check:
    """A matrix is for that use."""

    def check(op: Operation) -> Finding | None:
        matrix = _matrix(op, at)
        if matrix is None or use_is(op.module, matrix, use):
            return None
        have = part(op.module, matrix, USE)
        what = f"the result type of {op.name}" if at == TYPE else op.subject(at)
        message = f"{what} has the use {shown(USE, have or 0)}, expected {shown(USE, use)}"
        return op.fault(at, message)

    return check


def _agree(which: str, *parts: tuple[int, int]) -> Check:
    """Parts of matrices are all of one value, as far as they are constant."""

    def check(op: Operation) -> Finding | None:
        first: tuple[int, int, int] | None = None
        for at, what in parts:
            matrix = _matrix(op, at)
            number = part(op.module, matrix, what) if matrix is not None else None
            if number is None:
                continue
            if first is None:
                first = at, what, number
            elif number != first[2]:
                here = f"{_name(op, at)} has {counted_part(what, number)}"
                return op.fault(at, f"{which}, but {here} and {_name(op, first[0])} has {counted_part(*first[1:])}")
        return None

    return check


_SHAPES: tuple[Check, ...] = (
    _agree("A, B, C and the result must have the same scope", (0, SCOPE), (1, SCOPE), (2, SCOPE), (TYPE, SCOPE)),
    _agree("A, C and the result must have the same number of rows", (0, ROWS), (2, ROWS), (TYPE, ROWS)),
    _agree("B, C and the result must have the same number of columns", (1, COLUMNS), (2, COLUMNS), (TYPE, COLUMNS)),
    _agree("A must have as many columns as B has rows", (0, COLUMNS), (1, ROWS)),
)

_MULTIPLY_ADD: dict[int, tuple[Check, ...]] = {
    spv.OpCooperativeMatrixMulAddKHR: (
        *(operand_is(at, _KHR) for at in range(3)),
        result_is(_KHR),
        _has_use(0, MATRIX_A),
        _has_use(1, MATRIX_B),
        _has_use(2, ACCUMULATOR),
        *_SHAPES,
    ),
    spv.OpCooperativeMatrixMulAddNV: (*(operand_is(at, _NV) for at in range(3)), result_is(_NV), *_SHAPES),
}


@instruction_rule("tensor/multiply-add-shapes-match", *_MULTIPLY_ADD, section=sections.ARITHMETIC_INSTRUCTIONS)
def multiply_add_shapes_match(inst: Instruction, context: RuleContext) -> Findings:
    """In A × B + C of cooperative matrices, the scopes, uses, rows and columns must fit each other.

    Each component of the result is a sum over the columns of A and the rows of B. If their numbers differ, some components have no
    counterpart, and the product is not defined.

    A must be M×K, B K×N, and C and the result M×N, all of the same scope. With OpCooperativeMatrixMulAddKHR, all must be of type
    OpTypeCooperativeMatrixKHR, and the uses of A, B and C MatrixAKHR, MatrixBKHR and MatrixAccumulatorKHR; with
    OpCooperativeMatrixMulAddNV, all must be of type OpTypeCooperativeMatrixNV. What can be specialized is not compared, and neither
    are component types. SPV_KHR_cooperative_matrix requires the use MatrixAccumulatorKHR of the result too, which the rule, like
    spirv-val, does not check.
    """
    return first_fault(Operation(inst, context), _MULTIPLY_ADD[inst.opcode.value])


_ROW = CooperativeMatrixReduce.Row
_COLUMN = CooperativeMatrixReduce.Column
_TWO_BY_TWO = CooperativeMatrixReduce.CooperativeMatrixReduce2x2


def _same_component(op: Operation) -> Finding | None:
    matrix, result = op.type(0), op.result
    if matrix is None or result is None or matrix.element_id == result.element_id:
        return None
    expected = f"a cooperative matrix of {op.spell(result.element)} to match the result type {op.spell(result)}"
    return op.operand_fault(0, expected)


def _same_scope(op: Operation) -> Finding | None:
    matrix, result = op.type(0), op.result
    if matrix is None or result is None:
        return None
    have, want = part(op.module, matrix, SCOPE), part(op.module, result, SCOPE)
    if have is None or want is None or have == want:
        return None
    return op.operand_fault(0, f"the scope {shown(SCOPE, want)} to match the result type", have=f"the scope {shown(SCOPE, have)}")


def _reduced_shape(op: Operation) -> Finding | None:
    matrix, result, how = op.type(0), op.result, op.word(1)
    if matrix is None or result is None or how is None:
        return None
    if not how:
        return op.fault(1, "operand Reduce is 0, expected Row, Column, Row|Column or 2x2")
    if how & _TWO_BY_TWO and how & (_ROW | _COLUMN):
        return op.fault(1, "operand Reduce must not combine 2x2 with Row or Column")
    rows, columns = part(op.module, matrix, ROWS), part(op.module, matrix, COLUMNS)
    new_rows, new_columns = part(op.module, result, ROWS), part(op.module, result, COLUMNS)
    if how & _TWO_BY_TWO:
        if rows is None or columns is None or new_rows is None or new_columns is None:
            return None
        if (2 * new_rows, 2 * new_columns) == (rows, columns):
            return None
        if rows % 2 or columns % 2:
            have = f"{counted(rows, 'row')} and {counted(columns, 'column')}"
            return op.fault(TYPE, f"{op.subject(0)} has {have}, but Reduce is 2x2, which requires even numbers of both")
        expected = f"{counted(rows // 2, 'row')} and {counted(columns // 2, 'column')}, half as many as {op.subject(0)}"
        return op.result_fault(expected, have=f"{counted(new_rows, 'row')} and {counted(new_columns, 'column')}")
    if how == _ROW and rows is not None and new_rows is not None and rows != new_rows:
        expected = f"{counted(rows, 'row')} as in {op.subject(0)}, because Reduce is Row"
        return op.result_fault(expected, have=counted(new_rows, "row"))
    if how == _COLUMN and columns is not None and new_columns is not None and columns != new_columns:
        expected = f"{counted(columns, 'column')} as in {op.subject(0)}, because Reduce is Column"
        return op.result_fault(expected, have=counted(new_columns, "column"))
    return None


def _function_type(op: Operation, at: int) -> tuple[Type | None, Finding | None]:
    """The type of the function that an operand names."""
    name = op.id(at)
    definition = op.module.definition(name) if name is not None else None
    if definition is None:
        return None, None
    if definition.opcode.value != spv.OpFunction:
        return None, op.fault(at, f"{op.subject(at)} is {made_by(definition)}, expected a function")
    declared = definition.operands[1] if len(definition.operands) > 1 else None
    return op.module.type(declared if isinstance(declared, str) else None), None


def _combines_components(op: Operation) -> Finding | None:
    type_, fault = _function_type(op, 2)
    matrix = op.type(0)
    component = matrix.element if matrix is not None else None
    if fault is not None or type_ is None or component is None:
        return fault
    if len(type_.member_ids) != 2:
        have = counted(len(type_.member_ids), "parameter")
        return op.fault(2, f"{op.subject(2)} has {have}, expected 2: the components to combine")
    if {type_.element_id, *type_.member_ids} != {component.id}:
        what = op.spell(component)
        return op.fault(2, f"{op.subject(2)} has type {op.spell(type_)}, expected fn({what}, {what}) → {what}")
    return None


_REDUCE: tuple[Check, ...] = (
    result_is(_KHR),
    operand_is(0, _KHR),
    _same_component,
    _same_scope,
    _has_use(TYPE, ACCUMULATOR),
    _has_use(0, ACCUMULATOR),
    _reduced_shape,
    _combines_components,
)


@instruction_rule("tensor/reduced-shapes-match", spv.OpCooperativeMatrixReduceEXT, section=sections.ARITHMETIC_INSTRUCTIONS)
def reduced_shapes_match(inst: Instruction, context: RuleContext) -> Findings:
    """A reduction must be of accumulators, with a result whose shape follows from how it reduces.

    A reduction of rows keeps the number of rows, one of columns that of columns, and one of 2x2 blocks halves both. Rows and
    columns together permit any shape. Neither may be combined with 2x2, and, as in spirv-val, Reduce must not be 0. A result of
    another shape has too few components, or some without a value.

    Matrix and result of OpCooperativeMatrixReduceEXT, which is OpCooperativeMatrixReduceNV in SPV_NV_cooperative_matrix2, must be
    of type OpTypeCooperativeMatrixKHR with the use MatrixAccumulatorKHR, and have the same component type and scope, because
    components are combined without conversion within the scope. The function must have two components as parameters and return one.
    What can be specialized is not compared.
    """
    return first_fault(Operation(inst, context), _REDUCE)


def _same_matrix_type(op: Operation) -> Finding | None:
    matrix, result = op.type(0), op.result
    if matrix is None or result is None or matrix.id == result.id:
        return None
    have, wanted = op.told_apart(result, matrix)
    return op.result_fault(f"{wanted} to match {op.subject(0)}", op.retype(matrix), have)


def _applies_function(op: Operation) -> Finding | None:
    type_, fault = _function_type(op, 1)
    matrix = op.type(0)
    if fault is not None or type_ is None or matrix is None:
        return fault
    definition = op.module.definition(str(op.id(1)))
    notes = (Note(definition, TYPE, f"%{op.id(1)} has type {op.spell(type_)}"),) if definition is not None else ()

    def wrong(message: str, at: int = 1) -> Finding:
        return op.fault(at, message, (), None, notes)

    component = matrix.element
    matched = f"{op.spell(component)} to match the components of {op.subject(0)}"
    extra = op.operands[2:]
    parameters = type_.members
    if len(parameters) != 3 + len(extra):
        have, more = counted(len(parameters), "parameter"), ", and one for each further operand" if extra else ""
        return wrong(f"{op.subject(1)} has {have}, expected {3 + len(extra)}: row, column and component{more}")
    if component is not None and type_.element_id != component.id:
        return wrong(f"{op.subject(1)} returns {op.spell(type_.element)}, expected {matched}")
    for at in (0, 1):
        parameter = parameters[at]
        if parameter is not None and not INT32.holds(parameter):
            what = "row" if at == 0 else "column"
            return wrong(f"the {what} parameter of {op.subject(1)} is {op.spell(parameter)}, expected {INT32.name}")
    if component is not None and type_.member_ids[2] != component.id:
        return wrong(f"the component parameter of {op.subject(1)} is {op.spell(parameters[2])}, expected {matched}")
    for at in range(2, len(op.operands)):
        given = op.type(at)
        if given is None:
            continue
        if given.is_cooperative_matrix:
            if given.id != matrix.id:
                have, wanted = op.told_apart(given, matrix)
                return op.operand_fault(at, f"{wanted} to match {op.subject(0)}", have=have)
            given = component
        if given is not None and type_.member_ids[at + 1] != given.id:
            passed = f"{op.subject(at)} passes {op.spell(given)} to parameter {at + 1} (counted from 0) of {op.subject(1)}"
            return wrong(f"{passed}, expected {op.spell(parameters[at + 1])}", at)
    return None


_PER_ELEMENT: tuple[Check, ...] = (result_is(_KHR), operand_is(0, _KHR), _same_matrix_type, _applies_function)


@instruction_rule(
    "tensor/per-element-function-matches", spv.OpCooperativeMatrixPerElementOpEXT, section=sections.FUNCTION_INSTRUCTIONS
)
def per_element_function_matches(inst: Instruction, context: RuleContext) -> Findings:
    """The function of a per-element operation must have a row, a column and a component as parameters.

    The device calls the function of OpCooperativeMatrixPerElementOpEXT, which is OpCooperativeMatrixPerElementOpNV in
    SPV_NV_cooperative_matrix2, for each component; the value that it returns is the component of the result. With other parameters,
    the function may receive wrong values.

    Row and column must be 32-bit integers; the component and the returned value must have the component type. The matrix must be of
    type OpTypeCooperativeMatrixKHR, and the result of the same type. Each further operand of the instruction is one more argument.
    If such an operand is a matrix, it must have the type of the first one, and its component at this place is passed. What is
    passed must have the type of its parameter.
    """
    return first_fault(Operation(inst, context), _PER_ELEMENT)


def _same_number(op: Operation) -> Finding | None:
    """Components of the same type; of integers, the sign does not count."""
    matrix, result = op.type(OpCooperativeMatrixConvertUseEXT_Matrix), op.result
    have, want = matrix.element if matrix else None, result.element if result else None
    if have is None or want is None or have.id == want.id:
        return None
    if have.is_int and want.is_int and have.width == want.width:
        return None
    expected = f"a cooperative matrix of {op.spell(want)} to match the result type {op.spell(result)}"
    return op.operand_fault(OpCooperativeMatrixConvertUseEXT_Matrix, expected)


_BOTH_WAYS = Capability.CooperativeMatrixConversionsEXT


def _converts_use(op: Operation) -> Finding | None:
    matrix, result = op.type(OpCooperativeMatrixConvertUseEXT_Matrix), op.result
    if matrix is None or result is None:
        return None
    have, want = part(op.module, matrix, USE), part(op.module, result, USE)
    same = matrix.name(USE) == result.name(USE)
    if not same and _may_become(have, want, op.module):
        return None
    at = OpCooperativeMatrixConvertUseEXT_Matrix
    uses = _uses(op, matrix, result)
    if op.module.has_capability(_BOTH_WAYS):
        what = "it" if have == want == ACCUMULATOR else "the use MatrixAccumulatorKHR"
        return op.fault(at, f"{uses}; exactly one of the two must have {what}")
    if have == ACCUMULATOR and want != ACCUMULATOR:
        needed = "the capability CooperativeMatrixConversionsNV or CooperativeMatrixConversionsEXT"
        return op.fault(at, f"{uses}; the conversion requires {needed}")
    without = "without the capability CooperativeMatrixConversionsEXT"
    return op.fault(at, f"{uses}; {without}, the conversion must be from MatrixAccumulatorKHR to MatrixAKHR or MatrixBKHR")


def _uses(op: Operation, matrix: Type, result: Type) -> str:
    have, want = (use_shown(op.module, one) for one in (matrix, result))
    if have == want:
        return f"{op.subject(0)} and the result type both have the use {have}"
    return f"{op.subject(0)} has the use {have} and the result type the use {want}"


def _may_become(have: int | None, want: int | None, module: Module) -> bool:
    """Whether a matrix of one use may be converted to one of another; None stands for a use that can be specialized."""
    if module.has_capability(_BOTH_WAYS):
        return have is None or want is None or (have != want and ACCUMULATOR in (have, want))
    if have is None or want is None:
        return want != ACCUMULATOR and have in (ACCUMULATOR, None)
    return want != ACCUMULATOR == have and converts(module, have, want)


def _changes_use(op: Operation) -> Finding | None:
    at = OpCooperativeMatrixTransposeNV_Matrix
    matrix, result = op.type(at), op.result
    if matrix is None or result is None:
        return None
    have, want = part(op.module, matrix, USE), part(op.module, result, USE)
    if matrix.name(USE) == result.name(USE):
        return op.fault(at, f"{_uses(op, matrix, result)}; {op.name} converts MatrixAccumulatorKHR to MatrixBKHR")
    if have is None or want is None or converts(op.module, have, want):
        return None
    return op.fault(at, f"{_uses(op, matrix, result)}; the conversion requires the capability CooperativeMatrixConversionsNV")


def _converted_shape(op: Operation) -> Finding | None:
    matrix, result = op.type(OpCooperativeMatrixConvertUseEXT_Matrix), op.result
    if matrix is None or result is None:
        return None
    transposed = op.name if op.code == spv.OpCooperativeMatrixTransposeNV else ""
    if op.inst.result is not None and op.module.has_decoration(op.inst.result, Decoration.CooperativeMatrixTransposeEXT):
        transposed = transposed or TRANSPOSES
    why = difference(op.module, result, matrix, uses=False, transposed=transposed)
    return (
        None
        if why is None
        else op.fault(OpCooperativeMatrixConvertUseEXT_Matrix, f"{op.subject(OpCooperativeMatrixConvertUseEXT_Matrix)} {why}")
    )


_CONVERSIONS: dict[int, tuple[Check, ...]] = {
    spv.OpCooperativeMatrixConvertUseEXT: (
        result_is(_KHR),
        operand_is(OpCooperativeMatrixConvertUseEXT_Matrix, _KHR),
        _converted_shape,
        _same_number,
        _converts_use,
    ),
    spv.OpCooperativeMatrixTransposeNV: (
        result_is(_KHR),
        operand_is(OpCooperativeMatrixTransposeNV_Matrix, _KHR),
        _converted_shape,
        _has_use(OpCooperativeMatrixTransposeNV_Matrix, ACCUMULATOR),
        _has_use(TYPE, MATRIX_B),
        _changes_use,
    ),
}


@instruction_rule("tensor/matrix-conversion-keeps-shape", *_CONVERSIONS, section=sections.CONVERSION_INSTRUCTIONS)
def matrix_conversion_keeps_shape(inst: Instruction, context: RuleContext) -> Findings:
    """A conversion of a cooperative matrix must keep its scope, and keep or swap its rows and columns.

    A matrix of another shape has too few components, or some without a value. OpCooperativeMatrixTransposeNV, and an
    OpCooperativeMatrixConvertUseEXT whose result is decorated with CooperativeMatrixTransposeEXT, must swap the numbers of rows and
    columns.

    OpCooperativeMatrixConvertUseEXT, which is OpCooperativeMatrixConvertNV in SPV_NV_cooperative_matrix2, must convert a matrix
    with the use MatrixAccumulatorKHR to one with MatrixAKHR or MatrixBKHR. The reverse is permitted with the capability
    CooperativeMatrixConversionsEXT, but not with the decoration CooperativeMatrixTransposeEXT. The component type must stay the
    same; the rule, like spirv-val, accepts another sign of integers too. OpCooperativeMatrixTransposeNV must convert a matrix with
    the use MatrixAccumulatorKHR to one with MatrixBKHR; its component types are not compared.

    For conversions of components, such as OpFConvert, see `computation/conversion-types-match`. What can be specialized is not
    compared, but the two uses must not be the same specialization constant.
    """
    return first_fault(Operation(inst, context), _CONVERSIONS[inst.opcode.value])


_TRANSPOSES = frozenset(
    {
        spv.OpConvertFToU, spv.OpConvertFToS, spv.OpConvertSToF, spv.OpConvertUToF, spv.OpUConvert, spv.OpSConvert, spv.OpFConvert,
        spv.OpCooperativeMatrixConvertUseEXT,
    }
)  # fmt: skip
_TRANSPOSE_DECORATION = Decoration.CooperativeMatrixTransposeEXT


@instruction_rule("tensor/transpose-decorates-conversion", spv.OpDecorate, section=sections.DECORATION)
def transpose_decorates_conversion(inst: Instruction, context: RuleContext) -> Findings:
    """CooperativeMatrixTransposeEXT may only decorate conversions of cooperative matrices.

    The decoration says that the conversion also swaps rows and columns. On another instruction it has no meaning, so a driver may
    ignore it and transpose nothing.

    As in spirv-val, conversions are OpCooperativeMatrixConvertUseEXT, OpUConvert, OpSConvert, OpFConvert, and those between floats
    and integers, but not OpBitcast or OpCooperativeMatrixTransposeNV. Result and operand must be of type
    OpTypeCooperativeMatrixKHR. Only OpDecorate is checked; a decoration that comes from a decoration group is not.
    """
    name = id_at(inst, OpDecorate_Target)
    if name is None or word_at(inst, OpDecorate_Decoration) != _TRANSPOSE_DECORATION:
        return
    definition = context.module.definition(name)
    if definition is None or definition.opcode.value == spv.OpDecorationGroup:
        return
    result, source = context.module.type_of(name), context.module.type_of(id_at(definition, 0))
    what = f"%{name} is {made_by(definition)} of type {context.module.spell(result)}"
    if definition.opcode.value in _TRANSPOSES and (result is None or _KHR.holds(result)):
        if source is None or _KHR.holds(source):
            return
        what = f"%{name} converts {context.module.spell(source)}"
    wanted = "OpCooperativeMatrixConvertUseEXT, or a numeric conversion such as OpFConvert,"
    message = f"{what}; CooperativeMatrixTransposeEXT may only decorate {wanted} of matrices of type OpTypeCooperativeMatrixKHR"
    yield Finding(inst, OpDecorate_Target, message)


@instruction_rule(
    "tensor/workgroup-matrix-has-workgroup-size",
    spv.OpTypeCooperativeMatrixKHR,
    spv.OpTypeCooperativeMatrixNV,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
)
def workgroup_matrix_has_workgroup_size(inst: Instruction, context: RuleContext) -> Findings:
    """With a cooperative matrix of scope Workgroup, each entry point must set LocalSize or LocalSizeId.

    The components of the matrix are divided among the invocations of a workgroup. Without its size, the number of components that
    an invocation holds is not known. SPV_NV_cooperative_matrix2 requires that the module specifies the workgroup size before an
    OpTypeCooperativeMatrixKHR. As in spirv-val, the rule applies without this extension too, and to OpTypeCooperativeMatrixNV; each
    OpEntryPoint and OpConditionalEntryPointINTEL must set the size, even if it does not use the matrix, and the built-in
    WorkgroupSize does not replace the execution mode. A scope that can be specialized is not checked; for each type, the first
    entry point without a size is reported. For the constants of LocalSizeId see `entry-point/local-size-ids-precede-matrices`.
    """
    module = context.module
    if module.integer(id_at(inst, OpTypeCooperativeMatrixKHR_Scope)) != Scope.Workgroup:
        return
    for entry in module.declarations.entry_points:
        name = entry.function
        if not _SIZES.isdisjoint(module.declarations.modes_by_function.get(name, frozenset())):
            continue
        note = Note(entry.record, entry.place + 1, "the entry point is declared here")
        scope = operand(inst, OpTypeCooperativeMatrixKHR_Scope)
        message = f"{scope} is Workgroup, for which the entry point %{name} must set the execution mode LocalSize or LocalSizeId"
        yield Finding(inst, OpTypeCooperativeMatrixKHR_Scope, message, (note,))
        return


_SIZES = frozenset({ExecutionMode.LocalSize, ExecutionMode.LocalSizeId})
