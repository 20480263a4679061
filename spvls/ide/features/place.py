"""What can stand where an instruction begins: by the sections of a module and by the blocks of a function (SPIR-V 2.4)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.diagnostic import Position
from spvls.grammar import spv
from spvls.grammar.enumerants import Capability, ExecutionMode, ExecutionModel
from spvls.grammar.records import Opcode
from spvls.grammar.traits import TERMINATORS
from spvls.ide.source.source_module import SourceModule
from spvls.module.module import Module
from spvls.module.sections import FLOATING, SOURCE_LINES, Section, section_of
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction


class Place(NamedTuple):
    """`takes` says of an opcode whether it can stand there; `required` are those that the module lacks and would have there.

    `is_empty` says that the module has no instruction at all, `is_global` that the place is not in a function.
    """

    takes: Callable[[Opcode], bool]
    required: frozenset[int]
    is_global: bool
    is_empty: bool = False


def place_at(source: SourceModule, position: Position) -> Place:
    """The place of an instruction that begins on the line of a position."""
    chunk = source.document.chunk_at(position.line)
    before: list[Instruction] = []
    after: Instruction | None = None
    for line, record in source.placed(chunk):
        if line > position.line:
            after = record
            break
        if line < position.line and record.opcode.value not in SOURCE_LINES:
            before.append(record)
    if chunk.is_function and before and before[-1].opcode.value != spv.OpFunctionEnd:
        return _in_function(before, after)
    return _in_module(source, chunk.is_function, before, after)


def _in_module(source: SourceModule, follows: bool, before: list[Instruction], after: Instruction | None) -> Place:
    """`follows` says that a function stands before the place."""
    if follows:
        first = last = Section.FUNCTIONS
    else:
        first = section_of(before[-1].opcode) if before else Section.CAPABILITIES
        last = max(first, section_of(after.opcode)) if after is not None else Section.FUNCTIONS

    def takes(opcode: Opcode) -> bool:
        section = section_of(opcode)
        if section is Section.FUNCTIONS and opcode.value != spv.OpFunction and not _is_of_graph(opcode):
            return False
        return first <= section <= last

    is_empty = len(source.document.chunks) == 1 and not before and after is None
    lacking = _lacking(source.module)
    return Place(takes, lacking if not follows else lacking & {spv.OpFunction}, is_global=True, is_empty=is_empty)


def _is_of_graph(opcode: Opcode) -> bool:
    return opcode.class_ == "Graph"


def _lacking(module: Module) -> frozenset[int]:
    """Opcodes that a module must have, and has not."""
    declarations = module.declarations
    if not declarations.records(spv.OpCapability):
        return frozenset({spv.OpCapability})
    if not declarations.records(spv.OpMemoryModel):
        return frozenset({spv.OpMemoryModel})
    declared = {record.opcode.value for record in module.chunks[0].records}
    lacking: set[int] = set()
    points = declarations.entry_points
    if not points and not module.has_capability(Capability.Linkage):
        lacking.add(spv.OpEntryPoint)
    for point in points:
        modes = {mode.value for mode in module.execution_modes(point.function)}
        if point.model == ExecutionModel.Fragment and modes.isdisjoint(_ORIGINS):
            lacking.add(spv.OpExecutionMode)
        if module.ids.definition(point.function) is None:
            lacking.add(spv.OpFunction)
    if lacking & {spv.OpFunction, spv.OpEntryPoint}:
        lacking.update(opcode for opcode in (spv.OpTypeVoid, spv.OpTypeFunction) if opcode not in declared)
    return frozenset(lacking)


_ORIGINS = (ExecutionMode.OriginUpperLeft, ExecutionMode.OriginLowerLeft)


def _in_function(before: list[Instruction], after: Instruction | None) -> Place:
    last = before[-1].opcode.value
    if last in (spv.OpFunction, spv.OpFunctionParameter):
        return Place(lambda opcode: opcode.value in _HEAD, frozenset({spv.OpLabel}), is_global=False)
    if last in TERMINATORS:
        closing = {spv.OpFunctionEnd} if after is None else set()
        return Place(lambda opcode: opcode.value in _BETWEEN_BLOCKS, frozenset(closing), is_global=False)
    begins = after is not None and after.opcode.value in _BETWEEN_BLOCKS
    takes_phi = last in (spv.OpLabel, spv.OpPhi)

    def takes(opcode: Opcode) -> bool:
        if opcode.value in _HEAD or opcode.value in _BETWEEN_BLOCKS or opcode.value == spv.OpFunction or _is_of_graph(opcode):
            return False
        if opcode.value == spv.OpPhi:
            return takes_phi
        return opcode.value in FLOATING or section_of(opcode) is Section.FUNCTIONS

    return Place(takes, frozenset(_USUAL_TERMINATORS) if begins else frozenset(), is_global=False)


_HEAD = frozenset({spv.OpFunctionParameter, spv.OpLabel})
_BETWEEN_BLOCKS = frozenset({spv.OpLabel, spv.OpFunctionEnd})
_USUAL_TERMINATORS = (spv.OpReturn, spv.OpBranch, spv.OpReturnValue)
