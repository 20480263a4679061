"""Dot products of integers, and of small floats into wider ones (SPIR-V 3.3.13, SPV_VALVE_mixed_float_dot_product)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import (
    OpFDot2MixAcc16VALVE_Accumulator,
    OpFDot2MixAcc16VALVE_Vector1,
    OpFDot2MixAcc32VALVE_Accumulator,
    OpFDot2MixAcc32VALVE_Vector1,
    OpFDot2MixAcc32VALVE_Vector2,
    OpFDot4MixAcc32VALVE_Accumulator,
    OpSDot_Vector1,
    OpSDot_Vector2,
)
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.kinds import INT, UINT, VECTOR, VECTORS, AnyKind, Kind, dimension
from spvls.validate.checks.operation import (
    Check,
    Operation,
    counted,
    first_fault,
    is_result_type,
    is_type_of,
    operand_is,
    result_is,
)
from spvls.validate.engine.finding import Append, Finding, FindingFix
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_VECTOR_OR_WORD = "a vector of integers or a 32-bit integer with four packed components"
_INT_VECTOR = Kind("a vector of integers", "Int", VECTORS)
_UINT_VECTOR = Kind("a vector of unsigned integers", "Int", VECTORS, signed=False)


def _is_packed(type_: Type) -> bool:
    return type_.is_int and type_.width == 32


def _inputs(op: Operation) -> Finding | None:
    first, second = op.type(OpSDot_Vector1), op.type(OpSDot_Vector2)
    if first is None or second is None or not op.module.has_capability(Capability.DotProduct):
        return None
    for at, type_ in ((0, first), (1, second)):
        if not _is_packed(type_) and not VECTOR.holds(type_):
            return op.operand_fault(at, _VECTOR_OR_WORD)
    if _is_packed(first) != _is_packed(second):
        return op.operand_fault(OpSDot_Vector2, f"{op.spell(first)} to match {op.subject(OpSDot_Vector1)}")
    return _packed(op) if _is_packed(first) else _vectors(op, first, second)


def _packed(op: Operation) -> Finding | None:
    if not op.module.has_capability(Capability.DotProductInput4x8BitPacked):
        return op.operand_fault(OpSDot_Vector1, "a vector; packed integers require the capability DotProductInput4x8BitPacked")
    if op.result is not None and op.result.width < 8:
        return op.result_fault("at least 8 bits, the width of the packed components", have=f"{op.result.width} bits")
    if len(op.operands) != (4 if op.code in _ACCUMULATING else 3):
        fix = FindingFix("Add PackedVectorFormat4x8Bit", (Append(op.inst, "PackedVectorFormat4x8Bit"),))
        message = f"{op.name} of 32-bit integer scalars requires the operand Packed Vector Format; add PackedVectorFormat4x8Bit"
        return op.fault(OPCODE, message, (fix,))
    return None


def _needs(op: Operation, at: int, what: str) -> Finding:
    return op.fault(at, f"{op.subject(at)} is {op.spell(op.type(at))}, for which {op.name} requires {what}")


def _vectors(op: Operation, first: Type, second: Type) -> Finding | None:
    module = op.module
    size, other = dimension(module, first), dimension(module, second)
    if size and other and size != other:
        expected = f"{counted(size)} to match {op.subject(OpSDot_Vector1)}"
        return op.operand_fault(OpSDot_Vector2, expected, have=counted(other))
    for at, type_ in ((0, first), (1, second)):
        if not _INT_VECTOR.holds(type_):
            return op.operand_fault(at, _INT_VECTOR.name)
    component, other_component = first.element, second.element
    if component is None or other_component is None:
        return None
    if component.width != other_component.width:
        expected = f"{component.width} bits to match {op.subject(OpSDot_Vector1)}"
        return op.operand_fault(OpSDot_Vector2, expected, have=f"{other_component.width} bits per component")
    if op.result is not None and op.result.width < component.width:
        expected = f"at least {component.width} bits, the width of the components of the vectors"
        return op.result_fault(expected, have=f"{op.result.width} bits")
    if module.has_capability(Capability.DotProductInputAll):
        return None
    if size == 4 and component.width == 8:
        if not module.has_capability(Capability.DotProductInput4x8Bit):
            return _needs(op, OpSDot_Vector1, "the capability DotProductInput4x8Bit or DotProductInputAll")
        return None
    return _needs(op, OpSDot_Vector1, "the capability DotProductInputAll")


def _unsigned_vector(at: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        if type_ is None or _is_packed(type_) or _UINT_VECTOR.holds(type_):
            return None
        return op.operand_fault(at, _UINT_VECTOR.name)

    return check


def _row(result: AnyKind, unsigned: tuple[int, ...], accumulates: bool) -> tuple[Check, ...]:
    accumulator = (is_result_type(2),) if accumulates else ()
    return (result_is(result), *accumulator, _inputs, *(_unsigned_vector(at) for at in unsigned))


_PRODUCTS: dict[int, tuple[Check, ...]] = {
    spv.OpSDot: _row(INT, (), accumulates=False),
    spv.OpSDotAccSat: _row(INT, (), accumulates=True),
    spv.OpUDot: _row(UINT, (0, 1), accumulates=False),
    spv.OpUDotAccSat: _row(UINT, (0, 1), accumulates=True),
    spv.OpSUDot: _row(INT, (1,), accumulates=False),
    spv.OpSUDotAccSat: _row(INT, (1,), accumulates=True),
}
_ACCUMULATING = frozenset({spv.OpSDotAccSat, spv.OpUDotAccSat, spv.OpSUDotAccSat})


@instruction_rule("computation/dot-product-inputs-match", *_PRODUCTS, section=sections.ARITHMETIC_INSTRUCTIONS)
def dot_product_inputs_match(inst: Instruction, context: RuleContext) -> Findings:
    """The vectors of an integer dot product must match in shape, and packed ones must have a format.

    The components are multiplied in pairs, so both vectors must have equally many, of the same width. Both inputs may also be
    32-bit integers into which four 8-bit integers are packed. The operand Packed Vector Format must then say so.

    OpSDot, OpUDot, OpSUDot and their forms with AccSat are checked, which are of SPIR-V 1.6 and SPV_KHR_integer_dot_product. The
    result must be an integer at least as wide as the components, and an accumulator must have the result type. The result of OpUDot
    must be unsigned, and so must its inputs and Vector 2 of OpSUDot unless they are packed; the same is true with AccSat. Packed
    inputs require DotProductInput4x8BitPacked, others DotProductInputAll, or DotProductInput4x8Bit for four 8-bit integers.
    Numbers of components that can be specialized are not compared. That both inputs of OpSDot and OpUDot, also with AccSat, have
    the same type is checked by `computation/dot-product-inputs-share-type`.

    Most of this is only checked with the capability DotProduct, without which `capability/uses-are-enabled` reports the
    instruction. `computation/mixed-dot-product-types-match` and `computation/product-sizes-match` check dot products of floats.
    """
    return first_fault(Operation(inst, context), _PRODUCTS[inst.opcode.value])


_ALIKE = (spv.OpSDot, spv.OpSDotAccSat, spv.OpUDot, spv.OpUDotAccSat)


@instruction_rule(
    "computation/dot-product-inputs-share-type",
    *_ALIKE,
    section=sections.ARITHMETIC_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(dot_product_inputs_match,),
)
def dot_product_inputs_share_type(inst: Instruction, context: RuleContext) -> Findings:
    """The two inputs of OpSDot and OpUDot must have the same type.

    The opcode, not the type, says how components are read: OpSDot reads both inputs as signed, OpUDot both as unsigned, and so do
    their forms with AccSat, which are also checked. A large unsigned value becomes negative in OpSDot, a negative one large in
    OpUDot. Use OpSUDot for a signed Vector 1 and an unsigned Vector 2.

    A warning, because spirv-val permits inputs that differ in signedness (for OpUDot and OpUDotAccSat, only packed ones).
    """
    yield from first_fault(Operation(inst, context), (is_type_of(OpSDot_Vector2, 0),))


def _floats(at: int, bits: int) -> Check:
    return operand_is(at, Kind(f"a vector of {bits}-bit floats", "Float", VECTORS, width=bits))


def _sizes(count: int) -> Check:
    def check(op: Operation) -> Finding | None:
        sizes = [
            dimension(op.module, type_) if type_ is not None else 0
            for type_ in (op.type(OpFDot2MixAcc32VALVE_Vector1), op.type(OpFDot2MixAcc32VALVE_Vector2))
        ]
        if 0 in sizes or count in sizes:
            return None
        return op.operand_fault(OpFDot2MixAcc32VALVE_Vector1, counted(count), have=counted(sizes[0]))

    return check


def _is_brain_float(type_: Type | None) -> bool:
    scalar = type_.scalar if type_ is not None else None
    return scalar is not None and scalar.encoding is not None


def _one_encoding(op: Operation) -> Finding | None:
    first, second = op.type(OpFDot2MixAcc32VALVE_Vector1), op.type(OpFDot2MixAcc32VALVE_Vector2)
    if first is None or second is None or _is_brain_float(first) == _is_brain_float(second):
        return None
    return op.operand_fault(
        OpFDot2MixAcc32VALVE_Vector2, f"a vector of {op.spell(first.scalar)} to match {op.subject(OpFDot2MixAcc32VALVE_Vector1)}"
    )


def _takes(half: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_ = op.type(OpFDot2MixAcc32VALVE_Vector1)
        if type_ is None:
            return None
        wanted = Capability.DotProductBFloat16AccVALVE if _is_brain_float(type_) else half
        if op.module.has_capability(wanted):
            return None
        return _needs(op, OpFDot2MixAcc32VALVE_Vector1, f"the capability {capability_name(wanted)}")

    return check


def _result_encoding(op: Operation) -> Finding | None:
    type_ = op.type(OpFDot2MixAcc16VALVE_Vector1)
    if type_ is None or op.result is None or _is_brain_float(type_) == _is_brain_float(op.result):
        return None
    given = f"{op.subject(OpFDot2MixAcc16VALVE_Vector1)}, which is {op.spell(type_)}"
    return op.result_fault(f"{op.spell(type_.scalar)} to match {given}")


_GIVES_32 = Kind("a 32-bit float scalar", "Float", width=32)
_GIVES_16 = Kind("a 16-bit float scalar", "Float", width=16)
_TWO_VECTORS = (operand_is(0, VECTOR), operand_is(1, VECTOR))

_MIXED: dict[int, tuple[Check, ...]] = {
    spv.OpFDot2MixAcc32VALVE: (
        result_is(_GIVES_32), *_TWO_VECTORS, _sizes(2), _floats(0, 16), _floats(1, 16), _one_encoding,
        _takes(Capability.DotProductFloat16AccFloat32VALVE), is_result_type(OpFDot2MixAcc32VALVE_Accumulator),
    ),
    spv.OpFDot2MixAcc16VALVE: (
        *_TWO_VECTORS, _sizes(2), _floats(0, 16), _floats(1, 16), _one_encoding,
        _takes(Capability.DotProductFloat16AccFloat16VALVE), result_is(_GIVES_16), _result_encoding,
        is_result_type(OpFDot2MixAcc16VALVE_Accumulator),
    ),
    spv.OpFDot4MixAcc32VALVE: (
        result_is(_GIVES_32), *_TWO_VECTORS, _sizes(4), _floats(0, 8), _floats(1, 8),
        is_result_type(OpFDot4MixAcc32VALVE_Accumulator),
    ),
}  # fmt: skip


@instruction_rule("computation/mixed-dot-product-types-match", *_MIXED, section=sections.RESERVED_INSTRUCTIONS)
def mixed_dot_product_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """A mixed dot product must have two vectors of small floats, and an accumulator of the result type.

    The instruction multiplies the small floats in pairs and adds the products to the Accumulator. For other types and sizes a
    device may have no such instruction.

    OpFDot2MixAcc32VALVE and OpFDot2MixAcc16VALVE need vectors of two 16-bit floats, both IEEE 754 or both bfloat16;
    OpFDot4MixAcc32VALVE needs vectors of four 8-bit floats, whose encodings are not checked. Like spirv-val, the rule reports a
    wrong number of components only if both vectors have a wrong one. The result must be a 32-bit float, or for OpFDot2MixAcc16VALVE
    a 16-bit float with the encoding of the vectors.

    Bfloat16 requires the capability DotProductBFloat16AccVALVE. IEEE 754 floats require DotProductFloat16AccFloat32VALVE in
    OpFDot2MixAcc32VALVE, and DotProductFloat16AccFloat16VALVE in OpFDot2MixAcc16VALVE.
    """
    return first_fault(Operation(inst, context), _MIXED[inst.opcode.value])
