"""Making and changing tensor layouts and views (SPV_NV_tensor_addressing)."""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.finding import Finding
from spvls.validate.operand_at import id_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.wording import are_given, counted

_MAKERS = {spv.OpCreateTensorLayoutNV: spv.OpTypeTensorLayoutNV, spv.OpCreateTensorViewNV: spv.OpTypeTensorViewNV}
_CHANGES = {
    spv.OpTensorLayoutSetBlockSizeNV: (spv.OpTypeTensorLayoutNV, 1, 0),
    spv.OpTensorLayoutSetDimensionNV: (spv.OpTypeTensorLayoutNV, 1, 0),
    spv.OpTensorLayoutSetStrideNV: (spv.OpTypeTensorLayoutNV, 1, 0),
    spv.OpTensorLayoutSliceNV: (spv.OpTypeTensorLayoutNV, 2, 0),
    spv.OpTensorLayoutSetClampValueNV: (spv.OpTypeTensorLayoutNV, 0, 1),
    spv.OpTensorViewSetDimensionNV: (spv.OpTypeTensorViewNV, 1, 0),
    spv.OpTensorViewSetStrideNV: (spv.OpTypeTensorViewNV, 1, 0),
    spv.OpTensorViewSetClipNV: (spv.OpTypeTensorViewNV, 0, 4),
}
"""What is changed, and how many integers that takes: so many for each dimension, and so many at any rate."""


@instruction_rule("tensor-addressing/result", *_MAKERS, *_CHANGES, section="3.3.6")
def result(inst: Instruction, scene: Scene) -> Findings:
    """Instructions on tensor layouts give layouts, those on views give views; what is changed keeps its type.

    Bad:  `%b = OpTensorLayoutSetStrideNV %layout_2 %layout_of_rank_3 %s %s`
    Good: `%b = OpTensorLayoutSetStrideNV %layout_2 %layout_of_rank_2 %s %s`
    """
    module = scene.module
    type_ = module.type(inst.type)
    if type_ is None:
        return
    kind = _MAKERS.get(inst.opcode.value) or _CHANGES[inst.opcode.value][0]
    if type_.kind != kind:
        yield Finding(inst, TYPE, f"the result type is {module.spell(type_)}, expected one made by {tables.opcode_name(kind)}")
        return
    given = module.type_of(id_at(inst, 0))
    if inst.opcode.value in _CHANGES and given is not None and given.id != type_.id:
        yield Finding(inst, 0, f"%{inst.operands[0]!s} is of type %{given.id}, and the result of type %{type_.id}")


@instruction_rule("tensor-addressing/operands", *_CHANGES, section="3.3.6")
def operands(inst: Instruction, scene: Scene) -> Findings:
    """Layouts and views are changed by 32-bit integers, as many as they have dimensions; a slice takes two for each.

    Bad:  `%b = OpTensorLayoutSetStrideNV %layout_2 %a %s %s %s`
    Good: `%b = OpTensorLayoutSetStrideNV %layout_2 %a %s %s`
    """
    module = scene.module
    type_ = module.type(inst.type)
    kind, each, more = _CHANGES[inst.opcode.value]
    if type_ is None or type_.kind != kind or any(result(inst, scene)):
        return
    dimensions = module.integer(type_.name(0))
    given = len(inst.operands) - 1
    if dimensions is not None and given != each * dimensions + more:
        wanted = each * dimensions + more
        place = OPCODE if given < wanted else wanted + 1
        yield Finding(inst, place, f"{inst.opcode.name} takes {counted(wanted, 'integer')} here, and {are_given(given)}")
        return
    for place in range(1, len(inst.operands)):
        number = module.type_of(id_at(inst, place))
        if number is not None and not (number.is_int and number.width == 32):
            yield Finding(inst, place, f"%{inst.operands[place]!s} is {module.spell(number)}, expected a 32-bit integer")
            return
