"""What the debug information of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo says, and whether it fits."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.tables import NO_OPCODE
from spvls.module.context_dependent import EXTENDED
from spvls.module.module import Module
from spvls.syntax.instruction import TYPE, Instruction, Operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.debug_operand import (
    REQUIREMENTS,
    SETS,
    SHADER,
    SOURCE,
    DebugOperation,
    debug_operation,
    identity,
    number,
)
from spvls.validate.rules.ext_inst.operation import RUNS
from spvls.validate.rules.ext_inst.placement import operands_are_defined_first

_UNSIGNED = 6  # DebugBaseTypeAttributeEncoding
_ENCODINGS = {1: "Address", 2: "Boolean", 3: "Float", 4: "Signed", 5: "SignedChar", 6: "Unsigned", 7: "UnsignedChar"}
_SIGNED = 4
_VARIABLES = ("DebugLocalVariable", "DebugGlobalVariable")
_CLASS, _STRUCTURE, _UNION = 0, 1, 2  # DebugCompositeType


@instruction_rule("ext-inst/debug-result-is-void", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, sets=SETS)
def debug_result_is_void(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of a debug instruction must be OpTypeVoid.

    The instructions of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo describe the program and compute nothing, so that
    tools can remove them. A result of another type would have no value. The older set DebugInfo is not checked. For
    NonSemantic.Graph.DebugInfo, see `ext-inst/graph-debug-operands-match`.
    """
    op = debug_operation(inst, context)
    if op is not None and not _is_void(op):
        yield Finding(inst, TYPE, f"the result type of {op.name} is {op.spell(op.result)}, expected void")


@instruction_rule("ext-inst/debug-instruction-fits-revision", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, sets=SETS)
def debug_instruction_fits_revision(inst: Instruction, context: RuleContext) -> Findings:
    """A debug instruction must be in the revision of NonSemantic.Shader.DebugInfo that is imported.

    A debugger that reads only the imported revision does not know newer instructions, and may ignore the information or reject
    the module. Import the revision that the finding names, or use an older instruction. The revisions of operands are not checked.
    """
    op = debug_operation(inst, context)
    if op is not None and _is_too_new(op):
        needed = f"{SHADER}.{op.instruction.since}"
        yield op.fault(-1, f"{op.name} requires {needed}; {op.imported.name} is imported")


@instruction_rule(
    "ext-inst/debug-operands-have-required-kind",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, operands_are_defined_first),
    sets=SETS,
)
def debug_operands_have_required_kind(inst: Instruction, context: RuleContext) -> Findings:
    """An operand of a debug instruction must be of the kind that its name requires.

    Debuggers and drivers may follow these operands to sources, scopes, types and strings. If one leads to something else, they may
    show wrong information or crash. For example, Source must be a DebugSource.

    Like spirv-val, the rule is stricter than the sets in some places. In NonSemantic.Shader.DebugInfo, it does not accept signed
    constants for most lines, columns, flags and similar numbers, and requires an OpConstant for some sizes and offsets, such as
    those of a DebugTypeMember, where the set permits each constant instruction. In both sets, the Base Type of a DebugTypeVector
    or DebugTypedef must be a DebugTypeBasic. Unlike spirv-val, the rule accepts DebugInfoNone in several optional operands, such
    as the Text of a DebugSource.

    The rule is for OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo. Some operands are not checked, for example those of
    macros, and the Value of a DebugValue. Of each instruction, only the first fault is reported.
    """
    op = debug_operation(inst, context)
    fault = op.faulty_operand() if op is not None else None
    if op is not None and fault is not None:
        at, required = fault
        yield op.fault(at, f"{op.subject(at)} is {_shown(context, op.id(at) or '')}, expected {required.noun}")


@instruction_rule(
    "ext-inst/debug-component-count-is-valid",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
    sets=SETS,
)
def debug_component_count_is_valid(inst: Instruction, context: RuleContext) -> Findings:
    """A debug vector must have 1 to 4 components, a matrix 1 to 4 vectors, an array an integer length.

    A debugger reads as many components from memory as the type says. With a wrong count it may show other memory as part of
    the variable. The sets give no upper limit for vectors and matrices: 4 is that of spirv-val, for which OpenCL's vectors of 8 or
    16 are errors too.

    Each length of an array must be an OpConstant with an integer type, not 0, or a debug variable with an unsigned basic type, both
    of 32 or 64 bits. In NonSemantic.Shader.DebugInfo it may be 0, for an array without a known length, or an OpSpecConstant or
    OpSpecConstantOp; the rule, like spirv-val, reports other constants, such as OpConstantNull, though this set permits each
    constant instruction. DebugTypeVectorIdEXT, cooperative matrices and the set DebugInfo are not checked.
    """
    op = debug_operation(inst, context)
    if op is None:
        return
    role = {"DebugTypeVector": "Component Count", "DebugTypeMatrix": "Vector Count"}.get(op.name)
    if role is not None:
        count, at = op.number(role), op.at(role)
        if at is not None and count is not None and not 1 <= count <= 4:
            yield op.fault(at, f"{op.subject(at)} is {count}, expected 1 to 4")
    elif op.name == "DebugTypeArray":
        for at in range(1, len(op.operands)):
            name = op.id(at)
            if name is not None and not _is_length(op, name):
                shader = op.imported.set.name == SHADER
                made = "OpConstant, OpSpecConstant or OpSpecConstantOp" if shader else "OpConstant"
                wanted = "a DebugTypeBasic with Size 32 or 64 and Encoding 6 (Unsigned)"
                expected = f"a 32- or 64-bit integer {made}, or a debug variable whose Type is {wanted}"
                type_ = op.type(at)
                fits = op.module.opcode_of(name) == spv.OpConstant and type_ is not None and type_.width in (32, 64)
                have = "0" if fits and op.module.integer(name) == 0 else _shown_with_type(op, name)
                expected = "at least 1" if have == "0" else expected
                yield op.fault(at, f"{op.subject(at)} is {have}, expected {expected}")
                return


@instruction_rule(
    "ext-inst/debug-enumeration-size-is-positive",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
    sets=SETS,
)
def debug_enumeration_size_is_positive(inst: Instruction, context: RuleContext) -> Findings:
    """The Size of a DebugTypeEnum must be an integer other than 0.

    A debugger reads this number of bits to find the enumerant of a variable. With a size of 0, which spirv-val rejects too, there
    is nothing to read. The rule does not check the sign of Size, the width of its type, or the set DebugInfo.
    """
    op = debug_operation(inst, context)
    at = op.at("Size") if op is not None and op.name == "DebugTypeEnum" else None
    if op is None or at is None or op.id(at) is None:
        return
    type_ = op.type(at)
    if type_ is not None and (not type_.is_int or op.module.integer(op.operands[at]) == 0):
        yield op.fault(at, f"{op.subject(at)} is {0 if type_.is_int else op.spell(type_)}, expected an integer greater than 0")


@instruction_rule(
    "ext-inst/debug-inheritance-excludes-unions",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
    sets=SETS,
)
def debug_inheritance_excludes_unions(inst: Instruction, context: RuleContext) -> Findings:
    """The Parent and any Child of DebugTypeInheritance must be a class or a structure, not a union.

    A debugger shows the members of the parent at an offset in the child. The sets describe inheritance of classes and structures
    only, so a debugger may not support unions there. The Tag of the Parent must be 0 (Class) or 1 (Structure), and in
    OpenCL.DebugInfo.100 also that of the Child; NonSemantic.Shader.DebugInfo has no Child. The set DebugInfo is not checked.
    """
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
        tag = number(op.module, described[3]) if len(described) > 3 else None
        if tag not in (_CLASS, _STRUCTURE, None):
            named = f"{tag} (Union)" if tag == _UNION else tag
            yield op.fault(at, f"{op.subject(at)} has Tag {named}, expected 0 (Class) or 1 (Structure)")
            return


@instruction_rule(
    "ext-inst/debug-indexes-are-integers",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
    sets=SETS,
)
def debug_indexes_are_integers(inst: Instruction, context: RuleContext) -> Findings:
    """The indexes of DebugValue and DebugDeclare must be integer scalars.

    They select the part of a variable that the value belongs to. A debugger cannot select a part with a float or a vector. As in
    spirv-val, the indexes of DebugValue must be made by OpConstant, or be debug variables of a DebugTypeBasic with the encoding
    Signed or Unsigned; the sets permit what OpAccessChain permits. DebugDeclare has indexes only in NonSemantic.Shader.DebugInfo;
    they may be any values of integer types. The set DebugInfo is not checked.
    """
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
            what = "a value with an integer type"
            if op.name == "DebugValue":
                wanted = "a DebugTypeBasic with Encoding 4 (Signed) or 6 (Unsigned)"
                what = f"an OpConstant with an integer type, or a debug variable whose Type is {wanted}"
            yield op.fault(at, f"{op.subject(at)} is {_shown_with_type(op, name)}, expected {what}")
            return


@instruction_rule(
    "ext-inst/debug-definition-opens-function",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
    sets=SETS,
)
def debug_definition_opens_function(inst: Instruction, context: RuleContext) -> Findings:
    """DebugFunctionDefinition must be in the first block of the function that it describes.

    It connects the function with its DebugFunction from the first instruction on. In a later block, a tool may not find it, or show
    the code before it without a function. The operand Definition must be the OpFunction that contains the instruction. As in
    spirv-val, several DebugFunctionDefinition in one function, or for one DebugFunction, are not reported, although the set forbids
    both.
    """
    op = debug_operation(inst, context)
    if op is None or op.name != "DebugFunctionDefinition" or context.function is None or context.record is None:
        return
    block, entry = context.function.block_of.get(id(context.record)), context.function.entry
    if entry is not None and block is not entry:
        where = f"in the block %{block.name}" if block is not None else "in none of the blocks of the function"
        yield op.fault(-1, f"DebugFunctionDefinition is {where}, expected %{entry.name}, the first block of the function")
    at = op.at("Definition")
    name = op.id(at) if at is not None else None
    if at is not None and name not in (None, context.function.name):
        expected = f"expected %{context.function.name}, the function that contains DebugFunctionDefinition"
        yield op.fault(at, f"operand Definition is %{name}, {expected}")


@instruction_rule(
    "ext-inst/debug-line-range-is-ordered",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    after=(debug_result_is_void, debug_instruction_fits_revision, debug_operands_have_required_kind),
    sets=SETS,
)
def debug_line_range_is_ordered(inst: Instruction, context: RuleContext) -> Findings:
    """The end of the range of a DebugLine must not be before its start, and lines are counted from 1.

    A debugger marks the lines and columns of the range. It can mark nothing for a range that ends before it starts, or may mark the
    wrong text. Columns are compared if both lines are the same. As in spirv-val, a Line Start of 0 is an error, although the set
    permits line 0 for what belongs to no line of the source. Only NonSemantic.Shader.DebugInfo has the instruction.
    """
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
    sets=SETS,
)
def debug_position_is_in_source(inst: Instruction, context: RuleContext) -> Findings:
    """The lines and columns of debug information must be in the text of their DebugSource.

    A debugger shows the text at this position. If there is none, it may show nothing; the positions may belong to another version
    of the source.

    Lines are counted from 1. As in spirv-val, they end in a line feed, a carriage return or both; columns count bytes, not
    characters, and may be the one after the last byte of the line. The rule is for NonSemantic.Shader.DebugInfo, and for sources
    with a text that is not empty; the text of each DebugSourceContinued up to the next DebugSource is added. Some positions are not
    checked, for example line 0, Scope Line and the line of a DebugInlinedAt.
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
        lines = op.module.debug_lines(source) if line else None
        if not line or not lines:
            continue
        if line > len(lines):
            at = op.at(line_role) or 0
            yield op.fault(at, f"{op.subject(at)} is {line}, but the text of %{source} has {_lines(len(lines))}")
            return
        column = op.number(column_role)
        end = len(lines[line - 1]) + 1
        if column is not None and column > end:
            at = op.at(column_role) or 0
            yield op.fault(at, f"{op.subject(at)} is {column}, expected at most {end}, the end of line {line} of %{source}")
            return


def _reversed(op: DebugOperation) -> Finding | None:
    first, last = op.number("Line Start"), op.number("Line End")
    if first is None or last is None:
        return None
    if not first:
        return op.fault(1, f"{op.subject(1)} is 0, expected at least 1")
    if last < first:
        return op.fault(2, f"{op.subject(2)} is {last}, expected at least {first}, the value of Line Start")
    start, end = op.number("Column Start"), op.number("Column End")
    if first == last and start is not None and end is not None and end < start:
        why = "the value of Column Start, because Line Start and Line End are equal"
        return op.fault(4, f"{op.subject(4)} is {end}, expected at least {start}, {why}")
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
    if made == NO_OPCODE:
        return "the result of an unknown instruction"
    found = tables.opcode_name(made) if isinstance(made, int) else made
    definition = context.module.definition(name)
    if definition is not None and made in EXTENDED:
        ran = context.module.extended_instruction(definition)
        return f"the result of {ran[1]} of {ran[0]}" if ran is not None else "the result of an unknown extended instruction"
    type_ = context.module.type_of(name)
    if type_ is not None and type_.kind != spv.OpTypeVoid:
        return f"{_article(found)} of type {context.module.spell(type_)}"
    return _article(found)


def _shown_with_type(op: DebugOperation, name: str) -> str:
    """The same, with the Type of a debug variable."""
    type_, basic = _operand(op.module, name, 3), _basic_type(op, name)
    if identity(op.context, name) not in _VARIABLES or not isinstance(type_, str):
        return _shown(op.context, name)
    known = ""
    if basic is not None and None not in basic:
        encoding = _ENCODINGS.get(basic[1] or 0)
        known = f" with Size {basic[0]} and Encoding {basic[1]}" + (f" ({encoding})" if encoding else "")
    return f"{_shown(op.context, name)} whose Type is {_shown(op.context, type_)}{known}"


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
    if identity(op.context, name) not in _VARIABLES:
        return None
    type_ = _operand(op.module, name, 3)
    if not isinstance(type_, str) or identity(op.context, type_) != "DebugTypeBasic":
        return None
    return number(op.module, _operand(op.module, type_, 3)), number(op.module, _operand(op.module, type_, 4))


def _operand(module: Module, name: str, at: int) -> Operand | None:
    definition = module.definition(name)
    operands = module.resolved(definition).operands if definition is not None else ()
    return operands[at] if at < len(operands) else None
