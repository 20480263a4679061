"""Member decorations (SPIR-V 3.2.19, 3.3.3)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Decoration
from spvls.grammar.operand_index import (
    OpDecorate_Decoration,
    OpDecorate_Target,
    OpMemberDecorate_Decoration,
    OpMemberDecorate_Member,
)
from spvls.grammar.records import Enumerant
from spvls.grammar.tables import NO_OPCODE
from spvls.module.decorations import DECORATES, MEMBER_DECORATES
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.checks.applied import decoration_of
from spvls.validate.checks.wording import counted, operand
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_MEMBERS_ONLY = frozenset({Decoration.RowMajor, Decoration.ColMajor, Decoration.MatrixStride})

NOT_FOR_MEMBERS = frozenset(
    {
        Decoration.SpecId, Decoration.Block, Decoration.BufferBlock, Decoration.ArrayStride,
        Decoration.ArrayStrideIdEXT, Decoration.GLSLShared, Decoration.GLSLPacked, Decoration.CPacked,
        Decoration.Aliased, Decoration.Constant, Decoration.Uniform, Decoration.UniformId,
        Decoration.SaturatedConversion, Decoration.Index, Decoration.Binding, Decoration.DescriptorSet,
        Decoration.FuncParamAttr, Decoration.FPRoundingMode, Decoration.FPFastMathMode, Decoration.LinkageAttributes,
        Decoration.NoContraction, Decoration.InputAttachmentIndex, Decoration.Alignment, Decoration.MaxByteOffset,
        Decoration.AlignmentId, Decoration.MaxByteOffsetId, Decoration.NoSignedWrap, Decoration.NoUnsignedWrap,
        Decoration.NonUniform, Decoration.RestrictPointer, Decoration.AliasedPointer, Decoration.CounterBuffer,
    }
)  # fmt: skip


@instruction_rule("decoration/member-exists-and-fits", *sorted(MEMBER_DECORATES), section=sections.ANNOTATION_INSTRUCTIONS)
def member_exists_and_fits(inst: Instruction, context: RuleContext) -> Findings:
    """A member decoration must name a structure, an existing member, and a decoration for members.

    A consumer that keeps decorations in a table by member may write past the end of the table. A decoration that is not defined for
    members may be ignored, and the object that it was meant for lacks it.

    Not for members are decorations of types (Block, BufferBlock, ArrayStride, GLSLShared, GLSLPacked, CPacked), of variables,
    parameters, functions and pointers (Binding, DescriptorSet, Index, InputAttachmentIndex, Aliased, Constant, Alignment,
    MaxByteOffset, FuncParamAttr, CounterBuffer, RestrictPointer, AliasedPointer, LinkageAttributes), and of values (SpecId,
    Uniform, NonUniform, SaturatedConversion, FPRoundingMode, FPFastMathMode, NoContraction, NoSignedWrap, NoUnsignedWrap), with
    their forms with an Id. As in spirv-val, OpMemberDecorateIdEXT may only set OffsetIdEXT; a note in SPV_EXT_descriptor_heap also
    permits ArrayStrideIdEXT. Of other decorations, only structure and member are checked. For OpGroupMemberDecorate, see
    `decoration/group-decorate-names-group`, which checks structure and member, but not the decorations of the group. A member
    decoration of a decoration group is reported by `decoration/group-users-are-permitted`.
    """
    module = context.module
    target, index = id_at(inst, 0), word_at(inst, OpMemberDecorate_Member)
    if target is None or index is None or module.opcode_of(target) in (NO_OPCODE, spv.OpDecorationGroup):
        return
    fault = member_fault(module, inst, 0, target, index)
    if fault is not None:
        yield Finding(inst, fault[0], fault[1], definition_note(module, target), (_removed(inst),))
        return
    decoration = decoration_of(inst)
    if decoration is None:
        return
    if decoration.value in NOT_FOR_MEMBERS or (
        inst.opcode.value == spv.OpMemberDecorateIdEXT and decoration.value != Decoration.OffsetIdEXT
    ):
        yield Finding(inst, OpMemberDecorate_Decoration, _not_fitting(inst, decoration), (), (_removed(inst),))


def _removed(inst: Instruction) -> FindingFix:
    return FindingFix("Remove the decoration", (Delete(inst),), preferred=False)


_ELSEWHERE = {
    **dict.fromkeys(
        (Decoration.Block, Decoration.BufferBlock, Decoration.GLSLShared, Decoration.GLSLPacked, Decoration.CPacked),
        "be applied to a structure type, not to a member",
    ),
    Decoration.ArrayStride: "be applied to an array or pointer type, not to a structure member",
    **dict.fromkeys(
        (Decoration.Binding, Decoration.DescriptorSet, Decoration.Index, Decoration.InputAttachmentIndex, Decoration.Constant),
        "be applied to a variable, not to a structure member",
    ),
}


def _not_fitting(inst: Instruction, decoration: Enumerant) -> str:
    by_id = inst.opcode.value == spv.OpMemberDecorateIdEXT
    if by_id:
        return f"OpMemberDecorateIdEXT may only set OffsetIdEXT, not {decoration.name}"
    return f"the decoration {decoration.name} must {_ELSEWHERE.get(decoration.value, 'not be applied to a structure member')}"


def member_fault(module: Module, inst: Instruction, at: int, target: str, index: int) -> tuple[int, str] | None:
    """What is wrong with naming a member of the structure at a place: the place, counted from the structure's id, and why."""
    type_ = module.type(target)
    if type_ is None or type_.kind != spv.OpTypeStruct:
        made = f"the result of {module.opcode_name_of(target)}, expected a structure type"
        if module.opcode_of(target) == spv.OpTypeStruct:
            made = "an invalid OpTypeStruct, so its members are unknown"
        return 0, f"{operand(inst, at)} is {made}"
    count = len(type_.member_ids)
    if index >= count:
        return 1, f"member {index} of %{target} does not exist: %{target} has {counted(count, 'member')}; numbering starts at 0"
    return None


def definition_note(module: Module, name: str) -> tuple[Note, ...]:
    definition = module.definition(name)
    return (Note(definition, RESULT, f"%{name} is defined here"),) if definition is not None else ()


@instruction_rule(
    "decoration/matrix-decoration-is-on-member", *sorted(DECORATES - {spv.OpDecorateString}), section=sections.DECORATION
)
def matrix_decoration_is_on_member(inst: Instruction, context: RuleContext) -> Findings:
    """RowMajor, ColMajor and MatrixStride must only be applied to members of structures.

    The decorations describe how a matrix is laid out in a structure. One matrix type can be the member of several structures with
    different layouts, so its layout is a property of the member: set it by OpMemberDecorate. A consumer may ignore the decoration
    of a type or variable and assume another layout. A decoration group may also have these decorations, so that
    OpGroupMemberDecorate can apply the group to members; the targets of OpGroupDecorate are not checked, as in spirv-val.
    """
    decoration = decoration_of(inst)
    target = id_at(inst, OpDecorate_Target)
    if decoration is None or target is None or decoration.value not in _MEMBERS_ONLY:
        return
    if context.module.opcode_of(target) not in (NO_OPCODE, spv.OpDecorationGroup):
        message = f"the decoration {decoration.name} must be applied to a structure member (by OpMemberDecorate), not to %{target}"
        yield Finding(inst, OpDecorate_Decoration, message)
