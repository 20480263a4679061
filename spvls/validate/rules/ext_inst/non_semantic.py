"""What non-semantic sets have in common, and the small ones: printing, and stopping for a debugger."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.tables import NO_OPCODE
from spvls.syntax.instruction import OPCODE, TYPE, UNKNOWN, Instruction
from spvls.validate.checks.uses import uses_within
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import RUNS, operation_of

_SETS = (
    "NonSemantic.DebugPrintf", "NonSemantic.DebugBreak", "NonSemantic.VkspReflection", "NonSemantic.Graph.DebugInfo",
)  # fmt: skip


@instruction_rule("ext-inst/non-semantic-result-is-void", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING)
def non_semantic_result_is_void(inst: Instruction, context: RuleContext) -> Findings:
    """Instructions that print, stop or describe have no value: their result type is void.

    So it is with DebugPrintf, DebugBreak, NonSemantic.VkspReflection and NonSemantic.Graph.DebugInfo. The reference validator
    does not look.
    """
    op = operation_of(inst, context, *_SETS)
    if op is not None and op.result is not None and op.result.kind != spv.OpTypeVoid:
        yield Finding(inst, TYPE, f"the result type of {op.name} is {op.spell(op.result)}, expected void")


@instruction_rule("ext-inst/printf-format-is-string", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING)
def printf_format_is_string(inst: Instruction, context: RuleContext) -> Findings:
    """The format of a DebugPrintf is an OpString, to which no value of the shader adds."""
    op = operation_of(inst, context, *_SETS)
    name = op.id(0) if op is not None and op.name == "DebugPrintf" else None
    opcode = context.module.opcode_of(name)
    if op is not None and name is not None and opcode not in (NO_OPCODE, spv.OpString):
        yield op.fault(0, f"Format %{name} is made by {context.module.opcode_name_of(name)}, expected an OpString")


@instruction_rule(
    "ext-inst/non-semantic-result-stays-removable", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING
)
def non_semantic_result_stays_removable(inst: Instruction, context: RuleContext) -> Findings:
    """The result of a non-semantic instruction is used by non-semantic instructions only, which may be removed with it."""
    module, function = context.module, context.function
    type_ = module.type(inst.type)
    named = inst.operands[0] if inst.operands else None
    if type_ is None or type_.kind == spv.OpTypeVoid or inst.result is None or function is None or not isinstance(named, str):
        return
    if not (module.import_name(named) or "").startswith("NonSemantic."):
        return
    for use in uses_within(function, inst.result, module):
        if use.opcode is not UNKNOWN and not (use.opcode.value in RUNS and module.is_non_semantic(use)):
            note = Note(use, OPCODE, f"{use.opcode.name} stands here")
            message = f"%{inst.result} is used by {use.opcode.name}, and non-semantic instructions may be removed"
            yield Finding(inst, OPCODE, message, (note,))
            return
