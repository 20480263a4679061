"""Functions and their parameters (SPIR-V 3.3.9)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.operand_index import OpFunction_FunctionType
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import RESULT, TYPE, Instruction
from spvls.validate.checks.wording import counted, operand
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule


@instruction_rule("function/has-function-type", spv.OpFunction, section=sections.FUNCTION_INSTRUCTIONS)
def has_function_type(inst: Instruction, context: RuleContext) -> Findings:
    """The Function Type of OpFunction must be OpTypeFunction.

    The type says what the function returns and which parameters it has. Without it a consumer cannot check or generate the calls.
    An id that is not a type at all is reported by `id/operand-is-type`.
    """
    type_ = context.module.type(id_at(inst, OpFunction_FunctionType))
    if type_ is not None and type_.kind != spv.OpTypeFunction:
        message = f"{operand(inst, OpFunction_FunctionType)} is {context.module.spell(type_)}, expected a function type"
        yield Finding(inst, OpFunction_FunctionType, message)


def spelled_apart(module: Module, given: str | None, wanted: str | None) -> tuple[str, str]:
    """Two types as messages show them, with their ids where they are spelled alike or are not known."""
    types = {name: module.type(name) for name in (given, wanted)}
    have, need = (f"%{name}" if types[name] is None else module.spell(types[name]) for name in (given, wanted))
    return (have, need) if have != need else (f"{have} (%{given})", f"{need} (%{wanted})")


@instruction_rule("function/result-matches-function-type", spv.OpFunction, section=sections.FUNCTION_INSTRUCTIONS)
def result_matches_function_type(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpFunction must be the Return Type of its function type.

    Callers may use either of the two to find the type of the result. If they differ, the caller and the function may disagree about
    where the result is and how it is laid out. No fix is offered if the body returns something else than the Return Type.
    """
    module = context.module
    type_ = module.type(id_at(inst, OpFunction_FunctionType))
    if type_ is None or type_.kind != spv.OpTypeFunction or inst.type is None or type_.element_id in (None, inst.type):
        return
    wanted = type_.element_id
    have, need = spelled_apart(module, inst.type, wanted)
    message = f"the result type of %{inst.result} is {have}, expected {need} to match the function type %{type_.id}"
    fixes: tuple[FindingFix, ...] = ()
    if context.function is not None and all(given in (None, wanted) for given in _returned(context.function, module)):
        fixes = (FindingFix(f"Return %{wanted}", (Replace(inst, TYPE, f"%{wanted}"),)),)
    yield Finding(inst, TYPE, message, (), fixes)


def _returned(function: Function, module: Module) -> Iterator[str | None]:
    """The types of what a function returns, where they are known."""
    for record in function.records:
        if record.opcode.value == spv.OpReturnValue and not record.faults:
            type_ = module.type_of(record.operands[0])
            yield type_.id if type_ is not None else None
        elif record.opcode.value == spv.OpReturn:
            void = module.type(function.result_type)
            yield void.id if void is not None and void.kind == spv.OpTypeVoid else None


@function_rule("function/parameters-match-function-type", section=sections.FUNCTION_INSTRUCTIONS)
def parameters_match_function_type(function: Function, context: RuleContext) -> Findings:
    """The parameters of a function must have the types that its function type lists, in that order.

    Callers pass arguments by the function type, and the body reads its parameters. If they differ, the body may read the bits of an
    argument as a value of another type. A parameter beyond those that the function type lists is an error too; for missing
    parameters, see `function/parameters-are-complete`. Of several differences, the first is reported.
    """
    module = context.module
    type_ = module.type(function.type_id)
    if type_ is None or type_.kind != spv.OpTypeFunction:
        return
    wanted = type_.member_ids
    note = (Note(type_.record, RESULT, f"%{type_.id} is declared here"),)
    for at, record in enumerate(function.parameters):
        if at >= len(wanted):
            have = counted(len(function.parameters), "parameter")
            message = f"%{function.name} has {have}, expected {len(wanted)} to match the function type %{type_.id}"
            yield Finding(record, RESULT, message, note)
            return
        if record.type != wanted[at] and module.type(record.type) is not None:
            have, need = spelled_apart(module, record.type, wanted[at])
            fix = FindingFix(f"Make it %{wanted[at]}", (Replace(record, TYPE, f"%{wanted[at]}"),))
            message = f"parameter {at} of %{function.name} is {have}, expected {need} to match the function type %{type_.id}"
            yield Finding(record, TYPE, message, note, (fix,))
            return


@function_rule("function/parameters-are-complete", section=sections.FUNCTION_INSTRUCTIONS, severity=Severity.WARNING)
def parameters_are_complete(function: Function, context: RuleContext) -> Findings:
    """A function must have all parameters that its function type lists.

    Callers pass one argument for each type in the list. Without the parameter in the function, a compiler may assign the following
    arguments to the wrong parameters.

    A warning, because spirv-val does not report missing parameters. For parameters after a block, see
    `function/body-is-made-of-blocks`.
    """
    type_ = context.module.type(function.type_id)
    if type_ is None or type_.kind != spv.OpTypeFunction or not function.whole:
        return
    wanted, given = len(type_.member_ids), len(function.parameters)
    if given < wanted and sum(r.opcode.value == spv.OpFunctionParameter for r in function.records) == given:
        note = Note(type_.record, RESULT, f"%{type_.id} is declared here")
        have = counted(given, "parameter")
        message = f"%{function.name} has {have}, expected {wanted} to match the function type %{type_.id}"
        yield Finding(function.record, RESULT, message, (note,))
