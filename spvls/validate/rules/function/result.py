"""Returns (SPIR-V 3.3.17)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import OpReturnValue_Value
from spvls.module.variable import the_class
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.checks.pointers import chosen_requirement
from spvls.validate.checks.wording import made_by, operand
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import converted
from spvls.validate.rules.function.declaration import spelled_apart


@instruction_rule("function/non-void-function-returns-value", spv.OpReturn, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def non_void_function_returns_value(inst: Instruction, context: RuleContext) -> Findings:
    """A function that does not return void must return by OpReturnValue, not by OpReturn.

    OpReturn leaves the result of the call without a value, so the caller may compute with an arbitrary value. Each OpReturn is
    checked, also in blocks that are never reached.
    """
    function = context.function
    type_ = context.module.type(function.result_type) if function is not None else None
    if function is not None and type_ is not None and type_.kind not in (spv.OpTypeVoid, spv.OpTypeFunction):
        note = Note(function.record, TYPE, f"%{function.name} returns {context.module.spell(type_)}")
        message = f"%{function.name} returns {context.module.spell(type_)} and must end with OpReturnValue, not OpReturn"
        yield Finding(inst, OPCODE, message, (note,))


@instruction_rule("function/returned-value-matches-function", spv.OpReturnValue, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def returned_value_matches_function(inst: Instruction, context: RuleContext) -> Findings:
    """The Value of OpReturnValue must have the return type of the function.

    The caller reads the bits of the value as the result type of the call, so with another type it may get another value. A Value of
    type void is always an error; use OpReturn in a function that returns void.

    With the addressing model Logical, the value must not be a pointer unless the module has the capability
    VariablePointersStorageBuffer or the option `relax-logical-pointer` or `before-hlsl-legalization` is set: such a pointer need
    not be an address, so a device may have no bits to return. For the storage classes, see `pointer/logical-result-is-permitted`
    and, for calls, `function/returned-pointers-are-permitted`.
    """
    module, function = context.module, context.function
    name = inst.operands[OpReturnValue_Value]
    definition = module.definition(name) if isinstance(name, str) else None
    if function is None or not isinstance(name, str) or definition is None:
        return
    type_ = module.type_of(name)
    wanted, subject = module.type(function.result_type), operand(inst, OpReturnValue_Value)
    if type_ is None:
        message = f"{subject} is {made_by(definition)}, expected a value"
        if definition.type is not None:
            message = f"the result type of {subject} is %{definition.type}, which is not a valid type"
        yield Finding(inst, OpReturnValue_Value, message)
    elif type_.kind == spv.OpTypeVoid:
        message = f"{subject} has the type void, which OpReturnValue must not return"
        yield Finding(inst, OpReturnValue_Value, message, fixes=_plain_return(inst))
    elif (
        type_.is_pointer
        and module.declarations.is_logical
        and not module.has_capability(Capability.VariablePointersStorageBuffer)
        and not context.options.relax_logical_pointer
    ):
        needed = chosen_requirement(type_.storage, "returning it", "a function may only return")
        message = f"{subject} is a pointer to {the_class(type_.storage)}; with logical addressing, {needed}"
        yield Finding(inst, OpReturnValue_Value, message)
    elif wanted is not None and wanted.id != type_.id:
        have, need = spelled_apart(module, type_.id, wanted.id)
        message = f"{subject} is {have}, but {f'%{function.name}' if function.name else 'the function'} returns {need}"
        note = Note(function.record, TYPE, f"the result type of %{function.name} is set here")
        yield Finding(inst, OpReturnValue_Value, message, (note,), converted(inst, 0, wanted, module))


def _plain_return(inst: Instruction) -> tuple[FindingFix, ...]:
    steps = (Replace(inst, OPCODE, "OpReturn"), Replace(inst, OpReturnValue_Value, ""))
    return (FindingFix("Return without a value", steps, preferred=False),)
