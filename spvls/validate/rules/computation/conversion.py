"""Conversions between numbers (SPIR-V 3.3.11)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Capability, Decoration
from spvls.grammar.operand_index import OpFConvert_FloatValue, OpQuantizeToF16_Value
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.checks.cooperative import TRANSPOSES, difference
from spvls.validate.checks.kinds import (
    COOPERATIVE,
    INT,
    INTS,
    MICROSCALING,
    SCALARS_AND_VECTORS,
    Kind,
    bits_wide,
    capabilities_to_compute,
    dimension,
    width,
)
from spvls.validate.checks.operation import (
    Check,
    Operation,
    first_fault,
    has_count_of_result,
    is_result_type,
    operand_is,
    result_is,
)
from spvls.validate.checks.wording import only_stored
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.declare import every_capability_fix

_SHAPES = f"{SCALARS_AND_VECTORS} {COOPERATIVE}"
_INTS = Kind("an integer scalar, vector or cooperative matrix", "Int", _SHAPES)
_UINTS = Kind("an unsigned integer scalar, vector or cooperative matrix", "Int", _SHAPES, signed=False)
_FLOATS = Kind("a float scalar, vector or cooperative matrix", "Float", _SHAPES)
_FLOATS_32 = Kind("a 32-bit float scalar or vector", "Float", SCALARS_AND_VECTORS, width=32)
_NUMBERS = Kind("an integer, a float, or a vector of either", "Int Float", SCALARS_AND_VECTORS)


def _shape_of_result(op: Operation) -> Finding | None:
    """As many components as the result; for cooperative matrices the same scope, rows, columns and use."""
    type_, result = op.type(0), op.result
    if type_ is None or result is None:
        return None
    if type_.is_cooperative_matrix or result.is_cooperative_matrix:
        decorated = op.inst.result is not None and op.module.has_decoration(
            op.inst.result, Decoration.CooperativeMatrixTransposeEXT
        )
        why = difference(op.module, result, type_, conversion=True, transposed=TRANSPOSES if decorated else "")
        return None if why is None else op.fault(0, f"{op.subject(0)} {why}")
    if result.kind != type_.kind and spv.OpTypeVectorIdEXT in (result.kind, type_.kind):
        declared = f"a type declared by {tables.opcode_name(result.kind)}"
        expected = f"{declared} to match the result type {op.spell(result)}"
        return op.operand_fault(0, expected, have=tables.opcode_name(type_.kind))
    have, want = dimension(op.module, type_), dimension(op.module, result)
    if have == want or not have or not want:
        return None
    return _COUNT_OF_RESULT(op)


_COUNT_OF_RESULT = has_count_of_result(0)


def _keeps(op: Operation, at: int, what: str) -> Finding:
    types = f"{op.subject(at)} is {op.spell(op.type(at))} and the result type is {op.spell(op.result)}"
    return op.fault(at, f"{types}, but {op.name} must change the {what}")


def _of_other_width(op: Operation) -> Finding | None:
    type_, result = op.type(0), op.result
    if type_ is None or result is None or width(type_) != width(result):
        return None
    return _keeps(op, 0, "width")


def _of_other_components(op: Operation) -> Finding | None:
    type_, result = op.type(OpFConvert_FloatValue), op.result
    have, want = type_.scalar if type_ else None, result.scalar if result else None
    if have is None or want is None or have.id != want.id:
        return None
    return _keeps(op, OpFConvert_FloatValue, "type of the components")


def may_change_value(op: Operation) -> Finding | None:
    """Numbers that the module may only store take part in conversions of the width alone (SPIR-V 2.16.1)."""
    if not op.module.has_capability(Capability.Shader):
        return None
    for type_, what in ((op.result, f"the result type of {op.name}"), (op.type(0), op.subject(0))):
        needed = capabilities_to_compute(op.module, type_.id) if type_ is not None else ()
        if needed:
            message = f"{what} is {op.spell(type_)}; {only_stored(needed)}"
            return op.fault(OPCODE, message, every_capability_fix(op.module, needed))
    return None


def _microscaling(op: Operation, at: int) -> bool:
    type_ = op.result if at == TYPE else op.type(at)
    return type_ is not None and not MICROSCALING.isdisjoint(op.module.contents(type_.id))


def _no_microscaling(op: Operation) -> Finding | None:
    if op.module.environment.api != "vulkan":
        return None
    for at in (TYPE, 0):
        if _microscaling(op, at):
            type_ = op.result if at == TYPE else op.type(at)
            what = "the result type" if at == TYPE else op.subject(at)
            verb = "convert to" if at == TYPE else "convert"
            message = f"{op.name} must not {verb} microscaling floats in Vulkan; {what} is {op.spell(type_)}"
            return op.fault(at, message, (), "VUID-StandaloneSpirv-OpConvertFToU-12465")
    return None


def _gives_no_microscaling(op: Operation) -> Finding | None:
    if op.module.environment.api != "vulkan" or not _microscaling(op, TYPE):
        return None
    message = f"OpFConvert must not convert to microscaling floats in Vulkan; the result type is {op.spell(op.result)}"
    return op.fault(TYPE, message, (), "VUID-StandaloneSpirv-OpFConvert-12466")


def _changes_value(result: Kind, operand: Kind) -> tuple[Check, ...]:
    return result_is(result), operand_is(0, operand), _shape_of_result, may_change_value, _no_microscaling


def _changes_width(kind: Kind, result: Kind, differs: Check) -> tuple[Check, ...]:
    return result_is(result), operand_is(0, kind), _shape_of_result, differs


_SATURATED = (result_is(INTS), operand_is(0, INTS), has_count_of_result(0))

_CONVERSIONS: dict[int, tuple[Check, ...]] = {
    spv.OpConvertFToU: _changes_value(_UINTS, _FLOATS),
    spv.OpConvertFToS: _changes_value(_INTS, _FLOATS),
    spv.OpConvertSToF: _changes_value(_FLOATS, _INTS),
    spv.OpConvertUToF: _changes_value(_FLOATS, _INTS),
    spv.OpUConvert: _changes_width(_INTS, _UINTS, _of_other_width),
    spv.OpSConvert: _changes_width(_INTS, _INTS, _of_other_width),
    spv.OpFConvert: (*_changes_width(_FLOATS, _FLOATS, _of_other_components), _gives_no_microscaling),
    spv.OpQuantizeToF16: (result_is(_FLOATS_32), is_result_type(OpQuantizeToF16_Value, retype=True)),
    spv.OpSatConvertSToU: _SATURATED,
    spv.OpSatConvertUToS: _SATURATED,
}

_IN_CONSTANTS = frozenset(
    {
        spv.OpConvertFToU, spv.OpConvertFToS, spv.OpConvertSToF, spv.OpConvertUToF, spv.OpUConvert, spv.OpSConvert, spv.OpFConvert,
    }
)  # fmt: skip


@instruction_rule(
    "computation/conversion-types-match", *_CONVERSIONS, spv.OpSpecConstantOp, section=sections.CONVERSION_INSTRUCTIONS
)
def conversion_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """The operand and result type of a conversion must be of kinds and shapes that its opcode takes.

    A conversion such as OpConvertFToS reads each component of its operand as one kind of number and writes another. A device that
    reads a float as an integer computes with another number. Operand and result must have the same number of components.

    Checked are OpConvertFToU, OpConvertFToS, OpConvertSToF, OpConvertUToF, OpUConvert, OpSConvert, OpFConvert, OpQuantizeToF16,
    OpSatConvertSToU and OpSatConvertUToS. The result type of OpConvertFToU and OpUConvert must be unsigned; other integers may have
    either signedness.

    OpUConvert and OpSConvert must change the width, and OpFConvert the type of the components; otherwise there is nothing to
    convert. OpQuantizeToF16 keeps the type, which must be 32-bit floats. As in spirv-val, an OpTypeVectorIdEXT may only be
    converted to and from another, except by the saturating conversions. With Shader, 8- and 16-bit integers and 16-bit IEEE 754
    floats must not be converted between integers and floats without their capability (Int8, Int16 or Float16). In Vulkan, of these
    instructions only OpFConvert may read microscaling floats (SPV_EXT_ocp_microscaling_types), and none may write them.

    Cooperative matrices (SPV_KHR_cooperative_matrix) must have the same shape, scope and use. CooperativeMatrixConversionsNV
    (SPV_NV_cooperative_matrix2) and CooperativeMatrixConversionsEXT permit some changes of the use, and for a result decorated with
    CooperativeMatrixTransposeEXT rows and columns are swapped. OpQuantizeToF16 and the saturating conversions do not take matrices.

    In OpSpecConstantOp, this rule checks the conversions from OpConvertFToU to OpFConvert in this list, and
    `constant/spec-operation-is-valid` checks OpQuantizeToF16.
    """
    op = Operation(inst, context)
    if inst.opcode is op.opcode or op.code in _IN_CONSTANTS:
        yield from first_fault(op, _CONVERSIONS.get(op.code, ()))


EXTRACTED = frozenset({"Float6E2M3EXT", "Float6E3M2EXT", "Float4E2M1EXT"})


def _gives_small_float(op: Operation) -> Finding | None:
    if op.module.environment.api != "vulkan" or op.result is None:
        return None
    if op.result.is_float and not EXTRACTED.isdisjoint(op.module.contents(op.result.id)):
        return None
    message = f"the result type of {op.name} is {op.spell(op.result)}, expected a 4- or 6-bit float scalar in Vulkan"
    return op.fault(TYPE, message, (), "VUID-StandaloneSpirv-Result-12468")


def _takes_integers(op: Operation) -> Finding | None:
    type_ = op.type(0)
    if op.module.environment.api != "vulkan" or type_ is None or INTS.holds(type_):
        return None
    message = f"{op.subject(0)} is {op.spell(type_)}, expected an integer scalar or vector in Vulkan"
    return op.fault(0, message, (), "VUID-StandaloneSpirv-Base-12469")


def _is_wider(op: Operation) -> Finding | None:
    type_, result = op.type(0), op.result
    if type_ is None or result is None or width(type_) > width(result):
        return None
    expected = f"more than the {width(result)} bits of the result type {op.spell(result)}"
    return op.operand_fault(0, expected, have=bits_wide(type_))


_BITCAST_EXTRACT: tuple[Check, ...] = (
    result_is(_NUMBERS),
    _gives_small_float,
    operand_is(0, _NUMBERS),
    _takes_integers,
    has_count_of_result(0),
    _is_wider,
    operand_is(1, INT),
)


@instruction_rule("computation/bitcast-extract-types-match", spv.OpBitcastExtractEXT, section=sections.CONVERSION_INSTRUCTIONS)
def bitcast_extract_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """The Base of OpBitcastExtractEXT must have more bits per component than the result type.

    The instruction takes a bit field out of each component of Base and reads it as a number of the result type. In a component that
    is not wider there is no field to choose by Offset. Base and the result must be scalars or vectors of integers or floats with
    the same number of components. Offset must be an integer scalar, because it applies to all components. In Vulkan, Base must be
    of integers, and the result a 4- or 6-bit float scalar; the rule also reports vectors of such floats, which spirv-val accepts.
    """
    return first_fault(Operation(inst, context), _BITCAST_EXTRACT)
