"""What somebody asked of a module, so that an edit elsewhere tells whether the answer may have changed."""

from __future__ import annotations

from typing import Any


class Facts:
    """Facts by name: what defines an id; of what opcode and type that is; the value of a constant; decorations; what
    concerns the module; and what the instructions of a chunk hand on to each other while they are checked."""

    __slots__ = ("decorations", "definitions", "global_types", "module", "shared", "types", "values")

    def __init__(self) -> None:
        self.definitions: set[str] = set()
        self.types: set[str] = set()
        self.values: set[str] = set()
        self.decorations: set[str] = set()
        self.module: set[str | int] = set()
        self.shared: set[str] = set()
        self.global_types = False

    def groups(self) -> tuple[set[Any], ...]:
        """The facts of each kind, the commonest first."""
        return self.definitions, self.types, self.module, self.values, self.decorations, self.shared

    def is_empty(self) -> bool:
        return not any(self.groups())


_WIDTH = 120
"""Askers that have a bit in one number; so that a long function takes no numbers as long as it is."""

_LASTING = 2
"""Groups of facts that are long: definitions and types."""

_Masks = dict[Any, int]


class Reads:
    """Who asked for which facts: for each fact the numbers of its askers, which count from 0."""

    __slots__ = ("_spans",)

    def __init__(self, askers: int) -> None:
        self._spans: list[tuple[_Masks, ...]] = [({}, {}, {}, {}, {}, {}) for _ in range(0, askers, _WIDTH)]

    def take(self, asker: int, groups: tuple[set[Any], ...]) -> None:
        """Note what was asked for, by groups of facts, and clear these."""
        if not any(groups):
            return
        bit = 1 << asker % _WIDTH
        for masks, names in zip(self._spans[asker // _WIDTH], groups):  # noqa: B905 there are as many
            if names:
                for name in names:
                    masks[name] = masks[name] | bit if name in masks else bit
                names.clear()

    def withdraw(self, facts: Facts) -> set[int]:
        """Take these facts back: those who asked for any of them, and are to ask again."""
        found: set[int] = set()
        groups = facts.groups()
        for at, span in enumerate(self._spans):
            bits = 0
            for masks, names in zip(span, groups):  # noqa: B905 there are as many
                if names and masks:
                    for name in names if len(names) < len(masks) else masks.keys() & names:
                        if name in masks:
                            bits |= masks.pop(name)
            if bits:
                found |= _numbers(bits, at * _WIDTH)
        return found

    def drop(self, askers: set[int]) -> None:
        """Forget what some asked for.

        Definitions and types stay noted until they change: there are many, and few that one who asks again asks no more.
        """
        for at, span in enumerate(self._spans):
            start = at * _WIDTH
            bits = sum(1 << asker - start for asker in askers if start <= asker < start + _WIDTH)
            for masks in span[_LASTING:] if bits else ():
                for name, mask in [item for item in masks.items() if item[1] & bits]:
                    if mask & ~bits:
                        masks[name] = mask & ~bits
                    else:
                        del masks[name]

    def shared_by(self, askers: set[int]) -> Facts:
        """What some hand on, to each other or to others."""
        found = Facts()
        for at, span in enumerate(self._spans):
            for name, bits in span[-1].items():
                if not askers.isdisjoint(_numbers(bits, at * _WIDTH)):
                    found.shared.add(name)
        return found

    def sharing(self, names: set[str]) -> set[int]:
        """Those who hand any of these things on."""
        found: set[int] = set()
        for at, span in enumerate(self._spans):
            for name in span[-1].keys() & names if span[-1] else ():
                found |= _numbers(span[-1][name], at * _WIDTH)
        return found


def _numbers(bits: int, start: int) -> set[int]:
    """The places of the bits that are set, counted from `start`."""
    found = set()
    while bits:
        lowest = bits & -bits
        found.add(start + lowest.bit_length() - 1)
        bits ^= lowest
    return found
