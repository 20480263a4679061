"""Annotation instructions: their forms, members, groups (SPIR-V 3.3.3)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv, tables
from spvls.grammar.records import Enumerant
from spvls.grammar.tables import NO_OPCODE
from spvls.module.context_dependent import EXTENDED
from spvls.module.decorations import DECORATES, MEMBER_DECORATES
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.applied import decoration_of
from spvls.validate.finding import Delete, Finding, Mend, Note, Replace
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule, module_rule
from spvls.validate.wording import counted

_MEMBERS_ONLY = frozenset({"RowMajor", "ColMajor", "MatrixStride"})

_NOT_FOR_MEMBERS = frozenset(
    {
        "SpecId", "Block", "BufferBlock", "ArrayStride", "ArrayStrideIdEXT", "GLSLShared", "GLSLPacked", "CPacked", "Aliased",
        "Constant", "Uniform", "UniformId", "SaturatedConversion", "Index", "Binding", "DescriptorSet", "FuncParamAttr",
        "FPRoundingMode", "FPFastMathMode", "LinkageAttributes", "NoContraction", "InputAttachmentIndex", "Alignment",
        "MaxByteOffset", "AlignmentId", "MaxByteOffsetId", "NoSignedWrap", "NoUnsignedWrap", "NonUniform", "RestrictPointer",
        "AliasedPointer", "CounterBuffer",
    }
)  # fmt: skip

#: What may name a decoration group.
_GROUP_USERS = frozenset({spv.OpName, spv.OpDecorate, spv.OpDecorateId, spv.OpGroupDecorate, spv.OpGroupMemberDecorate})


@instruction_rule("opcode/OpDecorate/operands-not-ids", spv.OpDecorate, spv.OpDecorateId, section="3.3.3")
def id_form(inst: Instruction, scene: Scene) -> Findings:
    """Decorations that take ids are set by OpDecorateId, all others by OpDecorate.

    Bad:  `OpDecorate %x UniformId %scope`
    Good: `OpDecorateId %x UniformId %scope`
    """
    decoration = decoration_of(inst)
    if decoration is None:
        return
    opcode = spv.OpDecorateId if _takes_ids(decoration) else spv.OpDecorate
    if inst.opcode.value != opcode:
        right = tables.opcode_name(opcode)
        what = "takes an id" if opcode == spv.OpDecorateId else "takes no id"
        mend = Mend(f"Change to {right}", (Replace(inst, OPCODE, right),))
        yield Finding(inst, OPCODE, f"the decoration {decoration.name} {what}: set it by {right}", mends=(mend,))


def _takes_ids(decoration: Enumerant) -> bool:
    return any(operand.kind.startswith("Id") for operand in decoration.parameters)


@instruction_rule("decoration/id-parameter-order", spv.OpDecorateId, spv.OpMemberDecorateIdEXT, section="3.3.3")
def id_parameter_order(inst: Instruction, scene: Scene) -> Findings:
    """What an id decoration refers to is defined before its target, and the target is no decoration group.

    So the target's definition can be understood when it is met.

    Bad:  `OpDecorateId %x UniformId %scope` where `%scope` is defined after `%x`.
    Good: `%scope` is defined first.
    """
    module = scene.module
    target = id_at(inst, 0)
    definition = module.definition(target) if target is not None else None
    if target is None or definition is None:
        return
    if definition.opcode.value == spv.OpDecorationGroup:
        note = Note(definition, RESULT, "the group is declared here")
        yield Finding(inst, 0, f"%{target} is a decoration group, and ids are not decorated through groups", (note,))
        return
    start = 3 if inst.opcode.value == spv.OpMemberDecorateIdEXT else 2
    for place in range(start, len(inst.operands)):
        name = id_at(inst, place)
        parameter = module.definition(name) if name is not None else None
        if parameter is not None and parameter is not definition and module.precedes(definition, parameter):
            note = Note(parameter, RESULT, f"%{name} is defined here")
            message = f"%{name} is defined after %{target}, and has to be defined before it"
            yield Finding(inst, place, message, (note,))
            return


@instruction_rule("decoration/member", *sorted(MEMBER_DECORATES), section="3.3.3")
def member(inst: Instruction, scene: Scene) -> Findings:
    """A member decoration names a structure, the index of one of its members, and a decoration that members have.

    Bad:  `OpMemberDecorate %S 2 Offset 16` where `%S` has two members.
    Good: `OpMemberDecorate %S 1 Offset 16`
    """
    module = scene.module
    target, index = id_at(inst, 0), word_at(inst, 1)
    if target is None or index is None or module.opcode_of(target) in (NO_OPCODE, spv.OpDecorationGroup):
        return
    mend = Mend("Remove the decoration", (Delete(inst),), preferred=False)
    fault = _member_fault(module, target, index)
    if fault is not None:
        yield Finding(inst, fault[0], fault[1], _here(module, target), (mend,))
        return
    decoration = decoration_of(inst)
    if decoration is not None and decoration.name in _NOT_FOR_MEMBERS:
        yield Finding(inst, 2, f"the decoration {decoration.name} is not for members of structures", (), (mend,))


def _member_fault(module: Module, target: str, index: int) -> tuple[int, str] | None:
    """What is wrong with naming a member: the place, counted from the structure's id, and why."""
    type_ = module.type(target)
    if type_ is None or type_.kind != spv.OpTypeStruct:
        return 0, f"%{target} is no structure, and has no members"
    count = len(type_.member_ids)
    if index >= count:
        last = f", 0 to {count - 1}" if count > 1 else ""
        return 1, f"%{target} has {counted(count, 'member')}{last}, and this names member {index}"
    return None


def _here(module: Module, name: str) -> tuple[Note, ...]:
    definition = module.definition(name)
    return (Note(definition, RESULT, f"%{name} is defined here"),) if definition is not None else ()


@instruction_rule("decoration/members-only", *sorted(DECORATES), section="3.2.19")
def members_only(inst: Instruction, scene: Scene) -> Findings:
    """RowMajor, ColMajor and MatrixStride are for members of structures.

    Bad:  `OpDecorate %matrix_variable RowMajor`
    Good: `OpMemberDecorate %S 0 RowMajor`
    """
    decoration = decoration_of(inst)
    target = id_at(inst, 0)
    if decoration is None or target is None or decoration.name not in _MEMBERS_ONLY:
        return
    if scene.module.opcode_of(target) not in (NO_OPCODE, spv.OpDecorationGroup):
        yield Finding(inst, 1, f"the decoration {decoration.name} is for members of structures: use OpMemberDecorate")


@module_rule("opcode/OpDecorationGroup/users", section="3.3.3")
def group_users(scene: Scene) -> Findings:
    """A decoration group is named by its decorations, by OpGroupDecorate and OpGroupMemberDecorate, and by OpName.

    Bad:  `OpMemberDecorate %group 0 Offset 0`
    Good: `OpDecorate %group Offset 0` and `OpGroupMemberDecorate %group %S 0`
    """
    module = scene.module
    for record in module.declarations.records(spv.OpDecorationGroup):
        wrong = [(chunk, use) for chunk, use in module.ids.uses(record.result or "") if not _may_use_groups(use, module)]
        if wrong:
            _, use = min(wrong, key=lambda found: (found[0].first, found[0].records.index(found[1])))
            note = Note(use, OPCODE, f"{use.opcode.name} uses it here")
            message = f"%{record.result} is a group of decorations, which {use.opcode.name} cannot use"
            yield Finding(record, RESULT, message, (note,))


def _may_use_groups(use: Instruction, module: Module) -> bool:
    """Whether an instruction is one that can use a group of decorations; one that cannot be read counts as such."""
    if use.faults or use.opcode.value in _GROUP_USERS:
        return True
    return use.opcode.value in EXTENDED and module.is_non_semantic(use)


@module_rule("opcode/OpDecorationGroup/decorations-precede", section="3.3.3", severity=Severity.WARNING)
def group_order(scene: Scene) -> Findings:
    """The decorations of a group stand before its OpDecorationGroup. The reference validator does not look.

    Bad:  `%group = OpDecorationGroup` and then `OpDecorate %group Flat`
    Good: `OpDecorate %group Flat` and then `%group = OpDecorationGroup`
    """
    module = scene.module
    for record in module.declarations.records(spv.OpDecorationGroup):
        name = record.result or ""
        for _, use in module.ids.uses(name):
            if use.opcode.value in DECORATES and use.operands[:1] == (name,) and module.precedes(record, use):
                note = Note(record, RESULT, "the group is made here")
                yield Finding(use, 0, f"the group %{name} is complete already: its decorations stand before it", (note,))


@instruction_rule(
    "opcode/OpDecorateString/string-decoration",
    spv.OpDecorateString,
    spv.OpMemberDecorateString,
    section="3.3.3",
    severity=Severity.WARNING,
)
def string_form(inst: Instruction, scene: Scene) -> Findings:
    """OpDecorateString and OpMemberDecorateString set decorations whose operands are texts. The reference validator does
    not look.

    Bad:  `OpDecorateString %x RelaxedPrecision`
    Good: `OpDecorateString %x UserSemantic "colour"`
    """
    decoration = decoration_of(inst)
    if decoration is None or (decoration.parameters and all(p.kind == "LiteralString" for p in decoration.parameters)):
        return
    right = inst.opcode.name.removesuffix("String")
    mend = Mend(f"Change to {right}", (Replace(inst, OPCODE, right),))
    yield Finding(inst, OPCODE, f"the decoration {decoration.name} takes no text: set it by {right}", mends=(mend,))


@instruction_rule("opcode/OpGroupDecorate/group", spv.OpGroupDecorate, spv.OpGroupMemberDecorate, section="3.3.3")
def group(inst: Instruction, scene: Scene) -> Findings:
    """OpGroupDecorate and OpGroupMemberDecorate name a decoration group, and then what it decorates.

    That is no group again; for OpGroupMemberDecorate, structures and indexes of their members.

    Bad:  `OpGroupDecorate %int %x`
    Good: `OpGroupDecorate %group %x` with `%group = OpDecorationGroup`
    """
    module = scene.module
    name = id_at(inst, 0)
    opcode = module.opcode_of(name)
    if name is None or opcode == NO_OPCODE:
        return
    if opcode != spv.OpDecorationGroup:
        yield Finding(inst, 0, f"%{name} is no decoration group", _here(module, name))
        return
    if inst.opcode.value == spv.OpGroupDecorate:
        for place in range(1, len(inst.operands)):
            target = id_at(inst, place)
            if target is not None and module.opcode_of(target) == spv.OpDecorationGroup:
                yield Finding(inst, place, f"%{target} is a decoration group, and groups do not decorate each other")
                return
        return
    for place in range(1, len(inst.operands) - 1, 2):
        target, index = id_at(inst, place), word_at(inst, place + 1)
        if target is None or index is None or module.opcode_of(target) == NO_OPCODE:
            continue
        fault = _member_fault(module, target, index)
        if fault is not None:
            yield Finding(inst, place + fault[0], fault[1], _here(module, target))
            return
