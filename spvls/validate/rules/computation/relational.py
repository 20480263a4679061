"""Relational and logical instructions (SPIR-V 3.3.15)."""

from __future__ import annotations

from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import AddressingModel, Capability, StorageClass
from spvls.grammar.operand_index import OpLogicalNot_Operand
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.kinds import BOOL, BOOL_VECTOR, BOOLS, FLOATS, INTS, bits_wide, dimension, width
from spvls.validate.checks.operation import (
    Check,
    Operation,
    count_fault,
    first_fault,
    has_count_of_result,
    is_result_type,
    is_type_of,
    operand_is,
    result_is,
)
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import declared

_LOGICAL_ADDRESSING = AddressingModel.Logical


def _as_wide(at: int, other: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_, wanted = op.type(at), op.type(other)
        if type_ is None or wanted is None or width(type_) == width(wanted):
            return None
        expected = f"{width(wanted)} bits to match {op.subject(other)}"
        return op.operand_fault(at, expected, have=bits_wide(type_))

    return check


def _is_truth(op: Operation) -> Finding | None:
    """The result is a Boolean, or a vector of Booleans; made to fit the first operand where that type is declared."""
    if op.result is None or BOOLS.holds(op.result):
        return None
    operand, bool_ = op.type(0), declared(op.module, spv.OpTypeBool)
    fitting = None
    if operand is not None and bool_ is not None:
        count = dimension(op.module, operand)
        fitting = bool_ if count == 1 else declared(op.module, spv.OpTypeVector, bool_.id, count)
    return op.result_fault(BOOLS.name, op.retype(fitting) if fitting is not None else ())


_REDUCTION = (result_is(BOOL), operand_is(0, BOOL_VECTOR))
_FLOAT_TEST = (_is_truth, operand_is(0, FLOATS), has_count_of_result(0))
_FLOAT_COMPARISON = (*_FLOAT_TEST, is_type_of(1, 0))
_INTEGER_COMPARISON = (
    _is_truth,
    operand_is(0, INTS),
    has_count_of_result(0),
    operand_is(1, INTS),
    has_count_of_result(1),
    _as_wide(1, 0),
)
_LOGIC = (result_is(BOOLS), is_result_type(0), is_result_type(1))


def _rows(checks: tuple[Check, ...], names: str) -> dict[int, tuple[Check, ...]]:
    return dict.fromkeys(traits.opcodes(names), checks)


_COMPARISONS: dict[int, tuple[Check, ...]] = {
    **_rows(_FLOAT_TEST, "IsNan IsInf IsFinite IsNormal SignBitSet"),
    **_rows(
        _FLOAT_COMPARISON,
        "FOrdEqual FUnordEqual FOrdNotEqual FUnordNotEqual FOrdLessThan FUnordLessThan FOrdGreaterThan FUnordGreaterThan "
        "FOrdLessThanEqual FUnordLessThanEqual FOrdGreaterThanEqual FUnordGreaterThanEqual LessOrGreater Ordered Unordered",
    ),
    **_rows(
        _INTEGER_COMPARISON,
        "IEqual INotEqual UGreaterThan UGreaterThanEqual ULessThan ULessThanEqual SGreaterThan SGreaterThanEqual "
        "SLessThan SLessThanEqual",
    ),
}

_LOGICAL: dict[int, tuple[Check, ...]] = {
    **_rows(_REDUCTION, "Any All"),
    **_rows(_LOGIC, "LogicalEqual LogicalNotEqual LogicalOr LogicalAnd"),
    spv.OpLogicalNot: (result_is(BOOLS), is_result_type(OpLogicalNot_Operand, retype=True)),
}


@instruction_rule("computation/compared-operands-match", *_COMPARISONS, section=sections.RELATIONAL_AND_LOGICAL_INSTRUCTIONS)
def compared_operands_match(inst: Instruction, context: RuleContext) -> Findings:
    """The operands of a comparison must match, and its result must be one Boolean for each component.

    Components are compared in pairs, without conversion. With another number of components, some results have nothing to compare.

    Comparisons and tests of floats, such as OpFOrdEqual and OpIsNan, require scalars or vectors of floats. Both operands must have
    the same type. Comparisons of integers, such as OpIEqual and OpSLessThan, require scalars or vectors of integers of the same
    width; their types may differ in signedness, because the opcode says how they are read.

    For floats such as bfloat16 see `computation/encoded-floats-are-not-computed`. OpLogicalEqual and OpLogicalNotEqual are checked
    by `computation/logical-operands-are-bool`. OpPtrEqual, OpPtrNotEqual and OpPtrDiff are not checked here. Operations in
    OpSpecConstantOp are checked by `constant/spec-operation-is-valid`.
    """
    return first_fault(Operation(inst, context), _COMPARISONS[inst.opcode.value])


@instruction_rule("computation/logical-operands-are-bool", *_LOGICAL, section=sections.RELATIONAL_AND_LOGICAL_INSTRUCTIONS)
def logical_operands_are_bool(inst: Instruction, context: RuleContext) -> Findings:
    """The operands and the result type of a logical instruction must be Booleans or vectors of Booleans.

    OpTypeBool has no defined bit pattern, so these instructions cannot be applied to integers: a device may represent true as 1, as
    all bits set, or as a bit of a mask. OpAny and OpAll reduce a vector to one Boolean, so their operand must be a vector and their
    result type a scalar. The operands of OpLogicalEqual, OpLogicalNotEqual, OpLogicalOr, OpLogicalAnd and OpLogicalNot must have
    the result type. Use bitwise instructions for integers. OpSelect is checked by `computation/selected-types-match`. Operations in
    OpSpecConstantOp are checked by `constant/spec-operation-is-valid`. A fix is only offered for OpLogicalNot, if its operand and
    result type are Booleans or vectors of Booleans that differ in the number of components.
    """
    return first_fault(Operation(inst, context), _LOGICAL[inst.opcode.value])


def _selects(op: Operation) -> Finding | None:
    result = op.result
    if result is None:
        return None
    module = op.module
    from_1_4 = module.version >= (1, 4)
    match result.kind:
        case spv.OpTypeBool | spv.OpTypeInt | spv.OpTypeFloat | spv.OpTypeVector | spv.OpTypeVectorIdEXT:
            return None
        case spv.OpTypePointer | spv.OpTypeUntypedPointerKHR:
            if module.addressing_model != _LOGICAL_ADDRESSING or module.has_capability(Capability.VariablePointersStorageBuffer):
                return None
            if result.storage != StorageClass.PhysicalStorageBuffer and not op.context.options.relax_logical_pointer:
                return None  # the rule on logical pointers says it
            why = "this requires the addressing model PhysicalStorageBuffer64, but the addressing model is Logical"
            if result.storage != StorageClass.PhysicalStorageBuffer:
                why = "with logical addressing, this requires the capability VariablePointersStorageBuffer or VariablePointers"
            return op.fault(TYPE, f"the result type of OpSelect is {op.spell(result)}; {why}")
        case spv.OpTypeImage | spv.OpTypeSampler | spv.OpTypeSampledImage:
            if module.has_capability(Capability.BindlessTextureNV):
                return None
            message = f"OpSelect with the result type {op.spell(result)} requires the capability BindlessTextureNV"
            return op.fault(TYPE, message)
        case spv.OpTypeArray | spv.OpTypeMatrix | spv.OpTypeStruct if from_1_4:
            return None
        case spv.OpTypeArray | spv.OpTypeMatrix | spv.OpTypeStruct:
            return op.result_fault("a scalar or vector; other composites require SPIR-V 1.4")
    composites = "scalar, pointer, vector, matrix or structure, or an array declared by OpTypeArray"
    return op.result_fault(f"a {composites}" if from_1_4 else "a scalar or vector")


def _condition_count(op: Operation) -> Finding | None:
    condition, result = op.type(0), op.result
    if condition is None or result is None:
        return None
    wanted = dimension(op.module, result) if result.is_vector else 1
    have = dimension(op.module, condition)
    if have == wanted:
        return None
    if condition.is_bool:
        if op.module.version >= (1, 4):
            return None
        count = f"{wanted} " if wanted else ""
        return op.operand_fault(0, f"a vector of {count}Booleans; a scalar condition for a vector requires SPIR-V 1.4")
    if not result.is_vector:
        return op.operand_fault(0, f"bool, because the result type {op.spell(result)} is not a vector")
    return count_fault(op, 0, have, wanted, f"the result type {op.spell(result)}")


_SELECT = (_selects, operand_is(0, BOOLS), _condition_count, is_result_type(1), is_result_type(2))


@instruction_rule("computation/selected-types-match", spv.OpSelect, section=sections.RELATIONAL_AND_LOGICAL_INSTRUCTIONS)
def selected_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """The objects of OpSelect must have its result type, and its Condition must be Boolean.

    The result is a copy of one of the objects, without conversion, so bits of another type would be another value.

    With a vector as Condition, each component is selected on its own, so the result must be a vector with as many components. A
    scalar Condition for a vector, and matrices, arrays and structures, are permitted since SPIR-V 1.4. With the addressing model
    Logical, pointers require VariablePointersStorageBuffer or VariablePointers; for their storage classes, and in most cases for
    the missing capability, see `pointer/logical-operand-is-permitted`. Images, samplers and sampled images require
    BindlessTextureNV (SPV_NV_bindless_texture). Without these capabilities a device may have no register that could hold the
    choice. Other types, such as cooperative matrices and run-time arrays, are reported, as in spirv-val. Operations in
    OpSpecConstantOp are checked by `constant/spec-operation-is-valid`.
    """
    return first_fault(Operation(inst, context), _SELECT)
