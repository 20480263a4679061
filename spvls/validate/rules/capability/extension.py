"""OpExtension (SPIR-V 2.22, 3.3.4)."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables, vulkan
from spvls.grammar.operand_index import OpExtension_Name
from spvls.grammar.records import Version
from spvls.syntax.instruction import Instruction
from spvls.typed import TYPE_CHECKING
from spvls.validate.engine.finding import Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

if TYPE_CHECKING:
    from spvls.syntax.nearest import Spelling

#: Extensions that build on a later version than the first.
_NEEDED_VERSION: dict[str, Version] = {
    "SPV_KHR_vulkan_memory_model": (1, 3),
    "SPV_QCOM_cooperative_matrix_conversion": (1, 3),
    "SPV_KHR_workgroup_memory_explicit_layout": (1, 4),
    "SPV_EXT_mesh_shader": (1, 4),
    "SPV_EXT_shader_invocation_reorder": (1, 4),
    "SPV_KHR_opacity_micromap": (1, 4),
    "SPV_NV_cluster_acceleration_structure": (1, 4),
    "SPV_NV_linear_swept_spheres": (1, 4),
    "SPV_NV_shader_invocation_reorder": (1, 4),
    "SPV_QCOM_image_processing": (1, 4),
    "SPV_QCOM_image_processing2": (1, 4),
}


@cache
def _spelling() -> Spelling:
    from spvls.syntax.nearest import Spelling

    return Spelling(tables.extension_names())


def _name(inst: Instruction) -> str:
    operand = inst.operands[OpExtension_Name] if inst.operands else b""
    return operand.decode("utf-8", "replace") if isinstance(operand, bytes) else ""


@instruction_rule(
    "capability/extension-is-known", spv.OpExtension, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING
)
def extension_is_known(inst: Instruction, context: RuleContext) -> Findings:
    """OpExtension must name an extension that the registry or the grammar of Khronos has.

    A consumer may reject a module that declares an extension which it does not support, so a misspelled name can make the module
    unusable. What an unknown extension adds or permits is not known, so other findings in the module may be wrong.
    OpConditionalExtensionINTEL is not checked.

    A warning, because the extension may be newer than the registry that this version knows.
    """
    name = _name(inst)
    if name in tables.extension_names():
        return
    near = _spelling().nearest(name)
    hint = f"; did you mean {near}?" if near else ""
    fixes = (FindingFix(f"Change to {near}", (Replace(inst, 0, f'"{near}"'),)),) if near else ()
    yield Finding(inst, OpExtension_Name, f'the extension "{name}" is not known{hint}', fixes=fixes)


@instruction_rule("capability/extension-fits-version", spv.OpExtension, section=sections.UNIFIED_SPECIFICATION)
def extension_fits_version(inst: Instruction, context: RuleContext) -> Findings:
    """A module must have the SPIR-V version that a declared extension requires, or a later one.

    The extension may rely on rules that older versions do not have. For example, SPV_EXT_mesh_shader requires SPIR-V 1.4, where
    entry points list the global variables of all storage classes that they use. A driver may reject the module.

    The rule checks the extensions that spirv-val checks. SPV_KHR_vulkan_memory_model and SPV_QCOM_cooperative_matrix_conversion
    require SPIR-V 1.3. SPIR-V 1.4 is required by SPV_EXT_mesh_shader, SPV_EXT_shader_invocation_reorder, SPV_KHR_opacity_micromap,
    SPV_KHR_workgroup_memory_explicit_layout, SPV_NV_cluster_acceleration_structure, SPV_NV_linear_swept_spheres,
    SPV_NV_shader_invocation_reorder, SPV_QCOM_image_processing and SPV_QCOM_image_processing2. Others that require a version, such
    as SPV_KHR_ray_tracing, and OpConditionalExtensionINTEL are not checked.
    """
    name = _name(inst)
    needed = _NEEDED_VERSION.get(name)
    if needed is not None and context.module.version < needed:
        wanted, have = (".".join(map(str, of)) for of in (needed, context.module.version))
        yield Finding(inst, OpExtension_Name, f"the extension {name} requires SPIR-V {wanted}; this module is SPIR-V {have}")


@instruction_rule(
    "capability/extension-is-known-to-vulkan",
    spv.OpExtension,
    section=sections.EXTENSION_INSTRUCTIONS,
    severity=Severity.WARNING,
    apis="vulkan",
)
def extension_is_known_to_vulkan(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a declared extension must be in Vulkan's table of SPIR-V extensions.

    The table (appendix Vulkan Environment for SPIR-V) names SPIR-V extensions, each with the extension or version of Vulkan that
    brings it; a driver may reject others. All versions of Vulkan count, not only that of the environment. The table lacks some
    extensions that provisional extensions of Vulkan use, such as SPV_AMDX_shader_enqueue. A name that is not registered is reported
    by `capability/extension-is-known`. OpConditionalExtensionINTEL is not checked.
    """
    name = _name(inst)
    if name in tables.extension_names() and vulkan.extension(name) is None:
        message = f"the extension {name} is not in Vulkan's table of SPIR-V extensions"
        yield Finding(inst, OpExtension_Name, message)
