"""Capabilities of descriptor arrays (SPIR-V 3.2.30)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.descriptors import DESCRIPTOR_CLASSES, descriptor_index
from spvls.validate.checks.wording import listed
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
    """Who indexes an array of descriptors by what is no constant declares the capability for that.

    There is one for each kind of descriptor, `UniformBufferArrayDynamicIndexing` and its kin, and another one for indexes
    that are decorated NonUniform. Without it the module is valid, and what the index does is undefined.
    """
    module = context.module
    for operand_index, kind in descriptor_index(inst, module):
        index = id_at(inst, operand_index)
        if index is None or module.constant(index) is not None:
            continue
        uniform = not module.has_decoration(index, "NonUniform")
        wanted = f"{kind}Array{'Dynamic' if uniform else 'NonUniform'}Indexing"
        names = [wanted, f"{kind}ArrayNonUniformIndexing"] if uniform else [wanted]
        if not any(module.has_capability(name) for name in names):
            message = f"%{index} is no constant, and indexing these descriptors by it takes the capability {wanted}"
            yield Finding(inst, operand_index, message, fixes=capability_fixes(module, (wanted,)))


@instruction_rule(
    "capability/runtime-descriptor-array-is-enabled",
    spv.OpVariable,
    section=sections.CAPABILITY,
    severity=Severity.WARNING,
    apis="!vulkan",
)
def runtime_descriptor_array_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """A run-time array of descriptors takes the capability RuntimeDescriptorArray. In Vulkan that is an error of another rule."""
    module = context.module
    pointer = module.type(inst.type)
    held = pointer.pointee if pointer is not None and pointer.storage in DESCRIPTOR_CLASSES else None
    if pointer is None or held is None or held.kind != spv.OpTypeRuntimeArray:
        return
    if module.has_capability("Shader") and not module.has_capability("RuntimeDescriptorArray"):
        names = ("RuntimeDescriptorArray",)
        message = f"a run-time array of descriptors takes the capability {listed(names)}"
        yield Finding(inst, TYPE, message, fixes=capability_fixes(module, names))
