"""Forms of annotation instructions (SPIR-V 3.3.3)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Decoration
from spvls.grammar.records import Enumerant
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.applied import decoration_of
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import AVAILABILITY, Findings, RuleContext, instruction_rule

#: What decorations refer to, by the beginnings of opcodes.
_DECORATING = frozenset(
    {
        spv.OpUndef, spv.OpVariable, spv.OpUntypedVariableKHR, spv.OpAliasDomainDeclINTEL, spv.OpAliasScopeDeclINTEL,
        spv.OpAliasScopeListDeclINTEL, spv.OpTypeNodePayloadArrayAMDX,
    }
)  # fmt: skip
_FIRST_ID = 2
"""The place of the first id that OpDecorateId gives to a decoration."""

#: What the operands of decorations are, where they are not constants.
_WANTED = {
    Decoration.CounterBuffer: "a variable",
    Decoration.NodeSharesPayloadLimitsWithAMDX: "the result of OpTypeNodePayloadArrayAMDX",
    Decoration.AliasScopeINTEL: "the result of OpAliasScopeListDeclINTEL",
    Decoration.NoAliasINTEL: "the result of OpAliasScopeListDeclINTEL",
}


@instruction_rule(
    "decoration/id-form-matches-decoration",
    spv.OpDecorate,
    spv.OpDecorateId,
    section=sections.ANNOTATION_INSTRUCTIONS,
    after=AVAILABILITY,
)
def id_form_matches_decoration(inst: Instruction, context: RuleContext) -> Findings:
    """OpDecorateId must set decorations whose operands are ids, and OpDecorate must set only others.

    The instruction determines whether the words after the decoration are literals or ids. A consumer that reads an id as a literal
    takes the number of the id as the value, for example as an alignment.

    Unlike spirv-val, the rule counts ConditionalINTEL (SPV_INTEL_function_variants) among the decorations whose operands are ids.
    Decorations of members and those by OpDecorateString are not checked here. OffsetIdEXT is only for members, and requires
    OpMemberDecorateIdEXT (`block-layout/offset-id-is-for-members`).
    """
    decoration = decoration_of(inst)
    if decoration is None:
        return
    takes_ids = _takes_ids(decoration)
    if (inst.opcode.value == spv.OpDecorateId) is not takes_ids:
        right = tables.opcode_name(_by_id(decoration) if takes_ids else spv.OpDecorate)
        fix = FindingFix(f"Change to {right}", (Replace(inst, OPCODE, right),))
        fixes = (fix,) if decoration.value != Decoration.OffsetIdEXT else ()
        what = "takes an id" if takes_ids else "does not take ids"
        message = f"the decoration {decoration.name} {what} and must be applied by {right}, not {inst.opcode.name}"
        yield Finding(inst, OPCODE, message, fixes=fixes)


def _takes_ids(decoration: Enumerant) -> bool:
    return any(operand.kind.startswith("Id") for operand in decoration.parameters)


def _by_id(decoration: Enumerant) -> int:
    """The opcode that sets a decoration whose operands are ids."""
    return spv.OpMemberDecorateIdEXT if decoration.value == Decoration.OffsetIdEXT else spv.OpDecorateId


@instruction_rule(
    "decoration/id-operands-precede-target", spv.OpDecorateId, spv.OpMemberDecorateIdEXT, section=sections.ANNOTATION_INSTRUCTIONS
)
def id_operands_precede_target(inst: Instruction, context: RuleContext) -> Findings:
    """The ids that OpDecorateId or OpMemberDecorateIdEXT takes must be defined before its target.

    A consumer that reads the module once applies the decoration when it reaches the definition of the target, so it must know the
    values at that time. SPV_EXT_descriptor_heap requires this of OpMemberDecorateIdEXT; of OpDecorateId the rule requires it as
    spirv-val does. An id must not be the target itself. As in spirv-val, a decoration group as the target is reported too, though
    the specification permits one for OpDecorateId.
    """
    module = context.module
    target = id_at(inst, 0)
    definition = module.definition(target) if target is not None else None
    if target is None or definition is None:
        return
    if definition.opcode.value == spv.OpDecorationGroup:
        note = Note(definition, RESULT, f"the group %{target} is declared here")
        which = "spirv-val does not accept as" if inst.opcode.value == spv.OpDecorateId else "must not be"
        message = f"%{target} is a decoration group, which {which} the target of {inst.opcode.name}; decorate each target instead"
        yield Finding(inst, 0, message, (note,))
        return
    what = decoration.name if (decoration := decoration_of(inst)) is not None else ""
    start = _FIRST_ID + (inst.opcode.value == spv.OpMemberDecorateIdEXT)
    for operand_index in range(start, len(inst.operands)):
        name = id_at(inst, operand_index)
        parameter = module.definition(name) if name is not None else None
        if parameter is definition:
            yield Finding(inst, operand_index, f"the decoration {what} of %{name} must not have %{name} itself as an operand")
            return
        if parameter is not None and name is not None and module.is_defined_before(target, name):
            note = Note(parameter, RESULT, f"%{name} is defined here")
            whose = f"%{target}" if start == _FIRST_ID else f"member {word_at(inst, 1)} of %{target}"
            used = f"%{name} is an operand of the decoration {what} of {whose}"
            yield Finding(inst, operand_index, f"{used}, so %{name} must be defined before %{target}", (note,))
            return


@instruction_rule(
    "decoration/string-form-matches-decoration",
    spv.OpDecorateString,
    spv.OpMemberDecorateString,
    section=sections.ANNOTATION_INSTRUCTIONS,
    after=AVAILABILITY,
)
def string_form_matches_decoration(inst: Instruction, context: RuleContext) -> Findings:
    """OpDecorateString and OpMemberDecorateString must set decorations with operands that are all strings.

    The instruction determines how the words after the decoration are read. A consumer that reads a number as a string may find no
    end, or a text that the decoration does not define. Decorations without operands, or with an operand of another kind, such as
    LinkageAttributes, require OpDecorate or OpMemberDecorate; those whose operands are ids require OpDecorateId or,
    for OffsetIdEXT, OpMemberDecorateIdEXT (SPV_EXT_descriptor_heap). spirv-val does not check this.
    """
    decoration = decoration_of(inst)
    if decoration is None or (decoration.parameters and all(p.kind == "LiteralString" for p in decoration.parameters)):
        return
    right = inst.opcode.name.removesuffix("String")
    is_of_members = inst.opcode.value == spv.OpMemberDecorateString
    if _takes_ids(decoration):
        right = tables.opcode_name(_by_id(decoration))
    fits = not _takes_ids(decoration) or is_of_members is (decoration.value == Decoration.OffsetIdEXT)
    fixes = (FindingFix(f"Change to {right}", (Replace(inst, OPCODE, right),)),) if fits else ()
    takes = "operands other than strings" if any(one.kind == "LiteralString" for one in decoration.parameters) else "no string"
    message = f"the decoration {decoration.name} takes {takes} and must be applied by {right}, not {inst.opcode.name}"
    yield Finding(inst, OPCODE, message, fixes=fixes)


@instruction_rule(
    "decoration/id-operands-are-constant",
    spv.OpDecorateId,
    section=sections.ANNOTATION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=("decoration/uniform-id-names-scope",),
)
def id_operands_are_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The extra operands of OpDecorateId must be constants or variables.

    A decoration holds for the whole module, so it can only name what exists before a function runs: constants, and variables by
    their address. The rule also accepts OpUndef, which the specification does not list, OpTypeNodePayloadArrayAMDX, and the
    domains, scopes and lists of scopes that the instructions OpAlias…INTEL declare. Untyped variables and variables of functions
    count as variables.

    A warning, because spirv-val does not check this, except for some strides of ArrayStrideIdEXT, where
    `block-layout/stride-id-is-for-descriptors` reports an error too, and some scopes of UniformId, where
    `decoration/uniform-id-names-scope` reports an error instead.
    """
    module = context.module
    for operand_index in range(_FIRST_ID, len(inst.operands)):
        name = id_at(inst, operand_index)
        maker = module.defining_instruction(name) if name is not None else None
        if maker is None or maker.opcode.is_constant or maker.opcode.value in _DECORATING:
            continue
        decoration = decoration_of(inst)
        what, wanted = f"operand %{name}", "a constant or a variable"
        if decoration is not None and decoration.parameters:
            what = f"operand {decoration.parameters[0].name} (%{name}) of {decoration.name}"
            wanted = _WANTED.get(decoration.value, "a constant")
        message = f"{what} is {made_by(maker)}, expected {wanted}"
        yield Finding(inst, operand_index, message)
        return
