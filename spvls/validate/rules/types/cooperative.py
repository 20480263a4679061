"""Types of cooperative matrices and of tensor layouts and views (SPV_KHR_cooperative_matrix, SPV_NV_tensor_addressing)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.constant_operand import constant_fault
from spvls.validate.finding import Finding
from spvls.validate.operand_at import id_at
from spvls.validate.rule import Findings, Scene, instruction_rule

_PARTS = ("scope", "number of rows", "number of columns", "use")
_COMPONENT_CAPABILITIES = {
    "BFloat16KHR": "BFloat16CooperativeMatrixKHR",
    "Float8E4M3EXT": "Float8CooperativeMatrixEXT",
    "Float8E5M2EXT": "Float8CooperativeMatrixEXT",
}


@instruction_rule(
    "opcode/OpTypeCooperativeMatrixKHR/operands", spv.OpTypeCooperativeMatrixKHR, spv.OpTypeCooperativeMatrixNV, section="3.3.6"
)
def cooperative_matrix(inst: Instruction, scene: Scene) -> Findings:
    """A cooperative matrix is made of numbers; its scope, rows, columns and use are integer constants.

    Bad:  `%m = OpTypeCooperativeMatrixKHR %v4float %subgroup %rows %columns %use_a`
    Good: `%m = OpTypeCooperativeMatrixKHR %float %subgroup %rows %columns %use_a`
    """
    module = scene.module
    component = module.type(id_at(inst, 0))
    if component is not None and not component.is_numeric:
        shown = module.spell(component)
        yield Finding(inst, 0, f"a cooperative matrix is made of integers or floats, and %{component.id} is {shown}")
        return
    for encoding, needed in _COMPONENT_CAPABILITIES.items():
        if component is not None and encoding in module.contents(component.id) and not module.has_capability(needed):
            yield Finding(inst, 0, f"a cooperative matrix of {module.spell(component)} needs the capability {needed}")
            return
    for place, what in enumerate(_PARTS, 1):
        fault = constant_fault(module, inst, place, what)
        if fault is not None:
            yield fault
            return


_TENSOR_TYPES = (spv.OpTypeTensorLayoutNV, spv.OpTypeTensorViewNV)


@instruction_rule("opcode/tensor-addressing-type/operands", *_TENSOR_TYPES, section="3.3.6")
def tensor_type(inst: Instruction, scene: Scene) -> Findings:
    """A tensor layout or view has 1 to 5 dimensions, by constants; a view names each of them once, in any order.

    Bad:  `%l = OpTypeTensorLayoutNV %uint_6 %clamp`; `%v = OpTypeTensorViewNV %uint_2 %no %uint_0 %uint_0`
    Good: `%l = OpTypeTensorLayoutNV %uint_2 %clamp`; `%v = OpTypeTensorViewNV %uint_2 %no %uint_1 %uint_0`
    """
    module = scene.module
    view = inst.opcode.value == spv.OpTypeTensorViewNV
    faults = [
        constant_fault(module, inst, 0, "number of dimensions"),
        constant_fault(
            module, inst, 1, "operand HasDimensions" if view else "clamp mode", spv.OpTypeBool if view else spv.OpTypeInt
        ),
        *(constant_fault(module, inst, place, "dimension") for place in range(2, len(inst.operands))),
    ]
    for fault in faults:
        if fault is not None:
            yield fault
            return
    dimensions = module.integer(id_at(inst, 0))
    if dimensions is not None and not 1 <= dimensions <= 5:
        yield Finding(inst, 0, f"%{inst.operands[0]!s} is {dimensions}, expected 1 to 5 dimensions")
        return
    if not view:
        clamp = module.integer(id_at(inst, 1))
        if clamp is not None and not enumerants("TensorClampMode", clamp):
            yield Finding(inst, 1, f"%{inst.operands[1]!s} is {clamp}, which is no TensorClampMode")
        return
    named = [module.integer(id_at(inst, place)) for place in range(2, len(inst.operands))]
    if dimensions is not None and len(named) != dimensions:
        yield Finding(inst, OPCODE, f"the view has {dimensions} dimensions, and {len(named)} are named")
    elif None not in named and sorted(n for n in named if n is not None) != list(range(len(named))):
        yield Finding(inst, OPCODE, f"a view names each dimension from 0 to {len(named) - 1} once")
