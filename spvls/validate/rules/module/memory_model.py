"""OpMemoryModel (SPIR-V 3.2.3, 3.2.4, and client APIs)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AddressingModel, Capability, MemoryModel
from spvls.grammar.operand_index import OpMemoryModel_AddressingModel, OpMemoryModel_MemoryModel
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.declare import declaring

_VULKAN = MemoryModel.Vulkan
_OPENCL = MemoryModel.OpenCL
_LOGICAL = (AddressingModel.Logical, AddressingModel.PhysicalStorageBuffer64)
_PHYSICAL = (AddressingModel.Physical32, AddressingModel.Physical64)


@instruction_rule("module/memory-model-matches-capability", spv.OpMemoryModel, section=sections.CAPABILITY)
def memory_model_matches_capability(inst: Instruction, context: RuleContext) -> Findings:
    """A module that declares the capability VulkanMemoryModel must have the memory model Vulkan.

    The capability (SPV_KHR_vulkan_memory_model) changes how memory is ordered between invocations. With another memory model, a
    consumer does not know which of the two sets of rules the accesses of the module follow. That the memory model Vulkan requires
    the capability is checked by `capability/uses-are-enabled`.
    """
    model = word_at(inst, OpMemoryModel_MemoryModel)
    module = context.module
    if model is not None and model != _VULKAN and module.has_capability(Capability.VulkanMemoryModel):
        record = module.declarations.declared_capabilities.get(Capability.VulkanMemoryModel)
        notes = (Note(record, len(record.operands) - 1, "the capability is declared here"),) if record is not None else ()
        fix = FindingFix("Change to Vulkan", (Replace(inst, 1, "Vulkan"),))
        name = enumerant_name("MemoryModel", model)
        message = f"the memory model is {name}, but the capability VulkanMemoryModel requires the memory model Vulkan"
        yield Finding(inst, OpMemoryModel_MemoryModel, message, notes, (fix,))


@instruction_rule(
    "module/addressing-model-fits-vulkan",
    spv.OpMemoryModel,
    section=sections.ADDRESSING_MODEL,
    vuid="VUID-StandaloneSpirv-None-04635",
    apis="vulkan",
)
def addressing_model_fits_vulkan(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, the addressing model must be Logical or PhysicalStorageBuffer64.

    A Vulkan driver need not give addresses to most objects, and may reject a module that requires them.
    """
    model = word_at(inst, OpMemoryModel_AddressingModel)
    if model is not None and model not in _LOGICAL:
        fix = FindingFix("Change to Logical", (Replace(inst, 0, "Logical"),), preferred=False)
        name = enumerant_name("AddressingModel", model)
        message = f"the addressing model is {name}, but Vulkan requires Logical or PhysicalStorageBuffer64"
        yield Finding(inst, OpMemoryModel_AddressingModel, message, fixes=(fix,))


@instruction_rule("module/memory-model-fits-opencl", spv.OpMemoryModel, section=sections.ADDRESSING_MODEL, apis="opencl")
def memory_model_fits_opencl(inst: Instruction, context: RuleContext) -> Findings:
    """In OpenCL, the addressing model must be Physical32 or Physical64, and the memory model OpenCL.

    Kernels use pointers as addresses of a known size, and their atomics and barriers follow the memory model of OpenCL. A driver
    may reject a module with models for graphics. If both are wrong, only the addressing model is reported.

    Physical32 is for devices with 32-bit addresses, Physical64 for those with 64-bit addresses; the rule does not know the device.
    """
    addressing, model = word_at(inst, OpMemoryModel_AddressingModel), word_at(inst, OpMemoryModel_MemoryModel)
    if addressing is not None and addressing not in _PHYSICAL:
        steps = (Replace(inst, 0, "Physical64"), *declaring(context.module, Capability.Addresses))
        fix = FindingFix("Change to Physical64", steps, preferred=False)
        name = enumerant_name("AddressingModel", addressing)
        message = f"the addressing model is {name}, but OpenCL requires Physical32 or Physical64"
        yield Finding(inst, OpMemoryModel_AddressingModel, message, fixes=(fix,))
    elif model is not None and model != _OPENCL:
        fix = FindingFix("Change to OpenCL", (Replace(inst, 1, "OpenCL"),))
        message = f"the memory model is {enumerant_name('MemoryModel', model)}, but OpenCL requires the memory model OpenCL"
        yield Finding(inst, OpMemoryModel_MemoryModel, message, fixes=(fix,))
