"""What stands at the beginning of a block: phis and variables (SPIR-V 2.4, 2.16.1)."""

from __future__ import annotations

from spvls.module.context_dependent import EXTENDED
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.module.sections import SOURCE_LINES
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Delete, Finding, InsertAfter, Mend, Note
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule
from spvls.validate.wording import listed

_VARIABLES = frozenset({"OpVariable", "OpUntypedVariableKHR"})
_FUNCTION = value("StorageClass", "Function")

#: Sets whose instructions only describe, and may stand among variables.
_DESCRIBING = ("OpenCL.DebugInfo.100", "DebugInfo")


@function_rule("layout/phi-first", section="2.16.1")
def phi_first(function: Function, scene: Scene) -> Findings:
    """The phis of a block are its first instructions, and the entry block has none; only OpLine may stand among them.

    A phi says what a value is on the way into the block, when nothing in the block has run yet. Instructions of extended sets,
    also of non-semantic ones, come after the phis.

    Bad:  `OpNop` and then `%v = OpPhi …`
    Good: `%v = OpPhi …` directly behind the label.
    """
    for block in function.blocks.values():
        entry = block is function.entry
        first: Instruction | None = None
        for record in block.records[1:]:
            if record.opcode.name != "OpPhi":
                if first is None and record.opcode.name not in SOURCE_LINES and not _describes(record, scene.module):
                    first = record
            elif entry:
                yield Finding(record, OPCODE, "control enters the first block of a function from nowhere, so it has no OpPhi")
                break
            elif first is not None:
                note = Note(first, OPCODE, "the first that is no OpPhi")
                message = f"OpPhi stands at the beginning of its block, before {first.opcode.name}"
                yield Finding(record, OPCODE, message, (note,), (_move(record, block.label),))
                break


@function_rule("layout/function-variable-leading", section="2.4")
def variables_first(function: Function, scene: Scene) -> Findings:
    """The variables of a function are the first instructions of its first block; only OpLine may stand among them.

    All of them live as long as the call does, wherever they are declared, so they are declared at its beginning.

    Bad:  `OpStore %a %x` and then `%b = OpVariable %ptr_float Function`
    Good: `%a = OpVariable …`, `%b = OpVariable …`, and then the rest.
    """
    entry = function.entry
    for block in function.blocks.values():
        finding = _late_variable(block, block is entry, entry, scene.module)
        if finding is not None:
            yield finding
            return


def _late_variable(block: Block, is_entry: bool, entry: Block | None, module: Module) -> Finding | None:
    first: Instruction | None = None
    last = block.label
    for record in block.records[1:]:
        name = record.opcode.name
        if name in _VARIABLES and record.operands[:1] == (_FUNCTION,):
            if not is_entry and entry is not None:
                note = Note(entry.label, OPCODE, "the first block begins here")
                message = "a function declares its variables in its first block"
                return Finding(record, OPCODE, message, (note,), (_move(record, entry.label),))
            if first is not None:
                note = Note(first, OPCODE, "the first that is no variable")
                message = f"a function declares its variables at its beginning, before {first.opcode.name}"
                return Finding(record, OPCODE, message, (note,), (_move(record, last),))
            last = record
        elif first is None and name not in SOURCE_LINES and not _describes(record, module):
            first = record
    return None


def _describes(record: Instruction, module: Module) -> bool:
    if record.opcode.value not in EXTENDED or not record.operands or not isinstance(record.operands[0], str):
        return False
    return module.import_name(record.operands[0]) in _DESCRIBING


def _move(record: Instruction, behind: Instruction) -> Mend:
    text = record.text[record.start : record.end]
    return Mend(f"Move it behind {behind.opcode.name}", (InsertAfter(behind, text), Delete(record)))


_BRANCHES = {"OpLoopMerge": ("OpBranch", "OpBranchConditional"), "OpSelectionMerge": ("OpBranchConditional", "OpSwitch")}


@instruction_rule("cfg/merge-second-to-last", *_BRANCHES, section="3.3.17")
def merge_second_to_last(inst: Instruction, scene: Scene) -> Findings:
    """A merge instruction is directly followed by the branch that it is about, which ends the block.

    OpLoopMerge goes with OpBranch and OpBranchConditional, OpSelectionMerge with OpBranchConditional and OpSwitch.

    Bad:  `OpSelectionMerge %end None`, `OpNop`, `OpBranchConditional %c %a %b`
    Good: `OpSelectionMerge %end None`, `OpBranchConditional %c %a %b`
    """
    function, record = scene.function, scene.record
    at = function.order.get(id(record), -1) if function is not None else -1
    if function is None or at < 0 or at + 1 >= len(function.records):
        return
    behind = function.records[at + 1]
    wanted = _BRANCHES[inst.opcode.name]
    if behind.opcode.name and behind.opcode.name not in wanted:
        note = Note(behind, OPCODE, f"this is {behind.opcode.name}")
        yield Finding(
            inst, OPCODE, f"{inst.opcode.name} stands directly before {listed(wanted)}, the last of its block", (note,)
        )
