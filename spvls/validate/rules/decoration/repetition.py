"""Repeated and contradicting decorations (SPIR-V 2.17, 3.2.19)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Decoration
from spvls.grammar.operand_index import OpDecorate_Target
from spvls.module.decorations import decoration_name
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.applied import ANNOTATING, Applied, applied, applied_among, decoration_of
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule


@instruction_rule("decoration/user-semantic-is-not-repeated", *ANNOTATING, section=sections.DECORATION, severity=Severity.WARNING)
def user_semantic_is_not_repeated(inst: Instruction, context: RuleContext) -> Findings:
    """An object or member must not have the same UserSemantic more than once.

    The string is a name by which an application finds the object. A second decoration does not add anything, and a tool that
    builds a table of these names may report a conflict. Upper and lower case do not differ.
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
            yield Finding(inst, 0, f'%{item.target} must not be decorated UserSemantic "{semantic}" more than once', (note,))


def _given(inst: Instruction, module: Module) -> Iterator[Applied]:
    """What an annotation decorates, groups included: their targets have the decorations of one group together."""
    yield from applied(inst, module)
    target = id_at(inst, OpDecorate_Target)
    decoration = decoration_of(inst)
    if target is not None and decoration is not None and module.opcode_of(target) == spv.OpDecorationGroup:
        yield Applied(decoration.value, inst.operands[2:], target, None, inst)


class _Seen:
    """The decorations of a chunk so far, by what they decorate."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, int | None, int], Instruction] = {}


_REPEATABLE = frozenset(
    {
        Decoration.UserSemantic, Decoration.FuncParamAttr, Decoration.CacheControlLoadINTEL,
        Decoration.CacheControlStoreINTEL, Decoration.ConditionalINTEL,
    }
)  # fmt: skip

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
    """An object or member must not have a decoration twice, or two decorations that contradict each other.

    With two different operands, or with two layouts, a consumer can follow only one of the decorations, and consumers may differ
    in which.

    These exclude each other: Block and BufferBlock, Restrict and Aliased, RestrictPointer and AliasedPointer, RowMajor and
    ColMajor, Offset and OffsetIdEXT, FPFastMathMode and NoContraction. UserSemantic, FuncParamAttr, CacheControlLoadINTEL,
    CacheControlStoreINTEL and ConditionalINTEL may be repeated.
    """
    module = context.module
    seen = context.chunk_state("decorations", _Seen).first
    for item in _given(inst, module):
        key = item.target, item.member, item.value
        first = seen.setdefault(key, inst)
        excluded = _EXCLUDES.get((item.value, item.member is not None))
        other = seen.get((item.target, item.member, excluded)) if excluded is not None else None
        definition = module.definition(item.target)
        if definition is None:
            continue
        what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
        if first is not inst and item.value not in _REPEATABLE:
            notes = Note(first, OPCODE, "first decorated here"), Note(inst, OPCODE, "decorated again here")
            sure = FindingFix("Remove the second decoration", (Delete(inst),), preferred=first.operands == inst.operands)
            yield Finding(definition, RESULT, f"{what} must not be decorated {item.name} more than once", notes, (sure,))
        elif excluded is not None and other is not None:
            name = decoration_name(excluded)
            unsure = FindingFix("Remove the second decoration", (Delete(inst),), preferred=False)
            notes = Note(other, OPCODE, f"{name} is set here"), Note(inst, OPCODE, f"{item.name} is set here")
            yield Finding(definition, RESULT, f"{what} must not be decorated both {name} and {item.name}", notes, (unsure,))
        elif item.value in _MATH_PAIR:
            pair = seen.get((item.target, item.member, _MATH_PAIR[item.value]))
            if pair is not None:
                name = decoration_name(_MATH_PAIR[item.value])
                note = Note(pair, OPCODE, f"{name} is set here")
                yield Finding(
                    inst,
                    1,
                    f"{what} must not be decorated both {name} and {item.name}",
                    (note,),
                )


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
    """An id must not have more decorations than there are kinds of decorations.

    Every consumer supports that number. With more, a driver may reject the module or overflow a table of fixed size. Only structure
    types, variables and functions are checked, without members. The option `max-decorations` sets another limit.
    """
    if inst.result is None:
        return
    own = [found for found in context.module.decorations(inst.result) if found.member is None]
    most = context.options.max_decorations or len(tables.kind("Decoration").entries)
    if len(own) > most:
        yield Finding(inst, OPCODE, f"%{inst.result} has {len(own)} decorations; the limit is {most}")
