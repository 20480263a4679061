"""What non-semantic sets have in common, and the small ones: printing, and stopping for a debugger."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.tables import NO_OPCODE
from spvls.module.module import Module
from spvls.syntax.instruction import RESULT, TYPE, UNKNOWN, Instruction
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import RUNS, operation_of

_SETS = (
    "NonSemantic.DebugPrintf", "NonSemantic.DebugBreak", "NonSemantic.VkspReflection",
)  # fmt: skip


@instruction_rule(
    "ext-inst/non-semantic-result-is-void", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING, sets=_SETS
)
def non_semantic_result_is_void(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of DebugPrintf, DebugBreak and VkspReflection instructions must be OpTypeVoid.

    These instructions compute nothing, so that a consumer can skip them. A result of another type would have no value. The sets
    NonSemantic.DebugPrintf and NonSemantic.DebugBreak require void; the rule also checks NonSemantic.VkspReflection. Other known
    non-semantic sets have rules of their own.

    A warning, because spirv-val does not check these sets.
    """
    op = operation_of(inst, context, *_SETS)
    if op is not None and op.result is not None and op.result.kind != spv.OpTypeVoid:
        yield Finding(inst, TYPE, f"the result type of {op.name} is {op.spell(op.result)}, expected void")


@instruction_rule(
    "ext-inst/printf-format-is-string", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING, sets=_SETS
)
def printf_format_is_string(inst: Instruction, context: RuleContext) -> Findings:
    """The Format of a DebugPrintf must be an OpString.

    Tools may read the format from the module when they prepare the shader, so that the device only writes the values. A format that
    is not in the module cannot be printed. The rule is for NonSemantic.DebugPrintf.

    A warning, because spirv-val does not check the set.
    """
    op = operation_of(inst, context, *_SETS)
    name = op.id(0) if op is not None and op.name == "DebugPrintf" else None
    opcode = context.module.opcode_of(name)
    if op is not None and name is not None and opcode not in (NO_OPCODE, spv.OpString):
        yield op.fault(0, f"operand Format (%{name}) is an {context.module.opcode_name_of(name)}, expected an OpString")


@instruction_rule("ext-inst/non-semantic-result-stays-removable", *RUNS, section=sections.EXTENSION_INSTRUCTIONS)
def non_semantic_result_stays_removable(inst: Instruction, context: RuleContext) -> Findings:
    """The result of a non-semantic instruction must only be used by other non-semantic instructions.

    A tool may remove all non-semantic instructions without a change to what the module does. If another instruction uses the result
    of one, the module is then invalid. A set is non-semantic if its name begins with `NonSemantic.`.

    The rule checks instructions in functions and their uses in the same function; an instruction that uses several such results is
    reported once. Names and decorations of a result are not reported. For results before the functions, see `id/operand-is-value`.
    Unlike in spirv-val, results of type void are not checked.
    """
    module = context.module
    if inst.result is None or not is_removable(inst, module):
        return
    function = context.function
    if function is None:
        return
    from spvls.validate.checks.dominance import uses_within

    for use in {id(use): use for use in uses_within(function, inst.result, module)}.values():
        if use.opcode is UNKNOWN or inst.result not in use.operands:
            continue
        earlier = [operand for operand in use.operands[: use.operands.index(inst.result)] if isinstance(operand, str)]
        if any(not module.is_global(name) and is_removable(module.definition(name), module) for name in earlier):
            continue  # said of that one
        if not module.is_of_non_semantic_set(use):
            note = Note(inst, RESULT, f"%{inst.result} is defined here")
            message = f"{use.opcode.name} must not use %{inst.result}, the result of a non-semantic instruction"
            yield Finding(use, use.operands.index(inst.result), message, (note,))


def is_removable(record: Instruction | None, module: Module) -> bool:
    """Whether an instruction of a non-semantic set gives a value."""
    type_ = module.type(record.type) if record is not None else None
    return record is not None and type_ is not None and type_.kind != spv.OpTypeVoid and module.is_of_non_semantic_set(record)
