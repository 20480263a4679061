"""Capabilities that a module could do without, as advice (SPIR-V 3.2.30)."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Capability
from spvls.grammar.records import Entity
from spvls.module.functions import entities_of
from spvls.module.module import Module
from spvls.syntax.operand_decls import capability_name
from spvls.validate.engine.finding import Delete, Finding, FindingFix
from spvls.validate.engine.rule import Findings, RuleContext, module_rule

#: Capabilities whose use shows in types, pointers and extended instructions, and not only in what the grammar says they enable.
_USED_OTHERWISE = (
    "Int", "Float", "Storage", "Uniform", "VariablePointers", "Addresses", "PhysicalStorageBuffer", "Vector16", "Image",
    "Sampled", "Interpolation", "Matrix", "Shader", "Kernel", "Linkage", "Atomic", "Cooperative", "Tensor", "DotProduct",
    "Ray", "Mesh", "Task", "Runtime", "Workgroup", "Group", "Variable", "Function", "Generic", "Long", "BFloat",
    "MaskedGatherScatter", "SubgroupBallot", "SubgroupVote",
)  # fmt: skip
_BASES = frozenset({Capability.Shader, Capability.Kernel, Capability.Matrix})


@cache
def _enables() -> dict[int, frozenset[Entity]]:
    """What each capability enables: opcodes, and enumerants other than capabilities."""
    found: dict[int, set[Entity]] = {}
    kinds = [kind for kind in tables.kinds() if kind.name != "Capability" and kind.category in ("value", "mask")]
    for entity in (*tables.opcodes(), *(enumerant for kind in kinds for enumerant in kind.all)):
        for capability in tables.capability_values(entity.capabilities):
            found.setdefault(capability, set()).add(entity)
    return {capability: frozenset(entities) for capability, entities in found.items()}


@module_rule("capability/declared-capability-is-used", section=sections.CAPABILITY, severity=Severity.HINT, tags="unnecessary")
def declared_capability_is_used(context: RuleContext) -> Findings:
    """A module must not declare a capability that it does not use.

    A consumer may reject a module with a capability that it does not support, even if nothing uses it. Then the module runs on
    fewer devices than it could.

    A capability is used if the module has an instruction or enumerant that it, or a capability that it implies other than Shader,
    Kernel and Matrix, enables. Capabilities that enable neither or are declared by OpConditionalCapabilityINTEL are not checked.
    Nor are many others, such as Int64, StorageImageMultisample and GroupNonUniform, as the use of some shows only in types,
    pointers or extended instructions. Reported only with advice, as in editors.
    """
    if not context.options.advice:
        return
    module = context.module
    declared = {
        capability: record
        for capability, record in module.declarations.declared_capabilities.items()
        if not capability_name(capability).startswith(_USED_OTHERWISE) and _enables().get(capability)
    }
    if not declared:
        return
    used = _used(module)
    for capability, record in declared.items():
        served = {capability, *tables.implied_capabilities(capability)} - _BASES
        if record.opcode.value == spv.OpCapability and not any(_enables().get(other, frozenset()) & used for other in served):
            fix = FindingFix("Remove the capability", (Delete(record),), preferred=False)
            message = f"the capability {capability_name(capability)} is declared, but nothing in the module requires it"
            yield Finding(record, 0, message, fixes=(fix,))


def _used(module: Module) -> frozenset[Entity]:
    """The opcodes and enumerants that the module uses."""
    return entities_of(module.chunks[0].records).union(*(function.entities for function in module.functions()))
