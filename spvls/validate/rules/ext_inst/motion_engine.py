"""Arm.MotionEngine.100: block matching in graphs; spirv-val checks none of its operands."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import RUNS, operation_of, takes_values
from spvls.validate.rules.ext_inst.tensor_kind import is_constant_in_graph

_SET = "Arm.MotionEngine.100"
_FRAMES = ("input0", "input1")
_IN_PAIRS = "MIN_SAD_COST"


@instruction_rule(
    "ext-inst/motion-engine-operands-match", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING, sets=(_SET,)
)
def motion_engine_operands_match(inst: Instruction, context: RuleContext) -> Findings:
    """The operands input0 and input1 of block matching must be tensors, and all others constants.

    A driver may configure the hardware with sizes, steps and offsets when the pipeline is created, before the tensors are known. A
    value that is computed in the graph comes too late for that. OpGraphConstantARM of SPV_ARM_graph counts as a constant, and so do
    specialization constants. The rule is for MIN_SAD, MIN_SAD_COST and RAW_SAD of Arm.MotionEngine.100.

    A warning, because spirv-val does not check the set.
    """
    op = operation_of(inst, context, _SET)
    if op is None:
        return
    if (fault := takes_values(op)) is not None:
        yield fault
        return
    for at in range(len(op.operands)):
        name, type_ = op.id(at), op.type(at)
        if name is None or type_ is None:
            continue
        if op.role(at) in _FRAMES:
            if type_.kind != spv.OpTypeTensorARM:
                yield op.operand_fault(at, "a tensor")
                return
        elif not is_constant_in_graph(op.module, name):
            yield op.fault(at, f"{op.subject(at)} must be a constant")
            return


@instruction_rule(
    "ext-inst/motion-engine-result-is-tensor", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(_SET,),
)
def motion_engine_result_is_tensor(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of block matching must be a tensor; that of MIN_SAD_COST a structure of two tensors.

    MIN_SAD gives the displacements of the blocks, and RAW_SAD sums of absolute differences. MIN_SAD_COST gives both: the
    displacements, and the sums at these. A result of another type has no place for them. The rule is for these instructions of
    Arm.MotionEngine.100, in graphs of SPV_ARM_graph. Ranks and element types are not checked.

    A warning, because spirv-val does not check the set.
    """
    op = operation_of(inst, context, _SET)
    if op is None or op.result is None:
        return
    if op.name == _IN_PAIRS:
        if len(op.result.members) != 2 or not all(map(_may_be_tensor, op.result.members)):
            yield op.result_fault("a structure of two tensors")
    elif op.result.kind != spv.OpTypeTensorARM:
        yield op.result_fault("a tensor")


def _may_be_tensor(type_: Type | None) -> bool:
    return type_ is None or type_.kind == spv.OpTypeTensorARM
