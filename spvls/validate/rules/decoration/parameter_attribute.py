"""FuncParamAttr (SPIR-V 3.2.18)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.checks.applied import Applied, applied_among
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_POINTERS_ONLY = frozenset({"ByVal", "Sret", "NoAlias", "NoCapture", "NoWrite", "NoReadWrite"})
_OPPOSITES = {"Zext": "Sext", "Sext": "Zext"}


@instruction_rule(
    "decoration/parameter-attribute-fits-parameter",
    spv.OpDecorate,
    spv.OpGroupDecorate,
    section=sections.FUNCTION_PARAMETER_ATTRIBUTE,
    severity=Severity.WARNING,
)
def parameter_attribute_fits_parameter(inst: Instruction, context: RuleContext) -> Findings:
    """Attributes fit the parameter, or what the function returns, and none stands twice.

    ByVal, NoAlias, NoCapture, NoWrite and NoReadWrite are for parameters that are pointers, Sret for the first of them; a
    number is extended by zeros or by its sign, not by both.
    """
    module = context.module
    for item in applied_among(inst, module, ("FuncParamAttr",)):
        word = item.params[0] if item.params else None
        attribute = tables.kind("FunctionParameterAttribute").by_value(word) if isinstance(word, int) else None
        target = module.definition(item.target) if attribute is not None else None
        if attribute is None or target is None or target.faults:
            continue
        name = attribute.name
        seen = context.chunk_state("parameter attributes", dict[tuple[str, str], Instruction])
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
