"""Types that the instructions of OpenCL.std take and give."""

from __future__ import annotations

from spvls.grammar import sections
from spvls.grammar.enumerants import AddressingModel, StorageClass
from spvls.module.variable import storage_name
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.kinds import (
    FLOAT,
    FLOAT_VECTOR,
    FLOATS,
    INT32,
    INTS,
    POINTER,
    SCALARS_AND_VECTORS,
    VECTORS,
    Declared,
    Kind,
    bits_wide,
    dimension,
    width,
)
from spvls.validate.checks.operation import (
    Check,
    Operation,
    counted,
    has_count_of_result,
    has_width_of_result,
    is_result_type,
    is_type_of,
    operand_is,
    result_is,
)
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import (
    RUNS,
    has_scalar_of_result,
    in_storage,
    operand_has_count,
    operand_has_width,
    operation_of,
    pointee_has_count_of_result,
    pointee_is,
    pointee_of,
    points_to_result,
    result_has_count,
    result_has_width,
    rows,
    type_faults,
    unless_untyped,
)

_SET = "OpenCL.std"
_VOID = Declared("void", "Void")
_INT_VECTOR = Kind("a vector of integers", "Int", VECTORS)
_INTS32 = Kind("a 32-bit integer scalar or vector", "Int", SCALARS_AND_VECTORS, width=32)
_NUMBERS = Kind("an integer, a float, or a vector of either", "Int Float", SCALARS_AND_VECTORS)
_NUMBER_VECTOR = Kind("a vector of integers or floats", "Int Float", VECTORS)
_FLOAT16 = Kind("a 16-bit float", "Float", width=16)

# Their width or number of components is checked apart.
_UPSAMPLED = Kind("a 16-, 32- or 64-bit integer scalar or vector", "Int", SCALARS_AND_VECTORS)
_VEC3_OR_VEC4 = Kind("a vector of three or four floats", "Float", VECTORS)
_STORED = Kind("a 32- or 64-bit float scalar", "Float")
_STORED_VECTOR = Kind("a vector of 32- or 64-bit floats", "Float", VECTORS)

_INT8 = Kind("an 8-bit integer", "Int", width=8)
_ADDRESSES = {AddressingModel.Physical32: 32, AddressingModel.Physical64: 64}
_COUNTS = (0, 1, 2, 3, 4, 8, 16)
"""Numbers of components that a function is for; 0 for one that can be specialized."""
_VECTOR_COUNTS = (0, 2, 3, 4, 8, 16)
_WRITABLE = (StorageClass.Generic, StorageClass.CrossWorkgroup, StorageClass.Workgroup, StorageClass.Function)
_RELAXED_FORMATS = "SPV_EXT_relaxed_printf_string_address_space"


def _is_size(at: int) -> Check:
    """An operand is a size_t: an integer as wide as the addresses, which therefore are physical."""

    def check(op: Operation) -> Finding | None:
        bits = _ADDRESSES.get(op.module.addressing_model)
        if bits is None:
            model = op.module.addressing_model
            have = f", not {enumerant_name('AddressingModel', model)}" if model >= 0 else ""
            return op.fault(-1, f"{op.name} requires the addressing model Physical32 or Physical64{have}")
        kind = Kind(f"a {bits}-bit integer scalar for the addressing model Physical{bits}", "Int", width=bits)
        return operand_is(at, kind)(op)

    return check


def _half_as_wide(op: Operation) -> Finding | None:
    """Two halves are joined to a result of twice their width."""
    type_, result = op.type(0), op.result
    if type_ is None or result is None or width(result) == 2 * width(type_):
        return None
    whose = f"{'' if result.is_scalar else 'the components of '}the result type {op.spell(result)}"
    expected = f"{width(result) // 2} bits, half the width of {whose}"
    return op.operand_fault(0, expected, have=bits_wide(type_))


def _counts_to(at: int) -> Check:
    """A literal says how many components the result has."""

    def check(op: Operation) -> Finding | None:
        count = op.word(at)
        wanted = dimension(op.module, op.result) if op.result is not None else count
        if count is None or wanted is None or count == wanted:
            return None
        return op.fault(at, f"operand n is {count}, but the result type has {counted(wanted)}")

    return check


def _points_to_component_of_result(at: int) -> Check:
    def check(op: Operation) -> Finding | None:
        return _points_to_scalar(op, at, op.result.element_id if op.result is not None else None, "the result type")

    return check


def _points_to_component_of(at: int, other: int) -> Check:
    def check(op: Operation) -> Finding | None:
        type_ = op.type(other)
        return _points_to_scalar(op, at, type_.element_id if type_ is not None else None, op.subject(other))

    return check


def _points_to_scalar(op: Operation, at: int, wanted: str | None, whose: str) -> Finding | None:
    type_ = op.type(at)
    if type_ is None or wanted is None or type_.element_id == wanted:
        return None
    return op.operand_fault(at, f"a pointer to {op.spell(op.module.type(wanted))} to match the components of {whose}")


def _format_storage(op: Operation) -> Finding | None:
    """The format lies in constant memory, or elsewhere with SPV_EXT_relaxed_printf_string_address_space."""
    if op.module.has_extension(_RELAXED_FORMATS):
        return in_storage(0, StorageClass.UniformConstant, *_WRITABLE)(op)
    finding = in_storage(0, StorageClass.UniformConstant)(op)
    type_ = op.type(0)
    if finding is None or type_ is None or type_.storage not in _WRITABLE:
        return finding
    relaxed = f"{storage_name(type_.storage)} requires the extension {_RELAXED_FORMATS}"
    return finding._replace(message=f"{finding.message}; {relaxed}")


def _points_to_text(op: Operation) -> Finding | None:
    """The format is an array of 8-bit integers, or one of these."""
    pointee = pointee_of(op.type(0))
    element = pointee.element if pointee is not None and pointee.is_array else pointee
    if element is None or _INT8.holds(element):
        return None
    return op.operand_fault(0, "a pointer to an 8-bit integer or to an array of 8-bit integers")


def _prefetches(op: Operation) -> Finding | None:
    pointee = pointee_of(op.type(0))
    if pointee is None or dimension(op.module, pointee) in _COUNTS:
        return None
    return op.operand_fault(0, "a pointer to a scalar or to a vector of 2, 3, 4, 8 or 16 components")


def _all_result_type(kind: Kind, *more: Check) -> tuple[Check, ...]:
    """The result is of a kind that OpenCL has, and all operands are of the same type."""
    return (result_is(kind), *more, result_has_count(*_COUNTS), is_result_type(0), is_result_type(1), is_result_type(2))


def _loads(*result: Check) -> tuple[Check, ...]:
    return (*result, _is_size(0), operand_is(1, POINTER), in_storage(1, StorageClass.UniformConstant, *_WRITABLE))


def _stores(*data: Check) -> tuple[Check, ...]:
    return (result_is(_VOID), *data, _is_size(1), operand_is(2, POINTER), in_storage(2, *_WRITABLE))


_FLOAT = (result_is(FLOATS), result_has_count(*_COUNTS))
_WRITES = (operand_is(1, POINTER), in_storage(1, *_WRITABLE))
_EXPONENT = (unless_untyped(1, pointee_is(1, _INTS32)), pointee_has_count_of_result(1))
_VECTOR_RESULT = (result_is(_NUMBER_VECTOR), result_has_count(2, 4, 8, 16))
_LENGTH = (result_is(FLOAT), operand_is(0, FLOATS), operand_has_count(0, *_COUNTS[:5]), has_scalar_of_result(0))
_HALF_VECTOR = (result_is(FLOAT_VECTOR), result_has_count(*_VECTOR_COUNTS, unnamed=1))
_SINGLE_OR_DOUBLE = operand_has_width(0, 32, 64)


def _shuffles(*x: Check, mask: int) -> tuple[Check, ...]:
    return (
        *_VECTOR_RESULT,
        operand_is(0, _NUMBER_VECTOR),
        operand_has_count(0, 2, 4, 8, 16),
        has_scalar_of_result(0),
        *x,
        operand_is(mask, _INT_VECTOR),
        has_count_of_result(mask),
        has_width_of_result(mask),
    )


_CHECKS: dict[str, tuple[Check, ...]] = {
    **rows(
        _all_result_type(FLOATS),
        "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf exp "
        "exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod hypot lgamma log log2 log10 log1p logb mad maxmag minmag "
        "nextafter pow powr remainder rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc half_cos half_tan "
        "half_divide half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_powr half_recip half_rsqrt half_sin "
        "half_sqrt native_cos native_divide native_exp native_exp2 native_exp10 native_log native_log2 native_log10 "
        "native_powr native_recip native_rsqrt native_sin native_sqrt native_tan fclamp degrees fmax_common fmin_common mix "
        "radians step smoothstep sign",
    ),
    **rows((*_FLOAT, is_result_type(0), *_WRITES, unless_untyped(1, points_to_result(1))), "fract modf sincos"),
    **rows((*_FLOAT, is_result_type(0), *_WRITES, *_EXPONENT), "frexp lgamma_r"),
    "remquo": (
        *_FLOAT,
        is_result_type(0),
        is_result_type(1),
        operand_is(2, POINTER),
        in_storage(2, *_WRITABLE),
        unless_untyped(2, pointee_is(2, _INTS32)),
        pointee_has_count_of_result(2),
    ),
    "ilogb": (result_is(_INTS32), result_has_count(*_COUNTS), operand_is(0, FLOATS), has_count_of_result(0)),
    **rows((*_FLOAT, is_result_type(0), operand_is(1, _INTS32), has_count_of_result(1)), "ldexp pown rootn"),
    "nan": (*_FLOAT, operand_is(0, INTS), has_count_of_result(0), has_width_of_result(0)),
    **rows(
        _all_result_type(INTS),
        "s_abs s_abs_diff s_add_sat u_add_sat s_hadd u_hadd s_rhadd u_rhadd s_clamp u_clamp clz ctz s_mad_hi u_mad_sat "
        "s_mad_sat s_max u_max s_min u_min s_mul_hi rotate s_sub_sat u_sub_sat popcount u_abs u_abs_diff u_mul_hi u_mad_hi",
    ),
    **rows(
        (
            result_is(_UPSAMPLED),
            result_has_count(*_COUNTS),
            result_has_width(16, 32, 64),
            has_count_of_result(0),
            _half_as_wide,
            is_type_of(1, 0),
        ),
        "u_upsample s_upsample",
    ),
    **rows(_all_result_type(_INTS32), "s_mad24 u_mad24 s_mul24 u_mul24"),
    "cross": (result_is(_VEC3_OR_VEC4), result_has_count(3, 4), is_result_type(0), is_result_type(1)),
    **rows((*_LENGTH, is_type_of(1, 0)), "distance fast_distance"),
    **rows(_LENGTH, "length fast_length"),
    **rows((result_is(FLOATS), result_has_count(*_COUNTS[:5]), is_result_type(0)), "normalize fast_normalize"),
    "bitselect": _all_result_type(_NUMBERS),
    "select": (
        result_is(_NUMBERS),
        result_has_count(*_COUNTS),
        is_result_type(0),
        is_result_type(1),
        operand_is(2, INTS),
        has_count_of_result(2),
        has_width_of_result(2),
    ),
    "vloadn": (
        *_loads(result_is(_NUMBER_VECTOR), result_has_count(*_VECTOR_COUNTS, unnamed=1)),
        _points_to_component_of_result(1),
        _counts_to(2),
    ),
    "vstoren": (
        *_stores(operand_is(0, _NUMBER_VECTOR), operand_has_count(0, *_VECTOR_COUNTS, unnamed=1)),
        _points_to_component_of(2, 0),
    ),
    "vload_half": (*_loads(result_is(FLOAT)), unless_untyped(1, pointee_is(1, _FLOAT16))),
    **rows((*_loads(*_HALF_VECTOR), unless_untyped(1, pointee_is(1, _FLOAT16)), _counts_to(2)), "vload_halfn vloada_halfn"),
    **rows(
        (*_stores(operand_is(0, _STORED), _SINGLE_OR_DOUBLE), unless_untyped(2, pointee_is(2, _FLOAT16))),
        "vstore_half vstore_half_r",
    ),
    **rows(
        (
            *_stores(operand_is(0, _STORED_VECTOR), _SINGLE_OR_DOUBLE, operand_has_count(0, *_VECTOR_COUNTS, unnamed=1)),
            unless_untyped(2, pointee_is(2, _FLOAT16)),
        ),
        "vstore_halfn vstore_halfn_r vstorea_halfn vstorea_halfn_r",
    ),
    "shuffle": _shuffles(mask=1),
    "shuffle2": _shuffles(is_type_of(1, 0), mask=2),
    "printf": (result_is(INT32), operand_is(0, POINTER), _format_storage, unless_untyped(0, _points_to_text)),
    "prefetch": (
        result_is(_VOID),
        operand_is(0, POINTER),
        in_storage(0, StorageClass.CrossWorkgroup),
        pointee_is(0, _NUMBERS),
        _prefetches,
        _is_size(1),
    ),
}
"""The checks of each instruction; the first that fails speaks."""


@instruction_rule("ext-inst/opencl-types-match", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, sets=(_SET,))
def opencl_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction of OpenCL.std must have operands and a result of the types it is defined for.

    These instructions are the built-in functions of OpenCL C. A driver may select the function by the types, and have none for
    others.

    Most operands must have the result type, and vectors 2, 3, 4, 8 or 16 components; geometric functions permit up to 4, cross 3 or
    4, and shuffles no 3. Mathematical, common and geometric functions are for floats, integer functions for integers, of which
    mad24 and mul24 require 32 bits; bitselect, select, shuffles, vloadn and vstoren permit both. The result of printf is a 32-bit
    integer, that of stores and prefetch void. The result of upsample has 16, 32 or 64 bits, and its operands half as many; that
    these are integers is not checked. The second operands of ldexp, pown and rootn, the result of ilogb and what frexp, lgamma_r
    and remquo store are 32-bit integers; fract, modf and sincos store the result type. The operand of nan, the condition of select
    and the mask of a shuffle are integers as wide as the result. All of these have as many components as the result, and the result
    of ilogb as many as its operand. The n of vloadn, vload_halfn and vloada_halfn is the number of components. An operand without a
    value, such as a label, is an error. Floats must be IEEE 754: of others, bfloat16, float8e4m3 and float8e5m2 are reported, but
    not in what pointers lead to.

    An instruction that writes memory requires a pointer to Generic, CrossWorkgroup, Workgroup or Function; one that loads may also
    have UniformConstant, and prefetch must have CrossWorkgroup. vload_half, vstore_half and their like require a pointer to 16-bit
    floats, and the latter store floats of 32 or 64 bits. The format of printf is a pointer to 8-bit integers in UniformConstant, or
    to an array of these; with SPV_EXT_relaxed_printf_string_address_space it may also be in the classes that can be written. vloadn
    and vstoren require a typed pointer to the type of a component, as in spirv-val, though SPV_KHR_untyped_pointers permits untyped
    ones. prefetch also requires a typed pointer, to an integer, a float or a vector of these with 2, 3, 4, 8 or 16 components.
    Other instructions may have untyped pointers. The offsets of vloadn, vstoren and their like must be as wide as addresses, and
    the size of prefetch too; these instructions require the addressing model Physical32 or Physical64. Of each instruction, only
    the first fault is reported.
    """
    op = operation_of(inst, context, _SET)
    if op is not None:
        yield from type_faults(op, _CHECKS.get(op.name, ()))
