"""FuncParamAttr (SPIR-V 3.2.18)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Decoration, FunctionParameterAttribute
from spvls.grammar.records import Enumerant
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.applied import Applied, applied_among
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_POINTERS_ONLY = frozenset(
    {
        FunctionParameterAttribute.ByVal, FunctionParameterAttribute.Sret, FunctionParameterAttribute.NoAlias,
        FunctionParameterAttribute.NoCapture, FunctionParameterAttribute.NoWrite, FunctionParameterAttribute.NoReadWrite,
    }
)  # fmt: skip
_OPPOSITES = {
    FunctionParameterAttribute.Zext: FunctionParameterAttribute.Sext,
    FunctionParameterAttribute.Sext: FunctionParameterAttribute.Zext,
}


@instruction_rule(
    "decoration/parameter-attribute-fits-parameter",
    spv.OpDecorate,
    spv.OpGroupDecorate,
    section=sections.FUNCTION_PARAMETER_ATTRIBUTE,
    severity=Severity.WARNING,
)
def parameter_attribute_fits_parameter(inst: Instruction, context: RuleContext) -> Findings:
    """A function parameter attribute must fit the parameter, and must not be repeated or contradicted.

    Compilers rely on these attributes. One that does not fit can change how an argument is passed, or permit an optimization that
    breaks the function.

    ByVal, NoAlias, NoCapture, NoWrite and NoReadWrite may only decorate pointer parameters, and Sret only the first parameter,
    which must be a pointer. Zext and Sext exclude each other; what they and RuntimeAlignedALTERA decorate is not checked. Of each
    instruction, only the first fault is reported.
    """
    module = context.module
    for item in applied_among(inst, module, (Decoration.FuncParamAttr,)):
        word = item.params[0] if item.params else None
        attribute = tables.kind("FunctionParameterAttribute").by_value(word) if isinstance(word, int) else None
        target = module.definition(item.target) if attribute is not None else None
        if attribute is None or target is None or target.faults:
            continue
        name = attribute.name
        seen = context.chunk_state("parameter attributes", dict[tuple[str, int], Instruction])
        for other in (attribute.value, _OPPOSITES.get(attribute.value)):
            first = seen.get((item.target, other)) if other is not None else None
            if first is not None and other is not None:
                other_name = enumerant_name("FunctionParameterAttribute", other)
                note = Note(first, OPCODE, f"{other_name} is set here")
                twice = other == attribute.value
                what = f"the attribute {name} more than once" if twice else f"both of the attributes {other_name} and {name}"
                yield Finding(inst, 2, f"%{item.target} must not have {what}", (note,))
                return
        seen[(item.target, attribute.value)] = inst
        message = _misfit(item, attribute, target, module) if attribute.value in _POINTERS_ONLY else None
        if message is not None:
            note = Note(target, OPCODE, f"%{item.target} is defined here")
            yield Finding(inst, 0, message, (note,))
            return


def _misfit(item: Applied, attribute: Enumerant, target: Instruction, module: Module) -> str | None:
    if target.opcode.value != spv.OpFunctionParameter:
        return f"%{item.target} must be a function parameter to have the attribute {attribute.name}"
    type_ = module.type(target.type)
    if type_ is not None and not type_.is_pointer:
        return f"%{item.target} is {module.spell(type_)}, but the attribute {attribute.name} requires a pointer"
    if attribute.value == FunctionParameterAttribute.Sret:
        owner = module.body(module.owner_of(item.target))
        first = owner.parameters[0] if owner is not None and owner.parameters else None
        if first is not None and first.result != item.target:
            return f"%{item.target} must be the first parameter of its function to have the attribute Sret"
    return None
