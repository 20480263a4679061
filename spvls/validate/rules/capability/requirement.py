"""Capabilities: those that the instructions call for, and those that a client API takes (SPIR-V 2.2.1, 3.2.30)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.client import client_capabilities
from spvls.grammar.enumerants import Capability
from spvls.grammar.environments import Environment
from spvls.grammar.operand_index import OpCapability_Capability, OpConditionalCapabilityINTEL_Capability, OpTypeImage_Sampled
from spvls.grammar.records import Entity, Enumerant
from spvls.module.availability import CAPABILITY, Availability, may_lack_capability
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import capability_names
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.declare import capability_fixes, declaring, extension_fixes, is_reported, missing_requirement


@instruction_rule("capability/uses-are-enabled", section=sections.CAPABILITY, where=may_lack_capability)
def uses_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction or enumerant that requires a capability must have one that is declared or implied.

    By the capabilities, a consumer knows whether it supports the module. What is used without its capability may meet a driver
    that does not support it. Where several capabilities enable the same thing, one of them is sufficient. Of uses that lack the
    same capabilities, only the first in a function, or outside of functions, is reported, and of an instruction only the first
    lack. Extended instructions, operations of OpSpecConstantOp, and constants that stand for enumerants, such as memory semantics,
    are not checked here. OpConditionalCapabilityINTEL declares a capability too.

    As in spirv-val, some uses require no capability, for example a declaration of the built-in PointSize, ClipDistance or
    CullDistance. The decoration FPRoundingMode requires one for 16-bit storage in Vulkan and none elsewhere. SPV_AMD_shader_ballot
    also enables the group operations Reduce, InclusiveScan and ExclusiveScan, and its own instructions, such as
    OpGroupIAddNonUniformAMD.
    """
    lack = missing_requirement(inst, context)
    if lack is None or lack.kind is not CAPABILITY or is_reported(lack, context):
        return
    names = lack.names
    subject = shown(lack.entity, inst)
    if inst.opcode.value == spv.OpTypeImage and word_at(inst, OpTypeImage_Sampled) == _STORAGE and names[0] in _OF_STORAGE_IMAGES:
        names, subject = (_OF_STORAGE_IMAGES[names[0]],), f"{subject} of a storage image"
    needed = f"the capability {listed(names)}"
    message = f"{subject} requires {needed}, which the module does not declare"
    if len(names) > 1:
        message = f"{subject} requires {needed}; the module declares {'neither' if len(names) == 2 else 'none of them'}"
    yield Finding(inst, lack.operand_index, message, fixes=capability_fixes(context.module, tables.capability_values(names)))


_STORAGE = 2
_OF_STORAGE_IMAGES = {"Sampled1D": "Image1D", "SampledRect": "ImageRect", "SampledBuffer": "ImageBuffer"}
"""By the capability of an image dimension: the one of its storage images, which implies it."""


def shown(entity: Entity, inst: Instruction | None = None) -> str:
    """An opcode or an enumerant as messages name it; by the alias that the text of the instruction has, if it has one."""
    words = inst.text[inst.start : inst.end].split() if inst is not None and entity.aliases else ()
    name = next((alias for alias in entity.aliases if alias in words), entity.name)
    return f"{_KINDS.get(entity.kind, _spaced(entity.kind))} {name}" if isinstance(entity, Enumerant) else name


_KINDS = {
    "BuiltIn": "the built-in", "Dim": "the image dimension", "FPFastMathMode": "the fast math mode",
    "FPRoundingMode": "the rounding mode", "FPEncoding": "the encoding", "ImageOperands": "the image operand",
    "MemoryAccess": "the memory operand", "MemorySemantics": "the memory semantics bit", "RayFlags": "the ray flag",
    "KernelEnqueueFlags": "the kernel enqueue flag", "CooperativeMatrixReduce": "the cooperative matrix reduce mode",
    "CooperativeMatrixOperands": "the cooperative matrix operand", "TensorAddressingOperands": "the tensor addressing operand",
    "MatrixMultiplyAccumulateOperands": "the matrix multiply accumulate operand", "TensorOperands": "the tensor operand",
    "RawAccessChainOperands": "the raw access chain operand", "QuantizationModes": "the quantization mode",
    "OverflowModes": "the overflow mode", "GatherModes": "the gather mode", "FPDenormMode": "the FP denorm mode",
    "FPOperationMode": "the FP operation mode",
}  # fmt: skip


def _spaced(kind: str) -> str:
    return "the " + "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind).strip()


@instruction_rule(
    "capability/is-supported-by-environment",
    spv.OpCapability,
    spv.OpConditionalCapabilityINTEL,
    section=sections.CAPABILITY,
    apis="vulkan opencl",
)
def is_supported_by_environment(inst: Instruction, context: RuleContext) -> Findings:
    """A capability must be supported by the version of the client API, or by a declared extension.

    Vulkan and OpenCL list the capabilities that a module may declare in each version: for example, Pipes is permitted since OpenCL
    2.0, and not in OpenCL 1.2. A driver may reject a module with another capability. The extension must be one that brings the
    capability. In OpenCL, ImageBasic permits further capabilities, such as LiteralSampler. OpConditionalCapabilityINTEL is checked
    too.

    Extensions of OpenCL itself do not count, as in spirv-val: for example, Int64Atomics and ImageMipmap, which such extensions
    bring, are reported in OpenCL; Float16 and Float64 are not.

    Capabilities that are only implied are not checked, and none are in the environment `vulkan1.1spv1.4`. A capability that
    requires a later SPIR-V version, or an extension that the module does not declare, is left to
    `capability/uses-exist-in-version`.
    """
    at = OpCapability_Capability if inst.opcode.value == spv.OpCapability else OpConditionalCapabilityINTEL_Capability
    capability = word_at(inst, at)
    enumerant = tables.kind("Capability").by_value(capability) if capability is not None else None
    environment = context.module.environment
    taken = client_capabilities(environment.name)
    if enumerant is None or taken is None or missing_requirement(inst, context) is not None:
        return
    if taken.allows(enumerant.value, context.module.declarations.capabilities):
        return
    if any(context.module.has_extension(name) for name in enumerant.extensions):
        return
    message = f"{title(environment)} does not support {shown(enumerant, inst)}"
    enabling = [name for name, enabled in taken.enabled_by.items() if enumerant.value in enabled]
    if enabling:
        message += f" unless the capability {listed(capability_names(enabling))} is declared"
    elif enumerant.extensions:
        message += f" unless the extension {listed(enumerant.extensions)} is declared"
    elif environment.api == "opencl" and enumerant.value in _BROUGHT_BY:
        message += f" unless the device has the OpenCL extension {_BROUGHT_BY[enumerant.value]}"
    fix = FindingFix("Remove the capability", (Delete(inst),), preferred=False)
    yield Finding(inst, at, message, fixes=() if _is_needed(enumerant.value, context.module) else (fix,))


_BROUGHT_BY = {
    Capability.Int64: "cles_khr_int64",
    Capability.Int64Atomics: "cl_khr_int64_base_atomics",
    Capability.ImageMipmap: "cl_khr_mipmap_image_writes",
    Capability.NamedBarrier: "cl_khr_subgroup_named_barrier",
    Capability.GroupNonUniform: "cl_khr_subgroup_non_uniform_vote",
    Capability.GroupNonUniformVote: "cl_khr_subgroup_non_uniform_vote",
    Capability.GroupNonUniformBallot: "cl_khr_subgroup_ballot",
    Capability.GroupNonUniformArithmetic: "cl_khr_subgroup_non_uniform_arithmetic",
    Capability.GroupNonUniformShuffle: "cl_khr_subgroup_shuffle",
    Capability.GroupNonUniformShuffleRelative: "cl_khr_subgroup_shuffle_relative",
    Capability.GroupNonUniformClustered: "cl_khr_subgroup_clustered_reduce",
}
"""The OpenCL extensions that bring capabilities (OpenCL SPIR-V Environment, OpenCL Extensions)."""


def _is_needed(capability: int, module: Module) -> bool:
    """Whether what a module declares of itself as a whole takes a capability, or one that only this one implies."""
    declared = module.declarations
    if capability == Capability.Linkage and not declared.entry_points:
        return True
    others = [other for other in declared.declared_capabilities if other != capability]
    left = frozenset(others).union(*map(tables.implied_capabilities, others))
    if not tables.implied_capabilities(capability) <= left:
        return True
    available = Availability(frozenset(others), frozenset(declared.extensions), module.version, module.environment)
    modes = [record for opcode in _DECLARING for record in declared.records(opcode)]
    return any(available.lack(record) is not None for record in modes)


_DECLARING = (spv.OpMemoryModel, spv.OpEntryPoint, spv.OpExecutionMode, spv.OpExecutionModeId)


def title(environment: Environment) -> str:
    """The name of an environment's API as people write it: `Vulkan 1.2`, `OpenCL 2.0 Embedded Profile`."""
    api = {"vulkan": "Vulkan", "opencl": "OpenCL", "opengl": "OpenGL"}.get(environment.api, "SPIR-V")
    version = environment.api_version if environment.api else environment.version
    return f"{api} {version[0]}.{version[1]}{' Embedded Profile' if environment.embedded else ''}"


def _vulkan_memory_model(module: Module) -> tuple[FindingFix, ...]:
    """The quick fix that declares the capability, and with it the memory model."""
    steps = declaring(module, Capability.VulkanMemoryModel)
    if not module.has_extension(_MEMORY_MODEL) and module.version < (1, 5):
        steps = (*steps, *(step for fix in extension_fixes(module, (_MEMORY_MODEL,)) for step in fix.steps))
    model = module.declarations.memory_model_record
    if model is not None and len(model.operands) > 1:
        steps = (*steps, Replace(model, 1, "Vulkan"))
    return (FindingFix("Declare the capability VulkanMemoryModel", steps),)


_MEMORY_MODEL = "SPV_KHR_vulkan_memory_model"


@instruction_rule("capability/cooperative-matrix-requires-vulkan-model", spv.OpCapability, section=sections.CAPABILITY)
def cooperative_matrix_requires_vulkan_model(inst: Instruction, context: RuleContext) -> Findings:
    """A module with Shader and CooperativeMatrixKHR must also declare the capability VulkanMemoryModel.

    SPV_KHR_cooperative_matrix requires the Vulkan memory model in modules with Shader; other modules are not checked.
    Loads and stores of cooperative matrices may have memory operands of this model, such as MakePointerAvailable, and a driver may
    reject a module with another model. CooperativeMatrixNV, and capabilities that imply CooperativeMatrixKHR, such as
    BFloat16CooperativeMatrixKHR, are not checked, nor is OpConditionalCapabilityINTEL.
    """
    module = context.module
    if word_at(inst, OpCapability_Capability) != Capability.CooperativeMatrixKHR:
        return
    if module.has_capability(Capability.Shader) and not module.has_capability(Capability.VulkanMemoryModel):
        message = "the capabilities Shader and CooperativeMatrixKHR together require the capability VulkanMemoryModel"
        yield Finding(inst, OpCapability_Capability, message, fixes=_vulkan_memory_model(module))
