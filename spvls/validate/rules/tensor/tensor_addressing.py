"""Tensor layouts and views (NV) (SPIR-V 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.operand_index import OpTypeTensorLayoutNV_Dim
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.constant_operand import constant_fault
from spvls.validate.checks.operation import unlike
from spvls.validate.checks.wording import counted
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

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


@instruction_rule("tensor/addressing-keeps-type", *_MAKERS, *_CHANGES, section=sections.RESERVED_INSTRUCTIONS)
def addressing_keeps_type(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction that changes a tensor layout or view must result in one of the same type.

    The type contains the number of dimensions and the clamp mode or permutation, which a driver may use to compile later accesses.
    OpTensorLayoutSliceNV, OpTensorLayoutSet…NV and OpTensorViewSet…NV change the value, not the type. OpCreateTensorLayoutNV must
    result in OpTypeTensorLayoutNV, and OpCreateTensorViewNV in OpTypeTensorViewNV.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None:
        return
    kind = _MAKERS.get(inst.opcode.value) or _CHANGES[inst.opcode.value][0]
    if type_.kind != kind:
        yield unlike(inst, TYPE, f"{tables.opcode_name(type_.kind)} (%{type_.id})", tables.opcode_name(kind))
        return
    given = module.type_of(id_at(inst, 0))
    if inst.opcode.value in _CHANGES and given is not None and given.id != type_.id:
        have, want = (f"{tables.opcode_name(one.kind)} (%{one.id})" for one in (given, type_))
        yield unlike(inst, 0, f"of type {have}", f"{want} to match the result type")


@instruction_rule(
    "tensor/addressing-operands-match-dimensions", *_CHANGES, section=sections.RESERVED_INSTRUCTIONS, after=(addressing_keeps_type,)
)
def addressing_operands_match_dimensions(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction that changes a tensor layout or view must have the required number of integers.

    Most of these instructions require one 32-bit integer for each dimension of the result type. With fewer, some dimensions have no
    value; more have no meaning. OpTensorLayoutSliceNV requires two for each dimension, an offset and a span.
    OpTensorLayoutSetClampValueNV requires one integer, and OpTensorViewSetClipNV four, whatever the number of dimensions. The count
    is not checked where the number of dimensions can be specialized.
    """
    module = context.module
    type_ = module.type(inst.type)
    kind, each, more = _CHANGES[inst.opcode.value]
    if type_ is None or type_.kind != kind:
        return
    dimensions = module.integer(type_.name(0))
    given = len(inst.operands) - 1
    if dimensions is not None and given != each * dimensions + more:
        wanted = each * dimensions + more
        operand_index = OPCODE if given < wanted else wanted + 1
        needs = counted(wanted, f"{inst.opcode.arguments[1].name} operand")
        if each:
            needs += ", one for each dimension of the result type"
        if inst.opcode.value == spv.OpTensorLayoutSliceNV:
            needs = f"{wanted} operands, an Offset and a Span for each dimension of the result type"
        yield Finding(inst, operand_index, f"{inst.opcode.name} requires {needs}, but has {given}")
        return
    for operand_index in range(1, len(inst.operands)):
        number = module.type_of(id_at(inst, operand_index))
        if number is not None and not (number.is_int and number.width == 32):
            yield unlike(inst, operand_index, module.spell(number), "a 32-bit integer")
            return


_TENSOR_TYPES = (spv.OpTypeTensorLayoutNV, spv.OpTypeTensorViewNV)


@instruction_rule("tensor/layout-has-1-to-5-dimensions", *_TENSOR_TYPES, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def layout_has_1_to_5_dimensions(inst: Instruction, context: RuleContext) -> Findings:
    """A tensor layout or view must have 1 to 5 dimensions, and operands that are constants.

    A driver may compile the computation of addresses for a fixed number of dimensions; SPV_NV_tensor_addressing defines up to 5.
    The permutation of a view must name each dimension exactly once, so that each has its own place. HasDimensions of a view must be
    a Boolean, and the other operands 32-bit integers; the clamp mode of a layout must be a value of TensorClampMode. As in
    spirv-val, OpUndef is accepted as a constant too. Values that can be specialized, and OpUndef, are not checked further; if a
    permutation has such a value, its other values must still name dimensions.
    """
    module = context.module
    view = inst.opcode.value == spv.OpTypeTensorViewNV
    for at in range(len(inst.operands)):
        is_bool = view and at == 1
        kind, width = (spv.OpTypeBool, None) if is_bool else (spv.OpTypeInt, 32)
        fault = constant_fault(module, inst, at, kind, width=width, or_undefined=True)
        if fault is not None:
            yield fault
            return
    dimensions = module.integer(id_at(inst, OpTypeTensorLayoutNV_Dim))
    if dimensions is not None and not 1 <= dimensions <= 5:
        yield unlike(inst, OpTypeTensorLayoutNV_Dim, dimensions, "1 to 5")
        return
    if not view:
        clamp = module.integer(id_at(inst, 1))
        if clamp is not None and not enumerants("TensorClampMode", clamp):
            yield unlike(inst, 1, clamp, "0 to 4 (TensorClampMode)")
        return
    named = [module.integer(id_at(inst, operand_index)) for operand_index in range(2, len(inst.operands))]
    if dimensions is not None and len(named) != dimensions:
        have = counted(len(named), "dimension")
        yield Finding(inst, OPCODE, f"the permutation (operands p) names {have}, expected {dimensions}, the value of operand Dim")
        return
    known = [number for number in named if number is not None]
    if any(not 0 <= number < len(named) for number in known) or (known == named and len({*known}) < len(named)):
        have = ", ".join("?" if number is None else str(number) for number in named)
        expected = f"each number from 0 to {len(named) - 1} once" if len(named) > 1 else "(0)"
        message = f"the permutation (operands p) is ({have}), expected {expected}"
        yield Finding(inst, OPCODE, message)
