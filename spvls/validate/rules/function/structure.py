"""Parameters, blocks, end; order and calls of functions (SPIR-V 2.4, 2.9)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.traits import TERMINATORS
from spvls.module.context_dependent import EXTENDED
from spvls.module.functions import Function
from spvls.module.sections import FLOATING, SOURCE_LINES, Section, section_of
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, UNKNOWN, Instruction
from spvls.validate.engine.finding import PAUSE, Finding, FindingFix, InsertAfter, InsertBefore, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, module_rule

_CALLED_OTHERWISE = (Capability.Kernel, Capability.Linkage, Capability.FunctionPointersINTEL)
"""Capabilities with which functions are enqueued, exported, or called by pointers."""


@function_rule("function/body-is-made-of-blocks", section=sections.LOGICAL_LAYOUT, of_form=True)
def body_is_made_of_blocks(function: Function, context: RuleContext) -> Findings:
    """The body of a function must consist of blocks: a label, instructions and a terminator.

    A consumer divides a function into blocks to find its control flow. A block without a label cannot be the target of a branch,
    and without a terminator it is not known which instruction runs next. Parameters must be before the first block, and
    OpFunctionEnd after the last one. Instructions that belong before the functions, such as types, must not be in a body; of each
    function, only the first is reported. Several other wrong instructions in a row may give only one finding.

    OpLine and OpNoLine may also be before, between and after the blocks, and non-semantic instructions and graphs (SPV_ARM_graph)
    after OpFunctionEnd. The places of instructions of debug information sets are left to other rules, such as
    `ext-inst/instruction-is-in-permitted-section`.
    """
    opened: Instruction | None = None
    labels = 0
    reported = misplaced = False
    records = iter(function.records[1:])
    for at, record in enumerate(records, 1):
        if not at % PORTION:
            yield PAUSE
        name = record.opcode.value
        if record.opcode is UNKNOWN or record.faults:
            opened = None if name in TERMINATORS else opened
            continue
        if name == spv.OpLabel:
            if opened is not None:
                branch = FindingFix(f"Branch to %{record.result}", (InsertBefore(record, f"OpBranch %{record.result}"),), False)
                wanted = f"a branch, a return or another terminator must come before the label %{record.result}"
                yield _unterminated(opened, record, wanted, (branch,))
            opened, reported = record, False
            labels += 1
        elif name == spv.OpFunctionParameter:
            if labels:
                message = "OpFunctionParameter is after an OpLabel; parameters must come before the first block, after OpFunction"
                yield Finding(record, OPCODE, message)
        elif name == spv.OpFunctionEnd:
            if opened is not None:
                wanted = "a return or another terminator must come before OpFunctionEnd"
                yield _unterminated(opened, record, wanted, _returns(record, context, function))
            yield from _after_end(records, context)
            return
        elif name not in SOURCE_LINES:
            section = section_of(record.opcode)
            if section is not Section.FUNCTIONS and name not in FLOATING:
                if not misplaced:
                    misplaced = True
                    yield Finding(record, OPCODE, _of_other_section(record, section))
            elif opened is None and not reported and not _is_debug_information(record, context):
                reported = True
                message = f"{record.opcode.name} is not in a block: an OpLabel must come before it"
                yield Finding(record, OPCODE, message, fixes=_label(record, labels))
            if name in TERMINATORS:
                opened = None


def _unterminated(opened: Instruction, record: Instruction, wanted: str, fixes: tuple[FindingFix, ...]) -> Finding:
    note = Note(opened, OPCODE, f"block %{opened.result} begins here")
    return Finding(record, OPCODE, f"block %{opened.result} has no terminator: {wanted}", (note,), fixes)


def _is_non_semantic(record: Instruction, context: RuleContext) -> bool:
    return record.opcode.value in EXTENDED and context.module.is_non_semantic(record)


def _is_debug_information(record: Instruction, context: RuleContext) -> bool:
    return record.opcode.value in EXTENDED and context.module.is_debug_information(record)


def _after_end(records: Iterator[Instruction], context: RuleContext) -> Findings:
    """What is wrong with the first instruction after the end of a function. All that follow may be of a function that lacks its
    OpFunction."""
    for record in records:
        if record.opcode is UNKNOWN or record.faults or record.opcode.value in SOURCE_LINES or _is_non_semantic(record, context):
            continue
        if record.opcode.class_ != "Graph":  # graphs follow the functions, and have rules of their own
            yield _out_of_function(record)
        return


def _out_of_function(record: Instruction) -> Finding:
    match record.opcode.value:
        case spv.OpFunctionParameter:
            message = "OpFunctionParameter must come directly after OpFunction, but is after OpFunctionEnd"
        case spv.OpFunctionEnd:
            message = "OpFunctionEnd must end a function, but is after another OpFunctionEnd"
        case _:
            section = section_of(record.opcode)
            message = f"{record.opcode.name} must be in a function, but is after OpFunctionEnd"
            if section is not Section.FUNCTIONS and record.opcode.value not in FLOATING:
                message = _of_other_section(record, section)
    return Finding(record, OPCODE, message)


def _of_other_section(record: Instruction, section: Section) -> str:
    where = f"with the {section.title}"
    if section.title.startswith("the "):  # of one instruction
        where = f"after the {Section(section - 1).title.removeprefix('the ')}"
    return f"{record.opcode.name} must be before the first function, {where}, but is after OpFunction"


def _label(record: Instruction, labels: int) -> tuple[FindingFix, ...]:
    return (FindingFix("Put a label before it", (InsertBefore(record, f"%block_{labels} = OpLabel"),), preferred=False),)


def _returns(record: Instruction, context: RuleContext, function: Function) -> tuple[FindingFix, ...]:
    type_ = context.module.type(function.result_type)
    if type_ is None or type_.kind != spv.OpTypeVoid:
        return ()
    return (FindingFix("Return at its end", (InsertBefore(record, "OpReturn"),)),)


@module_rule("function/ends-with-function-end", section=sections.LOGICAL_LAYOUT)
def ends_with_function_end(context: RuleContext) -> Findings:
    """A function must end with OpFunctionEnd before the next function or the end of the module.

    Functions cannot be nested. Without the end, a consumer may take the next function as a part of the body, or reject the rest of
    the module.
    """
    if not context.module.has_incomplete_functions:
        return
    open_function: Function | None = None
    for function in context.module.functions():
        if open_function is not None:
            note = Note(open_function.record, OPCODE, f"%{open_function.name} begins here")
            message = f"the function %{open_function.name} is not closed; OpFunctionEnd must come before the next OpFunction"
            fix = FindingFix("Close it", (InsertBefore(function.record, "OpFunctionEnd"),))
            yield Finding(function.record, OPCODE, message, (note,), (fix,))
        open_function = function if function.end is None else None
    if open_function is not None:
        fix = FindingFix("Close it", (InsertAfter(open_function.records[-1], "OpFunctionEnd"),))
        message = f"the function %{open_function.name} is not closed; OpFunctionEnd must come after its last instruction"
        yield Finding(open_function.record, OPCODE, message, fixes=(fix,))


#: What a function without a body is made of.
HEAD = frozenset({spv.OpFunction, spv.OpFunctionParameter, *SOURCE_LINES})


@module_rule("function/declarations-precede-definitions", section=sections.LOGICAL_LAYOUT)
def declarations_precede_definitions(context: RuleContext) -> Findings:
    """Functions without a body must be declared before all functions with a body.

    A consumer that reads the module once knows all imported functions when it reaches the first body. A declaration that follows
    later can be taken for a definition whose blocks are missing. So can a declaration that contains an extended instruction for
    debug information, such as DebugNoScope; it is an error even before the definitions. OpLine and OpNoLine in a declaration are
    permitted, unlike in spirv-val.
    """
    if not context.module.has_incomplete_functions:
        return
    defined: Function | None = None
    for function in context.module.functions():
        if not function.is_declaration:
            defined = defined or function
            continue
        others = [record for record in function.before_end if record.opcode.value not in HEAD]
        if function.end is None or not all(_is_debug_information(record, context) for record in others):
            continue
        if defined is not None:
            note = Note(defined.record, OPCODE, "the first function with a body is here")
            what = f"%{function.name}" if function.name else "this function"
            first = f"%{defined.name}, the first function with a body" if defined.name else "the first function with a body"
            message = f"{what} has no body and must come before {first}"
            yield Finding(function.end, OPCODE, message, (note,))
        elif others:
            note = Note(others[0], OPCODE, "the debug information is here")
            message = f"%{function.name} has no body and must not contain debug information, which must be in a block"
            yield Finding(function.end, OPCODE, message, (note,))


@function_rule("function/is-called", section=sections.FUNCTION_CALLING, severity=Severity.HINT, tags="unnecessary")
def is_called(function: Function, context: RuleContext) -> Findings:
    """A function that is not an entry point must be called by one, directly or through other functions.

    A function that no entry point calls never runs. It may be left over from a change and cost compile time, or its call may be
    missing.

    Modules without entry points, and modules with the capability Kernel, Linkage or FunctionPointersINTEL, are not checked.
    Functions that OpConditionalEntryPointINTEL names or that instructions other than OpFunctionCall run, such as
    OpCooperativeMatrixPerElementOpNV, and what these call, count as called. Reported only with advice, as in editors.

    A hint, because SPIR-V permits functions that no entry point calls.
    """
    module = context.module
    if not context.options.advice or not function.whole or not module.declarations.entry_points:
        return
    if any(module.has_capability(capability) for capability in _CALLED_OTHERWISE) or module.reached_from(function.name):
        return
    if module.callgraph.is_run_otherwise(function.name):
        return
    message = f"%{function.name} is not called by any entry point, directly or through other functions"
    yield Finding(function.records[0], RESULT, message)
