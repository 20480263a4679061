"""Cooperative vectors: loads, stores and products with matrices in memory (SPV_NV_cooperative_vector)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import ComponentType, StorageClass
from spvls.grammar.operand_index import OpCooperativeVectorMatrixMulNV_Input, OpCooperativeVectorMatrixMulNV_InputInterpretation
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.kinds import Kind
from spvls.validate.checks.operation import is_constant_id, unlike
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_SHARED = frozenset({StorageClass.Workgroup, StorageClass.StorageBuffer, StorageClass.PhysicalStorageBuffer})
_NUMBERS = Kind("an integer, a float, or a vector of either", "Int Float", "Scalar Vector VectorIdEXT")
_PACKED = frozenset({ComponentType.SignedInt8PackedNV, ComponentType.UnsignedInt8PackedNV})

_LOAD, _STORE = spv.OpCooperativeVectorLoadNV, spv.OpCooperativeVectorStoreNV
_OUTER, _SUM = spv.OpCooperativeVectorOuterProductAccumulateNV, spv.OpCooperativeVectorReduceSumAccumulateNV
_MULTIPLY, _MULTIPLY_ADD = spv.OpCooperativeVectorMatrixMulNV, spv.OpCooperativeVectorMatrixMulAddNV

#: The places of pointers to arrays, of cooperative vectors, and of offsets into these arrays.
_POINTERS = {_LOAD: (0,), _STORE: (0,), _OUTER: (0,), _SUM: (0,), _MULTIPLY: (2,), _MULTIPLY_ADD: (2, 5)}
_VECTORS = {_LOAD: (TYPE,), _STORE: (2,), _OUTER: (2, 3), _SUM: (2,), _MULTIPLY: (TYPE,), _MULTIPLY_ADD: (TYPE,)}
_OFFSETS = {_LOAD: (1,), _STORE: (1,), _OUTER: (1,), _SUM: (1,), _MULTIPLY: (3,), _MULTIPLY_ADD: (3, 6)}


def _vector(inst: Instruction, module: Module, operand_index: int) -> Type | None:
    return module.type(inst.type) if operand_index == TYPE else module.type_of(id_at(inst, operand_index))


@instruction_rule("tensor/vector-memory-is-numeric-array", *_POINTERS, section=sections.MEMORY_INSTRUCTIONS)
def vector_memory_is_numeric_array(inst: Instruction, context: RuleContext) -> Findings:
    """The memory of a cooperative vector instruction must be an array of numbers or vectors of numbers.

    The device reads and writes vectors, matrices and biases as a sequence of numbers, at an offset from the beginning of the array.
    The pointer to the array must be a typed one, to Workgroup, StorageBuffer or PhysicalStorageBuffer.

    The rule checks the loads, stores, matrix products, outer products and sums that SPV_NV_cooperative_vector adds. The extension
    also permits CrossWorkgroup, which this rule reports, as spirv-val does. For the operands Matrix and Bias of matrix products,
    the extension permits neither Workgroup nor elements that are vectors, but this rule accepts both, as spirv-val does.
    """
    module = context.module
    for operand_index in _POINTERS[inst.opcode.value]:
        pointer = module.type_of(id_at(inst, operand_index))
        if pointer is None:
            continue
        shown = module.spell(pointer)
        pointee = pointer.pointee
        if pointer.kind != spv.OpTypePointer:
            yield unlike(inst, operand_index, shown, "a typed pointer (OpTypePointer)")
        elif pointer.storage not in _SHARED:
            wanted = "a pointer to the storage class Workgroup, StorageBuffer or PhysicalStorageBuffer"
            yield unlike(inst, operand_index, shown, wanted)
        elif pointee is not None and not (pointee.is_array and (pointee.element is None or _NUMBERS.holds(pointee.element))):
            yield unlike(inst, operand_index, shown, "a pointer to an array of integer or float scalars or vectors")
        else:
            continue
        return


@instruction_rule(
    "tensor/vector-operands-are-cooperative",
    *_VECTORS,
    section=sections.MEMORY_INSTRUCTIONS,
    after=(vector_memory_is_numeric_array,),
)
def vector_operands_are_cooperative(inst: Instruction, context: RuleContext) -> Findings:
    """The vectors of a cooperative vector instruction must be of type OpTypeVectorIdEXT.

    A device may choose how to hold such a vector, so that invocations can compute products together. The instructions are not
    defined for an OpTypeVector. As in spirv-val, the Input of a product with a matrix is not checked.

    The two vectors of an outer product must have the same component type. The layout, interpretation and stride of its matrix must
    be 32-bit integers; SPV_NV_cooperative_vector requires a constant layout, which is not checked. Each offset into an array must
    be an integer of 32 or 64 bits. 64 bits are defined by SPV_EXT_shader_64bit_indexing, but the rule, like spirv-val, also accepts
    them without it.
    """
    module = context.module
    found = []
    for operand_index in _VECTORS[inst.opcode.value]:
        type_ = _vector(inst, module, operand_index)
        if type_ is not None and type_.kind != spv.OpTypeVectorIdEXT:
            wanted = "a cooperative vector (OpTypeVectorIdEXT or OpTypeCooperativeVectorNV)"
            yield unlike(inst, operand_index, module.spell(type_), wanted)
            return
        found.append(type_)
    components = [type_.element_id for type_ in found if type_ is not None]
    if len(components) == 2 and components[0] != components[1]:
        shown = [module.spell(module.type(name)) for name in components]
        first, second = (operand(inst, at) for at in _VECTORS[inst.opcode.value])
        message = f"{second} has components of type {shown[1]}, expected {shown[0]} to match {first}"
        yield Finding(inst, _VECTORS[inst.opcode.value][1], message)
        return
    for operand_index in _OFFSETS[inst.opcode.value]:
        offset = module.type_of(id_at(inst, operand_index))
        if offset is not None and not (offset.is_int and offset.width in (32, 64)):
            yield unlike(inst, operand_index, module.spell(offset), "a 32- or 64-bit integer")
            return
    if inst.opcode.value == _OUTER:
        for operand_index in (4, 5, 6):
            fault = _int32_fault(inst, module, operand_index)
            if fault is not None:
                yield fault
                return


def _int32_fault(inst: Instruction, module: Module, operand_index: int) -> Finding | None:
    type_ = module.type_of(id_at(inst, operand_index))
    if type_ is None or (type_.is_int and type_.width == 32):
        return None
    return unlike(inst, operand_index, module.spell(type_), "a 32-bit integer")


@instruction_rule(
    "tensor/vector-product-sizes-match",
    _MULTIPLY,
    _MULTIPLY_ADD,
    section=sections.RESERVED_INSTRUCTIONS,
    after=(vector_operands_are_cooperative,),
)
def vector_product_sizes_match(inst: Instruction, context: RuleContext) -> Findings:
    """The M of a matrix-vector product must be the size of its result, and K that of an unpacked input.

    Each of the M components of the result is a sum over K components. With other numbers, a device may read past the end of the
    input or leave components without a value. An input with a packed interpretation holds several of the K components in each of
    its own. Numbers that can be specialized are not compared, nor is K if the interpretation of the input can be specialized.
    SPV_NV_cooperative_vector requires that the input is an OpTypeVectorIdEXT too; the rule, like spirv-val, also accepts an
    OpTypeVector, whose size it does not compare with K.

    The components of the result must be 32-bit integers or floats of 16 or 32 bits. Interpretations, M, K and Memory Layout must be
    constant 32-bit integers, and Transpose a constant Boolean, because a driver may select instructions by them. They may be
    specialization constants.
    """
    module = context.module
    result, source = module.type(inst.type), module.type_of(id_at(inst, OpCooperativeVectorMatrixMulNV_Input))
    if result is None or result.kind != spv.OpTypeVectorIdEXT:
        return
    component = result.element
    if component is not None and not (
        (component.is_int and component.width == 32) or (component.is_float and component.width in (16, 32))
    ):
        yield unlike(inst, TYPE, module.spell(result), "a vector with components of type i32, u32, f16 or f32")
        return
    m = 8 if inst.opcode.value == _MULTIPLY_ADD else 5
    k, memory_layout, transpose = m + 1, m + 2, m + 3
    rows, given = module.integer(id_at(inst, m)), module.integer(result.length_id)
    if rows is not None and given is not None and rows != given:
        yield unlike(inst, m, rows, f"{given}, the number of components of the result type")
        return
    columns = module.integer(id_at(inst, k))
    taken = module.integer(source.length_id) if source is not None else None
    interpretation = module.integer(id_at(inst, OpCooperativeVectorMatrixMulNV_InputInterpretation))
    if interpretation is not None and interpretation not in _PACKED and None not in (columns, taken) and columns != taken:
        given_input = operand(inst, OpCooperativeVectorMatrixMulNV_Input)
        yield unlike(inst, k, columns, f"{taken}, the number of components of {given_input}")
        return
    turned = module.type_of(id_at(inst, transpose))
    if turned is not None and not turned.is_bool:
        yield unlike(inst, transpose, module.spell(turned), "bool")
        return
    numbers = (1, 4, *((7,) if inst.opcode.value == _MULTIPLY_ADD else ()), m, k, memory_layout)
    for operand_index in (*numbers, transpose):
        name = id_at(inst, operand_index)
        if name is not None and module.type_of(name) is not None and not is_constant_id(module, name):
            yield unlike(inst, operand_index, f"the result of {module.opcode_name_of(name)}", "a constant")
            return
    for operand_index in numbers:
        fault = _int32_fault(inst, module, operand_index)
        if fault is not None:
            yield fault
            return
