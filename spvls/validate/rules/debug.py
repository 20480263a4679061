"""Names and source lines (SPIR-V 3.3.2)."""

from __future__ import annotations

from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.finding import Finding, Note
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.wording import counted


@instruction_rule("opcode/OpMemberName/member", "OpMemberName", section="3.3.2")
def member_name(inst: Instruction, scene: Scene) -> Findings:
    """OpMemberName names a member that the structure has.

    Bad:  `OpMemberName %S 2 "c"` where `%S` has two members.
    Good: `OpMemberName %S 1 "b"`
    """
    module = scene.module
    name, index = id_at(inst, 0), word_at(inst, 1)
    definition = module.definition(name) if name is not None else None
    if name is None or index is None or definition is None:
        return
    type_ = module.type(name)
    note = Note(definition, RESULT, f"%{name} is defined here")
    if type_ is None or type_.kind != "Struct":
        yield Finding(inst, 0, f"%{name} is no structure, and has no members to name", (note,))
    elif index >= len(type_.member_ids):
        count = counted(len(type_.member_ids), "member")
        yield Finding(inst, 1, f"%{name} has {count}, and this names member {index}", (note,))


@instruction_rule("opcode/OpLine/file", "OpLine", section="3.3.2")
def line_file(inst: Instruction, scene: Scene) -> Findings:
    """OpLine names its file by an OpString.

    Bad:  `OpLine %int 1 1`
    Good: `OpLine %file 1 1` with `%file = OpString "shader.frag"`
    """
    name = id_at(inst, 0)
    opcode = scene.module.opcode_of(name) if name is not None else ""
    if name is not None and opcode not in ("", "OpString"):
        yield Finding(inst, 0, f"%{name} is made by {opcode}, and the file of OpLine is an OpString")
