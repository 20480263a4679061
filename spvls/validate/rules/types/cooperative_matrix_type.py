"""Cooperative matrix types: what their scope asks for (SPV_KHR_cooperative_matrix)."""

from __future__ import annotations

from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding, Note
from spvls.validate.rule import Findings, Scene, instruction_rule

_WORKGROUP = value("Scope", "Workgroup")
_SUBGROUP = value("Scope", "Subgroup")


@instruction_rule(
    "vulkan/cooperative-matrix-scope",
    "OpTypeCooperativeMatrixKHR",
    section="3.3.6",
    vuid="VUID-StandaloneSpirv-Scope-12243",
    apis="vulkan",
)
def vulkan_scope(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan, a cooperative matrix belongs to a workgroup or to a subgroup.

    Bad:  `%m = OpTypeCooperativeMatrixKHR %half %scope_device %uint_16 %uint_16 %use`
    Good: the same with `%scope_subgroup`
    """
    scope = scene.module.integer(inst.operands[1]) if len(inst.operands) > 1 else None
    if scope is not None and scope not in (_WORKGROUP, _SUBGROUP):
        yield Finding(inst, 1, f"the scope {shown(inst.operands[1])} is {scope}, expected Workgroup (2) or Subgroup (3)")


@instruction_rule("execution-mode/local-size-id-before-matrix", "OpTypeCooperativeMatrixKHR", section="3.2.5")
def local_size_id_before_matrix(inst: Instruction, scene: Scene) -> Findings:
    """Where LocalSizeId sets the size of workgroups, its constants stand before cooperative matrix types of workgroup scope.

    How much of such a matrix an invocation holds follows from the size of the workgroup.

    Bad:  `%m = OpTypeCooperativeMatrixKHR %half %workgroup …` before the `%uint_8` that LocalSizeId names.
    Good: `%uint_8 = OpConstant %uint 8` first.
    """
    module = scene.module
    if len(inst.operands) < 2 or module.integer(inst.operands[1]) != _WORKGROUP:
        return
    for modes in module.declarations.execution_modes.values():
        for mode in modes:
            if mode.name != "LocalSizeId":
                continue
            for name in mode.params:
                definition = module.definition(name) if isinstance(name, str) and name not in scene.seen else None
                if definition is not None:
                    note = Note(definition, OPCODE, f"{shown(name)} is defined here")
                    message = (
                        f"the matrix has workgroup scope, and {shown(name)}, by which LocalSizeId sets its size, comes later"
                    )
                    yield Finding(inst, 1, message, (note,))
                    return
