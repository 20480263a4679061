"""Capabilities of descriptor arrays (SPIR-V 3.2.30)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import TYPE, Instruction
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.descriptors import DESCRIPTOR_CLASSES, descriptor_index
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.declare import capability_fixes


@instruction_rule(
    "capability/descriptor-indexing-is-enabled",
    spv.OpAccessChain,
    spv.OpInBoundsAccessChain,
    section=sections.CAPABILITY,
    severity=Severity.INFORMATION,
)
def descriptor_indexing_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """An array of descriptors must be indexed by a constant, or the capability for other indexes declared.

    Without the capability a driver may assume that the index is known when the pipeline is created, and may read the wrong
    descriptor.

    For each kind of descriptor that the rule checks, there is one capability for dynamically uniform indexes, such as
    UniformBufferArrayDynamicIndexing, and one for non-uniform indexes, such as UniformBufferArrayNonUniformIndexing. The rule
    requires the latter if the index is decorated with NonUniform. The specification lists the two separately. The rule also accepts
    the latter for other indexes, because a device that takes different indexes in different invocations can take equal ones.

    Checked is, in modules with Shader, the first index of an OpAccessChain or OpInBoundsAccessChain whose Base is an OpVariable in
    Uniform, StorageBuffer or UniformConstant with an array of buffers, images, samplers or sampled images. Constants that can be
    specialized and OpUndef are constants here, OpPoisonKHR is not. Other access chains, arrays of acceleration structures, tensors
    or arrays, and indexes after the first are not checked.

    Information only, because spirv-val does not check this.
    """
    module = context.module
    if not module.has_capability(Capability.Shader):
        return
    for operand_index, indexing in descriptor_index(inst, module):
        index = id_at(inst, operand_index)
        if index is None or module.constant(index) is not None:
            continue
        uniform = not module.has_decoration(index, Decoration.NonUniform)
        dynamic, non_uniform = indexing
        wanted = dynamic if uniform else non_uniform
        if not module.has_capability(wanted) and not module.has_capability(non_uniform):
            kind = "not a constant" if uniform else "decorated with NonUniform"
            what = f"%{index}, which is {kind}, indexes the descriptors of {operand(inst, 0)}"
            message = f"{what}; such indexing requires the capability {capability_name(wanted)}"
            yield Finding(inst, operand_index, message, fixes=capability_fixes(module, (wanted,)))


@instruction_rule(
    "capability/runtime-descriptor-array-is-enabled",
    spv.OpVariable,
    section=sections.CAPABILITY,
    severity=Severity.WARNING,
    apis="!vulkan",
)
def runtime_descriptor_array_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """A shader with a variable that is a run-time array must declare RuntimeDescriptorArray.

    The module does not say how many descriptors such an array holds. A device that does not support this may reject the pipeline.

    Checked is each OpVariable in Uniform, StorageBuffer or UniformConstant that points to an OpTypeRuntimeArray, in modules with
    Shader. Untyped variables, and run-time arrays in structures, are not checked. In Vulkan,
    `memory/runtime-array-is-in-resource` reports the variable as an error.

    A warning, because spirv-val only checks this in Vulkan.
    """
    module = context.module
    pointer = module.type(inst.type)
    held = pointer.pointee if pointer is not None and pointer.storage in DESCRIPTOR_CLASSES else None
    if pointer is None or held is None or held.kind != spv.OpTypeRuntimeArray:
        return
    if module.has_capability(Capability.Shader) and not module.has_capability(Capability.RuntimeDescriptorArray):
        message = "a run-time array of descriptors requires the capability RuntimeDescriptorArray"
        yield Finding(inst, TYPE, message, fixes=capability_fixes(module, (Capability.RuntimeDescriptorArray,)))
