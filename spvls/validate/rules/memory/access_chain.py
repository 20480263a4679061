"""Access chains, typed and untyped: pointers into composites (SPIR-V 3.3.8)."""

from __future__ import annotations

from typing import NamedTuple

from spvls.grammar import spv, tables, traits
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.finding import Finding
from spvls.validate.mends import pointing_to
from spvls.validate.operand_at import id_at
from spvls.validate.pointers import LOGICAL_MODELS, bases
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage, storage_name, storages

_TYPED = (spv.OpAccessChain, spv.OpInBoundsAccessChain, spv.OpPtrAccessChain, spv.OpInBoundsPtrAccessChain)
_UNTYPED = (
    spv.OpUntypedAccessChainKHR, spv.OpUntypedInBoundsAccessChainKHR, spv.OpUntypedPtrAccessChainKHR,
    spv.OpUntypedInBoundsPtrAccessChainKHR,
)  # fmt: skip
CHAINS = (*_TYPED, *_UNTYPED)
_PTR_CHAINS = tuple(
    opcode for opcode in CHAINS if opcode in traits.POINTER_ACCESS_CHAINS and opcode != spv.OpInBoundsPtrAccessChain
)

_PHYSICAL_STORAGE_BUFFER = storage("PhysicalStorageBuffer")
_STORAGE_BUFFER = storage("StorageBuffer")
_WORKGROUP = storage("Workgroup")
_LAID_OUT = storages("Uniform StorageBuffer PhysicalStorageBuffer PushConstant")


class Chain(NamedTuple):
    """An access chain: the type that it steps through, its base, and the places of its operands."""

    into: Type | None
    base: Type | None
    base_place: int
    element_place: int | None
    first_index: int


def chain(inst: Instruction, module: Module) -> Chain:
    """The parts of an access chain."""
    opcode = inst.opcode.value
    at = 1 if opcode in _UNTYPED else 0
    base = module.type_of(id_at(inst, at))
    into = module.type(id_at(inst, 0)) if at else base.pointee if base is not None else None
    element = at + 1 if opcode in traits.POINTER_ACCESS_CHAINS else None
    return Chain(into, base, at, element, at + 1 + (element is not None))


@instruction_rule("opcode/access-chain/result-pointer", *CHAINS, section="3.3.8")
def chain_type(inst: Instruction, scene: Scene) -> Findings:
    """An access chain gives a pointer: a typed one, or of the untyped instructions an untyped one.

    Bad:  `%p = OpAccessChain %float %variable %uint_0`
    Good: `%p = OpAccessChain %pointer_to_float %variable %uint_0`
    """
    type_ = scene.module.type(inst.type)
    wanted = spv.OpTypeUntypedPointerKHR if inst.opcode.value in _UNTYPED else spv.OpTypePointer
    if type_ is not None and type_.kind != wanted:
        message = f"%{inst.type} is {scene.module.spell(type_)}, expected a pointer made by {tables.opcode_name(wanted)}"
        yield Finding(inst, TYPE, message)


@instruction_rule("opcode/access-chain/base-pointer", *CHAINS, section="3.3.8")
def chain_base(inst: Instruction, scene: Scene) -> Findings:
    """The base of an access chain is a pointer: a typed one, unless the chain is untyped.

    Bad:  `%p = OpAccessChain %pointer_to_float %vector %uint_0` where `%vector` was loaded.
    Good: `%x = OpCompositeExtract %float %vector 0`
    """
    module = scene.module
    found = chain(inst, module)
    base = found.base
    if base is None or base.kind == spv.OpTypePointer or (base.is_pointer and inst.opcode.value in _UNTYPED):
        return
    name = id_at(inst, found.base_place)
    yield Finding(inst, found.base_place, f"%{name} is {module.spell(base)}, expected a pointer made by OpTypePointer")


@instruction_rule("opcode/access-chain/result-storage-class", *CHAINS, section="3.3.8")
def chain_class(inst: Instruction, scene: Scene) -> Findings:
    """An access chain stays in the storage class of its base.

    Bad:  `%p = OpAccessChain %ptr_private_float %uniform_variable %uint_0`
    Good: `%p = OpAccessChain %ptr_uniform_float %uniform_variable %uint_0`
    """
    module = scene.module
    type_ = module.type(inst.type)
    base = chain(inst, module).base
    if type_ is None or base is None or not (type_.is_pointer and base.is_pointer) or type_.storage == base.storage:
        return
    message = f"%{inst.type} points to {storage_name(type_.storage)}, and the base to {storage_name(base.storage)}"
    mends = pointing_to(inst, type_.pointee, base.storage, module) if type_.pointee is not None else ()
    yield Finding(inst, TYPE, message, (), mends)


@instruction_rule("opcode/untyped-access-chain/base-type", *_UNTYPED, section="3.3.8")
def base_type(inst: Instruction, scene: Scene) -> Findings:
    """The Base Type of an untyped access chain is no pointer, and an array of blocks only where the base is that array.

    Bad:  `%p = OpUntypedAccessChainKHR %ptr %other_ptr %base %uint_0`
    Good: `%p = OpUntypedAccessChainKHR %ptr %struct %base %uint_0`
    """
    module = scene.module
    into = module.type(id_at(inst, 0))
    if into is None:
        return
    if into.is_pointer:
        yield Finding(inst, 0, f"%{into.id} is {module.spell(into)}, and a chain steps through what is no pointer")
        return
    held = _held(inst, module)
    if held is None:
        return
    here, there = _is_block_array(module, into), _is_block_array(module, held)
    if (here or there) and into.id != held.id:
        blocks, other = (into, held) if here else (held, into)
        message = (
            f"%{blocks.id} is an array of blocks, and %{other.id} is {module.spell(other)}: the base of an untyped "
            f"chain through an array of blocks is that array"
        )
        yield Finding(inst, 0, message)


def _held(inst: Instruction, module: Module) -> Type | None:
    """What the variable holds that is the base of a chain, copies of the pointer aside."""
    for maker in bases(module, id_at(inst, 1)):
        match maker.opcode.value:
            case spv.OpCopyObject:
                continue
            case spv.OpVariable:
                pointer = module.type(maker.type)
                return pointer.pointee if pointer is not None else None
            case spv.OpUntypedVariableKHR:
                return module.type(id_at(maker, 1))
        return None
    return None


def _is_block(module: Module, type_: Type | None) -> bool:
    return (
        type_ is not None
        and type_.is_struct
        and (module.has_decoration(type_.id, "Block") or module.has_decoration(type_.id, "BufferBlock"))
    )


def _is_block_array(module: Module, type_: Type) -> bool:
    return type_.kind == spv.OpTypeArray and _is_block(module, type_.element)


@instruction_rule("limit/access-indexes", *CHAINS, section="2.17")
def index_limit(inst: Instruction, scene: Scene) -> Findings:
    """An access chain has at most 255 indexes, or as many as the option `max_access_chain_indexes` says.

    Bad:  a chain of 300 indexes.
    Good: two chains, one from the other.
    """
    limit = scene.options.max_access_chain_indexes
    if len(inst.operands) <= limit:
        return
    first = chain(inst, scene.module).first_index
    given = len(inst.operands) - first
    if given > limit:
        yield Finding(inst, first + limit, f"an access chain has at most {limit} indexes, and this one {given}")


@instruction_rule("opcode/access-chain/indexes", *CHAINS, section="3.3.8")
def indexes(inst: Instruction, scene: Scene) -> Findings:
    """The indexes of an access chain lead through composites to the type that the result points to.

    Each is an integer; a member of a structure is chosen by a constant, and exists.

    Bad:  `%p = OpAccessChain %pointer_to_float %variable %uint_0 %uint_0 %uint_0` into an array of vectors.
    Good: `%p = OpAccessChain %pointer_to_float %variable %uint_0 %uint_0`
    """
    module = scene.module
    found = chain(inst, module)
    type_ = found.into
    if type_ is None or found.base is None or not found.base.is_pointer or (type_.is_pointer and inst.opcode.value in _UNTYPED):
        return
    if len(inst.operands) - found.first_index > scene.options.max_access_chain_indexes:
        return
    for place in range(found.first_index, len(inst.operands)):
        name = id_at(inst, place)
        index = module.type_of(name)
        if index is None:
            if name is None or module.definition(name) is None or module.is_type(name):
                return
            continue
        if not index.is_int:
            yield Finding(inst, place, f"%{name} is {module.spell(index)}, expected an integer")
            return
        number = module.integer(name)
        if number is not None and number < 0 and _may_not_be_negative(inst, scene):
            yield Finding(inst, place, f"%{name} is {number}; with logical addressing an index is not negative")
            return
        if type_.is_struct:
            members = type_.members
            if number is None:
                yield Finding(inst, place, f"%{name} chooses a member of %{type_.id}, and is no OpConstant")
                return
            if not 0 <= number < len(members):
                yield Finding(inst, place, f"%{type_.id} has {len(members)} members, and %{name} is {number}")
                return
            type_ = members[number]
        elif type_.is_composite or type_.kind == spv.OpTypeNodePayloadArrayAMDX:
            type_ = type_.element
        else:
            yield Finding(inst, place, f"%{name} is one index too many: {module.spell(type_)} has no parts")
            return
        if type_ is None:
            return
    yield from _reaches(inst, type_, module)


def _may_not_be_negative(inst: Instruction, scene: Scene) -> bool:
    result = scene.module.type(inst.type)
    return (
        not scene.options.relax_logical_pointer
        and scene.module.addressing_model in LOGICAL_MODELS
        and (result is None or result.storage != _PHYSICAL_STORAGE_BUFFER)
    )


def _reaches(inst: Instruction, type_: Type, module: Module) -> Findings:
    """The finding that a typed chain ends elsewhere than its result type says."""
    result = module.type(inst.type)
    wanted = result.pointee if result is not None else None
    if wanted is None or wanted.id == type_.id or result is None:
        return
    note = f"the chain leads to {module.spell(type_)}, and %{inst.type} points to {module.spell(wanted)}"
    yield Finding(inst, TYPE, note, (), pointing_to(inst, type_, result.storage, module))


@instruction_rule("opcode/ptr-access-chain/element", *_PTR_CHAINS, section="3.3.8")
def element(inst: Instruction, scene: Scene) -> Findings:
    """The Element of a pointer access chain is an integer, and 0 where the base points to a Block or BufferBlock.

    Blocks do not lie one after another in memory.

    Bad:  `%p = OpPtrAccessChain %ptr %buffer %uint_1`
    Good: `%p = OpPtrAccessChain %ptr %element_of_buffer %uint_1`
    """
    module = scene.module
    found = chain(inst, module)
    if found.element_place is None or any(indexes(inst, scene)):
        return
    name = id_at(inst, found.element_place)
    type_ = module.type_of(name)
    if type_ is None:
        return
    if not type_.is_int:
        yield Finding(inst, found.element_place, f"%{name} is {module.spell(type_)}, expected an integer")
    elif module.integer(name) not in (None, 0) and _is_block(module, found.into):
        message = f"the chain starts at a block, and there is none {module.integer(name)} blocks further"
        yield Finding(inst, found.element_place, message)


@instruction_rule("opcode/ptr-access-chain/explicit-layout-stride", *_PTR_CHAINS, section="3.3.8")
def element_stride(inst: Instruction, scene: Scene) -> Findings:
    """Where memory is laid out explicitly, the pointer type of an OpPtrAccessChain's base is decorated ArrayStride.

    That is Uniform, StorageBuffer, PhysicalStorageBuffer, PushConstant, and Workgroup with explicit layout.

    Bad:  `%p = OpPtrAccessChain %ptr %base %i` without `OpDecorate %ptr ArrayStride 4`
    Good: `OpDecorate %ptr ArrayStride 4`
    """
    module = scene.module
    found = chain(inst, module)
    base = found.base
    if base is None or not base.is_pointer or found.into is None or not module.has_capability("Shader"):
        return
    if any(element(inst, scene)):
        return
    shared = base.storage == _WORKGROUP and module.has_capability("WorkgroupMemoryExplicitLayoutKHR")
    if base.storage not in _LAID_OUT and not shared:
        return
    if not (module.has_decoration(base.id, "ArrayStride") or module.has_decoration(base.id, "ArrayStrideIdEXT")):
        message = f"%{base.id}, the type of the base, is not decorated ArrayStride, which says how far elements are apart"
        yield Finding(inst, OPCODE, message)


@instruction_rule("vulkan/ptr-access-chain-class", *_PTR_CHAINS, section="3.3.8", apis="vulkan")
def element_class(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan OpPtrAccessChain starts in Workgroup, StorageBuffer or PhysicalStorageBuffer.

    Workgroup needs VariablePointers, StorageBuffer needs VariablePointersStorageBuffer; untyped pointers need neither.

    Bad:  `%p = OpPtrAccessChain %ptr_private %base %i`
    Good: `%p = OpPtrAccessChain %ptr_storage_buffer %base %i` with `OpCapability VariablePointersStorageBuffer`
    """
    module = scene.module
    found = chain(inst, module)
    base = found.base
    if base is None or not base.is_pointer or inst.opcode.value in _UNTYPED or any(element_stride(inst, scene)):
        return
    if base.storage == _WORKGROUP:
        if not module.has_capability("VariablePointers"):
            message = "the base points to Workgroup, which needs the capability VariablePointers"
            yield Finding(inst, found.base_place, message, vuid="VUID-StandaloneSpirv-Base-07651")
    elif base.storage == _STORAGE_BUFFER:
        if not module.has_capability("VariablePointersStorageBuffer"):
            message = "the base points to StorageBuffer, which needs the capability VariablePointersStorageBuffer"
            yield Finding(inst, found.base_place, message, vuid="VUID-StandaloneSpirv-Base-07652")
    elif base.storage != _PHYSICAL_STORAGE_BUFFER:
        class_ = storage_name(base.storage)
        message = f"the base points to {class_}, expected Workgroup, StorageBuffer or PhysicalStorageBuffer"
        yield Finding(inst, found.base_place, message, vuid="VUID-StandaloneSpirv-Base-07650")
