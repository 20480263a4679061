"""Linked editing: an id that lives in one function alone changes everywhere while it is typed."""

from __future__ import annotations

from spvls.diagnostic import Position, Range
from spvls.ide.source.occurrences import id_at, occurrences
from spvls.ide.source.source_module import SourceModule

MOST = 200
"""Places that are edited at once at most."""


def linked_ranges(source: SourceModule, position: Position) -> list[Range]:
    """All places of the id at a position, its definition among them; none where it is known outside of the function."""
    found = id_at(source, position)
    if found is None:
        return []
    ids = source.module.ids
    name = found[0]
    chunks = {id(chunk): chunk for chunk, _ in (*ids.definitions(name), *ids.uses(name))}
    if len(chunks) != 1 or not ids.definitions(name) or not next(iter(chunks.values())).is_function:
        return []
    places = occurrences(source, name)
    return [place.range for place in places] if 1 < len(places) <= MOST else []
