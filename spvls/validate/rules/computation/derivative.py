"""Derivatives (SPIR-V 3.3.16)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections
from spvls.grammar.enumerants import ExecutionMode, ExecutionModel
from spvls.grammar.traits import DERIVATIVES
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import FLOATS, width
from spvls.validate.checks.limits import Limit, limits, only, with_mode
from spvls.validate.checks.operation import Operation, first_fault, is_result_type, result_is
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_QUAD_MODELS = (ExecutionModel.GLCompute, ExecutionModel.MeshEXT, ExecutionModel.TaskEXT)
_QUAD_MODES = frozenset({ExecutionMode.DerivativeGroupLinearKHR, ExecutionMode.DerivativeGroupQuadsKHR})


def _is_32_bit(op: Operation) -> Finding | None:
    if op.result is None or width(op.result) == 32:
        return None
    if width(op.result) == 16 and op.module.has_extension("SPV_AMD_gpu_shader_half_float"):
        return None
    return op.result_fault("a 32-bit float scalar or vector")


_CHECKS = (result_is(FLOATS), _is_32_bit, is_result_type(0, retype=True))


@instruction_rule("computation/derivative-matches-operand", *DERIVATIVES, section=sections.DERIVATIVE_INSTRUCTIONS)
def derivative_matches_operand(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of a derivative must be that of its operand, with floats of a permitted width.

    A derivative is made of differences between the values of the operand in neighboring invocations, so it has the operand's type.
    That is a scalar or vector of 32-bit floats, or with SPV_AMD_gpu_shader_half_float also of 16-bit IEEE 754 floats. Derivatives
    of other widths are not defined: a device may have no instruction for them. Convert such floats with OpFConvert first. Checked
    are OpDPdx, OpDPdy, OpFwidth and their forms with Fine and Coarse.
    """
    return first_fault(Operation(inst, context), _CHECKS)


def derivative_limits(what: str) -> tuple[Limit, Limit]:
    """What implicit or explicit derivatives ask of entry points: fragments, or quads of invocations."""
    return (
        only(
            (ExecutionModel.Fragment, *_QUAD_MODELS), f"{what} require the execution model Fragment, GLCompute, MeshEXT or TaskEXT"
        ),
        with_mode(
            _QUAD_MODELS,
            _QUAD_MODES,
            f"outside of fragment shaders, {what} require the execution mode DerivativeGroupQuadsKHR or DerivativeGroupLinearKHR",
        ),
    )


_LIMITS = derivative_limits("derivatives")


@limits(*DERIVATIVES)
def _models(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield from _LIMITS
