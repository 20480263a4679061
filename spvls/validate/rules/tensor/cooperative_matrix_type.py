"""Cooperative matrix types (SPIR-V 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Scope
from spvls.grammar.operand_index import OpTypeCooperativeMatrixKHR_ComponentType, OpTypeCooperativeMatrixKHR_Scope
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import capability_name, enumerant_name
from spvls.validate.checks.constant_operand import constant_fault
from spvls.validate.checks.operation import unlike
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_COMPONENT_CAPABILITIES = {
    "BFloat16KHR": Capability.BFloat16CooperativeMatrixKHR,
    "Float8E4M3EXT": Capability.Float8CooperativeMatrixEXT,
    "Float8E5M2EXT": Capability.Float8CooperativeMatrixEXT,
}
_WORKGROUP = Scope.Workgroup
_SUBGROUP = Scope.Subgroup


@instruction_rule(
    "tensor/matrix-type-operands-are-constant",
    spv.OpTypeCooperativeMatrixKHR,
    spv.OpTypeCooperativeMatrixNV,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
)
def matrix_type_operands_are_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The scope, rows, columns and use of a cooperative matrix type must be integer constants.

    A driver may select registers and instructions by them when it compiles the module, so it needs their values then;
    specialization constants have them. OpTypeCooperativeMatrixNV, which has no operand Use, is checked too.
    SPV_KHR_cooperative_matrix requires constants of 32 bits; the rule, like spirv-val, accepts other widths. Components must be
    integers or floats, so that they can be multiplied. bfloat16 requires the capability BFloat16CooperativeMatrixKHR
    (SPV_KHR_bfloat16), and the encodings Float8E4M3EXT and Float8E5M2EXT require Float8CooperativeMatrixEXT (SPV_EXT_float8).
    That integers of 4 bits require Int4CooperativeMatrixINTEL (SPV_INTEL_int4) is, as in spirv-val, not checked.
    """
    module = context.module
    component = module.type(id_at(inst, OpTypeCooperativeMatrixKHR_ComponentType))
    if component is not None and not component.is_numeric:
        yield unlike(inst, OpTypeCooperativeMatrixKHR_ComponentType, module.spell(component), "an integer or float type")
        return
    for encoding, needed in _COMPONENT_CAPABILITIES.items():
        if component is not None and encoding in module.contents(component.id) and not module.has_capability(needed):
            yield Finding(
                inst,
                OpTypeCooperativeMatrixKHR_ComponentType,
                f"a cooperative matrix of {module.spell(component)} requires the capability {capability_name(needed)}",
            )
            return
    for operand_index in range(1, len(inst.operands)):
        fault = constant_fault(module, inst, operand_index)
        if fault is not None:
            yield fault
            return


@instruction_rule(
    "tensor/matrix-scope-is-workgroup-or-subgroup",
    spv.OpTypeCooperativeMatrixKHR,
    spv.OpTypeCooperativeMatrixNV,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
)
def matrix_scope_is_workgroup_or_subgroup(inst: Instruction, context: RuleContext) -> Findings:
    """The Scope of a cooperative matrix must be Workgroup or Subgroup.

    The invocations of the scope hold the matrix together. A driver may have no instructions to load and multiply a matrix that is
    spread over the invocations of another scope. Vulkan has this rule for OpTypeCooperativeMatrixKHR; like spirv-val, the rule
    checks OpTypeCooperativeMatrixNV too (in Vulkan with the same VUID), and both in every environment. Only a scope that cannot be
    specialized is checked.
    """
    scope = context.module.integer(inst.operands[OpTypeCooperativeMatrixKHR_Scope]) if len(inst.operands) > 1 else None
    if scope is not None and scope not in (_WORKGROUP, _SUBGROUP):
        vuid = "VUID-StandaloneSpirv-Scope-12243" if context.module.environment.api == "vulkan" else None
        have = enumerant_name("Scope", scope)
        yield unlike(inst, OpTypeCooperativeMatrixKHR_Scope, have, "Workgroup or Subgroup")._replace(vuid=vuid)
