"""Floats of other encodings than IEEE 754 (SPIR-V 3.2.49), which few instructions compute with."""

from __future__ import annotations

from spvls.grammar import sections, spv, traits
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.kinds import MICROSCALING
from spvls.validate.checks.operation import Operation
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_FP8 = frozenset({"Float8E4M3EXT", "Float8E5M2EXT"})
_ALL = MICROSCALING | _FP8 | {"BFloat16KHR"}


_COMPARED = traits.opcodes(
    "IsNan IsInf IsFinite IsNormal FOrdEqual FUnordEqual FOrdNotEqual FUnordNotEqual FOrdLessThan FUnordLessThan "
    "FOrdGreaterThan FUnordGreaterThan FOrdLessThanEqual FUnordLessThanEqual FOrdGreaterThanEqual FUnordGreaterThanEqual "
    "LessOrGreater Ordered Unordered SignBitSet"
)
_ARITHMETIC = traits.opcodes("FNegate FAdd FSub FMul FDiv FRem FMod VectorTimesScalar")
_GROUP = traits.opcodes(
    "RotateKHR Broadcast Shuffle ShuffleXor ShuffleUp ShuffleDown QuadBroadcast QuadSwap BroadcastFirst FAdd FMul FMin",
    "OpGroupNonUniform",
)
_ATOMIC = traits.opcodes("FAddEXT FMinEXT FMaxEXT Load Exchange Store", "OpAtomic")
_RESULTS = (
    *_ARITHMETIC,
    *traits.opcodes("FmaKHR MatrixTimesScalar VectorTimesMatrix MatrixTimesVector MatrixTimesMatrix OuterProduct"),
    *traits.DERIVATIVES,
    *_ATOMIC,
    *_GROUP,
)
_OF_ONE_VALUE = frozenset({spv.OpFNegate, *traits.DERIVATIVES, *_GROUP})

_PLACES: dict[int, tuple[int, ...]] = {
    **dict.fromkeys(_RESULTS, (TYPE,)),
    **dict.fromkeys(_COMPARED, (0,)),
    spv.OpCooperativeMatrixMulAddNV: (TYPE, 0, 1, 2),
    spv.OpDot: (TYPE,),
    spv.OpAtomicStore: (3,),
    spv.OpGroupNonUniformAllEqual: (1,),
}
"""Where each opcode has the type that is looked at; TYPE for the result type."""


def _refused(module: Module, opcode: int, type_: Type) -> str | None:
    """The encoding among the components of a type that an opcode does not work on."""
    scalar = type_.scalar
    if scalar is None or scalar.encoding is None:
        return None
    found = _ALL & module.contents(scalar.id)
    if "BFloat16KHR" in found and opcode == spv.OpDot:
        return None
    if opcode == spv.OpAtomicStore and not type_.is_vector:
        found &= MICROSCALING
    return next(iter(found), None)


@instruction_rule("computation/encoded-floats-are-not-computed", *_PLACES, section=sections.UNIVERSAL_VALIDATION_RULES)
def encoded_floats_are_not_computed(inst: Instruction, context: RuleContext) -> Findings:
    """Floats with another encoding than IEEE 754 must not be computed with, with few exceptions.

    The extensions that bring bfloat16 (SPV_KHR_bfloat16), 8-bit (SPV_EXT_float8) and microscaling floats
    (SPV_EXT_ocp_microscaling_types) give them hardly any arithmetic, comparisons, derivatives, atomic or group instructions. A
    driver may read the bits by another encoding, as another number. Convert the value with OpFConvert before computing; for atomic
    instructions, use memory of another type.

    The rule checks the arithmetic instructions of core SPIR-V and OpFmaKHR on floats, vectors and matrices, also cooperative ones,
    comparisons and tests of floats, derivatives, OpCooperativeMatrixMulAddNV, and some atomic and group instructions, such as
    OpAtomicExchange and OpGroupNonUniformFAdd.

    OpDot is permitted with bfloat16, where `computation/product-sizes-match` requires BFloat16DotProductKHR. OpAtomicStore of a
    scalar of SPV_KHR_bfloat16 or SPV_EXT_float8 is not reported, as in spirv-val. Other instructions are not checked here, such as
    the dot products of SPV_VALVE_mixed_float_dot_product, OpCooperativeMatrixMulAddKHR and extended instructions.
    """
    op = Operation(inst, context)
    for operand_index in _PLACES[inst.opcode.value]:
        type_ = op.result if operand_index == TYPE else op.type(operand_index)
        if type_ is not None and _refused(context.module, op.code, type_) is not None:
            what = f"the result type of {op.name}" if operand_index == TYPE else op.subject(operand_index)
            several = op.code not in _OF_ONE_VALUE if operand_index == TYPE else operand_index == 0 and len(op.operands) > 1
            converted = "operands" if several else "operand"
            message = f"{what} is {op.spell(type_)}, for which {op.name} is not defined"
            if op.code not in _ATOMIC:  # the value in memory keeps its type
                message += f"; convert the {converted} with OpFConvert first"
            yield Finding(inst, operand_index, message)
            return
