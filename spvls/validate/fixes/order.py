"""Quick fixes for a use that stands before its definition: the one or the other is moved."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.grammar.traits import MERGES, TERMINATORS, VARIABLES
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.purity import is_pure
from spvls.module.sections import Section, section_of
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Delete, FindingFix, InsertAfter, InsertBefore

_FIXED = TERMINATORS | MERGES | VARIABLES | {spv.OpLabel, spv.OpPhi, spv.OpFunction, spv.OpFunctionParameter, spv.OpFunctionEnd}
"""What cannot be moved within a function."""


def moving(use: Instruction, definition: Instruction, function: Function | None, module: Module) -> tuple[FindingFix, ...]:
    """Moves the definition before the first use of its result, or else the use after the definition."""
    if function is not None:
        return tuple(_in_function(use, definition, function, module))
    return tuple(_among_declarations(use, definition, module))


def _text(record: Instruction) -> str:
    return record.text[record.start : record.end]


def _up(use: Instruction, definition: Instruction, *, preferred: bool) -> FindingFix:
    steps = InsertBefore(use, _text(definition)), Delete(definition)
    return FindingFix(f"Move the definition of %{definition.result} before its use", steps, preferred)


def _down(use: Instruction, definition: Instruction) -> FindingFix:
    steps = Delete(use), InsertAfter(definition, _text(use))
    name = f"%{use.result}" if use.result is not None else "the use"
    return FindingFix(f"Move {name} after the definition of %{definition.result}", steps, preferred=False)


def _among_declarations(use: Instruction, definition: Instruction, module: Module) -> Iterator[FindingFix]:
    if not all(section_of(record.opcode) is Section.TYPES and record.text for record in (use, definition)):
        return
    if not module.is_global(definition.result or ""):
        return
    records, at, end = module.chunks[0].records, module.global_place(use), module.global_place(definition)
    between = {record.result for record in records[at:end]}
    if between.isdisjoint(definition.uses()):
        yield _up(use, definition, preferred=True)
    if not any(use.result in record.uses() for record in records[at + 1 : end + 1]):
        yield _down(use, definition)


def _in_function(use: Instruction, definition: Instruction, function: Function, module: Module) -> Iterator[FindingFix]:
    """An instruction that only gives its result can be anywhere after its operands; it is not moved across what may write
    what it reads."""
    order = function.order
    if not (use.text and definition.text) or id(use) not in order or id(definition) not in order:
        return
    if use.opcode.value in _FIXED or definition.opcode.value in _FIXED or not is_pure(definition, module):
        return
    home, here = function.block_of.get(id(definition)), function.block_of.get(id(use))
    if home is None or here is None:
        return
    if all(_is_known_at(name, use, function, module) for name in definition.uses()):
        yield _up(use, definition, preferred=definition.opcode.value != spv.OpLoad)
    between = function.records[order[id(use)] + 1 : order[id(definition)] + 1]
    if home is here and is_pure(use, module) and not any(use.result in record.uses() for record in between):
        yield _down(use, definition)


def _is_known_at(name: str, use: Instruction, function: Function, module: Module) -> bool:
    """Whether a definition reaches the place before an instruction."""
    if module.is_global(name):
        return True
    if any(parameter.result == name for parameter in function.parameters):
        return True
    block = function.block_of[id(use)]
    definition = module.definition(name)
    home = function.block_of.get(id(definition))
    if home is None or function.order[id(definition)] >= function.order[id(use)]:
        return False
    return home is block or function.dominators.dominates(home.name, block.name)


def hoisting(use: Instruction, name: str, function: Function, module: Module) -> tuple[FindingFix, ...]:
    """Moves a definition to the end of the last block that both it and a use in another block come after."""
    definition = module.definition(name)
    block = function.block_of.get(id(use))
    if definition is None or block is None or not definition.text or definition.opcode.value in _FIXED:
        return ()
    home = function.block_of.get(id(definition))
    if home is None or definition.opcode.value == spv.OpLoad or not is_pure(definition, module):
        return ()
    dominators = function.dominators
    above = set(dominators.chain(home.name)) if dominators.reaches(home.name) else set()
    common = next((found for found in dominators.chain(block.name) if found in above), None)
    if common is None or common == home.name:
        return ()
    target = function.blocks[common]
    last = target.merge or target.terminator
    if last is None or not all(_is_known_at(used, last, function, module) for used in definition.uses()):
        return ()
    steps = InsertBefore(last, _text(definition)), Delete(definition)
    return (FindingFix(f"Move the definition of %{name} to the end of %{common}", steps, preferred=False),)
