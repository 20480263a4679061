"""Renaming an id everywhere."""

from __future__ import annotations

import re

from spvls.diagnostic import Edit, Position, Range
from spvls.grammar import spv
from spvls.ide.source.occurrences import occurrences
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.target import target_at
from spvls.syntax.instruction import Span
from spvls.syntax.peg import pattern
from spvls.text.escaping import code_span

_NAME = pattern("name").fullmatch
_PLAIN = re.compile(r'[^"\\]*')


class RenameError(ValueError):
    """Why an id cannot be renamed."""


def prepare_rename(source: SourceModule, position: Position) -> tuple[Range, str] | None:
    """What is to be renamed at a position, and the name it has now."""
    found = _renamable(source, position)
    return (found[1], f"%{found[0]}") if found is not None else None


def rename(source: SourceModule, position: Position, new_name: str) -> list[Edit]:
    """The edits that give the id at a position another name, written with or without its %.

    An OpName that says the old name takes the new one as well. Raises RenameError for a name that is none or is taken.
    """
    found = _renamable(source, position)
    if found is None:
        raise RenameError("only ids can be renamed, and there is none here")
    old, new = found[0], new_name.strip().removeprefix("%")
    if _NAME(new) is None:
        raise RenameError(f"{code_span(f'%{new}')} is not an id: names are made of ASCII letters, digits and underscores")
    if new == old:
        return []
    ids = source.module.ids
    if ids.definition(new) is not None or ids.uses(new):
        raise RenameError(f"the module has an id {code_span(f'%{new}')} already")
    edits = [Edit(place.range, f"%{new}") for place in occurrences(source, old)]
    return edits + _debug_name(source, old, new)


def _renamable(source: SourceModule, position: Position) -> tuple[str, Range] | None:
    """The id at a position; None for one among words that could not be read, which would stay behind."""
    target = target_at(source, position)
    if target is None or target.id is None:
        return None
    record, ids = target.word.record, source.module.ids
    if any(other is record for _, other in (*ids.definitions(target.id), *ids.uses(target.id))):
        return target.id, target.range
    return None


def _debug_name(source: SourceModule, old: str, new: str) -> list[Edit]:
    """The edit of the OpName that says the old name."""
    for chunk, record in source.module.ids.uses(old):
        if record.opcode.value == spv.OpName and record.operands == (old, old.encode()):
            span = record.span(1)
            inner = Span(span.start + 1, span.end - 1)
            if _PLAIN.fullmatch(record.text, *inner):
                return [Edit(source.range_of(record, inner, source.document.line_of(record, chunk)), new)]
    return []
