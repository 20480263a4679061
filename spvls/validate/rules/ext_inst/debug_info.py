"""What the debug information of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo says, and whether it fits."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.module.module import Module
from spvls.syntax.instruction import TYPE, Instruction, Operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.debug_operand import (
    REQUIREMENTS,
    SHADER,
    SOURCE,
    DebugOperation,
    debug_operation,
    identity,
    number,
)
from spvls.validate.rules.ext_inst.operation import RUNS

_UNSIGNED = 6  # DebugBaseTypeAttributeEncoding
_SIGNED = 4
_CLASS, _STRUCTURE = 0, 1  # DebugCompositeType


@instruction_rule("ext-inst/debug-result-is-void", *RUNS, section=sections.EXTENSION_INSTRUCTIONS)
def debug_result_is_void(inst: Instruction, context: RuleContext) -> Findings:
    """Instructions that describe debug information have no value: their result type is void."""
    op = debug_operation(inst, context)
    if op is not None and not _is_void(op):
        yield Finding(inst, TYPE, f"the result type of {op.name} is {op.spell(op.result)}, expected void")


@instruction_rule("ext-inst/debug-instruction-fits-revision", *RUNS, section=sections.EXTENSION_INSTRUCTIONS)
def debug_instruction_fits_revision(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction that came with a revision of NonSemantic.Shader.DebugInfo needs an import of that revision or a later one."""
    op = debug_operation(inst, context)
    if op is not None and _is_too_new(op):
        needed = f"{SHADER}.{op.instruction.since}"
        yield op.fault(-1, f"{op.name} came with {needed}, and {op.imported.name} is imported")


@instruction_rule(
    "ext-inst/debug-operands-have-required-kind",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision),
)
def debug_operands_have_required_kind(inst: Instruction, context: RuleContext) -> Findings:
    """What debug information refers to is what the operand asks for: a source, a scope, a type, a string, a constant.

    Debuggers follow these references without looking. Where OpenCL.DebugInfo.100 has literals, NonSemantic.Shader.DebugInfo
    has constants of 32-bit unsigned integers. Base types of typedefs and vectors must be basic types, as the reference
    validator has it.
    """
    op = debug_operation(inst, context)
    fault = op.faulty_operand() if op is not None else None
    if op is not None and fault is not None:
        at, required = fault
        name = op.id(at) or ""
        yield op.fault(at, f"{op.role(at)} %{name} is {_shown(context, name)}, expected {required.noun}")


@instruction_rule(
    "ext-inst/debug-component-count-is-valid",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
)
def debug_component_count_is_valid(inst: Instruction, context: RuleContext) -> Findings:
    """Vectors and matrices have one to four components; the lengths of arrays are integers, or variables that hold one.

    A length of zero stands for an array without a length in NonSemantic.Shader.DebugInfo; specialization constants may be
    lengths there too. The variables are of an unsigned basic type of 32 or 64 bits.
    """
    op = debug_operation(inst, context)
    if op is None:
        return
    role = {"DebugTypeVector": "Component Count", "DebugTypeMatrix": "Vector Count"}.get(op.name)
    if role is not None:
        count, at = op.number(role), op.at(role)
        if at is not None and count is not None and not 1 <= count <= 4:
            yield op.fault(at, f"{role} is {count}, expected 1 to 4")
    elif op.name == "DebugTypeArray":
        for at in range(1, len(op.operands)):
            name = op.id(at)
            if name is not None and not _is_length(op, name):
                expected = "a 32- or 64-bit integer constant, or a debug variable of an unsigned integer type of that size"
                yield op.fault(at, f"the length %{name} is {_shown(context, name)}, expected {expected}")
                return


@instruction_rule(
    "ext-inst/debug-enumeration-size-is-positive",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
)
def debug_enumeration_size_is_positive(inst: Instruction, context: RuleContext) -> Findings:
    """The size of an enumeration is a positive integer."""
    op = debug_operation(inst, context)
    at = op.at("Size") if op is not None and op.name == "DebugTypeEnum" else None
    if op is None or at is None or op.id(at) is None:
        return
    type_ = op.type(at)
    if type_ is not None and (not type_.is_int or op.module.integer(op.operands[at]) == 0):
        yield op.fault(at, f"Size %{op.id(at)} is no positive integer")


@instruction_rule(
    "ext-inst/debug-inheritance-excludes-unions",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
)
def debug_inheritance_excludes_unions(inst: Instruction, context: RuleContext) -> Findings:
    """Classes and structures inherit from each other; unions have no part in it."""
    op = debug_operation(inst, context)
    if op is None or op.name != "DebugTypeInheritance":
        return
    for role in ("Child", "Parent"):
        at = op.at(role)
        name = op.id(at) if at is not None else None
        composite = op.module.definition(name) if name is not None else None
        if at is None or composite is None:
            continue
        described = op.module.resolved(composite).operands
        if len(described) > 3 and number(op.module, described[3]) not in (_CLASS, _STRUCTURE, None):
            yield op.fault(at, f"{role} %{name} is a union, expected a class or a structure")
            return


@instruction_rule(
    "ext-inst/debug-indexes-are-integers",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
)
def debug_indexes_are_integers(inst: Instruction, context: RuleContext) -> Findings:
    """Indexes into a variable are integer scalars; those of DebugValue constants, or debug variables of an integer type."""
    op = debug_operation(inst, context)
    if op is None or op.name not in ("DebugValue", "DebugDeclare"):
        return
    for at in range(3, len(op.operands)):
        name = op.id(at)
        if name is None or not identity(context, name):
            continue
        type_ = op.type(at)
        integer = type_ is not None and type_.is_int
        if op.name == "DebugValue":
            integer = (integer and identity(context, name) == spv.OpConstant) or _is_integer_variable(op, name)
        if not integer:
            yield op.fault(at, f"the index %{name} is {_shown(context, name)}, expected an integer scalar")
            return


@instruction_rule(
    "ext-inst/debug-definition-opens-function",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
)
def debug_definition_opens_function(inst: Instruction, context: RuleContext) -> Findings:
    """DebugFunctionDefinition stands in the first block of the function that it speaks of."""
    op = debug_operation(inst, context)
    if op is None or op.name != "DebugFunctionDefinition" or context.function is None or context.record is None:
        return
    block = context.function.block_of.get(id(context.record))
    if block is not None and block is not context.function.entry:
        yield op.fault(-1, f"DebugFunctionDefinition stands in block %{block.name}, and belongs in the function's first block")


@instruction_rule(
    "ext-inst/debug-line-range-is-ordered",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
)
def debug_line_range_is_ordered(inst: Instruction, context: RuleContext) -> Findings:
    """The range of a DebugLine does not end before it starts."""
    op = debug_operation(inst, context)
    if op is not None and op.name == "DebugLine":
        finding = _reversed(op)
        if finding is not None:
            yield finding


@instruction_rule(
    "ext-inst/debug-position-is-in-source",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
)
def debug_position_is_in_source(inst: Instruction, context: RuleContext) -> Findings:
    """Lines and columns lie in the text of their DebugSource, where it carries its text.

    Lines count from 1; a column may be the one behind the last character. DebugSourceContinued adds to the text of the
    DebugSource before it.
    """
    op = debug_operation(inst, context)
    if op is None or op.imported.set.name != SHADER:
        return
    at = op.at("Source")
    source = op.id(at) if at is not None else None
    if source is None or REQUIREMENTS.get(op.name, {}).get("Source") is not SOURCE:
        return
    places = (("Line Start", "Column Start"), ("Line End", "Column End"))
    for line_role, column_role in places if op.name == "DebugLine" else (("Line", "Column"),):
        line = op.number(line_role)
        lines = op.module.source_lines(source) if line else None
        if not line or lines is None:
            continue
        if line > len(lines):
            yield op.fault(op.at(line_role) or 0, f"{line_role} is {line}, and the text of %{source} has {_lines(len(lines))}")
            return
        column = op.number(column_role)
        end = len(lines[line - 1]) + 1
        if column is not None and column > end:
            message = f"{column_role} is {column}, and line {line} of %{source} ends before column {end}"
            yield op.fault(op.at(column_role) or 0, message)
            return


def _reversed(op: DebugOperation) -> Finding | None:
    first, last = op.number("Line Start"), op.number("Line End")
    if first is None or last is None:
        return None
    if last < first:
        return op.fault(2, f"Line End is {last}, before Line Start, {first}")
    start, end = op.number("Column Start"), op.number("Column End")
    if first == last and start is not None and end is not None and end < start:
        return op.fault(4, f"Column End is {end}, before Column Start, {start}, of the same line")
    return None


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _is_void(op: DebugOperation) -> bool:
    return op.result is None or op.result.kind == spv.OpTypeVoid


def _is_too_new(op: DebugOperation) -> bool:
    return op.imported.set.name == SHADER and op.instruction.since > op.imported.revision


def _shown(context: RuleContext, name: str) -> str:
    """What an id is, for messages."""
    made = identity(context, name)
    found = tables.opcode_name(made) if isinstance(made, int) else made
    type_ = context.module.type_of(name)
    if type_ is not None and type_.kind != spv.OpTypeVoid:
        return f"{_article(found)} of type {context.module.spell(type_)}"
    return _article(found)


def _article(name: str) -> str:
    return f"an {name}" if name[:1] in "AEIO" else f"a {name}"


def _is_length(op: DebugOperation, name: str) -> bool:
    found = identity(op.context, name)
    if not found:
        return True
    shader = op.imported.set.name == SHADER
    if found == spv.OpConstant or (shader and found in (spv.OpSpecConstant, spv.OpSpecConstantOp)):
        type_ = op.module.type_of(name)
        if type_ is None:
            return True
        return type_.is_int and type_.width in (32, 64) and (shader or op.module.integer(name) != 0)
    basic = _basic_type(op, name)
    return basic is not None and basic[1] == _UNSIGNED and basic[0] in (32, 64)


def _is_integer_variable(op: DebugOperation, name: str) -> bool:
    basic = _basic_type(op, name)
    return basic is not None and basic[1] in (_SIGNED, _UNSIGNED)


def _basic_type(op: DebugOperation, name: str) -> tuple[int | None, int | None] | None:
    """The size in bits and the encoding of a debug variable of a basic type."""
    if identity(op.context, name) not in ("DebugLocalVariable", "DebugGlobalVariable"):
        return None
    type_ = _operand(op.module, name, 3)
    if not isinstance(type_, str) or identity(op.context, type_) != "DebugTypeBasic":
        return None
    return number(op.module, _operand(op.module, type_, 3)), number(op.module, _operand(op.module, type_, 4))


def _operand(module: Module, name: str, at: int) -> Operand | None:
    definition = module.definition(name)
    operands = module.resolved(definition).operands if definition is not None else ()
    return operands[at] if at < len(operands) else None
