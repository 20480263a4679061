"""What answers about a module were derived from, and which of them an edit makes invalid."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from spvls.typed import Any

GLOBALS = "instructions before the first function"
GLOBAL_TYPES = "types before the first function"
RECURSIVE_TYPES = "types that contain themselves"
DEFINED_IDS = "defined ids"


class Facts:
    """Facts about a module, by name: those that an answer was derived from, or those that an edit changed.

    `definitions` are ids by the instruction that defines them, `types` by its opcode and its type alone, `values` by it and
    all that it is made of, `decorations` by what decorates them. `module` are opcodes, by their instructions before the
    first function, and what else has a name, derived answers among them. `chunk_state` is what the instructions of a chunk
    pass on to each other while they are checked. `chunks` are chunks that an edit changed, by `id()`.
    """

    __slots__ = ("chunk_state", "chunks", "decorations", "definitions", "module", "types", "values")

    def __init__(self) -> None:
        self.definitions: set[str] = set()
        self.types: set[str] = set()
        self.values: set[str] = set()
        self.decorations: set[str] = set()
        self.module: set[Hashable] = set()
        self.chunk_state: set[str] = set()
        self.chunks: set[int] = set()

    def groups(self) -> tuple[set[Any], ...]:
        """The facts of each kind that can be recorded, the commonest first."""
        return self.definitions, self.types, self.module, self.values, self.decorations, self.chunk_state

    def of_ids(self) -> set[str]:
        """The ids that there are facts about."""
        return self.definitions | self.types | self.values | self.decorations

    def is_about(self, names: set[str]) -> bool:
        """Whether the ids that there are facts about are among these."""
        return self.definitions <= names and self.types <= names and self.values <= names and self.decorations <= names

    def add(self, others: Facts) -> None:
        """Add all facts of others that can be recorded."""
        for names, more in zip(self.groups(), others.groups()):  # noqa: B905 there are as many
            if more:
                names |= more

    def clear(self) -> None:
        """Remove all facts that can be recorded."""
        for names in self.groups():
            if names:
                names.clear()

    def without(self, own: Mapping[str, object]) -> None:
        """Remove the facts about ids among `own`."""
        for names in (self.definitions, self.types, self.values, self.decorations):
            if names and not own.keys().isdisjoint(names):
                names.difference_update([name for name in names if name in own])

    def is_empty(self) -> bool:
        """Whether there are no facts but changed chunks."""
        return not any(self.groups())


_WIDTH = 120
"""Askers that have a bit in one number, so that the numbers of a long function stay short."""

_MANY = 1000
"""Facts that are noted together rather than one by one."""

_MODULE = 2
"""The group of facts about the module."""

_Masks = dict[Any, int]


class Dependencies:
    """Which answers depend on which facts: for each fact the numbers of those who asked for it, which count from 0."""

    __slots__ = ("_spans",)

    def __init__(self) -> None:
        self._spans: list[tuple[_Masks, ...]] = []

    def record(self, asker: int, groups: tuple[set[Any], ...]) -> None:
        """Note what an asker depends on, by groups of facts, and clear these."""
        at, place = divmod(asker, _WIDTH)
        while at >= len(self._spans):
            self._spans.append(({}, {}, {}, {}, {}, {}))
        bit = 1 << place
        for masks, names in zip(self._spans[at], groups):  # noqa: B905 there are as many
            if not names:
                continue
            if len(names) > _MANY:
                for name in names & masks.keys():
                    masks[name] |= bit
                masks.update(dict.fromkeys(names - masks.keys(), bit))
            else:
                for name in names:
                    masks[name] = masks[name] | bit if name in masks else bit
            names.clear()

    def note(self, asker: int, name: Hashable) -> None:
        """Note that an asker depends on one fact of the module."""
        at = asker // _WIDTH
        while at >= len(self._spans):
            self._spans.append(({}, {}, {}, {}, {}, {}))
        masks = self._spans[at][_MODULE]
        masks[name] = masks.get(name, 0) | 1 << asker % _WIDTH

    def facts(self) -> Sequence[Sequence[Mapping[Any, int]]]:
        """The facts that anyone depends on, by groups, several times all of these."""
        return self._spans

    def invalidate(self, facts: Facts) -> set[int]:
        """The askers that depend on any of these facts, which are no longer what they were; they must ask again."""
        return self.invalidate_groups([(kind, names) for kind, names in enumerate(facts.groups()) if names])

    def invalidate_groups(self, groups: list[tuple[int, set[Any]]]) -> set[int]:
        """As `invalidate`, by those groups that are not empty, each with its number: for who asks many for the same facts."""
        found: set[int] = set()
        for at, span in enumerate(self._spans):
            bits = 0
            for kind, names in groups:
                masks = span[kind]
                if masks and not masks.keys().isdisjoint(names):
                    for name in names & masks.keys():
                        bits |= masks.pop(name)
            if bits:
                found |= _numbers(bits, at * _WIDTH)
        return found

    def forget_state(self, askers: set[int]) -> None:
        """Let some askers take part in no state of the chunk.

        Other facts stay until they change: there are many, and one who asks again asks for most of them again.
        """
        for at, span in enumerate(self._spans):
            masks = span[-1]
            bits = _bits(askers, at * _WIDTH) if masks else 0
            for name, mask in [item for item in masks.items() if item[1] & bits]:
                if mask & ~bits:
                    masks[name] = mask & ~bits
                else:
                    del masks[name]

    def state_of(self, askers: set[int]) -> set[str]:
        """The state of the chunk that some askers take part in."""
        found: set[str] = set()
        for at, span in enumerate(self._spans):
            if span[-1]:
                bits = _bits(askers, at * _WIDTH)
                found.update([name for name, mask in span[-1].items() if mask & bits])
        return found

    def sharing(self, names: set[str]) -> set[int]:
        """The askers that take part in any of these states of the chunk."""
        found: set[int] = set()
        for at, span in enumerate(self._spans):
            for name in span[-1].keys() & names if span[-1] else ():
                found |= _numbers(span[-1][name], at * _WIDTH)
        return found


class Askers:
    """Which of several that have `Dependencies` of their own ask for which facts: by a key where it is one alone."""

    def __init__(self) -> None:
        #: By groups of facts: a key, or 0 where there are several.
        self._keys: tuple[dict[Any, int], ...] = tuple({} for _ in Facts().groups())

    def add(self, key: int, groups: Sequence[Iterable[Any]]) -> None:
        """One of them depends on these facts, by groups."""
        for names, keys in zip(groups, self._keys):  # noqa: B905 there are as many
            for name in names:
                if keys.setdefault(name, key) != key:
                    keys[name] = 0

    def note(self, key: int, name: Hashable) -> None:
        """One of them depends on a fact of the module."""
        keys = self._keys[_MODULE]
        if keys.setdefault(name, key) != key:
            keys[name] = 0

    def take(self, changed: Facts) -> tuple[list[tuple[int, set[Any]]], set[int] | None]:
        """The facts that changed and that anyone asked for, by the numbers of their groups, and the keys of those who did; None
        where that may be any. Let these invalidate them: nobody depends on these facts until asking again."""
        groups: list[tuple[int, set[Any]]] = []
        found: set[int] = set()
        for kind, (names, keys) in enumerate(zip(changed.groups(), self._keys, strict=True)):
            asked = names & keys.keys()
            if asked:
                groups.append((kind, asked))
                found.update([keys.pop(name) for name in asked])
        return groups, None if 0 in found else found


def _bits(askers: Iterable[int], start: int) -> int:
    """Those of the askers that have a bit in the number that begins with `start`."""
    bits = 0
    for asker in askers:
        if start <= asker < start + _WIDTH:
            bits |= 1 << asker - start
    return bits


def _numbers(bits: int, start: int) -> set[int]:
    """The places of the bits that are set, counted from `start`."""
    found = set()
    while bits:
        lowest = bits & -bits
        found.add(start + lowest.bit_length() - 1)
        bits ^= lowest
    return found
