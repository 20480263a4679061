"""Loads, stores, length, coordinates (SPIR-V 3.3.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Capability, CooperativeMatrixLayout, StorageClass, TensorAddressingOperands
from spvls.grammar.operand_index import (
    OpCooperativeMatrixGetCoordinateEXT_Index,
    OpCooperativeMatrixGetCoordinateEXT_Matrix,
    OpCooperativeMatrixLengthKHR_Type,
    OpCooperativeMatrixLoadKHR_Pointer,
    OpCooperativeMatrixLoadTensorNV_Object,
)
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.constant_operand import constant_fault
from spvls.validate.checks.kinds import SCALARS_AND_VECTORS, VECTORS, Kind
from spvls.validate.checks.memory_operands import mask_at
from spvls.validate.checks.operation import is_constant_id, unlike
from spvls.validate.checks.wording import counted, made_by, operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_SHARED = frozenset({StorageClass.Workgroup, StorageClass.StorageBuffer, StorageClass.PhysicalStorageBuffer})
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_PAIR = Kind("a vector of two 32-bit integers", "Int", VECTORS, width=32, count=2)
_NUMBERS = Kind("an integer, a float, or a vector of either", "Int Float", SCALARS_AND_VECTORS)
_MAJOR = frozenset({CooperativeMatrixLayout.RowMajorKHR, CooperativeMatrixLayout.ColumnMajorKHR})

_VIEW = TensorAddressingOperands.TensorView
_DECODE = TensorAddressingOperands.DecodeFunc
_DECODE_VECTOR = TensorAddressingOperands.DecodeVectorFunc

_LOADS = (spv.OpCooperativeMatrixLoadKHR, spv.OpCooperativeMatrixLoadNV, spv.OpCooperativeMatrixLoadTensorNV)
_STORES = (spv.OpCooperativeMatrixStoreKHR, spv.OpCooperativeMatrixStoreNV, spv.OpCooperativeMatrixStoreTensorNV)
_NV = (spv.OpCooperativeMatrixLoadNV, spv.OpCooperativeMatrixStoreNV)
_TENSOR = (spv.OpCooperativeMatrixLoadTensorNV, spv.OpCooperativeMatrixStoreTensorNV)
_BLOCKED_STRIDES = (1, 2, 4)
_BLOCKED = (
    CooperativeMatrixLayout.RowBlockedInterleavedARM,
    CooperativeMatrixLayout.ColumnBlockedInterleavedARM,
)


@instruction_rule(
    "tensor/blocked-stride-is-supported",
    spv.OpCooperativeMatrixLoadKHR,
    spv.OpCooperativeMatrixStoreKHR,
    section=sections.MEMORY_INSTRUCTIONS,
)
def blocked_stride_is_supported(inst: Instruction, context: RuleContext) -> Findings:
    """A blocked layout requires a constant Stride of 1, 2 or 4, and blocks must fill the matrix.

    SPV_ARM_cooperative_matrix_layouts defines the layouts for these strides only. With another stride, the place of an element in
    memory is not defined. The rule checks OpCooperativeMatrixLoadKHR and OpCooperativeMatrixStoreKHR with RowBlockedInterleavedARM
    or ColumnBlockedInterleavedARM. Both layouts require the capability CooperativeMatrixLayoutsARM.

    A block has 4 rows of 16 bytes each. The numbers of rows and columns of the matrix must be multiples of those of a block; with
    RowBlockedInterleavedARM the number of columns, and with ColumnBlockedInterleavedARM the number of rows, must be a multiple of
    Stride times that of a block. What can be specialized is not compared, nor are rows and columns if the Stride can be.
    """
    module = context.module
    at = 1 if inst.opcode.value == spv.OpCooperativeMatrixLoadKHR else 2
    layout = module.integer(id_at(inst, at))
    if layout not in _BLOCKED:
        return
    named = enumerant_name("CooperativeMatrixLayout", layout)
    if not module.has_capability(Capability.CooperativeMatrixLayoutsARM):
        yield Finding(inst, at, f"{operand(inst, at)} is {named}, which requires the capability CooperativeMatrixLayoutsARM")
        return
    name = id_at(inst, at + 1)
    if name is None:
        yield Finding(inst, OPCODE, f"{inst.opcode.name} requires the operand Stride for the memory layout {named}")
        return
    type_, stride = module.type_of(name), module.integer(name)
    if type_ is None or not type_.is_int:
        return
    if not is_constant_id(module, name):
        yield Finding(inst, at + 1, f"{operand(inst, at + 1)} is not a constant; {named} requires a constant")
    elif stride is not None and stride not in _BLOCKED_STRIDES:
        yield unlike(inst, at + 1, stride, f"1, 2 or 4 for {named}")
    elif stride is not None:
        message = _block_fault(module, _matrix(inst, module), layout, stride)
        if message is not None:
            yield Finding(inst, at, f"{f'the result type of {inst.opcode.name}' if at == 1 else operand(inst, 1)} {message}")


def _block_fault(module: Module, matrix: Type | None, layout: int, stride: int) -> str | None:
    """Why blocks do not fill a matrix, as the predicate of a message."""
    if matrix is None or matrix.kind != spv.OpTypeCooperativeMatrixKHR or matrix.element is None:
        return None
    multiples = [4, 16 // max(1, (matrix.element.width or 8) // 8)]
    multiples[layout == CooperativeMatrixLayout.RowBlockedInterleavedARM] *= stride
    for what, name, multiple in zip(("row", "column"), (matrix.name(2), matrix.name(3)), multiples, strict=True):
        count = module.integer(name)
        if count and count % multiple:
            blocks = f"{enumerant_name('CooperativeMatrixLayout', layout)} with a Stride of {stride}"
            return f"is {module.spell(matrix)} ({counted(count, what)}), expected a multiple of {multiple} {what}s for {blocks}"
    return None


def _matrix_kind(inst: Instruction) -> int:
    return spv.OpTypeCooperativeMatrixNV if inst.opcode.value in _NV else spv.OpTypeCooperativeMatrixKHR


def _matrix(inst: Instruction, module: Module) -> Type | None:
    """What is loaded or stored."""
    return module.type(inst.type) if inst.opcode.value in _LOADS else module.type_of(id_at(inst, 1))


@instruction_rule("tensor/matrix-memory-holds-numbers", *_LOADS, *_STORES, section=sections.MEMORY_INSTRUCTIONS)
def matrix_memory_holds_numbers(inst: Instruction, context: RuleContext) -> Findings:
    """A cooperative matrix must be loaded from and stored to numbers in memory that invocations share.

    All invocations of the scope access the matrix together; memory of one invocation has no place for the others. The pointer must
    point to Workgroup, StorageBuffer or PhysicalStorageBuffer. Outside of Vulkan, this is not checked of OpCooperativeMatrixLoadKHR
    and OpCooperativeMatrixStoreKHR, for which only Vulkan requires it.

    A typed pointer must point to a number or a vector of numbers, but with OpCooperativeMatrixLoadTensorNV and
    OpCooperativeMatrixStoreTensorNV, what it points to is not checked. As in spirv-val, the storage class is checked for these two
    in all environments, in Vulkan with the VUID below, although its text does not name them. A pointer to Workgroup together with a
    DecodeFunc, which SPV_NV_cooperative_matrix2 does not permit, is not reported.

    As in spirv-val, untyped pointers are accepted only with OpCooperativeMatrixLoadKHR and OpCooperativeMatrixStoreKHR.
    OpCooperativeMatrixLoadNV and OpCooperativeMatrixStoreNV (SPV_NV_cooperative_matrix) require a matrix of type
    OpTypeCooperativeMatrixNV, the others OpTypeCooperativeMatrixKHR.
    """
    module = context.module
    matrix = _matrix(inst, module)
    kind = _matrix_kind(inst)
    tensor = inst.opcode.value in _TENSOR
    if matrix is not None and matrix.kind != kind:
        operand_index = TYPE if inst.opcode.value in _LOADS else 1
        have = module.spell(matrix) + (f" ({tables.opcode_name(matrix.kind)})" if matrix.is_cooperative_matrix else "")
        yield unlike(inst, operand_index, have, f"a cooperative matrix ({tables.opcode_name(kind)})")
        return
    pointer = module.type_of(id_at(inst, OpCooperativeMatrixLoadKHR_Pointer))
    if pointer is None:
        return
    shown = module.spell(pointer)
    if pointer.kind != spv.OpTypePointer and not (pointer.is_pointer and kind == spv.OpTypeCooperativeMatrixKHR and not tensor):
        expected = "a pointer" if kind == spv.OpTypeCooperativeMatrixKHR and not tensor else "a typed pointer (OpTypePointer)"
        yield unlike(inst, OpCooperativeMatrixLoadKHR_Pointer, shown, expected)
        return
    vulkan = module.environment.api == "vulkan"
    if pointer.storage not in _SHARED and (vulkan or tensor or kind == spv.OpTypeCooperativeMatrixNV):
        vuid = "VUID-StandaloneSpirv-Pointer-08973" if vulkan and kind != spv.OpTypeCooperativeMatrixNV else None
        expected = "a pointer to the storage class Workgroup, StorageBuffer or PhysicalStorageBuffer"
        if kind == spv.OpTypeCooperativeMatrixKHR and not tensor:
            expected += " in Vulkan"
        yield unlike(inst, OpCooperativeMatrixLoadKHR_Pointer, shown, expected)._replace(vuid=vuid)
    elif not tensor and pointer.pointee is not None and not _NUMBERS.holds(pointer.pointee):
        yield unlike(inst, OpCooperativeMatrixLoadKHR_Pointer, shown, f"a pointer to {_NUMBERS.name}")


@instruction_rule(
    "tensor/matrix-layout-is-constant",
    spv.OpCooperativeMatrixLoadKHR,
    spv.OpCooperativeMatrixStoreKHR,
    section=sections.MEMORY_INSTRUCTIONS,
    after=(matrix_memory_holds_numbers,),
)
def matrix_layout_is_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The Memory Layout of a cooperative matrix must be an integer constant.

    A driver may select the load or store instruction by the layout when it compiles the module; a specialization constant is
    permitted too. SPV_KHR_cooperative_matrix requires a constant of 32 bits; the rule, like spirv-val, accepts other widths. The
    layouts RowMajorKHR and ColumnMajorKHR require a Stride, because without it the place of the second row or column is not known;
    this is not checked of a layout that can be specialized. A Stride must be an integer. For these two layouts, the extension also
    requires at least 0 in a load and more than 0 in a store; as in spirv-val, the value is not checked.

    The rule checks OpCooperativeMatrixLoadKHR and OpCooperativeMatrixStoreKHR. For the blocked layouts of ARM see
    `tensor/blocked-stride-is-supported`, for OpCooperativeMatrixLoadNV and OpCooperativeMatrixStoreNV
    `tensor/matrix-order-is-constant-bool`. `id/constant-is-enumerant` reports values that are not a layout.
    """
    module = context.module
    at = 1 if inst.opcode.value in _LOADS else 2
    name = id_at(inst, at)
    type_ = module.type_of(name)
    if name is None or type_ is None:
        return
    fault = constant_fault(module, inst, at)
    if fault is not None:
        yield fault
        return
    stride = module.type_of(id_at(inst, at + 1))
    if stride is not None and not stride.is_int:
        yield unlike(inst, at + 1, module.spell(stride), "an integer")
    elif len(inst.operands) <= at + 1 and (layout := module.integer(name)) in _MAJOR:
        named = enumerant_name("CooperativeMatrixLayout", layout or 0)
        yield Finding(inst, OPCODE, f"{inst.opcode.name} requires the operand Stride for the memory layout {named}")


@instruction_rule(
    "tensor/matrix-order-is-constant-bool",
    spv.OpCooperativeMatrixLoadNV,
    spv.OpCooperativeMatrixStoreNV,
    section=sections.RESERVED_INSTRUCTIONS,
    after=(matrix_memory_holds_numbers,),
)
def matrix_order_is_constant_bool(inst: Instruction, context: RuleContext) -> Findings:
    """OpCooperativeMatrixLoadNV and OpCooperativeMatrixStoreNV must have a constant Boolean Column Major.

    A driver may select the load or store instruction by the order when it compiles the module; a specialization constant is
    permitted too. The Stride must be an integer.
    """
    module = context.module
    at = 1 if inst.opcode.value in _LOADS else 2
    stride = module.type_of(id_at(inst, at))
    if stride is not None and not stride.is_int:
        yield unlike(inst, at, module.spell(stride), "an integer")
        return
    fault = constant_fault(module, inst, at + 1, spv.OpTypeBool)
    if fault is not None:
        yield fault


@instruction_rule(
    "tensor/tensor-addressing-operands-match", *_TENSOR, section=sections.MEMORY_INSTRUCTIONS, after=(matrix_memory_holds_numbers,)
)
def tensor_addressing_operands_match(inst: Instruction, context: RuleContext) -> Findings:
    """A cooperative matrix access with a tensor layout must have operands of matching types.

    The device computes addresses from the layout and the view. The clamp mode of the layout decides what a load finds outside of
    the tensor; outside of the clip region of the view, a load keeps the components of its Object. With operands of other types the
    device has no addresses, or components of another type.

    In OpCooperativeMatrixLoadTensorNV, Object must have the result type. TensorLayout must have the type OpTypeTensorLayoutNV, and
    TensorView the type OpTypeTensorViewNV. A DecodeFunc must return the type of a component, and a DecodeVectorFunc
    (SPV_NV_cooperative_matrix_decode_vector) a vector of 2, 4 or 8 components of this type. Their first three parameters must be a
    pointer to PhysicalStorageBuffer and two arrays with a 32-bit integer for each dimension; the type of the elements is not
    checked. Lengths that can be specialized are not checked. In a load, a DecodeVectorFunc requires a DecodeFunc too.
    OpCooperativeMatrixStoreTensorNV must not have either; if the operand names a function, `id/operand-is-value` reports it.
    """
    module = context.module
    matrix = _matrix(inst, module)
    loads = inst.opcode.value in _LOADS
    if matrix is None:
        return
    at = 1
    if loads:
        over = module.type_of(id_at(inst, OpCooperativeMatrixLoadTensorNV_Object))
        if over is not None and over.id != matrix.id:
            have, want = (f"{module.spell(one)} (%{one.id})" for one in (over, matrix))
            yield unlike(inst, OpCooperativeMatrixLoadTensorNV_Object, have, f"{want} to match the result type")
            return
    at = 2
    tensor_layout = module.type_of(id_at(inst, at))
    if tensor_layout is None:
        return
    if tensor_layout.kind != spv.OpTypeTensorLayoutNV:
        yield unlike(inst, at, module.spell(tensor_layout), "a tensor layout (OpTypeTensorLayoutNV)")
        return
    bits = word_at(inst, at + 1)
    operand_index = mask_at(at + 1, bits).end if bits is not None else len(inst.operands)
    tensor_bits = word_at(inst, operand_index)
    if tensor_bits is None:
        return
    if loads and tensor_bits & _DECODE_VECTOR and not tensor_bits & _DECODE:
        yield Finding(inst, operand_index, "operand DecodeVectorFunc requires operand DecodeFunc as well")
        return
    for bit in (_VIEW, _DECODE, _DECODE_VECTOR):
        if not tensor_bits & bit:
            continue
        operand_index += 1
        if bit == _VIEW:
            view = module.type_of(id_at(inst, operand_index))
            if view is not None and view.kind != spv.OpTypeTensorViewNV:
                subject = f"operand TensorView (%{inst.operands[operand_index]!s})"
                expected = "a tensor view (OpTypeTensorViewNV)"
                yield Finding(inst, operand_index, f"{subject} is {module.spell(view)}, expected {expected}")
                return
        elif loads:
            message = _decode_fault(module, id_at(inst, operand_index), matrix, tensor_layout, bit == _DECODE_VECTOR)
            if message is not None:
                yield Finding(inst, operand_index, message)
                return
        elif module.opcode_of(str(inst.operands[operand_index])) != spv.OpFunction:  # other rules say that of functions
            name = "DecodeFunc" if bit == _DECODE else "DecodeVectorFunc"
            yield Finding(inst, operand_index, f"{inst.opcode.name} must not have the operand {name}")
            return


def _decode_fault(module: Module, name: str | None, matrix: Type, tensor_layout: Type, vector: bool) -> str | None:
    """What is wrong with a decode function."""
    function = module.definition(name) if name is not None else None
    if function is None:
        return None
    what = f"operand {'DecodeVectorFunc' if vector else 'DecodeFunc'} (%{name})"
    if function.opcode.value != spv.OpFunction:
        return f"{what} is {made_by(function)}, expected a function"
    type_ = module.type(id_at(function, 1))
    component = matrix.element
    given = type_.element if type_ is not None else None
    if type_ is None or component is None or given is None:
        return None
    matched = f"{module.spell(component)} to match the components of the result type {module.spell(matrix)}"
    if vector:
        if not given.is_vector or given.element is None or given.element.id != component.id:
            return f"{what} returns {module.spell(given)}, expected a vector of {matched}"
        if given.length not in (0, 2, 4, 8):
            return f"{what} returns {module.spell(given)} ({given.length} components), expected 2, 4 or 8 components"
    elif given.id != component.id:
        return f"{what} returns {module.spell(given)}, expected {matched}"
    parameters = type_.members
    if len(parameters) < 3:
        return f"{what} has {counted(len(parameters), 'parameter')}, expected 3: a pointer and two arrays"
    first = parameters[0]
    if first is not None and first.storage != _PHYSICAL_STORAGE_BUFFER:
        expected = "a pointer to the storage class PhysicalStorageBuffer"
        return f"parameter 0 of the function, {what}, is {module.spell(first)}, expected {expected}"
    dimensions = module.integer(tensor_layout.name(0))
    for at, parameter in enumerate(parameters[1:3], 1):
        length = module.integer(parameter.length_id) if parameter is not None else None
        if parameter is None:
            continue
        if parameter.kind != spv.OpTypeArray or (length is not None and dimensions is not None and length != dimensions):
            count = "integers" if dimensions is None else counted(dimensions, "integer")
            expected = f"an array of {count}, one for each dimension of the tensor layout"
            return f"parameter {at} (counted from 0) of the function, {what}, is {module.spell(parameter)}, expected {expected}"
    return None


@instruction_rule(
    "tensor/matrix-length-is-unsigned",
    spv.OpCooperativeMatrixLengthKHR,
    spv.OpCooperativeMatrixLengthNV,
    section=sections.MISCELLANEOUS_INSTRUCTIONS,
)
def matrix_length_is_unsigned(inst: Instruction, context: RuleContext) -> Findings:
    """A cooperative matrix length must be an unsigned 32-bit integer, and its Type a cooperative matrix.

    The result is the number of components that an invocation holds, which is never negative. It is not converted, so as another
    type the value may be wrong. Each opcode has its own matrix type: OpCooperativeMatrixLengthKHR requires
    OpTypeCooperativeMatrixKHR, and OpCooperativeMatrixLengthNV requires OpTypeCooperativeMatrixNV. Operations in OpSpecConstantOp
    are checked by `constant/spec-operation-is-valid`.
    """
    module = context.module
    result = module.type(inst.type)
    if result is not None and not (result.is_int and result.width == 32 and not result.signed):
        yield unlike(inst, TYPE, module.spell(result), "u32")
        return
    type_ = module.type(id_at(inst, OpCooperativeMatrixLengthKHR_Type))
    of_khr = inst.opcode.value == spv.OpCooperativeMatrixLengthKHR
    wanted = spv.OpTypeCooperativeMatrixKHR if of_khr else spv.OpTypeCooperativeMatrixNV
    if type_ is not None and type_.kind != wanted:
        expected = f"a cooperative matrix ({tables.opcode_name(wanted)})"
        yield unlike(inst, OpCooperativeMatrixLengthKHR_Type, module.spell(type_), expected)


@instruction_rule(
    "tensor/matrix-coordinate-is-integer-pair", spv.OpCooperativeMatrixGetCoordinateEXT, section=sections.MISCELLANEOUS_INSTRUCTIONS
)
def matrix_coordinate_is_integer_pair(inst: Instruction, context: RuleContext) -> Findings:
    """OpCooperativeMatrixGetCoordinateEXT must result in a vector of two 32-bit integers.

    They are the row and the column of a component. The operands must be a matrix of type OpTypeCooperativeMatrixKHR and the 32-bit
    index of a component; for others no row and column are defined.
    """
    module = context.module
    result = module.type(inst.type)
    if result is not None and not _PAIR.holds(result):
        yield unlike(inst, TYPE, module.spell(result), _PAIR.name)
        return
    matrix, index = (module.type_of(id_at(inst, operand_index)) for operand_index in (0, 1))
    if matrix is not None and matrix.kind != spv.OpTypeCooperativeMatrixKHR:
        expected = "a cooperative matrix (OpTypeCooperativeMatrixKHR)"
        yield unlike(inst, OpCooperativeMatrixGetCoordinateEXT_Matrix, module.spell(matrix), expected)
    elif index is not None and not (index.is_int and index.width == 32):
        yield unlike(inst, OpCooperativeMatrixGetCoordinateEXT_Index, module.spell(index), "a 32-bit integer")
