"""Barriers (SPIR-V 3.3.20)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import ExecutionModel
from spvls.grammar.operand_index import OpMemoryNamedBarrier_NamedBarrier, OpNamedBarrierInitialize_SubgroupCount
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import INT32, Declared
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.operation import Check, Operation, first_fault, operand_is, result_is
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_NAMED_BARRIER = Declared("a named barrier", "NamedBarrier")

_NAMED: dict[int, tuple[Check, ...]] = {
    spv.OpNamedBarrierInitialize: (result_is(_NAMED_BARRIER), operand_is(OpNamedBarrierInitialize_SubgroupCount, INT32)),
    spv.OpMemoryNamedBarrier: (operand_is(OpMemoryNamedBarrier_NamedBarrier, _NAMED_BARRIER),),
}


@instruction_rule("synchronization/named-barrier-types-match", *_NAMED, section=sections.BARRIER_INSTRUCTIONS)
def named_barrier_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """A named barrier must be of type OpTypeNamedBarrier, and its subgroup count a 32-bit integer.

    A named barrier is an opaque object of the device, which counts how many subgroups wait. An object of another type has no such
    counter. The rule checks OpNamedBarrierInitialize and OpMemoryNamedBarrier.
    """
    return first_fault(Operation(inst, context), _NAMED[inst.opcode.value])


_BEFORE_1_3 = only(
    (
        ExecutionModel.TessellationControl, ExecutionModel.GLCompute, ExecutionModel.Kernel, ExecutionModel.TaskNV,
        ExecutionModel.MeshNV,
    ),
    "before SPIR-V 1.3, OpControlBarrier requires the execution model TessellationControl, GLCompute, Kernel, TaskNV or MeshNV",
)  # fmt: skip


@limits(spv.OpControlBarrier)
def _models(inst: Instruction, module: Module) -> Iterator[Limit]:
    if module.version < (1, 3):
        yield _BEFORE_1_3


_SPLIT = only(
    (ExecutionModel.GLCompute, ExecutionModel.Kernel),
    "OpControlBarrierArriveEXT and OpControlBarrierWaitEXT require the execution model GLCompute or Kernel",
    "VUID-StandaloneSpirv-SplitBarrierEXT-13552",
)


@limits(spv.OpControlBarrierArriveEXT, spv.OpControlBarrierWaitEXT)
def _models_of_halves(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield _SPLIT
