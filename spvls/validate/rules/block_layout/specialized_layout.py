"""Offsets, strides and lengths by id (SPIR-V 2.2.2, 3.2.19)."""

from __future__ import annotations

from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Decoration, StorageClass
from spvls.grammar.operand_index import OpDecorateId_Decoration, OpDecorateId_Target, OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.type_walks import parts_and_pointees
from spvls.module.types import Type
from spvls.module.variable import held_by, the_class
from spvls.syntax.instruction import TYPE, Instruction, shown
from spvls.validate.checks.layout_rules import needs_layout
from spvls.validate.engine.finding import Finding, pausing
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_ARRAY_STRIDE = Decoration.ArrayStrideIdEXT
_OFFSET = Decoration.OffsetIdEXT


@instruction_rule(
    "block-layout/vector-has-fixed-length",
    *VARIABLES,
    section=sections.TYPES,
    vuid="VUID-StandaloneSpirv-Function-12294",
    apis="vulkan",
)
def vector_has_fixed_length(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a vector with a specialized length must not be in memory with an explicit layout.

    The offsets of the members are chosen before the length is known. A longer vector could then overlap the next member. Function,
    Private and Workgroup without Block may have such vectors.

    These are vectors declared by OpTypeVectorIdEXT (SPV_EXT_long_vector) whose length is a specialization constant. Variables in
    Uniform, StorageBuffer, PushConstant, ShaderRecordBufferKHR and blocks in Workgroup are checked, with their members and
    elements. As in spirv-val, the rule also checks what pointers in them lead to, except pointers of OpTypeForwardPointer. In other
    storage classes, such as Input and Output, Vulkan also forbids such vectors in structures and in most arrays; like spirv-val,
    the rule does not check this.
    """
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    held = held_by(inst, module)
    if own is None or held is None:
        return
    yield from pausing(module.contents_steps(held.id))
    if spv.OpTypeVectorIdEXT not in module.contents(held.id):
        return
    is_block = module.has_decoration(held.id, Decoration.Block)
    if own == StorageClass.ShaderRecordBufferKHR or needs_layout(own, is_block=is_block, is_heap=False):
        found = _specialized_vector(held, module)
        if found is not None:
            length = f"its length %{found.length_id} is a specialization constant"
            where = f"a block in {the_class(own)}" if own == StorageClass.Workgroup else the_class(own)
            yield Finding(inst, TYPE, f"the vector type %{found.id} must not be used in {where}, because {length}")


def _specialized_vector(outer: Type, module: Module) -> Type | None:
    for type_ in parts_and_pointees(outer, lambda type_: not module.is_forward_pointer(type_.id)):
        if type_.kind == spv.OpTypeVectorIdEXT:
            length = module.constant(type_.length_id)
            if length is not None and length.specialized:
                return type_
    return None


@instruction_rule("block-layout/stride-id-is-for-descriptors", spv.OpDecorateId, section=sections.DECORATION)
def stride_id_is_for_descriptors(inst: Instruction, context: RuleContext) -> Findings:
    """ArrayStrideIdEXT must be on an array of descriptors; its operand must be a 32-bit integer, not 0.

    The size of a descriptor may only be known when the pipeline is created, so the stride is a constant that may depend on the
    device. Where other elements need a stride, ArrayStride gives it as a number. With a stride of 0 all elements have the same
    address.

    Descriptors are images, samplers, acceleration structures, OpTypeTensorARM and OpTypeBufferEXT. An element may also be an array
    or a structure with descriptors. As in spirv-val, a sampled image counts too, and a pointer that leads to a descriptor, unless
    OpTypeForwardPointer declares the pointer. A value that can be specialized is not compared with 0. Whether the operand is a
    constant is left to `decoration/id-operands-are-constant`.
    """
    if word_at(inst, OpDecorateId_Decoration) != _ARRAY_STRIDE:
        return
    module = context.module
    target = module.definition(id_at(inst, OpDecorateId_Target) or "")
    if target is None or target.opcode.value == spv.OpDecorationGroup:
        return
    type_ = module.type(target.result)
    element = module.without_arrays(type_)
    if type_ is None or not type_.is_array or (element is not None and not _holds_descriptor(element, module)):
        named = "a structure" if type_ is not None and type_.is_struct else module.spell(type_)
        made = named if type_ is not None else f"the result of {target.opcode.name or 'an unknown instruction'}"
        message = f"%{target.result} is {made}, but ArrayStrideIdEXT requires an array of descriptors"
        yield Finding(inst, OpDecorateId_Target, message)
        return
    wrong = _not_32_bit_integer(inst, 2, module)
    subject = f"operand Array Stride (%{id_at(inst, 2)}) of ArrayStrideIdEXT is"
    if wrong:
        yield Finding(inst, 2, f"{subject} {wrong}, expected a 32-bit integer")
    elif module.integer(id_at(inst, 2)) == 0:
        yield Finding(inst, 2, f"{subject} 0, expected a value greater than 0")


def _not_32_bit_integer(inst: Instruction, at: int, module: Module) -> str:
    """What an operand is instead of a 32-bit integer, or an empty text."""
    name = id_at(inst, at)
    type_ = module.type_of(name)
    maker = module.defining_instruction(name) if type_ is None and name is not None else None
    if maker is not None:
        return f"the result of {maker.opcode.name or 'an unknown instruction'}"
    return module.spell(type_) if type_ is not None and not (type_.is_int and type_.width == 32) else ""


def _holds_descriptor(type_: Type, module: Module) -> bool:
    """Whether a type is a descriptor, holds one at some depth or leads to one; unknown members count as such."""
    inside = parts_and_pointees(type_, lambda found: not module.is_forward_pointer(found.id))
    return any(found.kind in traits.DESCRIPTORS or (found.is_struct and None in found.members) for found in inside)


@instruction_rule("block-layout/offset-id-is-for-members", spv.OpMemberDecorateIdEXT, spv.OpDecorateId, section=sections.DECORATION)
def offset_id_is_for_members(inst: Instruction, context: RuleContext) -> Findings:
    """OffsetIdEXT must be on a member of a structure with descriptors; it must have a 32-bit integer.

    The integer is an offset in bytes in the structure, which only a member has. A structure without descriptors does not depend on
    their sizes, so Offset is sufficient.

    SPV_EXT_descriptor_heap requires a constant; the rule, like spirv-val, does not check this.

    Descriptors are images, samplers, acceleration structures, OpTypeTensorARM and OpTypeBufferEXT, in any member, inner structure
    or array. As in spirv-val, a sampled image counts too, and what a pointer leads to, unless OpTypeForwardPointer declares the
    pointer. The member with OffsetIdEXT need not be a descriptor itself.
    """
    if inst.opcode.value == spv.OpDecorateId:
        if word_at(inst, 1) == _OFFSET:
            message = f"OffsetIdEXT must decorate a structure member (by OpMemberDecorateIdEXT), not {shown(inst.operands[0])}"
            yield Finding(inst, 1, message)
        return
    if word_at(inst, 2) != _OFFSET:
        return
    module = context.module
    wrong = _not_32_bit_integer(inst, 3, module)
    if wrong:
        yield Finding(inst, 3, f"operand Byte Offset (%{inst.operands[3]!s}) of OffsetIdEXT is {wrong}, expected a 32-bit integer")
        return
    struct = module.type(id_at(inst, 0))
    if struct is not None and struct.is_struct and not _holds_descriptor(struct, module):
        message = f"%{struct.id} contains no descriptors, so its members must be decorated with Offset, not OffsetIdEXT"
        yield Finding(inst, 0, message)
