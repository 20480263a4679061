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


@function_rule("control-flow/phis-come-first", section=sections.CONTROL_FLOW_INSTRUCTIONS, of_form=True)
def phis_come_first(function: Function, context: RuleContext) -> Findings:
    """The OpPhi instructions of a block must come first in it, and the entry block must have none.

    An OpPhi selects its value when control enters the block. A consumer that reads the OpPhi instructions up to the first other
    instruction misses those that come later. The entry block has no predecessor, so there is nothing to select by.

    OpLine and OpNoLine may be mixed with OpPhi. As in spirv-val, instructions of the sets OpenCL.DebugInfo.100 and DebugInfo before
    an OpPhi are not reported. Those of other extended instruction sets, including non-semantic ones, must come after the last
    OpPhi. Of each block, only the first fault is reported.
    """
    for block in function.blocks.values():
        entry = block is function.entry
        first: Instruction | None = None
        for record in block.records[1:]:
            if record.opcode.value != spv.OpPhi:
                if first is None and record.opcode.value not in SOURCE_LINES and not _describes(record, context.module):
                    first = record
            elif entry:
                yield Finding(record, OPCODE, "the first block of a function has no predecessor, so it must not have an OpPhi")
                break
            elif first is not None:
                note = Note(first, OPCODE, "this is the first instruction that is not an OpPhi")
                message = f"OpPhi must come before {first.opcode.name}, at the beginning of its block"
                yield Finding(record, OPCODE, message, (note,), (_move(record, block.label),))
                break


@function_rule("control-flow/local-variables-come-first", section=sections.LOGICAL_LAYOUT, of_form=True)
def local_variables_come_first(function: Function, context: RuleContext) -> Findings:
    """The variables of a function must be the first instructions of its first block.

    A variable with storage class Function has memory for one call of its function. Drivers may look for such variables only at the
    beginning of the function: a later one may then have no memory.

    The rule is for OpVariable and OpUntypedVariableKHR in the storage class Function. `memory/variable-class-matches-place` reports
    other storage classes, and `memory/variable-class-is-not-generic` Generic. OpLine and OpNoLine may come between the variables;
    instructions of OpenCL.DebugInfo.100 and DebugInfo there are not reported, as in spirv-val. Those of other extended instruction
    sets, including non-semantic ones, must come after the last variable. Of each function, only the first fault is reported.
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
                message = f"{record.opcode.name} in the storage class Function must be in the first block of its function"
                return Finding(record, OPCODE, message, (note,), (_move(record, entry.label),))
            if first is not None:
                note = Note(first, OPCODE, "this is the first instruction that is not a variable")
                message = f"{record.opcode.name} must come before {first.opcode.name}, at the start of the function's first block"
                return Finding(record, OPCODE, message, (note,), (_move(record, last),))
            last = record
        elif first is None and name not in SOURCE_LINES and not _describes(record, module):
            first = record
    return None


def _describes(record: Instruction, module: Module) -> bool:
    if record.opcode.value not in EXTENDED or not record.operands or not isinstance(record.operands[0], str):
        return False
    return module.import_name(record.operands[0]) in _DESCRIBING


def _move(record: Instruction, place: Instruction) -> FindingFix:
    text = record.text[record.start : record.end]
    return FindingFix(f"Move it after {place.opcode.name}", (InsertAfter(place, text), Delete(record)))


@function_rule("control-flow/dominators-come-first", section=sections.UNIVERSAL_VALIDATION_RULES, of_form=True)
def dominators_come_first(function: Function, context: RuleContext) -> Findings:
    """A block must appear before each other block that it dominates.

    With this order a consumer can translate a function in one pass: the values that a block computes with, except in OpPhi, are
    defined by the time that the block is read. A driver that relies on the order may find uses without a definition, or reject the
    module. The place of unreachable blocks is not checked, as in spirv-val.
    """
    at = {name: number for number, name in enumerate(function.blocks)}
    for name, above in function.dominators.immediate.items():
        if at[above] > at[name]:
            note = Note(function.blocks[name].label, OPCODE, f"%{name} begins here")
            message = f"block %{above} dominates block %{name} and must come before it"
            yield Finding(function.blocks[above].label, OPCODE, message, (note,))


@function_rule(
    "control-flow/block-is-reachable",
    section=sections.CONTROL_FLOW,
    severity=Severity.HINT,
    tags="unnecessary",
    of_form=True,
)
def block_is_reachable(function: Function, context: RuleContext) -> Findings:
    """A block must be structurally reachable, or be a merge block or continue target.

    The instructions of an unreachable block never run. A compiler may remove the block, and in the source code a branch to it may
    be missing. Merge blocks and continue targets are not reported, because a merge instruction requires that they exist. If the
    block with the merge instruction is structurally reachable, so are its merge block, its continue target, and the blocks to which
    these lead. Reported only with the option `advice`.
    """
    if not context.options.advice or not function.whole or function.entry is None:
        return
    declared = {name for block in function.blocks.values() for name in declared_targets(block)}
    for found in function.blocks.values():
        is_needed = found.name in declared or function.dominators.reaches(found.name)
        if not is_needed and not function.structural_dominators.reaches(found.name):
            yield Finding(found.label, RESULT, f"block %{found.name} is not reachable from the entry block")
