"""Returns (SPIR-V 3.3.17)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import OpReturnValue_Value
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import converted


@instruction_rule("function/non-void-function-returns-value", spv.OpReturn, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def non_void_function_returns_value(inst: Instruction, context: RuleContext) -> Findings:
    """OpReturn ends functions that return void; others end with OpReturnValue."""
    function = context.function
    type_ = context.module.type(function.result_type) if function is not None else None
    if function is not None and type_ is not None and type_.kind != spv.OpTypeVoid:
        note = Note(function.record, TYPE, f"%{function.name} returns {context.module.spell(type_)}")
        message = f"%{function.name} returns {context.module.spell(type_)}: end it with OpReturnValue and a value"
        yield Finding(inst, OPCODE, message, (note,))


@instruction_rule("function/returned-value-matches-function", spv.OpReturnValue, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def returned_value_matches_function(inst: Instruction, context: RuleContext) -> Findings:
    """The value that a function returns has the function's result type, and is not a logical pointer."""
    module, function = context.module, context.function
    name = inst.operands[OpReturnValue_Value]
    if function is None or not isinstance(name, str) or module.definition(name) is None:
        return
    type_ = module.type_of(name)
    wanted = module.type(function.result_type)
    if type_ is None:
        yield Finding(inst, OpReturnValue_Value, f"%{name} is no value that could be returned")
    elif type_.kind == spv.OpTypeVoid:
        yield Finding(inst, OpReturnValue_Value, f"%{name} is void, and OpReturnValue returns a value", fixes=_plain_return(inst))
    elif (
        type_.is_pointer
        and module.declarations.is_logical
        and not module.has_capability(Capability.VariablePointersStorageBuffer)
        and not context.options.relax_logical_pointer
    ):
        message = f"%{name} is {module.spell(type_)}, and the Logical addressing model returns no pointers"
        yield Finding(inst, OpReturnValue_Value, message)
    elif wanted is not None and wanted.id != type_.id:
        message = f"%{name} is {module.spell(type_)}, and %{function.name} returns {module.spell(wanted)}"
        note = Note(function.record, TYPE, "the function's result type")
        yield Finding(inst, OpReturnValue_Value, message, (note,), converted(inst, 0, wanted, module))


def _plain_return(inst: Instruction) -> tuple[FindingFix, ...]:
    steps = (Replace(inst, OPCODE, "OpReturn"), Replace(inst, OpReturnValue_Value, ""))
    return (FindingFix("Return without a value", steps, preferred=False),)
