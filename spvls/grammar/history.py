"""What versions of SPIR-V changed of entries, which version took an extension in, and names before SPIR-V 1.0, revision 2 (4,
Changes; 4.3, Renames)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from spvls.grammar.data_text import data_text, loads
from spvls.record import NamedTuple
from spvls.typed import Any

OPCODES = "Op"
"""The family of the opcodes among former names; other families are operand kinds."""


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


def former_names(family: str) -> Mapping[str, str]:
    """The names of today by former names."""
    names: Mapping[str, str] = _document("former_names.json").get(family, {})
    return names


def renamed(name: str) -> list[str]:
    """The keys of the entries that once had a name, whatever their family."""
    found = []
    for family, names in _document("former_names.json").items():
        if name in names:
            found.append(names[name] if family == OPCODES else f"{family}.{names[name]}")
    return found


@cache
def _document(name: str) -> dict[str, Any]:
    document: dict[str, Any] = loads(data_text(name))
    return document
