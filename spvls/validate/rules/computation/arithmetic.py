"""Arithmetic on scalars and vectors (SPIR-V 3.3.13)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import ExecutionMode
from spvls.grammar.operand_index import OpSDiv_Operand1, OpSDiv_Operand2, OpSpecConstantOp_Opcode
from spvls.module.constants import WIDEST
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.cooperative import difference, vector_difference
from spvls.validate.checks.kinds import COOPERATIVE, FLOATS, INTS, SCALARS_AND_VECTORS, UINTS, Kind, width
from spvls.validate.checks.operation import (
    Check,
    Operation,
    first_fault,
    has_count_of_result,
    has_width_of_result,
    is_result_type,
    operand_is,
    result_is,
)
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_WITH_MATRICES = f"{SCALARS_AND_VECTORS} {COOPERATIVE}"
_FLOATS = Kind("a float scalar, vector or cooperative matrix", "Float", _WITH_MATRICES)
_FLOATS_KHR = Kind(_FLOATS.name, "Float", f"{SCALARS_AND_VECTORS} CooperativeMatrixKHR")
_INTS = Kind("an integer scalar, vector or cooperative matrix", "Int", _WITH_MATRICES)
_INTS_KHR = Kind(_INTS.name, "Int", f"{SCALARS_AND_VECTORS} CooperativeMatrixKHR")
_UINTS = Kind("an unsigned integer scalar, vector or cooperative matrix", "Int", _WITH_MATRICES, signed=False)
_SIGNED_DIVISIONS = (spv.OpSDiv, spv.OpSRem, spv.OpSMod)


_MATRICES_AND_VECTORS = (spv.OpTypeCooperativeMatrixKHR, spv.OpTypeVectorIdEXT)


def _is_like_result(at: int, kind: Kind, alike: tuple[int, ...]) -> Check:
    """That an operand has the result type, or of the types `alike` one of the same shape."""
    same = is_result_type(at, retype=True)

    def check(op: Operation) -> Finding | None:
        type_, result = op.type(at), op.result
        if type_ is None or result is None or type_.id == result.id:
            return None
        if result.kind != type_.kind or result.kind not in alike:
            return same(op)
        if not kind.holds(type_):
            return op.operand_fault(at, kind.name)
        differ = difference if result.kind == spv.OpTypeCooperativeMatrixKHR else vector_difference
        why = differ(op.module, result, type_)
        return None if why is None else op.fault(at, f"{op.subject(at)} {why}")

    return check


def _has_shape_of_result(at: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, result = op.type(at), op.result
        if type_ is None or result is None:
            return None
        if result.kind == spv.OpTypeVectorIdEXT and type_.kind != result.kind:
            expected = f"a type declared by OpTypeVectorIdEXT to match the result type {op.spell(result)}"
            return op.operand_fault(at, expected, have=tables.opcode_name(type_.kind))
        if result.kind != spv.OpTypeCooperativeMatrixKHR:
            return None
        why = difference(op.module, result, type_)
        return None if why is None else op.fault(at, f"{op.subject(at)} {why}")

    return check


def _is_defined_for(at: int) -> Check:
    """That the result type, or an operand, is no matrix that the opcode does not take."""

    def check(op: Operation) -> Finding | None:
        type_ = op.result if at == TYPE else op.type(at)
        if type_ is None or type_.kind != spv.OpTypeCooperativeMatrixNV:
            return None
        what = f"the result type of {op.name}" if at == TYPE else op.subject(at)
        undefined = f"for which {op.name} is not defined"
        return op.fault(at, f"{what} is {op.spell(type_)} ({tables.opcode_name(type_.kind)}), {undefined}")

    return check


def _exact(kind: Kind, count: int, alike: tuple[int, ...] = _MATRICES_AND_VECTORS) -> tuple[Check, ...]:
    return (result_is(kind), *(_is_like_result(at, kind, alike) for at in range(count)))


def _integer(kind: Kind, count: int) -> tuple[Check, ...]:
    """Integer operands as wide and as many as the result's, of either sign."""

    def defined(at: int) -> tuple[Check, ...]:
        return (_is_defined_for(at),) if kind is _INTS_KHR else ()

    each = [
        (*defined(at), operand_is(at, kind), *shape, has_count_of_result(at), has_width_of_result(at))
        for at in range(count)
        for shape in [() if kind is INTS else (_has_shape_of_result(at),)]
    ]
    return (*defined(TYPE), result_is(kind), *(check for checks in each for check in checks))


_FLOAT_ARITHMETIC: dict[int, tuple[Check, ...]] = {
    spv.OpFNegate: _exact(_FLOATS, 1),
    spv.OpFAdd: _exact(_FLOATS, 2),
    spv.OpFSub: _exact(_FLOATS, 2),
    spv.OpFMul: (_is_defined_for(TYPE), *_exact(_FLOATS_KHR, 2, (spv.OpTypeVectorIdEXT,))),
    spv.OpFDiv: _exact(_FLOATS, 2),
    spv.OpFRem: _exact(FLOATS, 2, ()),
    spv.OpFMod: _exact(FLOATS, 2, ()),
    spv.OpFmaKHR: _exact(_FLOATS, 3),
}

_INTEGER_ARITHMETIC: dict[int, tuple[Check, ...]] = {
    spv.OpSNegate: _integer(_INTS, 1),
    spv.OpIAdd: _integer(_INTS, 2),
    spv.OpISub: _integer(_INTS, 2),
    spv.OpIMul: _integer(_INTS_KHR, 2),
    spv.OpSDiv: _integer(_INTS, 2),
    spv.OpSRem: _integer(INTS, 2),
    spv.OpSMod: _integer(INTS, 2),
    spv.OpUDiv: _exact(_UINTS, 2),
    spv.OpUMod: _exact(UINTS, 2, ()),
}


@instruction_rule("computation/float-operands-match-result", *_FLOAT_ARITHMETIC, section=sections.ARITHMETIC_INSTRUCTIONS)
def float_operands_match_result(inst: Instruction, context: RuleContext) -> Findings:
    """The operands of floating-point arithmetic must match the result type, which must be made of floats.

    OpFNegate, OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem, OpFMod and OpFmaKHR compute component by component and convert nothing. With
    an operand of another type, a compiler may read the bits as another number. Convert the operand first.

    The result type must be a scalar, vector or cooperative matrix of floats. OpFRem and OpFMod do not take cooperative matrices,
    and OpFMul does not take OpTypeCooperativeMatrixNV (SPV_NV_cooperative_matrix). SPV_KHR_fma does not permit cooperative matrices
    for OpFmaKHR either; like spirv-val, the rule does not report them there.

    The operands must have the result type, with one exception, as in spirv-val: where operand and result are both of
    OpTypeCooperativeMatrixKHR (except with OpFMul), or both of OpTypeVectorIdEXT (except with OpFRem and OpFMod), the operand may
    have another float type as its component type. The scope, use and shape of the matrices, or the length of the vectors, must be
    the same as far as they cannot be specialized. Operations in OpSpecConstantOp are checked by `constant/spec-operation-is-valid`.
    """
    return first_fault(Operation(inst, context), _FLOAT_ARITHMETIC[inst.opcode.value])


@instruction_rule("computation/integer-operands-match-result", *_INTEGER_ARITHMETIC, section=sections.ARITHMETIC_INSTRUCTIONS)
def integer_operands_match_result(inst: Instruction, context: RuleContext) -> Findings:
    """The operands of integer arithmetic must have the width and number of components of the result type.

    OpSNegate, OpIAdd, OpISub, OpIMul, OpSDiv, OpSRem, OpSMod, OpUDiv and OpUMod compute one component after the other and convert
    nothing. With an operand of another width, upper bits may be missing or lost. Convert the operand first with OpUConvert or
    OpSConvert.

    Operands and result must be integers, or vectors or cooperative matrices of integers. OpSRem, OpSMod and OpUMod do not take
    cooperative matrices, and OpIMul does not take OpTypeCooperativeMatrixNV (SPV_NV_cooperative_matrix).

    The signedness may differ, because the opcode decides how the bits are read. OpUDiv and OpUMod are different: their operands
    must have the result type, which must be unsigned; but as in spirv-val, the width is not compared if operands and result of
    OpUDiv are of OpTypeCooperativeMatrixKHR or OpTypeVectorIdEXT.

    Operands of OpTypeCooperativeMatrixKHR must also have the scope, rows, columns and use of the result type.
    SPV_KHR_cooperative_matrix requires the same type of both operands; the rule compares their signedness only for OpUDiv. It
    compares the scope, rows and columns of OpTypeCooperativeMatrixNV only for OpUDiv.

    OpIAddCarry, OpISubBorrow, OpUMulExtended and OpSMulExtended are checked by `computation/extended-result-is-pair`. Operations in
    OpSpecConstantOp are checked by `constant/spec-operation-is-valid`.
    """
    return first_fault(Operation(inst, context), _INTEGER_ARITHMETIC[inst.opcode.value])


_DIVISIONS = frozenset(
    {spv.OpFRem, spv.OpFMod, spv.OpUDiv, spv.OpUMod, spv.OpSDiv, spv.OpSRem, spv.OpSMod}
)  # OpFDiv by zero is infinite or not a number


@instruction_rule(
    "computation/divisor-is-nonzero",
    *sorted(_DIVISIONS),
    spv.OpSpecConstantOp,
    section=sections.ARITHMETIC_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def divisor_is_nonzero(inst: Instruction, context: RuleContext) -> Findings:
    """The divisor of an integer division, a remainder or a modulo must not be a constant zero.

    By zero, the behavior of an integer division, remainder or modulo is undefined, and so is the result of OpFRem and OpFMod:
    devices may return different values, and for integers a compiler may remove the code around the instruction. With the execution
    mode ArithmeticPoisonKHR (SPV_KHR_poison_freeze), the result for integers is poison instead; the rule does not distinguish this
    case.

    OpSDiv, OpUDiv, OpSRem, OpSMod, OpUMod, OpFRem and OpFMod are checked, also in OpSpecConstantOp. OpFDiv is not: it may return an
    infinity or NaN. The divisor is checked if it is made by OpConstant, OpConstantNull or OpConstantComposite; one zero component
    is sufficient.

    A warning, because the module is valid, and in a function nothing is undefined as long as the instruction is not executed.
    """
    inner = inst.opcode.value == spv.OpSpecConstantOp
    opcode = word_at(inst, OpSpecConstantOp_Opcode) if inner else inst.opcode.value
    at = OpSDiv_Operand2 + inner
    divisor = id_at(inst, at)
    if opcode not in _DIVISIONS or divisor is None or not _holds_zero(context.module, divisor):
        return
    state = "has a zero component" if context.module.opcode_of(divisor) == spv.OpConstantComposite else "is zero"
    undefined = "result" if opcode in (spv.OpFRem, spv.OpFMod) else "behavior"
    yield Finding(inst, at, f"the divisor, Operand 2 (%{divisor}), {state}, so the {undefined} is undefined")


def _holds_zero(module: Module, name: str) -> bool:
    if module.opcode_of(name) not in (spv.OpConstant, spv.OpConstantNull, spv.OpConstantComposite):
        return False
    constant = module.constant(name)
    if constant is None:
        return False
    if isinstance(constant.value, tuple):
        return any(part is not None and not isinstance(part, tuple) and part == 0 for part in constant.value)
    return constant.value == 0 or constant.record.opcode.value == spv.OpConstantNull


def _has_two_members(op: Operation) -> Finding | None:
    if op.result is None or (op.result.is_struct and len(op.result.member_ids) == 2):
        return None
    return op.result_fault("a structure of two members of the same type")


def _members_are(kind: Kind) -> Check:
    def check(op: Operation) -> Finding | None:
        result = op.result
        if result is None:
            return None
        first, second = result.members[:2]
        if first is not None and not kind.holds(first):
            return op.result_fault(f"a structure of two members, each {kind.name}")
        if first is not None and second is not None and first.id != second.id:
            return op.result_fault("a structure of two members of the same type")
        return None

    return check


def _is_of_member_type(at: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        wanted = op.result.members[0] if op.result is not None else None
        if type_ is None or wanted is None or type_.id == wanted.id:
            return None
        return op.operand_fault(at, f"{op.spell(wanted)} to match the members of the result type")

    return check


_EXTENDED: dict[int, tuple[Check, ...]] = {
    name: (_has_two_members, _members_are(kind), _is_of_member_type(0), _is_of_member_type(1))
    for name, kind in {
        spv.OpIAddCarry: UINTS,
        spv.OpISubBorrow: UINTS,
        spv.OpUMulExtended: UINTS,
        spv.OpSMulExtended: INTS,
    }.items()
}


@instruction_rule("computation/extended-result-is-pair", *_EXTENDED, section=sections.ARITHMETIC_INSTRUCTIONS)
def extended_result_is_pair(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of extended arithmetic must be a structure of two members with the operands' type.

    The two members receive the low and the high bits of a product, or the result and its carry or borrow. With another result type
    one of them may have no place. For OpIAddCarry, OpISubBorrow and OpUMulExtended, members and operands are scalars or vectors of
    unsigned integers; for OpSMulExtended they may also be signed. Both members and both operands must have the same type.
    """
    return first_fault(Operation(inst, context), _EXTENDED[inst.opcode.value])


@instruction_rule(
    "computation/signed-division-does-not-overflow",
    *_SIGNED_DIVISIONS,
    section=sections.ARITHMETIC_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def signed_division_does_not_overflow(inst: Instruction, context: RuleContext) -> Findings:
    """The most negative value of a signed type must not be divided by -1.

    The quotient is one more than the greatest value of the type. Therefore the behavior of OpSDiv is undefined, and that of OpSRem
    and OpSMod too. A device may return any value, and on a CPU the division may stop the program. With the execution mode
    ArithmeticPoisonKHR (SPV_KHR_poison_freeze), the result is poison instead, which the rule also reports.

    Operands of unsigned types are read as signed too. Only constants that cannot be specialized are checked, and not in
    OpSpecConstantOp.
    """
    from spvls.validate.checks.constant_operand import constant_integers

    module = context.module
    names = id_at(inst, OpSDiv_Operand1), id_at(inst, OpSDiv_Operand2)
    divisors = constant_integers(module, names[1])
    dividends = constant_integers(module, names[0]) if divisors else ()
    wide = min(width(result), WIDEST) if (result := module.type(inst.type)) is not None else 0
    mask = (1 << wide) - 1
    for dividend, divisor in zip(dividends, divisors, strict=False):
        if wide and dividend & mask == 1 << wide - 1 and divisor & mask == mask:
            message = f"{inst.opcode.name} divides {-(1 << wide - 1)}, the most negative {wide}-bit integer, by -1"
            is_poison = ExecutionMode.ArithmeticPoisonKHR in module.declarations.set_modes
            gives = "the result is poison" if is_poison else "the behavior is undefined"
            yield Finding(inst, OpSDiv_Operand2, f"{message}; {gives}")
            return


@instruction_rule(
    "computation/remainder-operands-are-not-negative",
    spv.OpSRem,
    spv.OpSMod,
    section=sections.ARITHMETIC_INSTRUCTIONS,
    severity=Severity.WARNING,
    apis="vulkan",
)
def remainder_operands_are_not_negative(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan without maintenance8, the operands of OpSRem and OpSMod must not be negative.

    Where an operand is negative, Vulkan leaves the result undefined (it is poison), so devices may return different remainders.
    With the feature maintenance8 the result is as SPIR-V defines it; the rule does not know whether the feature is enabled. Only
    constants of signed types that cannot be specialized are checked, also in an OpConstantComposite. The operations in
    OpSpecConstantOp are not checked.
    """
    module = context.module
    for operand_index, operand in enumerate(inst.operands):
        definition = module.definition(operand) if isinstance(operand, str) else None
        if definition is None:
            continue
        composite = definition.opcode.value == spv.OpConstantComposite
        for part in definition.operands if composite else (operand,):
            if (number := module.integer(part)) is not None and number < 0:
                subject = f"Operand {operand_index + 1} (%{operand!s}) {'has a component' if composite else 'is'} {number}"
                why = f"in Vulkan, the result of {inst.opcode.name} is undefined if an operand is negative"
                why += ", unless the feature maintenance8 is enabled"
                yield Finding(inst, operand_index, f"{subject}; {why}")
                return
