"""Records as values of JSON, the names of fields in camel case."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from spvls.diagnostic import Range
from spvls.typed import Any


def to_json(value: object, place: Callable[[Range], Any] | None = None, text: Callable[[str], str] = str) -> Any:
    """A named tuple as an object, a tuple as an array, all the way down.

    `place` says how ranges are written; without it the field `range` is left out. `text` says how strings are.
    """
    if isinstance(value, Range):
        return place(value) if place is not None else None
    if isinstance(value, str):
        return text(value)
    if not isinstance(value, tuple):
        return value
    fields: tuple[str, ...] | None = getattr(value, "_fields", None)
    if fields is None:
        return [to_json(part, place, text) for part in value]
    return {
        _camel(name): to_json(part, place, text)
        for name, part in zip(fields, value, strict=True)
        if name != "range" or place is not None
    }


@cache
def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
