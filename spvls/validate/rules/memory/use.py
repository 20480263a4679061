"""Pointers and memory as the specification has them, and the reference validator does not look (SPIR-V 2.16.1, 2.18)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv, traits
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding, Note
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.pointers import bases
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule, module_rule
from spvls.validate.storage_class import storage, storage_name, storages

_PHYSICAL = storage("PhysicalStorageBuffer")
_ATOMIC_COUNTER = storage("AtomicCounter")
_UNIFORM = storage("Uniform")
_STORAGE_BUFFER = storage("StorageBuffer")
_UNINITIALIZED = storages("UniformConstant PushConstant")
_PHYSICAL_ADDRESSING = value("AddressingModel", "PhysicalStorageBuffer64")
_OPENCL = value("MemoryModel", "OpenCL")
_RESTRICT, _ALIASED = value("Decoration", "Restrict"), value("Decoration", "Aliased")
_DECLARING = (spv.OpVariable, spv.OpUntypedVariableKHR, spv.OpFunctionParameter)
_ON_COUNTERS = frozenset({spv.OpAtomicLoad, spv.OpAtomicIIncrement, spv.OpAtomicIDecrement})


@instruction_rule("memory/psb-addressing-model", spv.OpTypePointer, section="2.16.1", severity=Severity.WARNING)
def psb_addressing(inst: Instruction, scene: Scene) -> Findings:
    """Pointers into PhysicalStorageBuffer go with the addressing model PhysicalStorageBuffer64.

    Bad:  `OpTypePointer PhysicalStorageBuffer %float` with `OpMemoryModel Logical GLSL450`
    Good: `OpMemoryModel PhysicalStorageBuffer64 GLSL450`
    """
    module = scene.module
    if word_at(inst, 0) != _PHYSICAL or not module.has_capability("PhysicalStorageBufferAddresses"):
        return
    if module.addressing_model not in (-1, _PHYSICAL_ADDRESSING):
        yield Finding(inst, 0, "PhysicalStorageBuffer goes with the addressing model PhysicalStorageBuffer64")


@instruction_rule("memory/uninitialized-class", spv.OpVariable, section="3.2.6", severity=Severity.WARNING)
def uninitialized_class(inst: Instruction, scene: Scene) -> Findings:
    """Push constants have no initializer, nor have variables in UniformConstant unless the client API says so.

    In Vulkan that is an error of another rule; OpenCL has constants in UniformConstant that are initialized.

    Bad:  `%v = OpVariable %ptr PushConstant %zero`
    Good: `%v = OpVariable %ptr PushConstant`
    """
    module = scene.module
    word = word_at(inst, 0)
    if len(inst.operands) < 2 or word not in _UNINITIALIZED or module.environment.api == "vulkan":
        return
    if module.has_capability("Shader") and not module.has_capability("Kernel"):
        yield Finding(inst, 1, f"a variable in {storage_name(word)} is set from outside, and has no initializer")


@module_rule("memory/buffer-block-vs-storage-buffer", section="2.16.1", severity=Severity.WARNING)
def two_kinds_of_buffers(scene: Scene) -> Findings:
    """A module has its storage buffers in StorageBuffer, or in Uniform with BufferBlock: not some in either.

    Bad:  a variable in StorageBuffer, and one in Uniform whose structure is decorated BufferBlock.
    Good: both in StorageBuffer.
    """
    module = scene.module
    newer = older = None
    for record in module.declarations.records(spv.OpVariable):
        word = word_at(record, 0)
        if word == _STORAGE_BUFFER:
            newer = newer or record
        elif word == _UNIFORM and older is None:
            pointer = module.type(record.type)
            held = pointer.pointee if pointer is not None else None
            while held is not None and held.is_array:
                held = held.element
            if held is not None and module.has_decoration(held.id, "BufferBlock"):
                older = record
    if newer is not None and older is not None:
        note = Note(newer, OPCODE, f"%{newer.result} is in StorageBuffer")
        yield Finding(older, TYPE, f"%{older.result} is a BufferBlock in Uniform, and other buffers are in StorageBuffer", (note,))


@instruction_rule("memory/aliasing-no-effect", spv.OpDecorate, section="2.18.2", severity=Severity.INFORMATION)
def aliasing_no_effect(inst: Instruction, scene: Scene) -> Findings:
    """Restrict says something under the memory model OpenCL, where pointers may alias by default, and Aliased under the others.

    Bad:  `OpDecorate %buffer Restrict` with `OpMemoryModel Logical GLSL450`
    Good: no decoration, as it is the default.
    """
    model = scene.module.memory_model
    decoration = word_at(inst, 1)
    name = id_at(inst, 0)
    if model < 0 or name is None or decoration not in (_RESTRICT, _ALIASED):
        return
    if scene.module.opcode_of(name) not in _DECLARING or all(
        scene.module.has_decoration(name, other) for other in ("Restrict", "Aliased")
    ):
        return  # an error of another rule
    if (decoration == _ALIASED) is (model == _OPENCL):
        name = "Aliased" if decoration == _ALIASED else "Restrict"
        yield Finding(inst, 1, f"{name} has no effect here: it is the default of the module's memory model")


@instruction_rule(
    "memory/atomic-counter", section="3.2.30", severity=Severity.WARNING,
    where=lambda opcode: opcode.value in (spv.OpLoad, spv.OpStore, spv.OpCopyMemory) or opcode.class_ == "Atomic",
)  # fmt: skip
def atomic_counter(inst: Instruction, scene: Scene) -> Findings:
    """Atomic counters are loaded, counted up and counted down, by atomic instructions.

    Bad:  `%x = OpAtomicIAdd %uint %counter %device %relaxed %one`
    Good: `%x = OpAtomicIIncrement %uint %counter %device %relaxed`
    """
    if inst.opcode.value in _ON_COUNTERS:
        return
    module = scene.module
    if not module.has_capability("AtomicStorage"):
        return
    type_ = module.type_of(id_at(inst, 0))
    if type_ is not None and type_.storage == _ATOMIC_COUNTER:
        message = f"{inst.opcode.name} is not for atomic counters: these are loaded, incremented and decremented atomically"
        yield Finding(inst, OPCODE, message)


@instruction_rule(
    "atomic/uniform-block", section="2.16.1", severity=Severity.WARNING,
    where=lambda opcode: opcode.class_ == "Atomic",
)  # fmt: skip
def atomic_in_uniform(inst: Instruction, scene: Scene) -> Findings:
    """In Uniform, atomic instructions work on what is in a BufferBlock: a Block there is read-only.

    Bad:  `OpAtomicIAdd` through a pointer into a uniform Block.
    Good: the same in the storage class StorageBuffer.
    """
    module = scene.module
    name = id_at(inst, 0)
    type_ = module.type_of(name)
    if type_ is None or type_.storage != _UNIFORM:
        return
    chain = list(bases(module, name))
    variable = chain[-1] if chain else None
    if variable is None or variable.opcode.value != spv.OpVariable:
        return
    pointer = module.type(variable.type)
    held = pointer.pointee if pointer is not None else None
    while held is not None and held.is_array:
        held = held.element
    if held is not None and module.has_decoration(held.id, "Block"):
        note = Note(variable, OPCODE, f"%{variable.result} is defined here")
        yield Finding(inst, 0, f"%{name} points into a uniform Block, which is read-only: use StorageBuffer", (note,))


_LOAD_STORE = frozenset({spv.OpLoad, spv.OpStore})


@function_rule("memory/psb-matrix-pointer", section="2.16.1", severity=Severity.WARNING)
def psb_matrix_pointer(function: Function, scene: Scene) -> Findings:
    """Pointers in PhysicalStorageBuffer to matrices, or into them, come from the structure and are loaded from or stored to.

    How a matrix lies there is a matter of its member's decorations, which a pointer alone does not tell.

    Bad:  a pointer to a matrix that is loaded, converted from an integer, or chosen by OpSelect.
    Good: `%p = OpAccessChain %ptr_matrix %structure %member` and `%m = OpLoad %mat4 %p Aligned 16`
    """
    module = scene.module
    if not module.has_capability("PhysicalStorageBufferAddresses"):
        return
    matrices = {r.result: r for r in function.records if r.result is not None and _to_matrix(module.type(r.type))}
    for name, record in matrices.items():
        if record.opcode.value not in traits.ACCESS_CHAINS or not _starts_at_struct(record, module):
            note = Note(record, OPCODE, f"%{name} is made here")
            message = f"%{name} points to a matrix in PhysicalStorageBuffer, and does not come from a structure"
            yield Finding(record, TYPE, message, (note,))
            return
    for record in function.records:
        for place, operand in enumerate(record.operands):
            if operand.__class__ is not str or not (operand in matrices or _to_matrix(module.type_of(operand))):
                continue
            if operand in matrices and place == 0 and record.opcode.value in (_LOAD_STORE | traits.ACCESS_CHAINS):
                continue
            how = "is for OpLoad and OpStore alone" if operand in matrices else "does not come from a structure"
            yield Finding(record, place, f"%{operand!s} points to a matrix in PhysicalStorageBuffer, and {how}")
            return


def _to_matrix(type_: Type | None) -> bool:
    return type_ is not None and type_.storage == _PHYSICAL and type_.pointee is not None and type_.pointee.is_matrix


def _starts_at_struct(chain: Instruction, module: Module) -> bool:
    """Whether some link of the chains that lead to a pointer is a pointer to a structure."""
    for link in bases(module, id_at(chain, 0)):
        type_ = module.type(link.type)
        if type_ is not None and type_.pointee is not None and type_.pointee.is_struct:
            return True
    return False
