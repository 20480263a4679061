"""Names and source lines (SPIR-V 3.3.2)."""

from __future__ import annotations

from itertools import pairwise

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.operand_index import OpLine_File, OpMemberName_Member, OpMemberName_Type, OpSource_File
from spvls.grammar.tables import NO_OPCODE
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.wording import counted, made_by, operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule


@instruction_rule("module/member-name-names-member", spv.OpMemberName, section=sections.DEBUG_INSTRUCTIONS)
def member_name_names_member(inst: Instruction, context: RuleContext) -> Findings:
    """OpMemberName must refer to a structure and to one of its members.

    Debuggers and reflection tools show the name for the member. For a member that does not exist, a tool may write past the end of
    its table of members. The number is not checked in modules with OpTypeStructContinuedINTEL.
    """
    module = context.module
    name, index = id_at(inst, OpMemberName_Type), word_at(inst, OpMemberName_Member)
    definition = module.definition(name) if name is not None else None
    if name is None or index is None or definition is None:
        return
    type_ = module.type(name)
    note = Note(definition, RESULT, f"%{name} is defined here")
    if type_ is None or type_.kind != spv.OpTypeStruct:
        what = module.spell(type_) if type_ is not None else made_by(definition)
        message = f"{operand(inst, 0)} is {what}, expected a structure type"
        yield Finding(inst, OpMemberName_Type, message, (note,))
    elif index >= len(type_.member_ids) and spv.OpTypeStructContinuedINTEL not in module.declarations.opcodes:
        count = counted(len(type_.member_ids), "member")
        message = f"member {index} does not exist: %{name} has {count}; numbering starts at 0"
        yield Finding(inst, OpMemberName_Member, message, (note,))


@instruction_rule("module/line-file-is-string", spv.OpLine, section=sections.DEBUG_INSTRUCTIONS)
def line_file_is_string(inst: Instruction, context: RuleContext) -> Findings:
    """The File of OpLine must be an OpString.

    A debugger shows the string as the name of the source file. Another id does not name a file, so the position may be lost, or the
    debugger may fail. Instructions of extended sets, such as DebugLine, are not checked here.
    """
    name = id_at(inst, OpLine_File)
    opcode = context.module.opcode_of(name)
    if name is not None and opcode not in (NO_OPCODE, spv.OpString):
        message = f"{operand(inst, 0)} is the result of {context.module.opcode_name_of(name)}, expected a string (OpString)"
        yield Finding(inst, OpLine_File, message)


@instruction_rule("module/source-file-is-string", spv.OpSource, section=sections.DEBUG_INSTRUCTIONS, severity=Severity.WARNING)
def source_file_is_string(inst: Instruction, context: RuleContext) -> Findings:
    """The File of OpSource must be an OpString.

    A debugger shows the string as the name of the source file. Another id does not name a file, so the source may not be found. A
    File that is defined only later is an error of `id/is-defined-before-use`.
    """
    name = id_at(inst, OpSource_File)
    opcode = context.module.opcode_of(name) if name in context.defined_ids else NO_OPCODE
    if name is not None and opcode not in (NO_OPCODE, spv.OpString):
        message = f"{operand(inst, 2)} is the result of {context.module.opcode_name_of(name)}, expected a string (OpString)"
        yield Finding(inst, OpSource_File, message)


@module_rule("module/source-continued-follows-source", section=sections.DEBUG_INSTRUCTIONS)
def source_continued_follows_source(context: RuleContext) -> Findings:
    """OpSourceContinued must be directly after the OpSource or OpSourceContinued that it continues.

    The string continues that of the instruction before. After another instruction, a tool may lose the rest of the source text.
    """
    module = context.module
    if not module.declarations.records(spv.OpSourceContinued):
        return
    for before, record in pairwise((None, *module.chunks[0].records)):
        if record is None or record.opcode.value != spv.OpSourceContinued:
            continue
        if before is None or before.opcode.value not in (spv.OpSource, spv.OpSourceContinued):
            notes = (Note(before, OPCODE, f"{before.opcode.name} is here"),) if before is not None else ()
            found = f", not after {before.opcode.name}" if before is not None else ""
            message = f"OpSourceContinued must be directly after OpSource or OpSourceContinued{found}"
            yield Finding(record, OPCODE, message, notes)
