"""Decoration groups (SPIR-V 3.3.3)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.operand_index import OpGroupDecorate_DecorationGroup
from spvls.grammar.tables import NO_OPCODE
from spvls.module.decorations import DECORATES, decoration_name, word_of
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule
from spvls.validate.rules.decoration.member import definition_note, member_fault

#: What may name a decoration group.
_GROUP_USERS = frozenset({spv.OpName, spv.OpDecorate, spv.OpGroupDecorate, spv.OpGroupMemberDecorate})


@module_rule("decoration/group-users-are-permitted", section=sections.ANNOTATION_INSTRUCTIONS)
def group_users_are_permitted(context: RuleContext) -> Findings:
    """A decoration group may only be named, decorated, applied, or used by non-semantic instructions.

    OpName names it, OpDecorate decorates it, and OpGroupDecorate and OpGroupMemberDecorate apply it. A group is a list of
    decorations without a type, members or a value, so other instructions, such as OpDecorateString, have nothing to use. The
    specification also permits OpDecorateId with a group as its target; `decoration/id-operands-precede-target` reports that, as
    spirv-val does, and not this rule.
    """
    module = context.module
    for record in module.declarations.records(spv.OpDecorationGroup):
        group = record.result or ""
        wrong = [(chunk, use) for chunk, use in module.ids.uses(group) if not _may_use_groups(use, group, module)]
        if wrong:
            _, use = min(wrong, key=lambda found: (found[0].first, found[0].records.index(found[1])))
            note = Note(use, OPCODE, f"{use.opcode.name} uses %{group} here")
            permitted = "OpName, OpDecorate, OpGroupDecorate and OpGroupMemberDecorate"
            message = f"{use.opcode.name} uses the decoration group %{group}, which only {permitted} may use"
            yield Finding(record, RESULT, message, (note,))


def _may_use_groups(use: Instruction, group: str, module: Module) -> bool:
    """Whether an instruction is one that can use a group of decorations; one that cannot be read counts as such."""
    if use.faults or use.opcode.value in _GROUP_USERS:
        return True
    if use.opcode.value == spv.OpDecorateId:
        return group not in use.operands[1:]
    return module.is_of_non_semantic_set(use)


@module_rule("decoration/decorations-precede-group", section=sections.ANNOTATION_INSTRUCTIONS, severity=Severity.WARNING)
def decorations_precede_group(context: RuleContext) -> Findings:
    """The decorations of a group must be before its OpDecorationGroup.

    OpDecorationGroup marks the end of the list. A consumer that reads the module once may drop decorations that follow it, so that
    the targets of the group lack them. OpDecorateId on a group is an error of `decoration/id-operands-precede-target`, and
    OpDecorateString one of `decoration/group-users-are-permitted`, both before the group and after it.
    """
    module = context.module
    for record in module.declarations.records(spv.OpDecorationGroup):
        name = record.result or ""
        for _, use in module.ids.uses(name):
            if use.opcode.value in DECORATES and use.operands[:1] == (name,) and not use.faults and module.precedes(record, use):
                note = Note(record, RESULT, f"the group %{name} is declared here")
                what = decoration_name(word_of(use.operands[1]))
                yield Finding(use, 0, f"the decoration {what} must come before the OpDecorationGroup that defines %{name}", (note,))


@instruction_rule(
    "decoration/group-decorate-names-group",
    spv.OpGroupDecorate,
    spv.OpGroupMemberDecorate,
    section=sections.ANNOTATION_INSTRUCTIONS,
)
def group_decorate_names_group(inst: Instruction, context: RuleContext) -> Findings:
    """OpGroupDecorate and OpGroupMemberDecorate must name a decoration group and permitted targets.

    The instructions apply the decorations of the group to each target. With another id a consumer has nothing to apply. The targets
    of OpGroupDecorate must not be groups and, as in spirv-val, must be different; those of OpGroupMemberDecorate must be
    structures, each with the index of a member. Of each instruction, only the first fault is reported.
    """
    module = context.module
    name = id_at(inst, OpGroupDecorate_DecorationGroup)
    opcode = module.opcode_of(name)
    if name is None or opcode == NO_OPCODE:
        return
    if opcode != spv.OpDecorationGroup:
        subject = operand(inst, OpGroupDecorate_DecorationGroup)
        message = f"{subject} is the result of {module.opcode_name_of(name)}, expected that of OpDecorationGroup"
        yield Finding(inst, OpGroupDecorate_DecorationGroup, message, definition_note(module, name))
        return
    if inst.opcode.value == spv.OpGroupDecorate:
        seen: set[str] = set()
        for operand_index in range(1, len(inst.operands)):
            target = id_at(inst, operand_index)
            if target is not None and target in seen:
                message = f"%{target} is already a target of this OpGroupDecorate and must be listed only once"
                yield Finding(inst, operand_index, message)
                return
            seen.add(target or "")
            if target is not None and module.opcode_of(target) == spv.OpDecorationGroup:
                yield Finding(
                    inst, operand_index, f"%{target} is a decoration group, which must not be the target of another group"
                )
                return
        return
    for operand_index in range(1, len(inst.operands) - 1, 2):
        target, index = id_at(inst, operand_index), word_at(inst, operand_index + 1)
        if target is None or index is None or module.opcode_of(target) == NO_OPCODE:
            continue
        fault = member_fault(module, inst, operand_index, target, index)
        if fault is not None:
            yield Finding(inst, operand_index + fault[0], fault[1], definition_note(module, target))
            return
