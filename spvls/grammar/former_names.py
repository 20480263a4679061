"""Names that entries had before SPIR-V 1.0, revision 2 (4.3, Renames)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from spvls.grammar.data_text import data_text, loads

OPCODES = "Op"
"""The family of the opcodes; other families are operand kinds."""


@cache
def _document() -> dict[str, dict[str, str]]:
    document: dict[str, dict[str, str]] = loads(data_text("former_names.json"))
    return document


def former_names(family: str) -> Mapping[str, str]:
    """The names of today by former names."""
    return _document().get(family, {})


def renamed(name: str) -> list[str]:
    """The keys of the entries that once had a name, whatever their family."""
    found = []
    for family, names in _document().items():
        if name in names:
            found.append(names[name] if family == OPCODES else f"{family}.{names[name]}")
    return found
