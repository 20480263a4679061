"""Constant operands that an instruction is not defined for: the result says nothing, or the program may do anything.

The reference validator looks at none of them, and which way is taken is known when the program runs; so these are warnings.
"""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv, traits
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.constant_operand import constant_integers, out_of_range
from spvls.validate.finding import Finding
from spvls.validate.kinds import width
from spvls.validate.operand_at import id_at
from spvls.validate.rule import Findings, Scene, instruction_rule

_INDEX_AT = {spv.OpVectorExtractDynamic: 1, spv.OpVectorInsertDynamic: 2}
_SIGNED_DIVISIONS = (spv.OpSDiv, spv.OpSRem, spv.OpSMod)
_SHIFTS = (spv.OpShiftLeftLogical, spv.OpShiftRightLogical, spv.OpShiftRightArithmetic)
_FIELD_AT = {spv.OpBitFieldInsert: 2, spv.OpBitFieldSExtract: 1, spv.OpBitFieldUExtract: 1}
_COMPONENT_GATHERS = tuple(sorted(traits.GATHERS - traits.DEPTH_COMPARISONS))
_LAST_DIRECTION = 2


def _bits(number: int, type_: Type | None) -> int:
    """A number of an integer type without its sign, as instructions that ignore signedness read it."""
    wide = width(type_) if type_ is not None else 0
    return number & (1 << wide) - 1 if wide else number


@instruction_rule("opcode/vector-dynamic-index/index-range", *_INDEX_AT, section="3.3.12", severity=Severity.WARNING)
def vector_index(inst: Instruction, scene: Scene) -> Findings:
    """A constant index chooses a component that the vector has.

    Bad:  `%x = OpVectorExtractDynamic %float %vec2_value %uint_2`
    Good: `%x = OpVectorExtractDynamic %float %vec2_value %uint_1`
    """
    module = scene.module
    at = _INDEX_AT[inst.opcode.value]
    index = module.integer(id_at(inst, at))
    vector = module.type_of(id_at(inst, 0))
    if index is None or vector is None or not vector.count or 0 <= index < vector.count:
        return
    yield Finding(inst, at, f"%{id_at(inst, at)} is {index}, and {module.spell(vector)} has components 0 to {vector.count - 1}")


@instruction_rule("opcode/signed-division/signed-overflow", *_SIGNED_DIVISIONS, section="3.3.13", severity=Severity.WARNING)
def signed_overflow(inst: Instruction, scene: Scene) -> Findings:
    """The least number of a type is not divided by -1: the quotient does not fit.

    Bad:  `%q = OpSDiv %int %int_min %int_minus_1`
    Good: `%q = OpSNegate %int %x` where it is known that `%x` is greater.
    """
    module = scene.module
    names = id_at(inst, 0), id_at(inst, 1)
    divisors = constant_integers(module, names[1])
    dividends = constant_integers(module, names[0]) if divisors else ()
    wide = width(result) if (result := module.type(inst.type)) is not None else 0
    mask = (1 << wide) - 1
    for dividend, divisor in zip(dividends, divisors, strict=False):
        if wide and dividend & mask == 1 << wide - 1 and divisor & mask == mask:
            message = f"{inst.opcode.name} divides {-(1 << wide - 1)}, the least number of {wide} bits, by -1"
            yield Finding(inst, 1, f"{message}; the result is undefined")
            return


@instruction_rule("opcode/shift/shift-range", *_SHIFTS, section="3.3.14", severity=Severity.WARNING)
def shift_range(inst: Instruction, scene: Scene) -> Findings:
    """A number is shifted by less bits than it has.

    Bad:  `%y = OpShiftLeftLogical %uint %x %uint_32`
    Good: `%y = OpShiftLeftLogical %uint %x %uint_31`
    """
    module = scene.module
    name = id_at(inst, 1)
    numbers = constant_integers(module, name)
    result = module.type(inst.type) if numbers else None
    wide = width(result) if result is not None else 0
    too_far = next((number for number in numbers if not _bits(number, module.type_of(name)) < wide), None)
    if wide and too_far is not None:
        yield Finding(inst, 1, f"a number of {wide} bits is shifted by {too_far}; the result is undefined from {wide} on")


@instruction_rule("opcode/bit-field/range", *_FIELD_AT, section="3.3.14", severity=Severity.WARNING)
def field_range(inst: Instruction, scene: Scene) -> Findings:
    """A bit field lies within the number that it is taken from or put into.

    Bad:  `%f = OpBitFieldUExtract %uint %x %uint_30 %uint_3`
    Good: `%f = OpBitFieldUExtract %uint %x %uint_29 %uint_3`
    """
    module = scene.module
    at = _FIELD_AT[inst.opcode.value]
    result = module.type(inst.type)
    wide = width(result) if result is not None else 0
    if not wide:
        return
    ends = []
    for place in (at, at + 1):
        name = id_at(inst, place)
        number = module.integer(name)
        ends.append(0 if number is None else _bits(number, module.type_of(name)))
    if sum(ends) > wide:
        message = f"the field of {ends[1]} bits from bit {ends[0]} on" if ends[1] else f"a field from bit {ends[0]} on"
        yield Finding(inst, at + (not ends[0]), f"{message} goes beyond the {wide} bits of {module.spell(result)}")


@instruction_rule("opcode/OpBitCount/result-wide-enough", spv.OpBitCount, section="3.3.14", severity=Severity.WARNING)
def bit_count(inst: Instruction, scene: Scene) -> Findings:
    """The result of OpBitCount can hold the number of all bits of its base, which is a question for small integers only.

    Bad:  `%n = OpBitCount %int_of_4_bits %x` where `%x` has 64 bits.
    Good: `%n = OpBitCount %uint %x`
    """
    module = scene.module
    base, result = module.type_of(id_at(inst, 0)), module.type(inst.type)
    if base is None or result is None or not width(result) or width(base) < 1 << width(result):
        return
    yield Finding(inst, TYPE, f"up to {width(base)} bits are counted, more than {module.spell(result)} can say")


@instruction_rule(
    "opcode/image-gather-component/component-range", *_COMPONENT_GATHERS, section="3.3.10", severity=Severity.WARNING
)
def gathered_component(inst: Instruction, scene: Scene) -> Findings:
    """The component that is gathered is one of the four that a texel has.

    Bad:  `%t = OpImageGather %vec4 %sampled %uv %uint_4`
    Good: `%t = OpImageGather %vec4 %sampled %uv %uint_3`
    """
    yield from out_of_range(3, "and a texel has the components 0 to 3", inst, scene)


@instruction_rule(
    "opcode/OpGroupNonUniformQuadBroadcast/index-range",
    spv.OpGroupNonUniformQuadBroadcast,
    section="3.3.24",
    severity=Severity.WARNING,
)
def quad_index(inst: Instruction, scene: Scene) -> Findings:
    """A quad has four invocations, 0 to 3.

    Bad:  `%v = OpGroupNonUniformQuadBroadcast %float %subgroup %x %uint_4`
    Good: `%v = OpGroupNonUniformQuadBroadcast %float %subgroup %x %uint_3`
    """
    yield from out_of_range(3, "and the invocations of a quad are 0 to 3", inst, scene)


@instruction_rule(
    "opcode/OpGroupNonUniformQuadSwap/direction-value",
    spv.OpGroupNonUniformQuadSwap,
    section="3.3.24",
    severity=Severity.WARNING,
)
def quad_direction(inst: Instruction, scene: Scene) -> Findings:
    """A quad is swapped horizontally (0), vertically (1) or diagonally (2).

    Bad:  `%v = OpGroupNonUniformQuadSwap %float %subgroup %x %uint_3`
    Good: `%v = OpGroupNonUniformQuadSwap %float %subgroup %x %uint_2`
    """
    yield from out_of_range(_LAST_DIRECTION, "expected 0 (horizontal), 1 (vertical) or 2 (diagonal)", inst, scene)

