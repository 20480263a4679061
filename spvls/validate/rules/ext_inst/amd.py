"""Types that the extended instruction sets of AMD's extensions take and give; spirv-val checks none."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import ANY_SCALARS, FLOATS, INT32, INTS, POINTER, UINT32, VEC2_F32, VEC3_F32, Kind
from spvls.validate.checks.kinds import FLOAT32 as F32
from spvls.validate.checks.operation import Check, Operation, first_fault, is_result_type, operand_is, result_is
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import RUNS, operation_of, rows, takes_values

_UINT64 = Kind("a 64-bit unsigned integer scalar", "Int", width=64, signed=False)
_UINT = Kind("an unsigned integer scalar", "Int", signed=False)
_UVEC4 = Kind("vec4<u32>", "Int", "Vector", width=32, signed=False, count=4)
_UVEC3 = Kind("vec3<u32>", "Int", "Vector", width=32, signed=False, count=3)


def _all_result_type(kind: Kind) -> tuple[Check, ...]:
    return (result_is(kind), is_result_type(0), is_result_type(1), is_result_type(2))


def _same_interpolant(op: Operation) -> Finding | None:
    """An input is read at a vertex through its pointer, and gives what the pointer points to."""
    type_ = op.type(0)
    if type_ is None or op.result is None or type_.element_id == op.result.id or type_.kind == spv.OpTypeUntypedPointerKHR:
        return None
    return op.operand_fault(0, f"a pointer to {op.spell(op.result)} to match the result type")


_CHECKS: dict[str, dict[str, tuple[Check, ...]]] = {
    "SPV_AMD_gcn_shader": {
        "CubeFaceIndexAMD": (result_is(F32), operand_is(0, VEC3_F32)),
        "CubeFaceCoordAMD": (result_is(VEC2_F32), operand_is(0, VEC3_F32)),
        "TimeAMD": (result_is(_UINT64),),
    },
    "SPV_AMD_shader_ballot": {
        "SwizzleInvocationsAMD": (result_is(ANY_SCALARS), is_result_type(0), operand_is(1, _UVEC4)),
        "SwizzleInvocationsMaskedAMD": (result_is(ANY_SCALARS), is_result_type(0), operand_is(1, _UVEC3)),
        "WriteInvocationAMD": (
            result_is(ANY_SCALARS),
            is_result_type(0),
            is_result_type(1),
            operand_is(2, UINT32),
        ),
        "MbcntAMD": (result_is(UINT32), operand_is(0, _UINT)),
    },
    "SPV_AMD_shader_explicit_vertex_parameter": {
        "InterpolateAtVertexAMD": (operand_is(0, POINTER), _same_interpolant, operand_is(1, INT32)),
    },
    "SPV_AMD_shader_trinary_minmax": {
        **rows(_all_result_type(FLOATS), "FMin3AMD FMax3AMD FMid3AMD"),
        **rows(_all_result_type(INTS), "UMin3AMD SMin3AMD UMax3AMD SMax3AMD UMid3AMD SMid3AMD"),
    },
}
"""By set and instruction; the first check that fails speaks."""


@instruction_rule(
    "ext-inst/amd-types-match", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING, sets=_CHECKS
)
def amd_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Operands and results of AMD's extended instructions must have the types that the set requires.

    The instructions do not convert values. A driver may read the bits of another type as another value. The finding says which type
    is expected.

    The sets are SPV_AMD_gcn_shader, SPV_AMD_shader_ballot, SPV_AMD_shader_explicit_vertex_parameter and
    SPV_AMD_shader_trinary_minmax. The rule requires 32 bits for the offset and mask of a swizzle and the vertex number of
    InterpolateAtVertexAMD, where the sets name no width. CubeFaceCoordAMD must take a vector, although its set names a pointer to
    one, and MbcntAMD may take an unsigned integer of any width, although its set requires 32 bits. Not all that the sets require is
    checked: for example, neither the signedness of integers in SPV_AMD_shader_trinary_minmax nor the storage class of an
    interpolant. Of each instruction, only the first fault is reported.

    A warning, because spirv-val does not check these sets.
    """
    op = operation_of(inst, context, *_CHECKS)
    if op is not None:
        yield from first_fault(op, (takes_values, *_CHECKS[op.imported.set.name].get(op.name, ())))
