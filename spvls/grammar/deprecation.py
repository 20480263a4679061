"""Entries that are still there and had better not be used any more, and what takes their place (SPIR-V 2.21)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from spvls.grammar.data_text import data_text, loads
from spvls.grammar.keys import resolve
from spvls.grammar.records import Entity
from spvls.record import NamedTuple


class Deprecation(NamedTuple):
    """`replacements` are the ways to do without, each the keys of the entries that it takes together.

    `extension` is what deprecates the entry where a module declares it; None where the specification itself does. `same` says
    that the first replacement takes the same operands and does the same.
    """

    replacements: tuple[tuple[str, ...], ...]
    extension: str | None = None
    same: bool = False

    def entities(self) -> tuple[tuple[Entity, ...], ...]:
        """The replacements as records."""
        return tuple(
            tuple(subject.record for key in way if (subject := resolve(key)) is not None) for way in self.replacements
        )


@cache
def deprecations() -> dict[str, Deprecation]:
    """All deprecated entries by key, see `spvls.grammar.keys`."""
    entries = loads(data_text("deprecations.json"))
    return {
        key: Deprecation(tuple(tuple(way) for way in entry["use"]), entry.get("by"), entry.get("same", False))
        for key, entry in entries.items()
    }


def in_words(ways: Iterable[Sequence[str]]) -> str:
    """The ways to do without, each the names of what it takes together: "A with B and C or D"."""
    return " or ".join(" with ".join(filter(None, (way[0], " and ".join(way[1:])))) for way in ways)
