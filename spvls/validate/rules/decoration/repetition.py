"""Repeated and contradicting decorations (SPIR-V 2.17, 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.applied import ANNOTATING, applied, applied_among
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_FEW = 64


@instruction_rule("decoration/user-semantic-is-not-repeated", *ANNOTATING, section=sections.DECORATION, severity=Severity.WARNING)
def user_semantic_is_not_repeated(inst: Instruction, context: RuleContext) -> Findings:
    """An object or member has a semantic once; case makes no difference."""
    for item in applied_among(inst, context.module, ("UserSemantic",)):
        text = item.params[0] if item.params else None
        if not isinstance(text, bytes):
            continue
        seen = context.chunk_state("semantics", dict[tuple[str, int | None, str], Instruction])
        semantic = text.decode("utf-8", "replace").casefold()
        first = seen.setdefault((item.target, item.member, semantic), inst)
        if first is not inst:
            note = Note(first, OPCODE, "it is given here first")
            yield Finding(inst, 0, f"%{item.target} has the semantic {semantic} already", (note,))


class _Seen:
    """The decorations of a chunk so far, by what they decorate."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, int | None, str], Instruction] = {}


_REPEATABLE = frozenset(
    {"UserSemantic", "FuncParamAttr", "CacheControlLoadINTEL", "CacheControlStoreINTEL", "ConditionalINTEL"}
)

#: Pairs that exclude each other; those of members, and those of objects.
_EXCLUSIVE = {
    ("Block", False): "BufferBlock",
    ("Restrict", False): "Aliased",
    ("RestrictPointer", False): "AliasedPointer",
    ("RowMajor", True): "ColMajor",
    ("Offset", True): "OffsetIdEXT",
}
_EXCLUDES = {**_EXCLUSIVE, **{(other, member): name for (name, member), other in _EXCLUSIVE.items()}}


@instruction_rule(
    "decoration/decorations-do-not-conflict",
    spv.OpDecorate,
    spv.OpMemberDecorate,
    spv.OpMemberDecorateIdEXT,
    section=sections.DECORATION,
)
def decorations_do_not_conflict(inst: Instruction, context: RuleContext) -> Findings:
    """One decoration stands once on an object or member, and decorations that contradict each other do not stand together.

    That are Block and BufferBlock, Restrict and Aliased, RowMajor and ColMajor, Offset and OffsetIdEXT. UserSemantic and
    parameter attributes may be repeated.
    """
    module = context.module
    seen = context.chunk_state("decorations", _Seen).first
    for item in applied(inst, module):
        key = item.target, item.member, item.decoration
        first = seen.setdefault(key, inst)
        other = seen.get((item.target, item.member, _EXCLUDES.get((item.decoration, item.member is not None), "")))
        definition = module.definition(item.target)
        if definition is None:
            continue
        what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
        fix = FindingFix("Remove the second decoration", (Delete(inst),), preferred=False)
        if first is not inst and item.decoration not in _REPEATABLE:
            notes = Note(first, OPCODE, "decorated here first"), Note(inst, OPCODE, "and here again")
            sure = FindingFix("Remove the second decoration", (Delete(inst),), preferred=first.operands == inst.operands)
            yield Finding(definition, RESULT, f"{what} is decorated {item.decoration} more than once", notes, (sure,))
        elif other is not None:
            name = _EXCLUDES[item.decoration, item.member is not None]
            notes = Note(other, OPCODE, f"{name} here"), Note(inst, OPCODE, f"and {item.decoration} here")
            yield Finding(definition, RESULT, f"{what} is decorated both {name} and {item.decoration}", notes, (fix,))
        elif item.decoration in _MATH_PAIR:
            pair = seen.get((item.target, item.member, _MATH_PAIR[item.decoration]))
            if pair is not None:
                note = Note(pair, OPCODE, f"{_MATH_PAIR[item.decoration]} here")
                yield Finding(
                    inst,
                    1,
                    f"{what} is decorated {_MATH_PAIR[item.decoration]} already, which excludes {item.decoration}",
                    (note,),
                )


#: These exclude each other as well.
_MATH_PAIR = {"FPFastMathMode": "NoContraction", "NoContraction": "FPFastMathMode"}


@instruction_rule(
    "decoration/count-is-within-limit",
    spv.OpTypeStruct,
    spv.OpVariable,
    spv.OpFunction,
    section=sections.UNIVERSAL_LIMITS,
    severity=Severity.WARNING,
)
def count_is_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """An id has no more decorations than there are kinds of decorations, its members not counted."""
    if inst.result is None:
        return
    own = [found for found in context.module.decorations(inst.result) if found.member is None]
    if len(own) <= _FEW:
        return
    most = len(tables.kind("Decoration").all)
    if len(own) > most:
        yield Finding(inst, OPCODE, f"%{inst.result} has {len(own)} decorations, and {most} are the most to count on")
