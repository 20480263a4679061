"""Code lenses: who uses a global, who calls a function, which blocks lead to a block."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from spvls.diagnostic import Range
from spvls.grammar import spv
from spvls.grammar.traits import VARIABLES
from spvls.ide.documentation.id_markdown import uses_phrase
from spvls.ide.source.source_module import SourceModule
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.syntax.report import range_in


class LensKind(Enum):
    """What a lens shows."""

    USES = "uses"
    CALLERS = "callers"
    PREDECESSORS = "predecessors"


class Lens(NamedTuple):
    """Stands above `range`, the id `name`; `title` is made when it is seen."""

    range: Range
    kind: LensKind
    name: str


_Placed = tuple[Instruction, str, LensKind]


def lenses(source: SourceModule) -> Iterator[Lens]:
    """The lenses of the whole module."""
    document = source.document
    for chunk in list(document.chunks):
        found = _of_function(source, chunk) if chunk.is_function else _of_globals(chunk)
        if not found:
            continue
        lines = document.lines_of(chunk)
        for record, name, kind in found:
            yield Lens(range_in(record, lines[id(record)], *record.span(RESULT)), kind, name)


def _of_globals(chunk: Chunk) -> list[_Placed]:
    variables = [record for record in chunk.records if record.opcode.value in VARIABLES]
    return [(record, record.result, LensKind.USES) for record in variables if record.result is not None]


def _of_function(source: SourceModule, chunk: Chunk) -> list[_Placed]:
    predecessors = source.module.function(chunk).predecessors
    joins = {name for name, before in predecessors.items() if len(before) > 1}
    function = chunk.records[0]
    found: list[_Placed] = []
    if function.result is not None and function.opcode.value == spv.OpFunction:
        found.append((function, function.result, LensKind.CALLERS))
    for record in chunk.records if joins else ():
        name = record.result
        if name is not None and name in joins and record.opcode.value == spv.OpLabel:
            found.append((record, name, LensKind.PREDECESSORS))
    return found


def title(source: SourceModule, kind: LensKind, name: str) -> str:
    """What a lens says."""
    module = source.module
    if kind is LensKind.USES:
        return uses_phrase(module, name)
    if kind is LensKind.PREDECESSORS:
        chunk = module.ids.defining_chunk(name)
        before = module.function(chunk).predecessors.get(name, []) if chunk is not None and chunk.is_function else []
        return "from " + ", ".join(f"%{block}" for block in before)
    parts = []
    for point in module.declarations.entry_points:
        if point.function == name:
            model = enumerants("ExecutionModel", point.model)
            parts.append(f"{model[0].name if model else point.model} entry point, interface of {len(point.interface)}")
    calls = sum(record.opcode.value == spv.OpFunctionCall for _, record in module.ids.uses(name))
    if calls or not parts:
        parts.append(f"{calls} call{'' if calls == 1 else 's'}" if calls else "no calls")
    return " · ".join(parts)
