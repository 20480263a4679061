"""Scopes of execution and of memory (SPIR-V 3.2.27)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv, traits
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.limits import Limit, limits
from spvls.validate.checks.scopes import (
    control_barrier_limits,
    execution_scope_fault,
    execution_scope_limits,
    memory_scope_fault,
    memory_scope_limits,
)
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.synchronization.non_uniform import NON_UNIFORM

_EXECUTION = {
    spv.OpControlBarrier: 0,
    spv.OpControlBarrierArriveEXT: 0,
    spv.OpControlBarrierWaitEXT: 0,
    **dict.fromkeys(NON_UNIFORM, 0),
}
"""The place of the scope of execution."""

_MEMORY = {
    spv.OpControlBarrier: 1,
    spv.OpControlBarrierArriveEXT: 1,
    spv.OpControlBarrierWaitEXT: 1,
    spv.OpMemoryBarrier: 0,
    spv.OpMemoryNamedBarrier: 1,
    **dict.fromkeys(traits.ATOMICS, 1),
}
"""The place of the scope of memory."""


_SPLIT_BARRIERS = (spv.OpControlBarrierArriveEXT, spv.OpControlBarrierWaitEXT)
_SPLIT_BARRIER_VUID = "VUID-StandaloneSpirv-OpControlBarrierArriveEXT-13553"


@instruction_rule("synchronization/execution-scope-is-permitted", *_EXECUTION, section=sections.SCOPE)
def execution_scope_is_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """An execution Scope must be a 32-bit integer, with Shader a constant, that names a permitted scope.

    The scope says which invocations take part. A driver may select an instruction by it when the module is compiled, and devices
    may have instructions for some scopes only.

    The rule checks barriers with an execution scope and non-uniform group operations, but no other group instructions, such as
    OpGroupIAdd or OpGroupIAddNonUniformAMD. With Shader, the constant must not be a specialization constant, except with
    CooperativeMatrixNV (SPV_NV_cooperative_matrix). SPV_KHR_cooperative_matrix permits specialization constants too, but the rule,
    like spirv-val, does not accept them with that extension.

    Non-uniform group operations must have the scope Subgroup. Outside of Vulkan, OpGroupNonUniformRotateKHR
    (SPV_KHR_subgroup_rotate) may also have Workgroup, which the rule, like spirv-val, does not report in Vulkan 1.0 either. In
    Vulkan, barriers must have Workgroup or Subgroup; which of these an execution model permits is checked by
    `execution-model/supports-reached-instructions`. The limits of OpenCL are not checked.
    """
    vuid = _SPLIT_BARRIER_VUID if inst.opcode.value in _SPLIT_BARRIERS else ""
    fault = execution_scope_fault(context.module, inst, _EXECUTION[inst.opcode.value], vuid=vuid)
    if fault is not None:
        yield fault


@instruction_rule("synchronization/memory-scope-is-permitted", *_MEMORY, section=sections.SCOPE)
def memory_scope_is_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """A memory Scope must be a 32-bit integer, with Shader a constant, that names a permitted scope.

    The scope says which invocations see the accesses in order. By it a driver may select instructions that flush caches; with too
    small a scope some invocations may read old values, and a device need not have instructions for all scopes.

    The rule checks barriers and atomic instructions; for scopes in memory operands see `memory/availability-fits-access`, in image
    operands `image/access-fits-image`. With Shader, the constant must not be a specialization constant, except with
    CooperativeMatrixNV (SPV_NV_cooperative_matrix). SPV_KHR_cooperative_matrix permits specialization constants too, but the rule,
    like spirv-val, does not accept them with that extension.

    QueueFamily requires the capability VulkanMemoryModel (SPV_KHR_vulkan_memory_model); where that capability is declared, Device
    requires VulkanMemoryModelDeviceScope. In Vulkan, CrossDevice is not permitted, and Subgroup requires SubgroupBallotKHR,
    SubgroupVoteKHR or GroupNonUniform, which the rule checks for Vulkan 1.0 only. Scopes that an execution model does not permit
    are reported by `execution-model/supports-reached-instructions`. The limits of OpenCL are not checked.
    """
    fault = memory_scope_fault(context.module, inst, _MEMORY[inst.opcode.value])
    if fault is not None:
        yield fault


@limits(*_EXECUTION)
def _execution_limits(inst: Instruction, module: Module) -> Iterator[Limit]:
    at = _EXECUTION[inst.opcode.value]
    if inst.opcode.value == spv.OpControlBarrier:
        yield from control_barrier_limits(module, inst, at)
    yield from execution_scope_limits(module, inst, at)


@limits(*_MEMORY)
def _memory_limits(inst: Instruction, module: Module) -> Iterator[Limit]:
    return memory_scope_limits(module, inst, _MEMORY[inst.opcode.value])
