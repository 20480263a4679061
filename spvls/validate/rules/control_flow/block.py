"""Order and beginning of blocks; unreachable ones (SPIR-V 2.2.5, 2.4, 2.16.1)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.context_dependent import EXTENDED
from spvls.module.functions import Block, Function, declared_targets
from spvls.module.module import Module
from spvls.module.sections import SOURCE_LINES
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.engine.finding import Delete, Finding, FindingFix, InsertAfter, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule

_FUNCTION = StorageClass.Function

#: Sets whose instructions only describe, and may stand among variables.
_DESCRIBING = ("OpenCL.DebugInfo.100", "DebugInfo")


@function_rule("control-flow/phis-come-first", section=sections.UNIVERSAL_VALIDATION_RULES)
def phis_come_first(function: Function, context: RuleContext) -> Findings:
    """The phis of a block are its first instructions, and the entry block has none; only OpLine may stand among them.

    A phi says what a value is on the way into the block, when nothing in the block has run yet. Instructions of extended sets,
    also of non-semantic ones, come after the phis.
    """
    for block in function.blocks.values():
        entry = block is function.entry
        first: Instruction | None = None
        for record in block.records[1:]:
            if record.opcode.value != spv.OpPhi:
                if first is None and record.opcode.value not in SOURCE_LINES and not _describes(record, context.module):
                    first = record
            elif entry:
                yield Finding(record, OPCODE, "control enters the first block of a function from nowhere, so it has no OpPhi")
                break
            elif first is not None:
                note = Note(first, OPCODE, "the first that is no OpPhi")
                message = f"OpPhi stands at the beginning of its block, before {first.opcode.name}"
                yield Finding(record, OPCODE, message, (note,), (_move(record, block.label),))
                break


@function_rule("control-flow/local-variables-come-first", section=sections.LOGICAL_LAYOUT)
def local_variables_come_first(function: Function, context: RuleContext) -> Findings:
    """The variables of a function are the first instructions of its first block; only OpLine may stand among them.

    All of them live as long as the call does, wherever they are declared, so they are declared at its beginning.
    """
    entry = function.entry
    for block in function.blocks.values():
        finding = _late_variable(block, block is entry, entry, context.module)
        if finding is not None:
            yield finding
            return


def _late_variable(block: Block, is_entry: bool, entry: Block | None, module: Module) -> Finding | None:
    first: Instruction | None = None
    last = block.label
    for record in block.records[1:]:
        name = record.opcode.value
        if name in VARIABLES and record.operands[:1] == (_FUNCTION,):
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


def _move(record: Instruction, behind: Instruction) -> FindingFix:
    text = record.text[record.start : record.end]
    return FindingFix(f"Move it behind {behind.opcode.name}", (InsertAfter(behind, text), Delete(record)))


@function_rule("control-flow/dominators-come-first", section=sections.UNIVERSAL_VALIDATION_RULES)
def dominators_come_first(function: Function, context: RuleContext) -> Findings:
    """A block stands before every block that it dominates."""
    at = {name: number for number, name in enumerate(function.blocks)}
    for name, above in function.dominators.immediate.items():
        if at[above] > at[name]:
            note = Note(function.blocks[name].label, OPCODE, f"%{name} stands before it")
            message = f"%{above} dominates %{name}, and so stands before it"
            yield Finding(function.blocks[above].label, OPCODE, message, (note,))


@function_rule("control-flow/block-is-reachable", section=sections.CONTROL_FLOW, severity=Severity.HINT, tags="unnecessary")
def block_is_reachable(function: Function, context: RuleContext) -> Findings:
    """Each block can be reached from the entry of its function, or is there because a merge instruction names it."""
    if not context.options.advice or not function.whole or function.entry is None:
        return
    declared = {name for block in function.blocks.values() for name in declared_targets(block)}
    for found in function.blocks.values():
        if found.name not in declared and not function.dominators.reaches(found.name):
            yield Finding(found.label, RESULT, f"nothing leads to the block %{found.name}")
