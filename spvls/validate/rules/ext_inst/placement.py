"""Section, order and number of operands (SPIR-V 2.4, 2.16.1, 2.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.dominance import is_after_function, is_of_other_function
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import AVAILABILITY, Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import GRAPH_SETS, RUNS, imported, operation_of

#: Sets that describe debug information, and which of their instructions stand in functions.
_IN_BODY = frozenset({"DebugScope", "DebugNoScope", "DebugDeclare", "DebugValue"})
_DEBUG_SETS = {
    "DebugInfo": _IN_BODY,
    "OpenCL.DebugInfo.100": _IN_BODY,
    "NonSemantic.Shader.DebugInfo": _IN_BODY | {"DebugLine", "DebugNoLine", "DebugFunctionDefinition"},
}

#: The first operand that the older sets of debug information may define later, and whether those after it, too.
_LATER = {
    "DebugInfo": {"DebugFunction": (11, False), "DebugTypeComposite": (10, True)},
    "OpenCL.DebugInfo.100": {"DebugFunction": (11, False), "DebugTypeComposite": (11, True)},
}


@instruction_rule("ext-inst/arguments-are-within-limit", *RUNS, section=sections.UNIVERSAL_LIMITS, severity=Severity.WARNING)
def arguments_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """An extended instruction must not have more arguments than the limit, which is 255 by default.

    A consumer needs to support only that number. Beyond it a tool may reject the module or drop arguments. The set and the number
    of the instruction do not count. The option `max-ext-inst-args` sets another limit.

    A warning, because spirv-val does not check this limit.
    """
    count, limit = len(inst.operands) - 2, context.options.max_ext_inst_args
    if count > limit:
        yield Finding(inst, OPCODE, f"the extended instruction has {count} arguments, expected at most {limit}")


@instruction_rule("ext-inst/instruction-is-in-permitted-section", *RUNS, section=sections.LOGICAL_LAYOUT)
def instruction_is_in_permitted_section(inst: Instruction, context: RuleContext) -> Findings:
    """An extended instruction must be in a function, unless its set permits another section.

    The layout of a module says what is declared before what. A consumer that reads section by section does not expect the
    instruction elsewhere, and may reject the module or lose the information.

    Of DebugInfo, OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo, DebugScope, DebugNoScope, DebugDeclare and DebugValue must
    be in functions; of the last set also DebugLine, DebugNoLine and DebugFunctionDefinition. Their other instructions must be
    before the functions. Instructions of other non-semantic sets may also be outside of functions. With the capability GraphARM,
    those of all remaining sets outside of functions are left to `tensor/graphs-are-made-of-graph-instructions`. See
    `function/body-is-made-of-blocks` for the places in functions and after them. Unknown sets and instructions are not checked.
    """
    operands = inst.operands
    if len(operands) < 2 or not isinstance(operands[0], str) or not isinstance(operands[1], int):
        return
    found = imported(operands[0], context)
    if found is None:
        return
    instruction = found.set.by_value(operands[1])
    if instruction is None:
        return
    in_body = _DEBUG_SETS.get(found.set.name)
    if in_body is not None:
        marks, in_function = instruction.name in in_body, context.is_in_function
        if marks == in_function and not (marks and is_after_function(context)):
            return
        if marks:
            message = f"{instruction.name} marks a place in the code and must be in a block of a function"
        else:
            message = f"{instruction.name} describes the program and must be before the first function"
        yield Finding(inst, 1, message)
    elif not context.is_in_function and not found.set.non_semantic and not context.module.has_capability(Capability.GraphARM):
        place = "a graph (OpGraphARM)" if found.set.name in GRAPH_SETS else "a block of a function"
        yield Finding(inst, 1, f"{instruction.name} of {found.name} must be in {place}")


@instruction_rule(
    "ext-inst/debug-mark-is-in-block",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(instruction_is_in_permitted_section,),
)
def debug_mark_is_in_block(inst: Instruction, context: RuleContext) -> Findings:
    """DebugScope, DebugNoScope, DebugDeclare and DebugValue must be in a block.

    They say to which scope of the source the instructions that follow in the block belong, and where a variable is or which value
    it has from there on. Outside of the blocks of a function there is no such instruction. Only NonSemantic.Shader.DebugInfo is
    checked. DebugLine, DebugNoLine and DebugFunctionDefinition, which this set requires in blocks too, are not checked. For all of
    these outside of functions, see `ext-inst/instruction-is-in-permitted-section`.

    A warning, because spirv-val accepts some of them in a function outside of blocks, for example DebugNoScope after the last
    block.
    """
    op = operation_of(inst, context, "NonSemantic.Shader.DebugInfo")
    if op is None or op.name not in _IN_BODY or context.function is None or context.record is None:
        return
    if id(context.record) not in context.function.block_of:
        message = f"{op.name} must be in a block of a function; outside of blocks, it has no effect"
        yield Finding(inst, 1, message, fixes=(FindingFix("Remove it", (Delete(inst),), preferred=False),))


@instruction_rule("ext-inst/operands-are-defined-first", spv.OpExtInst, section=sections.LOGICAL_LAYOUT)
def operands_are_defined_first(inst: Instruction, context: RuleContext) -> Findings:
    """The operands of a non-semantic or debug instruction must, with few exceptions, be defined before it.

    A consumer may read a module in one pass. An operand that is defined later is unknown when the instruction is read, and the
    information may be lost or the module rejected. Where a non-semantic set permits forward references, use
    OpExtInstWithForwardRefsKHR of SPV_KHR_relaxed_extended_instruction for them; NonSemantic.ClspvReflection and
    NonSemantic.Graph.DebugInfo permit none.

    In the older sets DebugInfo and OpenCL.DebugInfo.100, the function of a DebugFunction and the members of a DebugTypeComposite
    may be defined after the instruction. For operands of other sets, see `id/is-defined-before-use`, and for ids of other functions
    `id/stays-in-its-function`. Of each instruction, only the first fault is reported.
    """
    operands = inst.operands
    if len(operands) < 3 or not isinstance(operands[0], str) or not isinstance(operands[1], int):
        return
    name = context.module.import_name(operands[0])
    found = imported(operands[0], context)
    if name is None or not (name.startswith("NonSemantic.") or (found is not None and found.set.name in _DEBUG_SETS)):
        return
    instruction = found.set.by_value(operands[1]) if found is not None else None
    later, all_after = _LATER.get(name, {}).get(instruction.name if instruction is not None else "", (len(operands), False))
    for operand_index, operand in enumerate(operands[2:], 2):
        if operand_index == later or (all_after and operand_index > later):
            continue
        if isinstance(operand, str) and not _is_known(operand, context) and not is_of_other_function(operand, context):
            definition = context.module.definition(operand)
            notes = (Note(definition, RESULT, f"%{operand} is defined here"),) if definition is not None else ()
            op = operation_of(inst, context, found.set.name) if found is not None else None
            role = op.role(operand_index - 2).removesuffix(" ...") if op is not None else ""
            what = f"operand {role} (%{operand})" if role and "," not in role else f"operand %{operand}"
            yield Finding(inst, operand_index, f"{what} must be defined before this OpExtInst", notes)
            return


@instruction_rule(
    "ext-inst/forward-form-is-required",
    spv.OpExtInstWithForwardRefsKHR,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=AVAILABILITY,
)
def forward_form_is_required(inst: Instruction, context: RuleContext) -> Findings:
    """OpExtInstWithForwardRefsKHR must run a non-semantic instruction that has a forward reference.

    A consumer that reads a module in one pass has to keep such an instruction until it knows all ids in it, or skip it. It can skip
    only what does not change the results of the program. Where all operands are defined before the instruction, use OpExtInst. A
    set is non-semantic if its name begins with `NonSemantic.`. Whether the set permits forward references is not checked.
    """
    operands = inst.operands
    if len(operands) < 2 or not isinstance(operands[0], str):
        return
    name = context.module.import_name(operands[0])
    if name is None:
        return
    if not name.startswith("NonSemantic."):
        permitted = f'only sets whose names begin with "NonSemantic." permit {inst.opcode.name}'
        yield Finding(inst, OPCODE, f"{name} requires OpExtInst; {permitted}")
    elif all(not isinstance(operand, str) or _is_known(operand, context) for operand in operands[2:]):
        fix = FindingFix("Change to OpExtInst", (Replace(inst, OPCODE, "OpExtInst"),))
        message = f"no operand of {inst.opcode.name} is a forward reference; use OpExtInst"
        yield Finding(inst, OPCODE, message, fixes=(fix,))


def _is_known(name: str, context: RuleContext) -> bool:
    """Whether an id is defined so far, or is not defined at all."""
    return name in context.defined_ids or not _is_forward(name, context)


def _is_forward(name: str, context: RuleContext) -> bool:
    """Whether an id that the chunk has not defined so far is defined further on."""
    function = context.function
    if function is None:
        return context.module.definition(name) is not None
    return name in function.names or context.module.follows(name, function.name)
