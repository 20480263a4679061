"""ClspvReflection: instructions and operands in general (SPIR-V 3.3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.clspv import KERNEL_ROLES, REFLECTION
from spvls.grammar.enumerants import ExecutionModel
from spvls.grammar.records import ExtendedInstruction, ExtendedSet
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, TYPE, Instruction, shown
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.wording import are_given, counted
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import ExtendedOperation, imported, operation_of

_HEX = frozenset(b"0123456789abcdefABCDEF")
_LEAST_STORED = 4
_CONVERSIONS = b"diouxXfFeEgGaAcsp"
_COMPUTE = ExecutionModel.GLCompute

#: Operands by what they have to be; those named nowhere here are 32-bit unsigned constants.
_STRINGS = frozenset({"Name", "Type Name", "Data", "FormatString", "Attributes"})


@instruction_rule("ext-inst/clspv-result-is-void", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, sets=(REFLECTION,))
def clspv_result_is_void(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of a clspv reflection instruction must be OpTypeVoid.

    Reflection describes the module for the runtime and computes nothing, so a result of another type would have no value. Only
    OpExtInst with a known instruction of NonSemantic.ClspvReflection is checked.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is not None and op.result is not None and op.result.kind != spv.OpTypeVoid:
        yield Finding(inst, TYPE, f"the result type of {op.name} is {op.spell(op.result)}, expected void")


@instruction_rule(
    "ext-inst/clspv-data-is-hexadecimal", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_data_is_hexadecimal(inst: Instruction, context: RuleContext) -> Findings:
    """The Data of a buffer must be a string of bytes in hexadecimal, with two digits for each byte.

    A runtime may read the string digit by digit to fill the buffer. With an odd number of digits or another character, it may fail,
    or fill the buffer with wrong bytes. Each operand Data of an OpExtInst of NonSemantic.ClspvReflection is checked.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None:
        return
    for at, role, name in _ids(op):
        definition = op.module.definition(name) if role == "Data" else None
        is_string = definition is not None and definition.opcode.value == spv.OpString and not definition.faults
        text = definition.operands[0] if definition is not None and is_string else None
        if isinstance(text, bytes) and (len(text) % 2 or not _HEX.issuperset(text)):
            odd = next((chr(byte) for byte in text if byte not in _HEX), None)
            fault = f"contains {odd!r}, expected hexadecimal digits" if odd is not None else ""
            fault = fault or f"has {counted(len(text), 'hexadecimal digit')}, expected an even number"
            yield op.fault(at, f"{op.subject(at)} {fault}, two for each byte")


def _ids(op: ExtendedOperation) -> Iterator[tuple[int, str, str]]:
    """The operands that are ids, each with its place and what it is for."""
    for at, name in enumerate(op.operands):
        if isinstance(name, str):
            yield at, op.role(at), name


def string_at(op: ExtendedOperation, at: int) -> bytes | None:
    name = op.id(at)
    definition = op.module.definition(name) if name is not None else None
    if definition is None or definition.opcode.value != spv.OpString or definition.faults:
        return None
    return definition.operands[0] if isinstance(definition.operands[0], bytes) else None


@instruction_rule(
    "ext-inst/clspv-printf-sizes-match-format", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_printf_sizes_match_format(inst: Instruction, context: RuleContext) -> Findings:
    """PrintfInfo must have a unique PrintfID, and its sizes, if any, must fit the arguments of its format.

    A runtime finds the format by the PrintfID in the output buffer, and splits the data after it by the sizes. With a PrintfID that
    is used twice it may print the wrong text, and with other sizes read later arguments from wrong places. Each size that is listed
    must be at least 4, and there must be one for each argument that the format takes. Without any sizes, the arguments are not
    counted: the text may be a string argument of another printf.

    PrintfInfo is an instruction of NonSemantic.ClspvReflection. Only OpExtInst is checked. Two PrintfIDs are compared if no
    OpFunction is between their instructions. Of each instruction, only the first fault is reported.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None or op.name != "PrintfInfo":
        return
    number = op.module.integer(op.id(0))
    if number is not None:
        first = context.chunk_state("clspv/printf", dict[int, Instruction]).setdefault(number, inst)
        if first is not inst:
            note = Note(first, OPCODE, f"the first PrintfInfo with the PrintfID {number} is here")
            message = f"{op.subject(0)} is {number}, which another PrintfInfo already has; the PrintfIDs must differ"
            yield op.fault(0, message)._replace(notes=(note,))
            return
    for at in range(2, len(op.operands)):
        size = op.module.integer(op.id(at))
        if size is not None and size < _LEAST_STORED:
            yield op.fault(at, f"{op.subject(at)} is {size}, expected at least {_LEAST_STORED} bytes")
            return
    text, given = string_at(op, 1), len(op.operands) - 2
    if text is not None and given and (taken := _arguments(text)) != given:
        needed = f"{counted(taken, 'argument')}, so PrintfInfo requires {counted(taken, 'argument size')}"
        yield op.fault(1, f"{op.subject(1)} takes {needed}, but {are_given(given)}")


def _arguments(text: bytes) -> int:
    """How many arguments a format of printf takes."""
    count, at = 0, 0
    while (at := text.find(b"%", at)) >= 0:
        at += 1
        if text[at : at + 1] == b"%":
            at += 1
            continue
        while at < len(text) and text[at] not in _CONVERSIONS:
            count += text[at : at + 1] == b"*"
            at += 1
        count += at < len(text)
    return count


@instruction_rule(
    "ext-inst/clspv-operand-count-is-declared", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_operand_count_is_declared(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction of NonSemantic.ClspvReflection must not have more operands than the set declares.

    A runtime does not know what the further operands mean, and may ignore them or reject the module. Operands are counted as in the
    newest revision of the set; `ext-inst/clspv-instruction-fits-revision` reports those that only a later revision than the
    imported one declares, such as a third one of Kernel before revision 5. Instructions whose last operand may be repeated are not
    checked. Only OpExtInst is checked.

    A warning, because spirv-val accepts further operands, except in Kernel before revision 5.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None:
        return
    declared = op.instruction.operands
    if len(op.operands) > len(declared) and not (declared and declared[-1].quantifier == "*"):
        most = "at most " if declared and declared[-1].quantifier else ""
        takes = f"{op.name} takes {most}{counted(len(declared), 'operand')}"
        yield op.fault(len(declared), f"{takes}, but {are_given(len(op.operands))}")


@instruction_rule(
    "ext-inst/clspv-instruction-is-known", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_instruction_is_known(inst: Instruction, context: RuleContext) -> Findings:
    """The number of an instruction of NonSemantic.ClspvReflection must be one that the set has.

    A runtime may reject the module, or ignore the instruction; the argument or constant that it was to describe is then missing
    when the kernel starts. Only OpExtInst is checked. Of the instructions that the set has,
    `ext-inst/clspv-instruction-fits-revision` reports those that the imported revision lacks.

    A warning, because a later revision of the set may have the instruction.
    """
    name, number = id_at(inst, 0), word_at(inst, 1)
    found = imported(name, context) if name is not None else None
    if found is not None and found.set.name == REFLECTION and number is not None and found.set.by_value(number) is None:
        yield Finding(inst, 1, f"{REFLECTION} has no instruction with the number {number}")


def _set_of(inst: Instruction, module: Module) -> tuple[ExtendedSet, str] | None:
    """The reflection set that an instruction belongs to, and the string that imports it."""
    named = id_at(inst, 0)
    import_name = module.import_name(named) if named is not None else None
    if import_name is None or not import_name.startswith(REFLECTION):
        return None
    known = tables.extended_set(import_name)
    return (known, import_name) if known is not None and known.name == REFLECTION else None


def _reflects(module: Module) -> bool:
    """Whether the module imports the reflection set."""
    return any(name.startswith(REFLECTION) for name in module.declarations.imports.values())


def _instruction(inst: Instruction, context: RuleContext) -> tuple[ExtendedInstruction, int] | None:
    """A reflection instruction, and the revision of the set that is imported."""
    module = context.module
    if not context.memo("clspv", lambda: _reflects(module)):
        return None
    found = _set_of(inst, module)
    number = word_at(inst, 1)
    if found is None or number is None:
        return None
    revision = found[0].revision_of(found[1])
    instruction = found[0].by_value(number)
    return (instruction, revision) if instruction is not None and revision is not None else None


@instruction_rule(
    "ext-inst/clspv-instruction-fits-revision", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, sets=(REFLECTION,)
)
def clspv_instruction_fits_revision(inst: Instruction, context: RuleContext) -> Findings:
    """An instruction of NonSemantic.ClspvReflection and its operands must be in the imported revision.

    A runtime that knows only the imported revision may reject the module, or ignore an argument or a constant that the kernel
    needs. Import the revision that the finding names; from revision 5, see also `ext-inst/clspv-kernel-is-complete`. Only OpExtInst
    is checked. Unlike in spirv-val, the instructions that revisions 6 and 7 add are checked as well.
    """
    found = _instruction(inst, context)
    if found is None:
        return
    instruction, revision = found
    if instruction.since > revision:
        message = f"{instruction.name} requires revision {instruction.since} of {REFLECTION}; revision {revision} is imported"
        yield Finding(inst, 1, message)
        return
    given = len(inst.operands) - 2
    for at, since in enumerate(instruction.operands_since[:given]):
        if since > revision:
            name = instruction.operands[at].name
            needed = f"operand {name} of {instruction.name} requires revision {since}"
            message = f"{needed} of {REFLECTION}; revision {revision} is imported"
            yield Finding(inst, 2 + at, message)
            return


@instruction_rule(
    "ext-inst/clspv-operands-have-required-kind", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, sets=(REFLECTION,)
)
def clspv_operands_have_required_kind(inst: Instruction, context: RuleContext) -> Findings:
    """An operand of an instruction of NonSemantic.ClspvReflection must be of the kind its name requires.

    A runtime may follow the operands to find kernels, names and numbers. If one leads to something else, it may fail or describe
    the wrong kernel.

    Kernel (or Decl) must be a Kernel instruction, and ArgInfo an ArgumentInfo instruction, both of the same import. Names,
    attributes, data and formats must be OpString, and Variable an OpVariable; all others must be an OpConstant of type u32, not a
    specialization constant. The instruction Kernel must name a function with entry points, all with the execution model GLCompute,
    and the name of one of them. The storage class of Variable is not checked. Only OpExtInst is checked, with instructions that the
    imported revision has. Unlike in spirv-val, the instructions that revisions 6 and 7 add are checked as well. Of each
    instruction, only the first fault is reported.
    """
    module = context.module
    found = _instruction(inst, context)
    if found is None or found[0].since > found[1]:
        return
    instruction = found[0]
    for at in range(2, len(inst.operands)):
        declared = instruction.operands[min(at - 2, len(instruction.operands) - 1)]
        if at - 2 >= len(instruction.operands) and declared.quantifier != "*":
            return
        name = id_at(inst, at)
        definition = module.definition(name) if name is not None else None
        if name is None or definition is None:
            continue
        made = f"is an {definition.opcode.name}, expected"
        if instruction.name == "Kernel" and declared.name == "Kernel":
            fault = _entry_point_fault(inst, name, definition, module)
        elif declared.name in KERNEL_ROLES:
            fault = _instruction_fault(inst, definition, "Kernel", instruction.name, module)
        elif declared.name == "ArgInfo":
            fault = _instruction_fault(inst, definition, "ArgumentInfo", instruction.name, module)
        elif declared.name in _STRINGS:
            fault = None if definition.opcode.value == spv.OpString else f"{made} an OpString"
        elif declared.name == "Variable":
            fault = None if definition.opcode.value == spv.OpVariable else f"{made} an OpVariable"
        else:
            fault = _constant_fault(definition, module)
        if fault is not None:
            message = f"operand {declared.name} (%{name}) {fault}"
            yield Finding(inst, at, message, (Note(definition, 0, f"%{name} is defined here"),) if definition.operands else ())
            return


def _constant_fault(definition: Instruction, module: Module) -> str | None:
    type_ = module.type(definition.type)
    if definition.opcode.value != spv.OpConstant or type_ is None:
        return f"is an {definition.opcode.name}, expected an OpConstant of type u32"
    if not type_.is_int or type_.signed or type_.width != 32:
        return f"is {module.spell(type_)}, expected u32"
    return None


def _instruction_fault(inst: Instruction, definition: Instruction, wanted: str, user: str, module: Module) -> str | None:
    """As a predicate of a message, that an instruction is not what is `wanted`."""
    ran = module.extended_instruction(definition) if definition.opcode.value == spv.OpExtInst else None
    if definition.opcode.value == spv.OpExtInst and definition.operands and definition.operands[0] != inst.operands[0]:
        imports = (shown(one.operands[0]) for one in (definition, inst))
        return "uses the import {0}, but {2} uses the import {1}; the imports must be the same".format(*imports, user)
    if ran is None or ran != (module.import_name(str(inst.operands[0])), wanted):
        made = definition.opcode.name if ran is None else ran[1]
        article = "an" if wanted[0] in "AEIOU" else "a"
        return f"is the result of {made}, expected the result of {article} {wanted} instruction of {REFLECTION}"
    return None


def _entry_point_fault(inst: Instruction, name: str, definition: Instruction, module: Module) -> str | None:
    if definition.opcode.value != spv.OpFunction:
        return f"is an {definition.opcode.name}, expected an OpFunction"
    entries = [entry for entry in module.declarations.entry_points if entry.function == name]
    if not entries:
        return "is a function without an OpEntryPoint, expected a GLCompute entry point"
    model = next((entry.model for entry in entries if entry.model != _COMPUTE), None)
    if model is not None:
        return f"is an entry point with the execution model {enumerant_name('ExecutionModel', model)}, expected GLCompute"
    string = module.definition(str(inst.operands[3])) if len(inst.operands) > 3 else None
    named = string.operands[:1] if string is not None and string.opcode.value == spv.OpString else None
    if named and all(named != (entry.name,) for entry in entries):
        return f"is the entry point {shown(entries[0].name)}, but operand Name is {shown(named[0])}; the names must be equal"
    return None
