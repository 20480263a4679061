"""Tensors: their types, and reading and writing them (SPV_ARM_tensors)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, TensorOperands
from spvls.grammar.operand_index import (
    OpTensorQuerySizeARM_Dimension,
    OpTensorReadARM_Coordinates,
    OpTensorReadARM_Tensor,
    OpTypeTensorARM_ElementType,
    OpTypeTensorARM_Rank,
    OpTypeTensorARM_Shape,
)
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.memory_operands import Mask
from spvls.validate.checks.operation import is_constant_id, unlike
from spvls.validate.checks.wording import counted, operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_OUT_OF_BOUNDS = TensorOperands.OutOfBoundsValueARM
_AVAILABLE = TensorOperands.MakeElementAvailableARM
_VISIBLE = TensorOperands.MakeElementVisibleARM
_NON_PRIVATE = TensorOperands.NonPrivateElementARM
_WITH_PARAMETER = (_OUT_OF_BOUNDS, _AVAILABLE, _VISIBLE)

_ACCESSES = {spv.OpTensorReadARM: 2, spv.OpTensorWriteARM: 3}
"""The place of the tensor operands."""


def rank(module: Module, type_: Type) -> int | None:
    """The rank of a tensor type; None where it is not known before specialization."""
    return module.integer(type_.name(1))


@instruction_rule("tensor/tensor-shape-matches-rank", spv.OpTypeTensorARM, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def tensor_shape_matches_rank(inst: Instruction, context: RuleContext) -> Findings:
    """The Rank of a tensor must be a constant of at least 1, and its Shape an array of that many sizes.

    A driver may compute the addresses of elements from rank and shape when it compiles the module. With another number of sizes the
    addresses are not determined. Each size must be at least 1, and the element type must be a scalar. SPV_ARM_tensors names no
    least rank or size; the rule takes them from spirv-val.

    A tensor type may omit Shape, or both Rank and Shape. Rank must be an integer, and Shape a constant array of integers. In
    shaders, Vulkan requires Rank and forbids Shape, which is not checked.
    Values that can be specialized are permitted and not checked. As in spirv-val, a Shape that is OpConstantNull is not reported,
    although its sizes are 0. Rank and sizes are read as unsigned.
    """
    module = context.module
    element = module.type(id_at(inst, OpTypeTensorARM_ElementType))
    if element is not None and not element.is_scalar:
        yield unlike(inst, OpTypeTensorARM_ElementType, module.spell(element), "a scalar type")
        return
    name = id_at(inst, OpTypeTensorARM_Rank)
    if name is None or module.type_of(name) is None:
        return
    from spvls.validate.checks.constant_operand import constant_fault  # few modules need it

    fault = constant_fault(module, inst, OpTypeTensorARM_Rank)
    if fault is not None:
        yield fault
        return
    ranks = module.integer(name)
    if ranks == 0:
        yield unlike(inst, OpTypeTensorARM_Rank, ranks, "at least 1")
        return
    yield from _shape(inst, module, ranks)


def _shape(inst: Instruction, module: Module, ranks: int | None) -> Findings:
    name = id_at(inst, OpTypeTensorARM_Shape)
    type_ = module.type_of(name)
    if name is None or type_ is None:
        return
    if not is_constant_id(module, name):
        yield unlike(inst, OpTypeTensorARM_Shape, f"the result of {module.opcode_name_of(name)}", "a constant array of integers")
        return
    if not _is_int_array(module, type_, ranks):
        shown = "integers" if ranks is None else f"{counted(ranks, 'integer')}, one for each dimension"
        yield unlike(inst, OpTypeTensorARM_Shape, module.spell(type_), f"an array of {shown}")
        return
    constant = module.constant(name)
    for at, size in enumerate(constant.record.operands if constant is not None else ()):
        known = module.integer(size)
        if known == 0:
            yield Finding(inst, OpTypeTensorARM_Shape, f"dimension {at} of operand Shape (%{name}) is {known}, expected at least 1")
            return


def _is_int_array(module: Module, type_: Type, length: int | None) -> bool:
    if type_.kind != spv.OpTypeArray or type_.element is None or not type_.element.is_int:
        return False
    known = module.integer(type_.length_id)
    return known is None or length is None or known == length


def _element(type_: Type | None) -> Type | None:
    """A scalar, or what an array or a tensor is made of."""
    return type_.element if type_ is not None and type_.kind in (spv.OpTypeArray, spv.OpTypeTensorARM) else type_


def _tensor(inst: Instruction, module: Module, operand_index: int) -> Type | None:
    type_ = module.type_of(id_at(inst, operand_index))
    return type_ if type_ is not None and type_.kind == spv.OpTypeTensorARM else None


@instruction_rule(
    "tensor/accessed-tensor-has-rank",
    spv.OpTensorReadARM,
    spv.OpTensorWriteARM,
    spv.OpTensorQuerySizeARM,
    section=sections.TENSOR_INSTRUCTIONS,
)
def accessed_tensor_has_rank(inst: Instruction, context: RuleContext) -> Findings:
    """A tensor that is read, written or queried must have a rank.

    OpTensorReadARM, OpTensorWriteARM and OpTensorQuerySizeARM require a tensor. The rank says how many coordinates an element has
    and how many sizes there are. For a tensor without a rank, a driver cannot compute an address or select a size.
    """
    module = context.module
    type_ = module.type_of(id_at(inst, OpTensorReadARM_Tensor))
    if type_ is not None and not (type_.kind == spv.OpTypeTensorARM and len(type_.operands) > 1):
        yield unlike(inst, OpTensorReadARM_Tensor, module.spell(type_), "a tensor with a rank")


@instruction_rule(
    "tensor/access-matches-tensor", *_ACCESSES, section=sections.TENSOR_INSTRUCTIONS, after=(accessed_tensor_has_rank,)
)
def access_matches_tensor(inst: Instruction, context: RuleContext) -> Findings:
    """A tensor must be accessed with one coordinate for each dimension, and with its element type.

    A device computes the address of an element from the coordinates and copies it without conversion. With fewer coordinates the
    address is not determined; with another type the bits may be read as another number. What OpTensorReadARM reads or
    OpTensorWriteARM writes must be a scalar or an array of scalars, and the coordinates an array of integers, whose length is not
    checked where it or the rank can be specialized.
    """
    module = context.module
    tensor = _tensor(inst, module, 0)
    if tensor is None:
        return
    reads = inst.opcode.value == spv.OpTensorReadARM
    accessed = module.type(inst.type) if reads else module.type_of(id_at(inst, 2))
    element = _element(accessed)
    operand_index = TYPE if reads else 2
    wanted = tensor.element
    if accessed is not None and (element is None or not element.is_scalar or accessed.kind == spv.OpTypeTensorARM):
        yield unlike(inst, operand_index, module.spell(accessed), "a scalar or an array of scalars")
        return
    if element is not None and wanted is not None and element.id != wanted.id:
        one = "" if accessed is element else "an array of "
        expected = f"{one}{module.spell(wanted)} to match the elements of {operand(inst, 0)}"
        yield unlike(inst, operand_index, module.spell(accessed), expected)
        return
    coordinates = module.type_of(id_at(inst, OpTensorReadARM_Coordinates))
    if coordinates is not None and not _is_int_array(module, coordinates, rank(module, tensor)):
        known = rank(module, tensor)
        shown = "integers" if known is None else f"{counted(known, 'integer')}, one for each dimension of the tensor"
        yield unlike(inst, OpTensorReadARM_Coordinates, module.spell(coordinates), f"an array of {shown}")


def _mask(inst: Instruction) -> Mask | None:
    operand_index = _ACCESSES[inst.opcode.value]
    bits = word_at(inst, operand_index)
    if bits is None:
        return None
    present = (bit for bit in _WITH_PARAMETER if bits & bit)
    return Mask(operand_index, bits, {bit: at for at, bit in enumerate(present, operand_index + 1)})


@instruction_rule("tensor/tensor-operands-fit-access", *_ACCESSES, section=sections.TENSOR_OPERANDS)
def tensor_operands_fit_access(inst: Instruction, context: RuleContext) -> Findings:
    """The Tensor Operands of an access must be ones that are defined for it.

    A read can make elements visible and can have a value for elements that are out of bounds; a write can make elements available.
    The reverse has no meaning, so a driver may ignore it and omit the synchronization that the shader relies on.

    OpTensorReadARM must not have MakeElementAvailableARM, and OpTensorWriteARM neither MakeElementVisibleARM nor
    OutOfBoundsValueARM. MakeElementAvailableARM and MakeElementVisibleARM require NonPrivateElementARM. OutOfBoundsValueARM
    requires a value of the element type. SPV_ARM_tensors requires a constant there, which the rule, like spirv-val, does not check.
    """
    module = context.module
    mask = _mask(inst)
    tensor = _tensor(inst, module, 0)
    if mask is None or tensor is None:
        return
    reads = inst.opcode.value == spv.OpTensorReadARM
    operand_index = mask.parameters.get(_OUT_OF_BOUNDS)
    if operand_index is not None:
        given = module.type_of(id_at(inst, operand_index))
        if not reads:
            yield Finding(inst, mask.operand_index, f"{inst.opcode.name} must not have the tensor operand OutOfBoundsValueARM")
            return
        wanted = tensor.element
        if given is not None and wanted is not None and given.id != wanted.id:
            shown = f"the tensor operand OutOfBoundsValueARM (%{inst.operands[operand_index]!s}) is {module.spell(given)}"
            message = f"{shown}, expected {module.spell(wanted)} to match the elements of {operand(inst, 0)}"
            yield Finding(inst, operand_index, message)
            return
    refused, name = (_AVAILABLE, "MakeElementAvailableARM") if reads else (_VISIBLE, "MakeElementVisibleARM")
    if mask.bits & refused:
        yield Finding(inst, mask.operand_index, f"{inst.opcode.name} must not have the tensor operand {name}")
    elif mask.bits & (_AVAILABLE | _VISIBLE) and not mask.bits & _NON_PRIVATE:
        made = "MakeElementVisibleARM" if reads else "MakeElementAvailableARM"
        yield Finding(inst, mask.operand_index, f"the tensor operand {made} requires the tensor operand NonPrivateElementARM")


@instruction_rule("tensor/queried-dimension-exists", spv.OpTensorQuerySizeARM, section=sections.TENSOR_INSTRUCTIONS)
def queried_dimension_exists(inst: Instruction, context: RuleContext) -> Findings:
    """The Dimension of OpTensorQuerySizeARM must be a constant less than the rank of the tensor.

    The rank is the number of dimensions, which are counted from 0. A device has no size to return for another dimension, and may
    return the size of something else. The result type must be an integer scalar. A Dimension or a rank that can be specialized is
    not compared.
    """
    module = context.module
    result = module.type(inst.type)
    if result is not None and not result.is_int:
        yield unlike(inst, TYPE, module.spell(result), "an integer scalar")
        return
    name = id_at(inst, OpTensorQuerySizeARM_Dimension)
    type_ = module.type_of(name)
    tensor = _tensor(inst, module, 0)
    if name is None or type_ is None or tensor is None:
        return
    from spvls.validate.checks.constant_operand import constant_fault  # few modules need it

    fault = constant_fault(module, inst, OpTensorQuerySizeARM_Dimension)
    if fault is not None:
        yield fault
        return
    dimension, ranks = module.integer(name), rank(module, tensor)
    if dimension is not None and ranks is not None and not 0 <= dimension < ranks:
        yield unlike(inst, OpTensorQuerySizeARM_Dimension, dimension, f"less than {ranks}, the rank of {operand(inst, 0)}")


@instruction_rule(
    "tensor/constant-tensor-matches-shape",
    spv.OpConstantComposite,
    spv.OpSpecConstantComposite,
    section=sections.CONSTANT_CREATION_INSTRUCTIONS,
)
def constant_tensor_matches_shape(inst: Instruction, context: RuleContext) -> Findings:
    """The constituents of a constant tensor must be tensors of one rank less, or scalars if its rank is 1.

    The constituents are the slices of the first dimension, in order. They must have the same element type and the shape of the
    other dimensions: a slice of another shape leaves elements without a value or has too many of them. The scalars must be of the
    element type. SPV_ARM_tensors makes tensors with a shape composites, but does not say what they consist of; the rule follows
    spirv-val.

    The rule checks OpConstantComposite and OpSpecConstantComposite of a tensor type with a shape, if its rank cannot be
    specialized. Sizes, and the ranks of constituents, are not compared where they can be specialized or a type omits them. The
    number of constituents is checked by `constant/constituent-count-matches-type`.
    """
    module = context.module
    if not module.has_capability(Capability.TensorsARM):
        return
    type_ = module.type(inst.type)
    if type_ is None or type_.kind != spv.OpTypeTensorARM or len(type_.operands) < 3:
        return
    ranks = rank(module, type_)
    if ranks is None:
        return
    for operand_index in range(len(inst.operands)):
        given = module.type_of(id_at(inst, operand_index))
        if given is None or type_.element is None:
            continue
        fault = _constituent_fault(module, type_, given, ranks)
        if fault is not None:
            yield Finding(inst, operand_index, f"constituent {operand_index} (%{inst.operands[operand_index]!s}) {fault}")
            return


def _constituent_fault(module: Module, type_: Type, given: Type, ranks: int) -> str | None:
    """What is wrong with a part of a constant tensor, as the predicate of a message."""
    wanted = module.spell(type_.element)
    expected = f"is {module.spell(given)}, expected"
    if ranks == 1:
        return None if type_.element is not None and given.id == type_.element.id else f"{expected} {wanted}"
    if given.kind != spv.OpTypeTensorARM or given.element is None or type_.element is None or given.element.id != type_.element.id:
        return f"{expected} a rank-{ranks - 1} tensor of {wanted}"
    inner = rank(module, given)
    if inner is not None and inner != ranks - 1:
        return f"is {module.spell(given)} (rank {inner}), expected a rank-{ranks - 1} tensor"
    outer_shape, inner_shape = module.constant(type_.name(2)), module.constant(given.name(2))
    if outer_shape is None or inner_shape is None:
        return None
    pairs = zip(outer_shape.record.operands[1:], inner_shape.record.operands, strict=False)
    for at, (wants, found) in enumerate(pairs):
        one, other = module.integer(wants), module.integer(found)
        if one is not None and other is not None and one != other:
            have = counted(other, "element")
            return f"has {have} in dimension {at}, expected {one} to match dimension {at + 1} of the result type"
    return None
