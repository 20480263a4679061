"""Completion where an instruction begins: opcodes, ids that are used and not defined, whole modules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from spvls.binary.implied_declaration import implied_declarations
from spvls.diagnostic import Position
from spvls.grammar import tables
from spvls.grammar.records import Opcode
from spvls.ide.features.candidate import REQUIRED, WHOLE, Candidate, CandidateKind, entity_candidate
from spvls.ide.features.completion_context import CompletionContext
from spvls.ide.features.place import Place, place_at
from spvls.ide.features.requirements import requirement
from spvls.ide.features.skeleton import skeletons
from spvls.ide.features.snippet import Snippets, begins_open
from spvls.ide.source.global_part import of_globals
from spvls.ide.source.source_module import SourceModule
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction


def beginnings(source: SourceModule, context: CompletionContext, position: Position) -> Iterator[Candidate]:
    """What an instruction can begin with at a place: opcodes, ids that are used and not defined, whole modules."""
    place = place_at(source, position)
    if context.result is None:
        yield from _undefined(source, place, position)
        if context.prefix.startswith("%"):
            return
    if place.is_empty:
        yield from _skeletons(source)
    yield from _opcodes(source.module, context.result, place)


def _opcodes(module: Module, result: str | None, place: Place) -> Iterator[Candidate]:
    name = "opcodes to complete" if result is None else "opcodes to complete after a result"
    for opcode, found in of_globals(module, name, lambda _: list(_usable_opcodes(module, with_result=result is None))):
        if (result is None or opcode.has_result) and place.takes(opcode):
            yield found._replace(rank=REQUIRED) if opcode.value in place.required else found


def _usable_opcodes(module: Module, *, with_result: bool) -> Iterator[tuple[Opcode, Candidate]]:
    """Opcodes that the module may use or declare the use of, wherever they can stand."""
    snippets = Snippets(module)
    for opcode in tables.opcodes():
        needed = requirement(module, opcode)
        if needed is not None and not needed.can_be_met:
            continue
        snippet = snippets.instruction(opcode, with_result=with_result)
        kind = opcode.class_.replace("_", " ")
        found = entity_candidate(module, opcode, CandidateKind.OPCODE, kind, needed, snippet=snippet)
        yield opcode, found._replace(continues=begins_open(snippet))


def _undefined(source: SourceModule, place: Place, position: Position) -> Iterator[Candidate]:
    """Definitions of ids that are used and not defined: whole where the name says all, else up to the equals sign."""
    module = source.module
    chunk = source.document.chunk_at(position.line)
    known: set[str] = set()
    users = _global_users(source) if place.is_global else chunk.records
    for name in chain.from_iterable(record.uses() for record in users):
        if name in known or module.ids.definition(name) is not None:
            continue
        known.add(name)
        if len(known) > _MOST_UNDEFINED:
            return
        lines = implied_declarations(name, module) if place.is_global else ()
        text = "\n".join(lines) or f"%{name} = "
        detail = lines[-1].partition(" = ")[2] if lines else "used and not defined"
        yield Candidate(f"%{name}", CandidateKind.VALUE, detail, text, f"%{name}", REQUIRED, continues=not lines)


_MOST_UNDEFINED = 100


def _global_users(source: SourceModule) -> Iterator[Instruction]:
    return chain.from_iterable(chunk.records for chunk in source.document.chunks[: _MOST_CHUNKS])


_MOST_CHUNKS = 16
"""Chunks that are searched for undefined ids of declarations."""


def _skeletons(source: SourceModule) -> Iterator[Candidate]:
    environment = source.module.environment
    for skeleton in skeletons():
        rank = WHOLE if skeleton.suits(environment.api) else 0
        version = source.module.version
        text, snippet = skeleton.text(version), skeleton.snippet(version)
        yield Candidate(skeleton.title, CandidateKind.SKELETON, skeleton.detail, text, skeleton.title, rank, snippet)
