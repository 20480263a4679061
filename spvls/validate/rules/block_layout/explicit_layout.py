"""Explicit layout: offsets and strides where a storage class wants them, and none where it does not."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.decorations import AppliedDecoration
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.type_walks import parts_and_pointees
from spvls.module.types import Type
from spvls.module.variable import the_class
from spvls.record import NamedTuple
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.checks.layout_rules import WITH_RULES, array_stride, needs_layout, refuses_layout
from spvls.validate.engine.finding import Finding, Note, pausing
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.block_layout.block import unmarked
from spvls.validate.rules.block_layout.layout_faults import LayoutFaults

_ARRAYED = frozenset({StorageClass.StorageBuffer, StorageClass.Uniform, StorageClass.UniformConstant})
_PHYSICAL = StorageClass.PhysicalStorageBuffer
_WORKGROUP = StorageClass.Workgroup
_HEAPS = frozenset({BuiltIn.SamplerHeapEXT, BuiltIn.ResourceHeapEXT})
_UNTYPED = {
    spv.OpUntypedVariableKHR: 1, spv.OpUntypedAccessChainKHR: 0, spv.OpUntypedInBoundsAccessChainKHR: 0,
    spv.OpUntypedPtrAccessChainKHR: 0, spv.OpUntypedInBoundsPtrAccessChainKHR: 0, spv.OpUntypedArrayLengthKHR: 0,
}  # fmt: skip
"""Where instructions on untyped pointers name the type of the data."""

_REFERENCES = (spv.OpVariable, spv.OpTypePointer, spv.OpBufferPointerEXT, spv.OpLoad, spv.OpStore, *_UNTYPED)
_EXPLICIT = frozenset(
    {
        Decoration.Block, Decoration.BufferBlock, Decoration.Offset, Decoration.OffsetIdEXT, Decoration.ArrayStride,
        Decoration.ArrayStrideIdEXT, Decoration.MatrixStride, Decoration.RowMajor, Decoration.ColMajor,
    }
)  # fmt: skip


class _Reference(NamedTuple):
    """Data in memory: its type, the array of descriptors that it is in, and what its storage class says of layouts."""

    type: Type
    descriptors: Type | None
    storage: int
    needs: bool
    refuses: bool


def _is_block(type_: Type | None, module: Module, *decorations: int) -> bool:
    return type_ is not None and type_.is_struct and any(module.has_decoration(type_.id, decoration) for decoration in decorations)


def _is_concerned(inst: Instruction, module: Module) -> bool:
    """Whether there may be anything to say of the layout of what a variable holds."""
    pointer = module.type(inst.type) if inst.opcode.value == spv.OpVariable else None
    return pointer is None or pointer.storage in WITH_RULES


def _reference(inst: Instruction, module: Module) -> _Reference | None:
    opcode = inst.opcode.value
    if opcode == spv.OpVariable:
        pointer = module.type(inst.type)
        data = pointer.pointee if pointer is not None else None
        if pointer is None or data is None:
            return None
        is_heap = pointer.storage == StorageClass.UniformConstant and any(
            found.value == Decoration.BuiltIn and found.params and found.params[0] in _HEAPS
            for found in module.decorations(inst.result or "")
        )
        is_block = _is_block(data, module, Decoration.Block)
        needs = needs_layout(pointer.storage, is_block=is_block, is_heap=is_heap)
        refuses = refuses_layout(pointer.storage, module, is_block=is_block, is_heap=is_heap)
        descriptors = data if data.is_array and pointer.storage in _ARRAYED else None
        element = data.element if descriptors is not None else data
        if element is None or not (needs or refuses):
            return None
        return _Reference(element, descriptors, pointer.storage, needs, refuses)
    if opcode in (spv.OpTypePointer, spv.OpBufferPointerEXT):
        pointer = module.type(inst.result if opcode == spv.OpTypePointer else inst.type)
        if pointer is None or (
            opcode == spv.OpTypePointer and (pointer.storage != _PHYSICAL or not module.has_values(pointer.id))
        ):
            return None
        return _required(pointer.pointee, None, pointer.storage)
    if not module.has_capability(Capability.UntypedPointersKHR):
        return None
    pointer, data = _untyped(inst, module)
    if pointer is None or data is None or pointer.kind != spv.OpTypeUntypedPointerKHR:
        return None
    array = data if data.is_array and _is_block(data.element, module, Decoration.Block, Decoration.BufferBlock) else None
    return _required(data if array is None else array.element, array, pointer.storage)


def _required(data: Type | None, descriptors: Type | None, storage_class: int) -> _Reference | None:
    return _Reference(data, descriptors, storage_class, needs=True, refuses=False) if data is not None else None


def _untyped(inst: Instruction, module: Module) -> tuple[Type | None, Type | None]:
    """The type of the pointer and of the data of an instruction that may be on an untyped pointer."""
    match inst.opcode.value:
        case spv.OpLoad:
            return module.type_of(id_at(inst, 0)), module.type(inst.type)
        case spv.OpStore:
            return module.type_of(id_at(inst, 0)), module.type_of(id_at(inst, 1))
        case spv.OpUntypedArrayLengthKHR:
            return module.type_of(id_at(inst, 1)), module.type(id_at(inst, 0))
        case opcode:
            return module.type(inst.type), module.type(id_at(inst, _UNTYPED[opcode]))


@instruction_rule("block-layout/layout-follows-storage-class", *_REFERENCES, section=sections.TYPES, apis="vulkan")
def layout_follows_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, data in buffers and push constants must have the layout that its storage class requires.

    The application and the shader access the same bytes, and the layout says where each value is. Hardware may load a vector or a
    matrix column only from aligned addresses. If values overlap or are not aligned, a device may read other values or return zeros.

    Each structure member must have an Offset, each array an ArrayStride (or, with SPV_EXT_descriptor_heap, OffsetIdEXT or
    ArrayStrideIdEXT), and each member that is a matrix or an array of matrices a MatrixStride and RowMajor or ColMajor. The array
    of descriptors of a variable needs no stride. Members must not overlap, a stride must be at least the size of an element, a
    column or a row, and a run-time array must have the largest offset. Offsets and strides of unknown value, such as specialization
    constants, are not checked.

    Offsets and strides must be multiples of the alignment. Data in Uniform follows std140, except for structures decorated with
    BufferBlock; other data follows std430. In Vulkan 1.0, a vector must be aligned to 2 or 4 of its components; since 1.1 only to
    one, but a vector of up to 16 bytes must not extend across a multiple of 16, and a larger one must begin at one. Vectors in
    arrays and matrices keep the alignment of Vulkan 1.0. Options relax these rules or turn the check off.

    Typed variables are checked in Uniform, StorageBuffer and PushConstant, those decorated as descriptor heaps in UniformConstant,
    and blocks in Workgroup. In PhysicalStorageBuffer, which has no variables, the rule checks the pointer types of values. It also
    checks what the result type of OpBufferPointerEXT points to. For untyped pointers, it checks the type that a variable, access
    chain, load, store or OpUntypedArrayLengthKHR names, in each storage class, as in spirv-val. A variable whose structure lacks
    the decoration that `block-layout/buffer-struct-is-block` requires is left to that rule.
    """
    opcode = inst.opcode.value
    if opcode in (spv.OpLoad, spv.OpStore):
        if not context.module.has_capability(Capability.UntypedPointersKHR):
            return
    elif opcode == spv.OpTypePointer:
        if inst.operands[:1] != (_PHYSICAL,):
            return
    elif opcode in VARIABLES and (not _is_concerned(inst, context.module) or unmarked(inst, context.module) is not None):
        return  # said of the block
    if context.options.skip_block_layout:
        return
    reference = _reference(inst, context.module)
    if reference is not None and reference.needs:
        faults = _faults(context)
        is_buffer_block = _is_block(reference.type, context.module, Decoration.BufferBlock)
        mode = faults.layouts.mode(reference.storage, is_buffer_block=is_buffer_block)
        found = yield from pausing(faults.of(inst, reference.type, reference.storage, mode))
        if found and not (context.is_in_function and _said_globally(reference.type, context.module)):
            yield from found


@instruction_rule(
    "block-layout/layout-is-absent-outside-buffers",
    spv.OpVariable,
    *_UNTYPED,
    section=sections.TYPES,
    vuid="VUID-StandaloneSpirv-None-10684",
    apis="vulkan",
)
def layout_is_absent_outside_buffers(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, data in a storage class without layout must not have Block, offsets or strides.

    A device places these objects in registers or in memory of its own layout. A driver may either ignore the decorations or follow
    them, which may give two layouts of one type and copies with wrong values.

    The rule applies to OpVariable in UniformConstant except for descriptor heaps (SPV_EXT_descriptor_heap), in Workgroup except for
    structures decorated with Block, and after SPIR-V 1.4 also in Function and Private. BufferBlock, RowMajor and ColMajor must not
    be there either. Inner types are included and, as in spirv-val, what pointers to these storage classes, except for Workgroup,
    point to.

    Arrays of descriptors must not have a stride: the outermost array of an OpVariable in UniformConstant (as in spirv-val, also of
    a descriptor heap), Uniform or StorageBuffer. An array of blocks is left to `block-layout/array-of-blocks-has-no-stride`. The
    options of block layout do not change this check.
    """
    module = context.module
    if not _is_concerned(inst, module):
        return
    reference = _reference(inst, module)
    if reference is None:
        return
    operand_index = TYPE if inst.opcode.value == spv.OpVariable else OPCODE
    descriptors = reference.descriptors
    stride = array_stride(descriptors, module) if descriptors is not None else None
    if descriptors is not None and stride is not None:
        if _is_block(reference.type, module, Decoration.Block, Decoration.BufferBlock):
            return  # said of the array
        message = f"%{inst.result} is an array of descriptors, so its type %{descriptors.id} "
        message += f"must not be decorated with {stride.name}"
        yield Finding(inst, operand_index, message, (_note(stride),))
    elif reference.refuses:
        found = _laid_out(reference.type, module)
        if found is not None:
            type_, given = found
            where = the_class(reference.storage)
            message = f"%{inst.result} is in {where} and must not have an explicit layout, but uses "
            which = "which" if given.member is None else f"whose member {given.member}"
            message += f"type %{type_.id}, {which} is decorated with {given.name}"
            yield Finding(inst, operand_index, message, (_note(given),))


def _faults(context: RuleContext) -> LayoutFaults:
    return context.chunk_state("explicit layout", lambda: LayoutFaults(context.module, context.options))


def _note(decoration: AppliedDecoration) -> Note:
    return Note(decoration.record, OPCODE, f"{decoration.name} is set here")


def _laid_out(outer: Type, module: Module) -> tuple[Type, AppliedDecoration] | None:
    """A type, or a part of it or, by a pointer without layout, what it leads to, that has a decoration of layout."""

    def may_be(type_: Type) -> bool:
        if type_.kind == spv.OpTypePointer:
            return refuses_layout(type_.storage, module, is_block=True, is_heap=False)
        return type_.is_struct or type_.is_array

    for type_ in parts_and_pointees(outer, may_be):
        if type_.kind != spv.OpTypePointer or may_be(type_):
            own = [found for found in module.decorations(type_.id) if found.value in _EXPLICIT]
            if own:
                return type_, module.in_order(own)[0]
    return None


def _said_globally(type_: Type, module: Module) -> bool:
    """Whether a global untyped variable holds the type, so that its layout is looked at there."""
    return any(
        id_at(record, 1) == type_.id for record in module.declarations.records(spv.OpUntypedVariableKHR)
    )
