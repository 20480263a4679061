"""Attributes of parameters and of what functions return, and semantics of HLSL (SPIR-V 3.2.18, 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv, tables
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.applied import ANNOTATING, Applied, applied_among
from spvls.validate.finding import Finding, Note
from spvls.validate.rule import Findings, Scene, instruction_rule

_POINTERS_ONLY = frozenset({"ByVal", "Sret", "NoAlias", "NoCapture", "NoWrite", "NoReadWrite"})
_OPPOSITES = {"Zext": "Sext", "Sext": "Zext"}


@instruction_rule(
    "decoration/parameter-attribute", spv.OpDecorate, spv.OpGroupDecorate, section="3.2.18", severity=Severity.WARNING
)
def parameter_attribute(inst: Instruction, scene: Scene) -> Findings:
    """Attributes fit the parameter, or what the function returns, and none stands twice.

    ByVal, NoAlias, NoCapture, NoWrite and NoReadWrite are for parameters that are pointers, Sret for the first of them; a
    number is extended by zeros or by its sign, not by both.

    Bad:  `OpDecorate %number FuncParamAttr NoAlias`
    Good: `OpDecorate %pointer FuncParamAttr NoAlias`
    """
    module = scene.module
    for item in applied_among(inst, module, ("FuncParamAttr",)):
        word = item.params[0] if item.params else None
        attribute = tables.kind("FunctionParameterAttribute").by_value(word) if isinstance(word, int) else None
        target = module.definition(item.target) if attribute is not None else None
        if attribute is None or target is None or target.faults:
            continue
        name = attribute.name
        seen = scene.shared("parameter attributes", dict[tuple[str, str], Instruction])
        for other in (name, _OPPOSITES.get(name, "")):
            first = seen.get((item.target, other))
            if first is not None:
                note = Note(first, OPCODE, f"{other} is set here")
                how = "twice" if other == name else f"and {other}, which contradict each other"
                yield Finding(inst, 2, f"%{item.target} has the attribute {name} {how}", (note,))
                return
        seen[(item.target, name)] = inst
        message = _misfit(item, name, target, module) if name in _POINTERS_ONLY else None
        if message is not None:
            note = Note(target, OPCODE, f"%{item.target} is defined here")
            yield Finding(inst, 0, message, (note,))
            return


def _misfit(item: Applied, attribute: str, target: Instruction, module: Module) -> str | None:
    if target.opcode.value != spv.OpFunctionParameter:
        return f"%{item.target} is no parameter of a function, and {attribute} is for such"
    type_ = module.type(target.type)
    if type_ is not None and not type_.is_pointer:
        return f"%{item.target} is {module.spell(type_)}, and {attribute} is for pointers"
    if attribute == "Sret":
        owner = module.body(module.owner_of(item.target))
        first = owner.parameters[0] if owner is not None and owner.parameters else None
        if first is not None and first.result != item.target:
            return f"%{item.target} is not the first parameter of its function, and Sret is for that"
    return None


@instruction_rule("decoration/user-semantic-repeat", *ANNOTATING, section="3.2.19", severity=Severity.WARNING)
def user_semantic_repeat(inst: Instruction, scene: Scene) -> Findings:
    """An object or member has a semantic once; case makes no difference.

    Bad:  `OpDecorateString %x UserSemantic "COLOR"` and `OpDecorateString %x UserSemantic "color"`
    Good: one of them.
    """
    for item in applied_among(inst, scene.module, ("UserSemantic",)):
        text = item.params[0] if item.params else None
        if not isinstance(text, bytes):
            continue
        seen = scene.shared("semantics", dict[tuple[str, int | None, str], Instruction])
        semantic = text.decode("utf-8", "replace").casefold()
        first = seen.setdefault((item.target, item.member, semantic), inst)
        if first is not inst:
            note = Note(first, OPCODE, "it is given here first")
            yield Finding(inst, 0, f"%{item.target} has the semantic {semantic} already", (note,))
