"""What somebody asked of a module, so that an edit elsewhere tells whether the answer may have changed."""

from __future__ import annotations

from collections.abc import Iterable


class Facts:
    """Facts by name: what defines an id; of what opcode and type that is; the value of a constant; decorations; and what
    concerns the module."""

    __slots__ = ("decorations", "definitions", "module", "types", "values")

    def __init__(self) -> None:
        self.definitions: set[str] = set()
        self.types: set[str] = set()
        self.values: set[str] = set()
        self.decorations: set[str] = set()
        self.module: set[str] = set()

    def touches(self, changed: Facts) -> bool:
        """Whether any of these facts is among the changed ones."""
        return not (
            self.definitions.isdisjoint(changed.definitions)
            and self.types.isdisjoint(changed.types)
            and self.values.isdisjoint(changed.values)
            and self.decorations.isdisjoint(changed.decorations)
            and self.module.isdisjoint(changed.module)
        )

    def add(self, other: Facts) -> None:
        self.definitions |= other.definitions
        self.types |= other.types
        self.values |= other.values
        self.decorations |= other.decorations
        self.module |= other.module

    def is_empty(self) -> bool:
        groups: Iterable[set[str]] = (self.definitions, self.types, self.values, self.decorations, self.module)
        return not any(groups)
