"""Types that the instructions of GLSL.std.450 take and give."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, ExecutionModel, StorageClass
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import (
    FLOAT,
    FLOATS,
    INT32,
    INTS,
    POINTER,
    SCALARS_AND_VECTORS,
    VECTORS,
    Kind,
    dimension,
    width,
)
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.operation import (
    Check,
    Operation,
    count_fault,
    has_count_of_result,
    has_width_of_result,
    is_result_type,
    operand_is,
    result_is,
)
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import (
    RUNS,
    bits_of,
    has_scalar_of_result,
    operation_of,
    pointee_has_count_of_result,
    pointee_is,
    points_to_result,
    result_has_count,
    result_has_width,
    rows,
    type_faults,
)

_SET = "GLSL.std.450"
_FLOAT64 = Kind("a 64-bit float scalar", "Float", width=64)
_SQUARE = "a square matrix of floats"


_COUNTS = {2: "two", 4: "four"}


def _vector(scalar: str, noun: str, count: int) -> Kind:
    return Kind(f"a vector of {_COUNTS[count]} 32-bit {noun}", scalar, VECTORS, width=32, count=count)


_VEC2 = Kind("a vector of two floats", "Float", VECTORS, count=2)
_VEC2_F32 = _vector("Float", "floats", 2)
_VEC4_F32 = _vector("Float", "floats", 4)
_VEC2_INT32 = _vector("Int", "integers", 2)

# Their width or number of components is checked apart.
_SHORT_FLOATS = Kind("a 16- or 32-bit float scalar or vector", "Float", SCALARS_AND_VECTORS)
_INTS32 = Kind("a 32-bit integer scalar or vector", "Int", SCALARS_AND_VECTORS)
_VEC3 = Kind("a vector of three floats", "Float", VECTORS)
_INT16 = "SPV_AMD_gpu_shader_int16"
_FLOAT16 = "SPV_AMD_gpu_shader_half_float"


def _is_square(type_: Type) -> bool:
    column = type_.element
    return type_.is_matrix and (column is None or column.count == type_.count)


def _takes_square_matrix(op: Operation) -> Finding | None:
    type_ = op.type(0)
    return None if type_ is None or _is_square(type_) else op.operand_fault(0, _SQUARE)


def _gives_square_matrix(op: Operation) -> Finding | None:
    return None if op.result is None or _is_square(op.result) else op.result_fault(_SQUARE)


def _as_many_as(at: int, other: int) -> Check:
    """Two operands have the same number of components."""

    def check(op: Operation) -> Finding | None:
        type_, wanted = op.type(at), op.type(other)
        if type_ is None or wanted is None or dimension(op.module, type_) == dimension(op.module, wanted):
            return None
        return count_fault(op, at, dimension(op.module, type_), dimension(op.module, wanted), op.subject(other))

    return check


def _exponent_widths(op: Operation) -> tuple[int, ...]:
    return (16, 32) if op.module.has_extension(_INT16) else (32,)


def _or_enabled(op: Operation, type_: Type, kind: Kind, extension: str, expected: str) -> str:
    """What is `expected` in the place of a type of a kind; with the extension that permits this one, if it is of 16 bits."""
    if width(type_) != 16 or not kind.holds(type_) or op.module.has_extension(extension):
        return expected
    return f"{expected}; 16-bit {'floats' if extension == _FLOAT16 else 'integers'} require the extension {extension}"


def _points_to_exponent(op: Operation) -> Finding | None:
    """The pointer of Frexp points to integers of 32 bits; of 16 bits with SPV_AMD_gpu_shader_int16."""
    type_ = op.type(1)
    pointee = type_.pointee if type_ is not None else None
    if pointee is None or width(pointee) in _exponent_widths(op):
        return None
    expected = f"a pointer to a {bits_of(_exponent_widths(op))} integer scalar or vector"
    return op.operand_fault(1, _or_enabled(op, pointee, INTS, _INT16, expected))


def _members(op: Operation) -> tuple[Type, Type] | None:
    """The two members of the result structure; None where it has others, or unknown ones."""
    members = op.result.members if op.result is not None else ()
    match members:
        case (first, second) if first is not None and second is not None:
            return first, second
    return None


def _gives_fraction_and_whole(op: Operation) -> Finding | None:
    members = _members(op)
    if op.result is None or (members and FLOATS.holds(members[0]) and members[0].id == members[1].id):
        return None
    return op.result_fault("a structure of two members with the same float scalar or vector type")


def _gives_significand_and_exponent(op: Operation) -> Finding | None:
    if op.result is None:
        return None
    members = _members(op)
    if members is not None:
        significand, exponent = members
        counts = {dimension(op.module, member) for member in members}
        kinds = FLOATS.holds(significand) and INTS.holds(exponent)
        if kinds and len(counts) == 1 and width(exponent) in _exponent_widths(op):
            return None
    second = f"a {bits_of(_exponent_widths(op))} integer scalar or vector, both with the same number of components"
    expected = f"a structure of two members: a float scalar or vector, and {second}"
    return op.result_fault(expected if members is None else _or_enabled(op, members[1], INTS, _INT16, expected))


def _has_type_of_first_member(op: Operation) -> Finding | None:
    type_, members = op.type(0), _members(op)
    if type_ is None or members is None or type_.id == members[0].id:
        return None
    return op.operand_fault(0, f"{op.spell(members[0])} to match the first member of the result type")


def _interpolates(op: Operation) -> Finding | None:
    """The result has 32 bits, or 16 where SPV_AMD_gpu_shader_half_float allows interpolating them."""
    if op.result is None:
        return None
    if FLOATS.holds(op.result) and width(op.result) in _interpolated_widths(op):
        return None
    expected = f"a {bits_of(_interpolated_widths(op))} float scalar or vector"
    return op.result_fault(_or_enabled(op, op.result, FLOATS, _FLOAT16, expected))


def _offset(op: Operation) -> Finding | None:
    """The offset is a vector of two floats as wide as may be interpolated."""
    type_ = op.type(1)
    if type_ is None or (_VEC2.holds(type_) and width(type_) in _interpolated_widths(op)):
        return None
    expected = f"a vector of two {bits_of(_interpolated_widths(op))} floats"
    return op.operand_fault(1, _or_enabled(op, type_, _VEC2, _FLOAT16, expected))


def _interpolated_widths(op: Operation) -> tuple[int, ...]:
    return (16, 32) if op.module.has_extension(_FLOAT16) else (32,)


def _interpolant(op: Operation) -> Finding | None:
    """The interpolant is a pointer to an input of the result type; before the legalization of HLSL, loading it will do."""
    type_ = op.type(0)
    shown = op.subject(0)
    if op.context.options.before_hlsl_legalization and op.module.opcode_of(op.id(0)) == spv.OpLoad:
        load = op.module.definition(op.id(0) or "")
        type_ = op.module.type_of(id_at(load, 0)) if load is not None else None
        shown = f"the pointer from which {op.subject(0)} is loaded"
    if type_ is None or op.result is None:
        return None
    if not type_.is_pointer:
        return op.fault(0, f"{shown} is {op.spell(type_)}, expected a pointer to the storage class Input")
    if type_.element_id != op.result.id:
        return op.fault(0, f"{shown} is {op.spell(type_)}, expected a pointer to {op.spell(op.result)} to match the result type")
    if type_.storage != StorageClass.Input:
        return op.fault(0, f"{shown} is {op.spell(type_)}, expected a pointer to the storage class Input")
    return None


_EXACT = (result_is(FLOATS), is_result_type(0), is_result_type(1), is_result_type(2))
_SHORT = (result_is(_SHORT_FLOATS), result_has_width(16, 32), is_result_type(0), is_result_type(1))
_INTEGER = (
    result_is(INTS),
    *(check for at in range(3) for check in (operand_is(at, INTS), has_count_of_result(at), has_width_of_result(at))),
)
_CHECKS: dict[str, tuple[Check, ...]] = {
    **rows(
        _EXACT,
        "Round RoundEven FAbs Trunc FSign Floor Ceil Fract Sqrt InverseSqrt FMin FMax FClamp FMix Step SmoothStep Fma "
        "Normalize FaceForward Reflect NMin NMax NClamp",
    ),
    **rows(_INTEGER, "SAbs SSign UMin SMin UMax SMax UClamp SClamp FindILsb"),
    **rows((result_is(_INTS32), result_has_width(32), *_INTEGER), "FindUMsb FindSMsb"),
    **rows(
        _SHORT,
        "Radians Degrees Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Exp Exp2 Log Log2 Atan2 Pow",
    ),
    "Determinant": (result_is(FLOAT), _takes_square_matrix, has_scalar_of_result(0)),
    "MatrixInverse": (_gives_square_matrix, is_result_type(0)),
    "Modf": (result_is(FLOATS), is_result_type(0), operand_is(1, POINTER), points_to_result(1)),
    "ModfStruct": (_gives_fraction_and_whole, _has_type_of_first_member),
    "Frexp": (
        result_is(FLOATS),
        is_result_type(0),
        operand_is(1, POINTER),
        pointee_is(1, INTS),
        _points_to_exponent,
        pointee_has_count_of_result(1),
    ),
    "FrexpStruct": (_gives_significand_and_exponent, _has_type_of_first_member),
    "Ldexp": (result_is(FLOATS), is_result_type(0), operand_is(1, INTS), has_count_of_result(1)),
    **rows((result_is(INT32), operand_is(0, _VEC4_F32)), "PackSnorm4x8 PackUnorm4x8"),
    **rows((result_is(INT32), operand_is(0, _VEC2_F32)), "PackSnorm2x16 PackUnorm2x16 PackHalf2x16"),
    "PackDouble2x32": (result_is(_FLOAT64), operand_is(0, _VEC2_INT32)),
    **rows((result_is(_VEC4_F32), operand_is(0, INT32)), "UnpackSnorm4x8 UnpackUnorm4x8"),
    **rows((result_is(_VEC2_F32), operand_is(0, INT32)), "UnpackSnorm2x16 UnpackUnorm2x16 UnpackHalf2x16"),
    "UnpackDouble2x32": (result_is(_VEC2_INT32), operand_is(0, _FLOAT64)),
    "Length": (result_is(FLOAT), operand_is(0, FLOATS), has_scalar_of_result(0)),
    "Distance": (
        result_is(FLOAT),
        operand_is(0, FLOATS),
        has_scalar_of_result(0),
        operand_is(1, FLOATS),
        has_scalar_of_result(1),
        _as_many_as(1, 0),
    ),
    "Cross": (result_is(_VEC3), result_has_count(3), is_result_type(0), is_result_type(1)),
    "Refract": (result_is(FLOATS), is_result_type(0), is_result_type(1), operand_is(2, FLOAT)),
    "InterpolateAtCentroid": (_interpolates, _interpolant),
    "InterpolateAtSample": (_interpolates, _interpolant, operand_is(1, INT32)),
    "InterpolateAtOffset": (_interpolates, _interpolant, _offset),
}
"""The checks of each instruction; the first that fails speaks. IMix never came to be."""


@instruction_rule("ext-inst/interpolation-function-is-enabled", *RUNS, section=sections.CAPABILITY, sets=(_SET,))
def interpolation_function_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction InterpolateAt… must be enabled by the capability InterpolationFunction.

    InterpolateAtCentroid, InterpolateAtSample and InterpolateAtOffset evaluate an input at another place of the fragment, which
    devices need not support. A driver may reject a module that does not declare the capability. They are instructions of
    GLSL.std.450, for fragment shaders.
    """
    op = operation_of(inst, context, _SET)
    if op is not None and op.name.startswith("InterpolateAt") and not op.module.has_capability(Capability.InterpolationFunction):
        yield op.fault(-1, f"{op.name} requires the capability InterpolationFunction, which the module does not declare")


@instruction_rule(
    "ext-inst/glsl-types-match", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, after=(interpolation_function_is_enabled,),
    sets=(_SET,),
)
def glsl_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction of GLSL.std.450 must have operands and a result of the types it is defined for.

    Operands are not converted to these types: a driver may emit device instructions for the types that it finds. With others
    the result may be wrong, or the device may not have such an instruction.

    Most instructions use float scalars or vectors, and return the type of their operands. Radians, Degrees, Pow, the trigonometric
    and hyperbolic functions, exponentials and logarithms are defined for 16 and 32 bits only. Operands of integer instructions may
    be signed or not, but must have the width and number of components of the result; FindUMsb and FindSMsb require 32 bits. The set
    limits FindILsb to 32 bits too, which neither this rule nor spirv-val checks. An operand without a value, such as a label, is an
    error. Floats must be IEEE 754, not bfloat16, float8e4m3 or float8e5m2.

    Length and Distance give a scalar of the component type, Cross requires three components, Refract a scalar of any width as its
    last operand (the set requires the component type of the result), Determinant and MatrixInverse square matrices. Modf requires a
    pointer to its result type, Frexp one to its exponent; neither may be untyped. ModfStruct gives a structure of two members of
    its operand's type. The exponents of Frexp, FrexpStruct and Ldexp are integers with as many components as the operand x; those
    of the first two have 32 bits, or 16 with SPV_AMD_gpu_shader_int16. Pack and Unpack instructions convert between a 32-bit
    integer and two or four 32-bit floats, or between a 64-bit float and two 32-bit integers.

    InterpolateAt instructions require a pointer to Input of the result type, with 32 bits, or 16 with
    SPV_AMD_gpu_shader_half_float. A sample is a 32-bit integer, an offset a vector of two floats of these widths. The option
    `before-hlsl-legalization` also permits a value that is loaded from such a pointer. Of each instruction, only the first fault is
    reported.
    """
    op = operation_of(inst, context, _SET)
    if op is not None:
        yield from type_faults(op, _CHECKS.get(op.name, ()))


@instruction_rule("ext-inst/imix-is-not-used", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, sets=(_SET,))
def imix_is_not_used(inst: Instruction, context: RuleContext) -> Findings:
    """The instruction IMix of GLSL.std.450 must not be used.

    Its number is reserved, but the set does not define what it does, so drivers need not support it. Use OpSelect to select one of
    two integers. The instruction FMix for floats may be used.
    """
    op = operation_of(inst, context, _SET)
    if op is not None and op.name == "IMix":
        yield op.fault(-1, "IMix must not be used, because GLSL.std.450 does not define its result; use OpSelect instead")


_FRAGMENT = frozenset({ExecutionModel.Fragment})


@limits(*RUNS)
def _in_fragments_only(record: Instruction, module: Module) -> Iterator[Limit]:
    """Inputs are interpolated in fragment shaders only."""
    if module.declarations.models <= _FRAGMENT:
        return
    found = module.extended_instruction(record)
    if found is not None and found[0] == _SET and found[1].startswith("InterpolateAt"):
        yield only((ExecutionModel.Fragment,), f"{found[1]} requires the execution model Fragment")
