"""Loads and stores of cooperative matrices, and what is asked of them (SPV_KHR_cooperative_matrix and its kin)."""

from __future__ import annotations

from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding
from spvls.validate.kinds import Kind
from spvls.validate.memory_operands import mask_at
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.operation import is_constant_id
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage, storage_name, storages

_SHARED = storages("Workgroup StorageBuffer PhysicalStorageBuffer")
_PHYSICAL_STORAGE_BUFFER = storage("PhysicalStorageBuffer")
_NUMBERS = Kind("a number or a vector of numbers", "Int Float", "Scalar Vector VectorIdEXT")
_MAJOR = frozenset(value("CooperativeMatrixLayout", name) for name in ("RowMajorKHR", "ColumnMajorKHR"))

_VIEW = value("TensorAddressingOperands", "TensorView")
_DECODE = value("TensorAddressingOperands", "DecodeFunc")
_DECODE_VECTOR = value("TensorAddressingOperands", "DecodeVectorFunc")

_LOADS = ("OpCooperativeMatrixLoadKHR", "OpCooperativeMatrixLoadNV", "OpCooperativeMatrixLoadTensorNV")
_STORES = ("OpCooperativeMatrixStoreKHR", "OpCooperativeMatrixStoreNV", "OpCooperativeMatrixStoreTensorNV")
_TENSOR = ("OpCooperativeMatrixLoadTensorNV", "OpCooperativeMatrixStoreTensorNV")


def _matrix_kind(inst: Instruction) -> str:
    name = inst.opcode.name
    return "CooperativeMatrixNV" if name.endswith("NV") and name not in _TENSOR else "CooperativeMatrixKHR"


def _matrix(inst: Instruction, module: Module) -> Type | None:
    """What is loaded or stored."""
    return module.type(inst.type) if inst.opcode.name in _LOADS else module.type_of(id_at(inst, 1))


@instruction_rule("cooperative-matrix/memory", *_LOADS, *_STORES, section="3.3.8")
def memory(inst: Instruction, scene: Scene) -> Findings:
    """Cooperative matrices are loaded from, and stored to, numbers in Workgroup, StorageBuffer and PhysicalStorageBuffer.

    Of the instructions of SPV_KHR_cooperative_matrix, Vulkan asks for these storage classes, others do not.

    Bad:  `%m = OpCooperativeMatrixLoadKHR %matrix %pointer_to_struct %layout %stride`
    Good: `%m = OpCooperativeMatrixLoadKHR %matrix %pointer_to_float %layout %stride`
    """
    module = scene.module
    matrix = _matrix(inst, module)
    kind = _matrix_kind(inst)
    tensor = inst.opcode.name in _TENSOR
    if matrix is not None and matrix.kind != kind:
        place = TYPE if inst.opcode.name in _LOADS else 1
        yield Finding(inst, place, f"this is {module.spell(matrix)}, expected a matrix made by OpType{kind}")
        return
    pointer = module.type_of(id_at(inst, 0))
    if pointer is None:
        return
    shown = f"%{inst.operands[0]!s} is {module.spell(pointer)}"
    if pointer.kind != "Pointer" and not (pointer.is_pointer and kind == "CooperativeMatrixKHR" and not tensor):
        yield Finding(inst, 0, f"{shown}, expected a pointer")
        return
    vulkan = module.environment.api == "vulkan"
    if pointer.storage not in _SHARED and (vulkan or tensor or kind == "CooperativeMatrixNV"):
        vuid = "VUID-StandaloneSpirv-OpCooperativeMatrixLoadKHR-08973" if vulkan and kind != "CooperativeMatrixNV" else None
        class_ = storage_name(pointer.storage)
        message = f"%{inst.operands[0]!s} points to {class_}, expected Workgroup, StorageBuffer or PhysicalStorageBuffer"
        yield Finding(inst, 0, message, vuid=vuid)
    elif not tensor and pointer.pointee is not None and not _NUMBERS.holds(pointer.pointee):
        yield Finding(inst, 0, f"{shown}, expected a pointer to a number or a vector of numbers")


@instruction_rule(
    "cooperative-matrix/layout", "OpCooperativeMatrixLoadKHR", "OpCooperativeMatrixStoreKHR", section="3.3.8"
)
def layout(inst: Instruction, scene: Scene) -> Findings:
    """The layout of a matrix in memory is an integer constant; by rows or columns, it comes with a stride.

    Bad:  `%m = OpCooperativeMatrixLoadKHR %matrix %p %row_major`
    Good: `%m = OpCooperativeMatrixLoadKHR %matrix %p %row_major %stride`
    """
    module = scene.module
    at = 1 if inst.opcode.name in _LOADS else 2
    name = id_at(inst, at)
    type_ = module.type_of(name)
    if name is None or type_ is None or any(memory(inst, scene)):
        return
    if not type_.is_int or not is_constant_id(module, name):
        yield Finding(inst, at, f"%{name} is no integer constant, and the layout of a matrix is")
        return
    stride = module.type_of(id_at(inst, at + 1))
    if stride is not None and not stride.is_int:
        yield Finding(inst, at + 1, f"%{inst.operands[at + 1]!s} is {module.spell(stride)}, expected an integer")
    elif len(inst.operands) <= at + 1 and module.integer(name) in _MAJOR:
        yield Finding(inst, OPCODE, "by rows or columns, a matrix is laid out with a stride, which is missing")


@instruction_rule(
    "cooperative-matrix/stride-and-order", "OpCooperativeMatrixLoadNV", "OpCooperativeMatrixStoreNV", section="3.3.8"
)
def stride_and_order(inst: Instruction, scene: Scene) -> Findings:
    """OpCooperativeMatrixLoadNV and its store take an integer stride and a constant bool.

    Bad:  `%m = OpCooperativeMatrixLoadNV %matrix %p %stride %computed_bool`
    Good: `%m = OpCooperativeMatrixLoadNV %matrix %p %stride %true`
    """
    module = scene.module
    at = 1 if inst.opcode.name in _LOADS else 2
    if any(memory(inst, scene)):
        return
    stride, order = (module.type_of(id_at(inst, place)) for place in (at, at + 1))
    if stride is not None and not stride.is_int:
        yield Finding(inst, at, f"%{inst.operands[at]!s} is {module.spell(stride)}, expected an integer")
    elif order is not None and not (order.is_bool and is_constant_id(module, str(inst.operands[at + 1]))):
        yield Finding(inst, at + 1, f"%{inst.operands[at + 1]!s} is {module.spell(order)}, expected a constant bool")


@instruction_rule("cooperative-matrix/tensor-operands", *_TENSOR, section="3.3.8")
def tensor_operands(inst: Instruction, scene: Scene) -> Findings:
    """Through a tensor layout, matrices are loaded over an object of their type, with a view and functions that decode.

    A decode function returns a component, a DecodeVectorFunc 2, 4 or 8 of them; they take a pointer to
    PhysicalStorageBuffer and two arrays with an integer for each dimension. Stores decode nothing, and name no functions.

    Bad:  `… DecodeFunc %f` where `%f` returns another type than the matrix's components.
    Good: `… DecodeFunc %f` where `%f` is `fn(ptr<PhysicalStorageBuffer, …>, array<u32, 2>, array<u32, 2>) → f16`
    """
    module = scene.module
    matrix = _matrix(inst, module)
    loads = inst.opcode.name in _LOADS
    if matrix is None or any(memory(inst, scene)):
        return
    at = 1
    if loads:
        over = module.type_of(id_at(inst, 1))
        if over is not None and over.id != matrix.id:
            yield Finding(inst, 1, f"%{inst.operands[1]!s} is {module.spell(over)}, and the result another type")
            return
    at = 2
    tensor_layout = module.type_of(id_at(inst, at))
    if tensor_layout is None:
        return
    if tensor_layout.kind != "TensorLayoutNV":
        yield Finding(inst, at, f"%{inst.operands[at]!s} is {module.spell(tensor_layout)}, expected a tensor layout")
        return
    bits = word_at(inst, at + 1)
    place = mask_at(at + 1, bits).end if bits is not None else len(inst.operands)
    tensor_bits = word_at(inst, place)
    if tensor_bits is None:
        return
    for bit in (_VIEW, _DECODE, _DECODE_VECTOR):
        if not tensor_bits & bit:
            continue
        place += 1
        if bit == _VIEW:
            view = module.type_of(id_at(inst, place))
            if view is not None and view.kind != "TensorViewNV":
                yield Finding(inst, place, f"%{inst.operands[place]!s} is {module.spell(view)}, expected a tensor view")
                return
        elif loads:
            message = _decode_fault(module, id_at(inst, place), matrix, tensor_layout, bit == _DECODE_VECTOR)
            if message is not None:
                yield Finding(inst, place, message)
                return


def _decode_fault(module: Module, name: str | None, matrix: Type, tensor_layout: Type, vector: bool) -> str | None:
    """What is wrong with a decode function."""
    function = module.definition(name) if name is not None else None
    if function is None:
        return None
    if function.opcode.name != "OpFunction":
        return f"%{name} is the result of {function.opcode.name}, expected a function"
    type_ = module.type(id_at(function, 1))
    component = matrix.element
    given = type_.element if type_ is not None else None
    if type_ is None or component is None or given is None:
        return None
    if vector:
        if not given.is_vector or given.element is None or given.element.id != component.id:
            return f"%{name} returns {module.spell(given)}, expected a vector of {module.spell(component)}"
        if given.kind == "Vector" and given.count not in (2, 4, 8):
            return f"%{name} returns {given.count} components, expected 2, 4 or 8"
    elif given.id != component.id:
        return f"%{name} returns {module.spell(given)}, expected {module.spell(component)}, a component of the matrix"
    parameters = type_.members
    if len(parameters) < 3:
        return f"%{name} takes {len(parameters)} parameters, expected a pointer and two arrays"
    first = parameters[0]
    if first is not None and first.storage != _PHYSICAL_STORAGE_BUFFER:
        return f"the first parameter of %{name} is {module.spell(first)}, expected a pointer to PhysicalStorageBuffer"
    dimensions = module.integer(tensor_layout.name(0))
    for parameter in parameters[1:3]:
        length = module.integer(parameter.length_id) if parameter is not None else None
        if parameter is None:
            continue
        if parameter.kind != "Array" or (length is not None and dimensions is not None and length != dimensions):
            count = "" if dimensions is None else f" {dimensions}"
            return f"%{name} takes {module.spell(parameter)}, expected an array of{count} integers, one for each dimension"
    return None


@instruction_rule(
    "cooperative-matrix/length",
    "OpCooperativeMatrixLengthKHR",
    "OpCooperativeMatrixLengthNV",
    section="3.3.8",
)
def length(inst: Instruction, scene: Scene) -> Findings:
    """The number of components is asked of a cooperative matrix type, and is a u32.

    Bad:  `%n = OpCooperativeMatrixLengthKHR %int %matrix`
    Good: `%n = OpCooperativeMatrixLengthKHR %uint %matrix`
    """
    module = scene.module
    result = module.type(inst.type)
    if result is not None and not (result.is_int and result.width == 32 and not result.signed):
        yield Finding(inst, TYPE, f"the result type is {module.spell(result)}, expected u32")
        return
    type_ = module.type(id_at(inst, 0))
    wanted = inst.opcode.name.replace("OpCooperativeMatrixLength", "CooperativeMatrix")
    if type_ is not None and type_.kind != wanted:
        yield Finding(inst, 0, f"%{type_.id} is {module.spell(type_)}, expected a matrix made by OpType{wanted}")


@instruction_rule("cooperative-matrix/coordinate", "OpCooperativeMatrixGetCoordinateEXT", section="3.3.8")
def coordinate(inst: Instruction, scene: Scene) -> Findings:
    """The coordinate of a component is a vector of two 32-bit integers, for a matrix and a 32-bit index.

    Bad:  `%c = OpCooperativeMatrixGetCoordinateEXT %v3uint %matrix %i`
    Good: `%c = OpCooperativeMatrixGetCoordinateEXT %v2uint %matrix %i`
    """
    module = scene.module
    result = module.type(inst.type)
    element = result.element if result is not None and result.kind == "Vector" else None
    if result is not None and not (element is not None and result.count == 2 and element.is_int and element.width == 32):
        yield Finding(inst, TYPE, f"the result type is {module.spell(result)}, expected a vector of two 32-bit integers")
        return
    matrix, index = (module.type_of(id_at(inst, place)) for place in (0, 1))
    if matrix is not None and matrix.kind != "CooperativeMatrixKHR":
        message = f"%{inst.operands[0]!s} is {module.spell(matrix)}, expected a matrix made by OpTypeCooperativeMatrixKHR"
        yield Finding(inst, 0, message)
    elif index is not None and not (index.is_int and index.width == 32):
        yield Finding(inst, 1, f"%{inst.operands[1]!s} is {module.spell(index)}, expected a 32-bit integer")
