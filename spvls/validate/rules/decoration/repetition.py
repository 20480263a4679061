"""Repeated and contradicting decorations (SPIR-V 2.17, 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Decoration
from spvls.grammar.operand_index import OpDecorate_Target, OpMemberDecorate_Member
from spvls.module.decorations import decoration_name
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.applied import ANNOTATING, applied_among, decoration_of
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule


@instruction_rule("decoration/user-semantic-is-not-repeated", *ANNOTATING, section=sections.DECORATION, severity=Severity.WARNING)
def user_semantic_is_not_repeated(inst: Instruction, context: RuleContext) -> Findings:
    """An object or member must not have the same UserSemantic more than once.

    The string says what the object or member is for. A second decoration with it does not add anything, and a tool that builds a
    table of these strings may report a conflict. Upper and lower case do not differ. Several different strings are permitted.
    """
    for item in applied_among(inst, context.module, (Decoration.UserSemantic,)):
        text = item.params[0] if item.params else None
        if not isinstance(text, bytes):
            continue
        seen = context.chunk_state("semantics", dict[tuple[str, int | None, str], Instruction])
        semantic = text.decode("utf-8", "replace").casefold()
        first = seen.setdefault((item.target, item.member, semantic), inst)
        if first is not inst:
            note = Note(first, OPCODE, "the semantic is first set here")
            what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
            shown = text.decode("utf-8", "replace")
            yield Finding(inst, 0, f'{what} must not be decorated with UserSemantic "{shown}" more than once', (note,))


_REPEATABLE = frozenset({Decoration.UserSemantic, Decoration.FuncParamAttr, Decoration.ConditionalINTEL})
_OF_LEVELS = frozenset({Decoration.CacheControlLoadINTEL, Decoration.CacheControlStoreINTEL})
"""May be repeated for other cache levels, which are their first operand."""

#: Pairs that exclude each other; those of members, and those of objects.
_EXCLUSIVE = {
    (Decoration.Block, False): Decoration.BufferBlock,
    (Decoration.Restrict, False): Decoration.Aliased,
    (Decoration.RestrictPointer, False): Decoration.AliasedPointer,
    (Decoration.RowMajor, True): Decoration.ColMajor,
    (Decoration.Offset, True): Decoration.OffsetIdEXT,
}
_EXCLUDES = {**_EXCLUSIVE, **{(other, member): value for (value, member), other in _EXCLUSIVE.items()}}


@instruction_rule(
    "decoration/decorations-do-not-conflict",
    spv.OpDecorate,
    spv.OpMemberDecorate,
    spv.OpMemberDecorateIdEXT,
    section=sections.DECORATION,
)
def decorations_do_not_conflict(inst: Instruction, context: RuleContext) -> Findings:
    """A decoration must not be repeated on its target, with few exceptions, or contradict another one.

    With two different operands, or with two layouts, a consumer can follow only one of the decorations, and consumers may differ in
    which. A decoration that is repeated without a difference is reported too.

    These pairs are reported on an id: Block and BufferBlock, Restrict and Aliased, RestrictPointer and AliasedPointer,
    FPFastMathMode and NoContraction (SPV_KHR_float_controls2); on a member: RowMajor and ColMajor, Offset and OffsetIdEXT
    (SPV_EXT_descriptor_heap). CacheControlLoadINTEL and CacheControlStoreINTEL (SPV_INTEL_cache_controls) may be repeated on an id
    for other cache levels. Repetitions of UserSemantic, FuncParamAttr and ConditionalINTEL are not reported here.

    The rule compares OpDecorate, OpMemberDecorate and OpMemberDecorateIdEXT, but not OpDecorateId, nor what a group gives to its
    targets. `interface/interpolation-is-unambiguous` compares Flat, NoPerspective, Patch, Centroid and Sample.
    """
    module = context.module
    target, decoration = id_at(inst, OpDecorate_Target), decoration_of(inst)
    if target is None or decoration is None:
        return
    value, member = decoration.value, None
    if inst.opcode.value != spv.OpDecorate and module.opcode_of(target) != spv.OpDecorationGroup:
        member = word_at(inst, OpMemberDecorate_Member)
        if member is None:
            return
    seen = context.chunk_state("decorations", dict[tuple[str, int | None, int], Instruction])
    level = word_at(inst, 2) if value in _OF_LEVELS and member is None else None
    by_level = context.chunk_state("cache controls", dict[tuple[str, int, int], Instruction])
    first = seen.setdefault((target, member, value), inst) if level is None else by_level.setdefault((target, value, level), inst)
    excluded = _EXCLUDES.get((value, member is not None))
    other = seen.get((target, member, excluded)) if excluded is not None else None
    pair = seen.get((target, member, _MATH_PAIR[value])) if value in _MATH_PAIR else None
    definition = module.definition(target) if first is not inst or other is not None or pair is not None else None
    if definition is None:
        return
    what = f"%{target}" if member is None else f"member {member} of %{target}"
    if first is not inst and value not in _REPEATABLE:
        name = decoration.name
        notes = Note(first, OPCODE, f"{name} is first set here"), Note(inst, OPCODE, f"{name} is set again here")
        sure = FindingFix("Remove the second decoration", (Delete(inst),), preferred=first.operands == inst.operands)
        again = "more than once" if level is None else f"for the cache level {level} more than once"
        yield Finding(definition, RESULT, f"{what} must not be decorated with {name} {again}", notes, (sure,))
    elif excluded is not None and other is not None:
        name = decoration_name(excluded)
        unsure = FindingFix("Remove the second decoration", (Delete(inst),), preferred=False)
        notes = Note(other, OPCODE, f"{name} is set here"), Note(inst, OPCODE, f"{decoration.name} is set here")
        yield Finding(definition, RESULT, f"{what} must not be decorated with both {name} and {decoration.name}", notes, (unsure,))
    elif pair is not None:
        name = decoration_name(_MATH_PAIR[value])
        note = Note(pair, OPCODE, f"{name} is set here")
        yield Finding(inst, 1, f"{what} must not be decorated with both {name} and {decoration.name}", (note,))


#: These exclude each other as well.
_MATH_PAIR = {Decoration.FPFastMathMode: Decoration.NoContraction, Decoration.NoContraction: Decoration.FPFastMathMode}


@instruction_rule(
    "decoration/count-is-within-limit",
    spv.OpTypeStruct,
    spv.OpVariable,
    spv.OpFunction,
    section=sections.UNIVERSAL_LIMITS,
    severity=Severity.WARNING,
)
def count_is_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """A structure, variable or function must have no more decorations than there are kinds of decorations.

    Every consumer must support that number for each id. With more, a driver may reject the module or overflow a table of fixed
    size. Only the results of OpTypeStruct, OpVariable and OpFunction are checked, without the decorations of members. The option
    `max-decorations` sets another limit.
    """
    if inst.result is None:
        return
    own = context.module.decorations(inst.result)
    most = context.options.max_decorations or len(tables.kind("Decoration").entries)
    if len(own) > most and len(own := [found for found in own if found.member is None]) > most:
        yield Finding(inst, OPCODE, f"%{inst.result} has {len(own)} decorations; the limit is {most}")
