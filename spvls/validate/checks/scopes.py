"""Scopes of execution and memory, as operands of instructions (SPIR-V 3.2.27)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.grammar.enumerants import Capability, ExecutionModel, MemoryModel, Scope
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.limits import RAY_TRACING_MODELS, Limit, never, only
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding

DEVICE = Scope.Device
WORKGROUP = Scope.Workgroup
SUBGROUP = Scope.Subgroup
INVOCATION = Scope.Invocation
QUEUE_FAMILY = Scope.QueueFamily
SHADER_CALL = Scope.ShaderCallKHR

_GLSL450 = MemoryModel.GLSL450
_VULKAN_MEMORY = frozenset({DEVICE, WORKGROUP, SUBGROUP, INVOCATION, QUEUE_FAMILY, SHADER_CALL})


class Word(NamedTuple):
    """What is known of an id that is to be a 32-bit integer: whether it is one (None: unknown), and its constant value."""

    is_int32: bool | None
    number: int | None


def word(module: Module, name: object) -> Word:
    """What an id stands for; no number for what can be specialized, and for OpUndef."""
    if not isinstance(name, str):
        return Word(None, None)
    type_ = module.type_of(name)
    if type_ is None:
        return Word(None, None)
    if not (type_.is_int and type_.width == 32):
        return Word(False, None)
    number = module.integer(name)
    return Word(True, number & 0xFFFFFFFF if number is not None else None)


def shown(number: int) -> str:
    found = enumerants("Scope", number)
    return found[0].name if found else str(number)


def role(inst: Instruction, operand_index: int) -> str:
    """An operand as messages name it: `operand Memory (%device)`; one of a mask is `the memory scope (%device) of OpLoad`."""
    arguments = inst.opcode.arguments
    if operand_index < len(arguments) and arguments[operand_index].kind.startswith("Id"):
        return operand(inst, operand_index)
    name = f"scope (%{inst.operands[operand_index]!s}) of"
    if inst.opcode.value == spv.OpDecorateId:
        return f"the {name} UniformId on %{inst.operands[0]!s}"
    return f"the memory {name} {inst.opcode.name}"


def scope_fault(module: Module, inst: Instruction, operand_index: int) -> Finding | None:
    """What is wrong with a scope of either sort: it is a 32-bit integer, with Shader a constant, and names a scope."""
    name = inst.operands[operand_index]
    is_int32, number = word(module, name)
    if is_int32 is None or not isinstance(name, str):
        return None
    subject = role(inst, operand_index)
    if not is_int32:
        return Finding(inst, operand_index, f"{subject} is {module.spell(module.type_of(name))}, expected a 32-bit integer")
    if number is None:
        if not module.has_capability(Capability.Shader):
            return None
        if not module.has_capability(Capability.CooperativeMatrixNV):
            made = f"{subject} is the result of {module.opcode_name_of(name)}"
            return Finding(inst, operand_index, f"{made}, but the capability Shader requires an OpConstant")
        if not module.is_constant(name):
            return Finding(inst, operand_index, f"{subject} is not a constant; the capability Shader requires a constant")
        return None
    if not enumerants("Scope", number):
        message = f"{subject} is {number}, which is not a scope; scopes are 0 (CrossDevice) to 6 (ShaderCallKHR)"
        return Finding(inst, operand_index, message)
    return None


def execution_scope_fault(
    module: Module, inst: Instruction, operand_index: int, of: Instruction | None = None, vuid: str = ""
) -> Finding | None:
    """What is wrong with a scope of execution, which may be that of another instruction that is decorated with it. `vuid` says
    which ones Vulkan permits, where it is not that of most instructions."""
    fault = scope_fault(module, inst, operand_index)
    number = word(module, inst.operands[operand_index]).number
    if fault is not None or number is None:
        return fault
    opcode = (of or inst).opcode
    subject = f"{role(inst, operand_index)} is {shown(number)}"
    rotates = opcode.value == spv.OpGroupNonUniformRotateKHR
    non_uniform = rotates or (opcode.class_ == "Non-Uniform" and any(one.kind == "IdScope" for one in opcode.operands))
    environment = module.environment
    if environment.api == "vulkan":
        if non_uniform and environment.api_version > (1, 0) and number != SUBGROUP:
            message = f"{subject}, expected Subgroup for {opcode.name} in Vulkan"
            return Finding(inst, operand_index, message, vuid="VUID-StandaloneSpirv-None-04642")
        if number not in (WORKGROUP, SUBGROUP):
            message = f"{subject}, expected Workgroup or Subgroup in Vulkan"
            return Finding(inst, operand_index, message, vuid=vuid or "VUID-StandaloneSpirv-None-04636")
    if rotates and number not in (WORKGROUP, SUBGROUP):
        return Finding(inst, operand_index, f"{subject}, expected Workgroup or Subgroup")
    if non_uniform and not rotates and number != SUBGROUP:
        return Finding(inst, operand_index, f"{subject}, expected Subgroup")
    return None


def memory_scope_fault(module: Module, inst: Instruction, operand_index: int) -> Finding | None:
    """What is wrong with a scope of memory."""
    fault = scope_fault(module, inst, operand_index)
    number = word(module, inst.operands[operand_index]).number
    if fault is not None or number is None:
        return fault
    subject = f"{role(inst, operand_index)} is {shown(number)}"
    vulkan_model = module.has_capability(Capability.VulkanMemoryModel)
    if number == QUEUE_FAMILY:
        return None if vulkan_model else Finding(inst, operand_index, f"{subject}, which requires the capability VulkanMemoryModel")
    if number == DEVICE and vulkan_model and not module.has_capability(Capability.VulkanMemoryModelDeviceScope):
        needed = "which requires the capability VulkanMemoryModelDeviceScope because the module declares VulkanMemoryModel"
        return Finding(inst, operand_index, f"{subject}, {needed}")
    environment = module.environment
    if environment.api != "vulkan":
        return None
    if number not in _VULKAN_MEMORY:
        message = f"{subject}, expected Device, QueueFamily, Workgroup, ShaderCallKHR, Subgroup or Invocation in Vulkan"
        return Finding(inst, operand_index, message, vuid="VUID-StandaloneSpirv-None-04638")
    if number == SUBGROUP and environment.api_version == (1, 0) and not _has_subgroups(module):
        message = f"{subject}, which requires the capability SubgroupBallotKHR, SubgroupVoteKHR or GroupNonUniform in Vulkan 1.0"
        return Finding(inst, operand_index, message, vuid="VUID-StandaloneSpirv-SubgroupVoteKHR-07951")
    return None


_SUBGROUPS = (Capability.SubgroupBallotKHR, Capability.SubgroupVoteKHR, Capability.GroupNonUniform)


def _has_subgroups(module: Module) -> bool:
    return any(module.has_capability(name) for name in _SUBGROUPS)


_NO_WORKGROUP_BARRIER = (
    ExecutionModel.Fragment, ExecutionModel.Vertex, ExecutionModel.Geometry, ExecutionModel.TessellationEvaluation,
    ExecutionModel.RayGenerationKHR, ExecutionModel.IntersectionKHR, ExecutionModel.AnyHitKHR,
    ExecutionModel.ClosestHitKHR, ExecutionModel.MissKHR,
)  # fmt: skip
_WORKGROUP_MODELS = (
    ExecutionModel.GLCompute, ExecutionModel.TessellationControl, ExecutionModel.TaskNV, ExecutionModel.MeshNV,
    ExecutionModel.TaskEXT, ExecutionModel.MeshEXT,
)  # fmt: skip

_BARRIER_LIMIT = never(
    _NO_WORKGROUP_BARRIER,
    "requires a compute, tessellation control, task or mesh shader in Vulkan; use Subgroup",
    "VUID-StandaloneSpirv-OpControlBarrier-04682",
)
_EXECUTION_LIMIT = only(
    _WORKGROUP_MODELS,
    "the execution scope Workgroup requires a compute, tessellation control, task or mesh shader in Vulkan",
    "VUID-StandaloneSpirv-None-04637",
)
_MEMORY_LIMIT = only(
    _WORKGROUP_MODELS,
    "the memory scope Workgroup requires a compute, tessellation control, task or mesh shader in Vulkan",
    "VUID-StandaloneSpirv-None-07321",
)
_TESSELLATION_LIMIT = never(
    (ExecutionModel.TessellationControl,),
    "the memory scope Workgroup requires the memory model Vulkan in TessellationControl shaders",
    "VUID-StandaloneSpirv-ExecutionModel-07320",
)
_SHADER_CALL_LIMIT = only(
    RAY_TRACING_MODELS,
    "the memory scope ShaderCallKHR requires a ray tracing shader",
    "VUID-StandaloneSpirv-None-04640",
)


def execution_scope_limits(module: Module, inst: Instruction, operand_index: int) -> Iterator[Limit]:
    """The execution models that Vulkan keeps a scope of execution to."""
    if module.environment.api == "vulkan" and word(module, inst.operands[operand_index]).number == WORKGROUP:
        yield _EXECUTION_LIMIT


def control_barrier_limits(module: Module, inst: Instruction, operand_index: int) -> Iterator[Limit]:
    """The execution models that Vulkan keeps OpControlBarrier to, by its scope of execution."""
    number = word(module, inst.operands[operand_index]).number
    if module.environment.api == "vulkan" and number is not None and number != SUBGROUP:
        yield _BARRIER_LIMIT._replace(why=f"the execution scope {shown(number)} {_BARRIER_LIMIT.why}")


def memory_scope_limits(module: Module, inst: Instruction, operand_index: int) -> Iterator[Limit]:
    """The execution models that Vulkan keeps a scope of memory to."""
    number = word(module, inst.operands[operand_index]).number
    if module.environment.api != "vulkan" or number is None:
        return
    if number == SHADER_CALL:
        yield _SHADER_CALL_LIMIT
    if number == WORKGROUP:
        yield _MEMORY_LIMIT
        if module.memory_model == _GLSL450:
            yield _TESSELLATION_LIMIT
