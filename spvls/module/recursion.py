"""Recursive definitions over what a module declares, evaluated without recursion: a module may nest as deep as it is long."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, MutableMapping

from spvls.steps import completed
from spvls.typed import Any, Final, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Result = TypeVar("Result")

Steps = Generator[Key, Value, Value]
"""A definition at work: yields the keys whose values it needs, is sent these, and returns its own."""

REST: Final[Any] = object()
"""What a definition that takes long yields now and then in the place of a key, so that others have their turn."""


def resting(work: Generator[None, None, Result]) -> Generator[Any, Any, Result]:
    """Work in short steps within a definition: what comes of it, with a rest between two steps."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Result = done.value
            return result
        yield REST


_PORTION = 64
"""Parts of definitions that are gone through in one step; each may ask for others."""


def evaluate(definition: Callable[[Key], Steps[Key, Value]], key: Key, known: dict[Key, Value], cyclic: Value) -> Value:
    """The value of `key` by a recursive definition.

    Each value is computed once and kept in `known`. Where a value depends on itself, `cyclic` stands for it.
    """
    if key in known:
        return known[key]
    return completed(evaluation_steps(definition, key, known, cyclic))


def evaluation_steps(
    definition: Callable[[Key], Steps[Key, Value]], key: Key, known: MutableMapping[Key, Value], cyclic: Value
) -> Generator[None, None, Value]:
    """The same in short steps. Values that others ask for meanwhile must not be kept in `known`."""
    if key in known:
        return known[key]
    taken = 0
    open_keys = {key}
    stack = [(key, definition(key))]
    answer: Value | None = None  # a generator is started by sending None
    while stack:
        taken += 1
        if not taken % _PORTION:
            yield
        current, steps = stack[-1]
        try:
            wanted = steps.send(answer)  # type: ignore[arg-type]
        except StopIteration as stop:
            stack.pop()
            open_keys.discard(current)
            answer = known[current] = stop.value
            continue
        if wanted is REST:
            answer = None
            yield
        elif wanted in known:
            answer = known[wanted]
        elif wanted in open_keys:
            answer = cyclic
        else:
            open_keys.add(wanted)
            stack.append((wanted, definition(wanted)))
            answer = None
    return known[key]


def components(starts: Iterable[Key], successors: Callable[[Key], Iterable[Key]]) -> Iterator[list[Key]]:
    """The strongly connected components of what can be reached from `starts`, each after those that it leads to (Tarjan)."""
    order: dict[Key, int] = {}
    lowest: dict[Key, int] = {}
    path: list[Key] = []
    for start in starts:
        if start in order:
            continue
        order[start] = lowest[start] = len(order)
        path.append(start)
        stack = [(start, iter(successors(start)))]
        while stack:
            node, following = stack[-1]
            for successor in following:
                if successor not in order:
                    order[successor] = lowest[successor] = len(order)
                    path.append(successor)
                    stack.append((successor, iter(successors(successor))))
                    break
                if successor in lowest:  # still on the path
                    lowest[node] = min(lowest[node], order[successor])
            else:
                stack.pop()
                low = lowest[node]
                if stack:
                    above = stack[-1][0]
                    lowest[above] = min(lowest[above], low)
                if low == order[node]:
                    found = [path.pop()]
                    while found[-1] != node:
                        found.append(path.pop())
                    for member in found:
                        del lowest[member]
                    yield found
