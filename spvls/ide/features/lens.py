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
from spvls.syntax.instruction import RESULT
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


def lenses(source: SourceModule) -> Iterator[Lens]:
    """The lenses of the whole module."""
    module = source.module
    for chunk in list(source.document.chunks):
        predecessors = module.function(chunk).predecessors if chunk.is_function else {}
        for line, record in source.placed(chunk):
            name, opcode = record.result, record.opcode.value
            if name is None:
                continue
            if opcode == spv.OpFunction:
                kind = LensKind.CALLERS
            elif opcode == spv.OpLabel and len(predecessors.get(name, ())) > 1:
                kind = LensKind.PREDECESSORS
            elif opcode in VARIABLES and not chunk.is_function:
                kind = LensKind.USES
            else:
                continue
            yield Lens(range_in(record, line, *record.span(RESULT)), kind, name)


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
