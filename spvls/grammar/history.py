"""What versions of SPIR-V changed of entries, and which version took an extension in (4, Changes)."""

from __future__ import annotations

from functools import cache

from spvls.grammar.data_text import data_text, loads
from spvls.record import NamedTuple
from spvls.typed import Any


class Change(NamedTuple):
    """What a version, or a revision of its text, changed of an entry; `what` is Markdown without a full stop."""

    version: str
    what: str


class Promotion(NamedTuple):
    """The version with what an extension brings in the core; `but` says what of it differs there, as Markdown, or is empty."""

    version: str
    but: str


def changes(key: str) -> tuple[Change, ...]:
    """The changes of an entry by its key, from the first version on; that it was added, and renamed, is not among them."""
    return tuple([Change(version, what) for version, what in _document("history.json").get(key, ())])


def promotion(extension: str) -> Promotion | None:
    """The version that took an extension in; None for one that is not in the core."""
    found = _document("promotions.json").get(extension)
    return Promotion(found["version"], found.get("but", "")) if found is not None else None


@cache
def _document(name: str) -> dict[str, Any]:
    document: dict[str, Any] = loads(data_text(name))
    return document
